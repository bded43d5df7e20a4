import { type FairleadError, type Issue, invalidRequest } from '../../runtime/errors.ts'
import { type MessageInput, type PartInput, partsOfRole } from './conversation-input.ts'
import { type MediaPart, type Message, type ToolCallPart, isWrittenInput } from './message.ts'
import { imageTypes, sniffImage, readDataUrl, toBase64 } from './media-data.ts'

/**
 * The messages of a request in the form that providers get. Throws `INVALID_REQUEST` that names the part at fault, such as a
 * tool call without a result.
 *
 * @param isOwn whether a message reaches a provider as its client wrote it, so that the provider decides whether it may be
 * empty or name an http URL. Default: none does.
 */
export function toMessages(
  input: readonly MessageInput[],
  warn: (issues: readonly Issue[]) => void,
  isOwn: (index: number) => boolean = () => false,
): readonly Message[] {
  const calls = new Map<string, { readonly name: string; readonly field: string; isAnswered: boolean }>()
  const messages = input.map(({ role, content }, index): Message => {
    const field = `messages[${index}].content`
    const parts: readonly PartInput[] = typeof content === 'string' ? [{ type: 'text', text: content }] : content
    const allowed: readonly string[] = partsOfRole[role]
    const checked = parts.flatMap((part, at): object | readonly [] => {
      const partField = typeof content === 'string' ? field : `${field}[${at}]`
      if (!allowed.includes(part.type)) {
        const where = `in a message of role "${role}", only ${allowed.join(', ')}`
        throw fault(partField, `a part of type "${part.type}" is not allowed ${where}`)
      }
      if (part.type === 'file' && role === 'assistant') {
        warn([fileLeftOut])
        return []
      }
      if (part.type === 'image' || part.type === 'file') return toMedia(part, partField, isOwn(index))
      if (part.type === 'tool_call') {
        // Some servers number the calls of each answer anew.
        if (calls.get(part.id)?.isAnswered === false) throw fault(`${partField}.id`, 'is the id of another tool call')
        calls.set(part.id, { name: part.name, field: partField, isAnswered: false })
        return toToolCall(part)
      }
      if (part.type === 'refusal') return { ...part, type: 'text' as const }
      if (part.type !== 'tool_result') return part
      const call = calls.get(part.toolCallId)
      if (!call) throw fault(`${partField}.toolCallId`, 'is not the id of an earlier tool call')
      if (call.isAnswered) throw fault(`${partField}.toolCallId`, 'has a result already')
      call.isAnswered = true
      return { ...part, name: call.name, content: toResultContent(part.content, partField, isOwn(index)) }
    })
    if (parts.every((part) => part.type === 'text' && part.text === '') && !isOwn(index))
      throw fault(field, 'must not be empty')
    // The parts were checked against the role.
    return { role, content: checked.length > 0 ? checked : [{ type: 'text', text: '' }] } as Message
  })
  for (const call of calls.values())
    if (!call.isAnswered) throw fault(call.field, 'this tool call has no result in a later message')
  return messages
}

const fileLeftOut: Issue = { field: 'messages', issue: 'files of earlier answers were left out' }

function toResultContent(
  content: Extract<PartInput, { type: 'tool_result' }>['content'],
  field: string,
  isOwn: boolean,
) {
  if (typeof content === 'string') return [{ type: 'text', text: content } as const]
  return content.map((part, at) => (part.type === 'text' ? part : toMedia(part, `${field}.content[${at}]`, isOwn)))
}

/** The text of the input is what the model wrote, or the JSON of the input. */
function toToolCall(part: Extract<PartInput, { type: 'tool_call' }>): ToolCallPart {
  const { input, inputText = JSON.stringify(input), ...call } = part
  return { ...call, inputText, ...(isWrittenInput(part) && { input }) }
}

/** The bytes with their media type, or an https URL. A provider decides whether it loads others that a client's own form has. */
function toMedia(part: Extract<PartInput, { type: 'image' | 'file' }>, field: string, isOwn: boolean): MediaPart {
  const { url, data: given, mediaType, ...facts } = part
  if (url === undefined && given === undefined) throw fault(`${field}.url`, '`url` or `data` is required')
  if (url !== undefined && given !== undefined) throw fault(`${field}.data`, 'cannot be combined with `url`')
  const inline = url === undefined ? undefined : readDataUrl(url)
  if (url !== undefined && !inline) {
    if (!(isOwn ? /^https?:\/\//i : /^https:\/\//i).test(url) || !URL.canParse(url))
      throw fault(`${field}.url`, 'must be an https URL, or a data: URL')
    return { ...facts, source: { kind: 'url', url, ...(mediaType !== undefined && { mediaType }) } }
  }
  const data = inline ? inline.data : toBase64(given ?? '')
  if (data === undefined) {
    const belongsInUrl = given !== undefined && /^(?:data|https?):/i.test(given) ? '; a URL belongs in `url`' : ''
    throw fault(`${field}.${given === undefined ? 'url' : 'data'}`, `must be base64${belongsInUrl}`)
  }
  if (part.type === 'file') return { ...facts, source: { kind: 'data', data, mediaType: part.mediaType } }
  const type = sniffImage(data) ?? mediaType ?? inline?.mediaType
  if (type === undefined || !imageTypes.some((each) => each === type))
    throw fault(field, `must be an image of type ${imageTypes.join(', ')}`)
  return { ...facts, source: { kind: 'data', data, mediaType: type } }
}

function fault(field: string, issue: string): FairleadError {
  return invalidRequest({ field, issue })
}
