const least = 12
const most = 128

/** The longest text that is normalized as a password, in UTF-16 code units: eight times what a password may have. */
export const maxRawPasswordLength = 1_024

/** What a password must be. */
export const passwordRule = `must have ${least} to ${most} characters`

/** A password in the form in which it is compared (NFKC); undefined where it is too long to be one. */
export function normalizePassword(text: string): string | undefined {
  return text.length > maxRawPasswordLength ? undefined : text.normalize('NFKC')
}

/** Whether a text, in the normal form NFKC, has the length of a password. */
export function isPassword(text: string): boolean {
  // Each character is one or two code units, so that the length of an endless text need not be counted.
  if (text.length > 2 * most) return false
  const length = [...text].length
  return length >= least && length <= most
}
