/** Maximum length of a text that is normalized as an email address, in UTF-16 code units: four times the longest address. */
export const maxRawEmailLength = 1_000

/** Normalizes an email address for storage and comparison: NFKC, lower case. Idempotent. */
export function normalizeEmail(text: string): string {
  // Normalization takes time quadratic in a run of combining marks: 3.4 s for 240,000 of them.
  if (text.length > maxRawEmailLength)
    throw new RangeError(`Email address too long to normalize: ${text.length} UTF-16 code units`)
  // Lower-casing can undo the normal form (İ), and the normal form can contain capitals (™).
  return text.trim().normalize('NFKC').toLowerCase().normalize('NFKC')
}
