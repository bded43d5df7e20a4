const ids = /\b([a-z]{2,16})_\d{37}\b/g
const tokens = /\b(fl|flc|fli|flp|flr|fls|flv)_([0-9A-Za-z]{49,})\b/g
/** Bytes of WebAuthn: the tokens of ceremonies, and the ids of credentials and users. */
const ceremonies =
  /("(?:challenge|clientDataJSON|attestationObject|authenticatorData|signature)":"|"(?:id|rawId)":"(?=[\w-]{22}"))[\w-]+|"dXNy[\w-]+"/g
const firstDigits = '214400838206'
const filler = 'EXAMPLE'.repeat(20)

/**
 * Replaces random values in responses with fixed ones. The ids of each kind of record are numbered, so that they remain
 * distinct. The ids of requests are all the same, because another request would change them all.
 */
export function stableText(text: string): string {
  const numbers = new Map<string, Map<string, number>>()
  return text
    .replace(ids, (id, prefix: string) => {
      const ofKind = numbers.get(prefix) ?? new Map<string, number>()
      numbers.set(prefix, ofKind)
      const number = prefix === 'req' ? 1 : (ofKind.get(id) ?? ofKind.size + 1)
      ofKind.set(id, number)
      return `${prefix}_${firstDigits}${String(number).padStart(25, '0')}`
    })
    .replace(tokens, (_token, prefix: string, rest: string) => `${prefix}_${filler.slice(0, rest.length)}`)
    .replace(ceremonies, (bytes, field: string | undefined) =>
      field === undefined ? '"dXNyEXAMPLE"' : `${field}${filler.slice(0, Math.min(bytes.length - field.length, 43))}`,
    )
    .replace(/\bwhsec_[\w+/]{43}=/g, `whsec_${filler.slice(0, 43)}=`)
    .replace(/("timestamp":")[^"]+/g, '$12026-03-14T09:26:53.589Z')
    .replace(/("prefix":")fl_\w{7}/g, '$1fl_EXAMPLE')
    .replace(/("next_cursor":")[^"]+/g, '$1EXAMPLE')
}
