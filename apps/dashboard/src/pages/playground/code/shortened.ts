/** A longer text in base64 does not fit on a page. */
const maxCharacters = 200
const shownCharacters = 24

/** Stands for the rest of a text. It does not occur in base64. */
export const ellipsis = '…(shortened)'

const base64 = /^(data:[^,]{1,100},)?[A-Za-z0-9+/]+=*$/

/** A request with the data of its attachments shortened. */
export function shortened<Value>(value: Value): Value {
  return mapTexts(value, (text) =>
    text.length > maxCharacters && base64.test(text) ? `${text.slice(0, shownCharacters)}${ellipsis}` : text,
  ) as Value
}

function mapTexts(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === 'string') return map(value)
  if (Array.isArray(value)) return value.map((each) => mapTexts(each, map))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, mapTexts(each, map)]))
}
