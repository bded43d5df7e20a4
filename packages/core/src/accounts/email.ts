/** The longest text that is normalized as an e-mail address, in UTF-16 code units: four times what an address may have. */
export const maxRawEmailLength = 1_000

/** An e-mail address as it is kept and compared: NFKC, lower case. Doing it again changes nothing. */
export function normalizeEmail(text: string): string {
  // Normalization takes time quadratic in a run of combining marks: 3.4 s for 240,000 of them.
  if (text.length > maxRawEmailLength) throw new RangeError(`an e-mail address of ${text.length} code units`)
  // Lower-casing can take a text out of its normal form (İ), and the normal form can have capitals (™).
  return text.trim().normalize('NFKC').toLowerCase().normalize('NFKC')
}
