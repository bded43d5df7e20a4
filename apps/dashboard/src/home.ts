/** The URL of the dashboard, with a slash at its end. Found from the address of the scripts, so that a proxy can add a path. */
export const home = import.meta.env.DEV
  ? new URL(import.meta.env.BASE_URL, location.href)
  : new URL(/* @vite-ignore */ '..', import.meta.url)

/** The URL of the service, without a slash at its end. */
export const serviceUrl = new URL('..', home).href.replace(/\/$/, '')
