/** The package's own folder, with its data: above this file in `src`, and above all files in `dist`. */
export const packageFolder = new URL('..', import.meta.url)
