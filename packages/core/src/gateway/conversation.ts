import { type FairleadError, type Issue, invalidRequest } from '../runtime/errors.ts'
import { type MessageInput, type PartInput, partsOfRole } from './conversation-input.ts'
import type { MediaPart, Message, ToolCallPart } from './message.ts'
import { imageTypes, sniffImage } from './sniff-image.ts'

/** The messages of a request in the form that providers get. Throws `INVALID_REQUEST` that names the part at fault. */
export function toMessages(
  input: readonly MessageInput[],
  warn: (issues: readonly Issue[]) => void = () => {},
): readonly Message[] {
  const calls = new Map<string, string>()
  const answered = new Set<string>()
  return input.map(({ role, content }, index): Message => {
    const field = `messages[${index}].content`
    const parts: readonly PartInput[] = typeof content === 'string' ? [{ type: 'text', text: content }] : content
    const allowed: readonly string[] = partsOfRole[role]
    const checked = parts.flatMap((part, at): object | readonly [] => {
      const partField = typeof content === 'string' ? field : `${field}[${at}]`
      if (!allowed.includes(part.type)) throw misplaced(partField, role, part.type)
      if (part.type === 'file' && role === 'assistant') {
        warn([fileLeftOut])
        return []
      }
      if (part.type === 'image' || part.type === 'file') return toMedia(part, partField)
      if (part.type === 'tool_call') {
        if (calls.has(part.id) && !answered.has(part.id))
          throw fault(`${partField}.id`, 'is the id of another tool call')
        calls.set(part.id, part.name)
        // Some servers number the calls of each answer anew.
        answered.delete(part.id)
        return toToolCall(part)
      }
      if (part.type === 'refusal') return { ...part, type: 'text' as const }
      if (part.type !== 'tool_result') return part
      const name = calls.get(part.toolCallId)
      if (name === undefined) throw fault(`${partField}.toolCallId`, 'is not the id of an earlier tool call')
      if (answered.has(part.toolCallId)) throw fault(`${partField}.toolCallId`, 'has a result already')
      answered.add(part.toolCallId)
      return { ...part, name, content: toResultContent(part.content, partField) }
    })
    if (parts.every((part) => part.type === 'text' && part.text === '')) throw fault(field, 'must not be empty')
    // The parts were checked against the role.
    return { role, content: checked.length > 0 ? checked : [{ type: 'text', text: '' }] } as Message
  })
}

const fileLeftOut: Issue = { field: 'messages', issue: 'files of earlier answers were left out' }

/** Throws unless every tool call has a result. */
export function requireAnswerable(messages: readonly Message[]): void {
  const open = new Map<string, string>()
  for (const [index, { content }] of messages.entries()) {
    for (const [at, part] of content.entries()) {
      if (part.type === 'tool_call') open.set(part.id, `messages[${index}].content[${at}]`)
      if (part.type === 'tool_result') open.delete(part.toolCallId)
    }
  }
  const [unanswered] = open.values()
  if (unanswered !== undefined) throw fault(unanswered, 'this tool call has no result in a later message')
}

function toResultContent(content: Extract<PartInput, { type: 'tool_result' }>['content'], field: string) {
  if (typeof content === 'string') return [{ type: 'text', text: content } as const]
  return content.map((part, at) => (part.type === 'text' ? part : toMedia(part, `${field}.content[${at}]`)))
}

type MediaInput = Extract<PartInput, { type: 'image' | 'file' }>

/** The text of the input is what the model wrote, or the JSON of the input. */
function toToolCall({ input, inputText: text, ...call }: Extract<PartInput, { type: 'tool_call' }>): ToolCallPart {
  if (text === undefined) return { ...call, inputText: JSON.stringify(input), input }
  const isObject = Object.keys(input).length > 0 || /^\s*\{\s*\}\s*$/.test(text)
  return { ...call, inputText: text, ...(isObject && { input }) }
}

/** The bytes with their media type, or an https URL. */
function toMedia(part: MediaInput, field: string): MediaPart {
  const { url, data: base64, mediaType, ...facts } = part
  if ((url === undefined) === (base64 === undefined)) {
    throw fault(
      `${field}.${url === undefined ? 'url' : 'data'}`,
      url === undefined ? '`url` or `data` is required' : 'cannot be combined with `url`',
    )
  }
  const inline = url === undefined ? undefined : /^data:([^;,]+);base64,/i.exec(url.slice(0, 200))
  if (url !== undefined && !inline) {
    if (!/^https:\/\//i.test(url) || !URL.canParse(url))
      throw fault(`${field}.url`, 'must be an https URL, or a data: URL with base64')
    return { ...facts, source: { kind: 'url', url, ...(mediaType !== undefined && { mediaType }) } }
  }
  const data = inline && url !== undefined ? url.slice(inline[0].length) : (base64 ?? '')
  if (!isBase64(data)) {
    const belongsInUrl = url === undefined && /^(?:data|https?):/i.test(data) ? '; a URL belongs in `url`' : ''
    throw fault(`${field}.${url === undefined ? 'data' : 'url'}`, `must be base64 without line breaks${belongsInUrl}`)
  }
  if (part.type === 'file') return { ...facts, source: { kind: 'data', data, mediaType: part.mediaType } }
  const type = sniffImage(data) ?? part.mediaType ?? inline?.[1]
  if (type === undefined || !imageTypes.includes(type))
    throw fault(field, `must be an image of type ${imageTypes.join(', ')}`)
  return { ...facts, source: { kind: 'data', data, mediaType: type } }
}

/** Checks the length and both ends: a scan of the whole would block the event loop, and the upstream decodes it anyway. */
function isBase64(data: string): boolean {
  const ends = data.length <= 128 ? data : data.slice(0, 64) + data.slice(-64)
  return data !== '' && data.length % 4 !== 1 && /^[A-Za-z0-9+/]+={0,2}$/.test(ends)
}

function misplaced(field: string, role: keyof typeof partsOfRole, type: string): FairleadError {
  return fault(
    field,
    `a part of type "${type}" is not allowed in a message of role "${role}", only ${partsOfRole[role].join(', ')}`,
  )
}

function fault(field: string, issue: string): FairleadError {
  return invalidRequest({ field, issue } satisfies Issue)
}
