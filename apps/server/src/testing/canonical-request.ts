/** Fields of output items that input items do not need, and what Fairlead asks of OpenAI to read its answer. */
const dropped = new Set(['annotations', 'parsed', 'parsed_arguments', 'status', 'include', 'stream_options'])

/** A request to OpenAI in one of the forms that mean the same: without defaults, and with texts as plain as possible. */
export function canonicalRequest(body: unknown): unknown {
  if (Array.isArray(body)) return body.map(canonicalRequest)
  if (typeof body !== 'object' || body === null) return body
  const fields = Object.entries(body).flatMap(([name, value]) => {
    if (dropped.has(name) || isDefault(name, value, body)) return []
    return [[name, canonicalRequest(name === 'content' || name === 'input' ? toText(name, value) : value)]]
  })
  return Object.fromEntries(fields)
}

function isDefault(name: string, value: unknown, { role }: { readonly role?: unknown }): boolean {
  if (value === null || value === false || (name === 'detail' && value === 'auto') || (name === 'n' && value === 1))
    return true
  if (name === 'type') return value === 'message'
  if (name === 'id') return /^(?:msg|fc)_/.test(String(value))
  return (name === 'name' && role === 'tool') || (name === 'text' && JSON.stringify(value) === '{}')
}

/** A content of one text is that text, and an input of one text is a message. */
function toText(name: string, value: unknown): unknown {
  if (name === 'input') return typeof value === 'string' ? [{ role: 'user', content: value }] : value
  const [only, ...others] = Array.isArray(value) ? (value as readonly { readonly text?: unknown }[]) : []
  return others.length === 0 && typeof only?.text === 'string' ? only.text : value
}
