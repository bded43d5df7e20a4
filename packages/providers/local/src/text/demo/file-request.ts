/** A file that a user asks an agent to create. */
export interface FileRequest {
  /** A relative path. */
  readonly path: string
  /** The content of the file, word for word. Undefined if the user only says what it is about. */
  readonly content?: string
  /** The topic of the file, as a prompt. */
  readonly topic?: string
}

/** Such requests are short, and the expressions below are not made for more. */
const maxLength = 2_000

const file = String.raw`["'“‘\x60]?((?:\./)?\w[\w-]*(?:[./]\w[\w-]*)*\.[a-z]\w{0,9}\b)["'”’\x60]?`
const fillers = String.raw`(?:(?:me|us|a|an|the|new|empty|simple|small|short|plain|text|example|test|file|called|named)\s+)*`
const create = String.raw`\b(?:create|write|make|save|generate)\s+`

/** "Create hello.txt": a request that names anything else first, such as tests for a file, is not one to create it. */
const named = new RegExp(`${create}${fillers}${file}`, 'i')
/** "Write a haiku about rain to rain.txt". What is written in or into a file would replace what it has. */
const target = new RegExp(String.raw`\b(?:write|save)\s+(.{1,500}?)\s+(?:to|as)\s+${fillers}${file}\s*\.?$`, 'is')
const unnamed = new RegExp(String.raw`${create}(?:a|an|one)\s+${fillers}file\b`, 'i')
const quoted =
  /\b(?:with|containing|contains?|saying|says?|text|contents?|reading|reads)\b[\s:]*(?:"([^"]+)"|“([^”]+)”|`([^`]+)`|'([^']+)')/i
const literal =
  /\b(?:with|containing|contains|has|saying|says)\s+(?:just\s+|only\s+)?(?:the\s+)?(?:following\s+)?(?:text|contents?|words?|lines?|sentence)\s*:?\s*(.+)$/is
const about = /^\s*,?\s*(?:with|containing|about|that (?:has|contains|says))\s+(.+)$/is

/** Reads a request to create a file; undefined if the text is no such request, which a script must not guess at. */
export function readFileRequest(text: string): FileRequest | undefined {
  if (text.length > maxLength) return undefined
  const content = (quoted.exec(text)?.slice(1).find(Boolean) ?? literal.exec(text)?.[1])?.trim()
  const direct = named.exec(text)
  if (direct) {
    const [whole, path = ''] = direct
    const topic = about.exec(text.slice(direct.index + whole.length))?.[1]
    return { path, ...(content !== undefined ? { content } : topic !== undefined && { topic: `Write ${topic}` }) }
  }
  const [, topic, path] = target.exec(text) ?? []
  if (topic !== undefined && path !== undefined) {
    return content !== undefined ? { path, content } : { path, topic: `Write ${topic}` }
  }
  return unnamed.test(text) ? { path: 'hello.txt', ...(content !== undefined && { content }) } : undefined
}
