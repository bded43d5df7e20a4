const ids = /\b([a-z]{2,16})_\d{37}\b/g
const tokens = /\b(fl|fli|flr|fls)_([0-9A-Za-z]{49,})\b/g
const firstDigits = '214400838206'
const filler = 'EXAMPLE'.repeat(20)

/** Replaces random values in responses with fixed ones. Ids are numbered, so that they remain distinct. */
export function stableText(text: string): string {
  const numbers = new Map<string, number>()
  return text
    .replace(ids, (id, prefix: string) => {
      const number = numbers.get(id) ?? numbers.size + 1
      numbers.set(id, number)
      return `${prefix}_${firstDigits}${String(number).padStart(25, '0')}`
    })
    .replace(tokens, (_token, prefix: string, rest: string) => `${prefix}_${filler.slice(0, rest.length)}`)
    .replace(/\bwhsec_[\w+/]{43}=/g, `whsec_${filler.slice(0, 43)}=`)
    .replace(/("timestamp":")[^"]+/g, '$12026-03-14T09:26:53.589Z')
    .replace(/("prefix":")fl_\w{7}/g, '$1fl_EXAMPLE')
    .replace(/("next_cursor":")[^"]+/g, '$1EXAMPLE')
}
