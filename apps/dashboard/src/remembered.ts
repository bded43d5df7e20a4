/** The value that the browser remembers under a key; null if there is none, or if its storage is disabled. */
export function recall(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

/** Remembers a value; until the page is closed, if the storage of the browser is disabled. */
export function remember(key: string, value: string): void {
  try {
    localStorage.setItem(key, value)
  } catch {
    // The page itself keeps it.
  }
}
