const names = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' })
/** Codes that ISO 639-1 has withdrawn in favor of others. */
const withdrawn = new Set(['bh', 'in', 'iw', 'ji', 'jw', 'mo', 'sh'])

/** The English name of one of the 183 ISO 639-1 codes. */
export function languageName(code: string): string | undefined {
  return /^[a-z]{2}$/.test(code) && !withdrawn.has(code) ? names.of(code) : undefined
}
