const names = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' })
/** Two-letter codes that ISO 639-1 once had, and whose languages have others by now. */
const withdrawn = new Set(['bh', 'in', 'iw', 'ji', 'jw', 'mo', 'sh'])

/** The English name of an ISO 639-1 code (183 of them); undefined for what is none. */
export function languageName(code: string): string | undefined {
  return /^[a-z]{2}$/.test(code) && !withdrawn.has(code) ? names.of(code) : undefined
}
