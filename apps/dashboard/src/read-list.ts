/** The entries of a text that separates them by commas. Null if it has none. */
export function readList(text: string): string[] | null {
  const entries = text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
  return entries.length === 0 ? null : entries
}
