/** Thirty marks in a row occur in no language; it is what Unicode's stream-safe form allows (UAX #15, 13). */
const markRun = /\p{M}{31}/u

/**
 * A text in a normal form of Unicode; as it is where it has more than thirty combining marks in a row: putting them in
 * order takes time quadratic in their number, seconds for 100,000.
 */
export function normalForm(text: string, form: 'NFC' | 'NFD'): string {
  return markRun.test(text) ? text : text.normalize(form)
}
