import type { BrowserContext } from 'playwright-core'

/** Tells the pages of a profile that it has a session, as a log-in on a page does. */
export async function rememberSession(context: BrowserContext): Promise<void> {
  // A new tab is blank at first, and has no storage.
  await context.addInitScript(() => {
    if (location.protocol !== 'about:') localStorage.setItem('fairlead-session', 'true')
  })
}
