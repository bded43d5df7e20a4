import {
  type MediaPart,
  type Message,
  type OpaquePart,
  type ProviderOptions,
  type TextPart,
  type ToolResultPart,
  withUserMessage,
} from '@fairlead/core/provider'
import type { GenerateRequest, SentMedia, SentPart, WireContent } from './wire.ts'

export interface Conversation {
  readonly messages: readonly Message[]
  /** The provider's id, for the fields of its API that parts carry. */
  readonly id: string
  /** Whether the model requires signatures of function calls, and takes images and files in their results. */
  readonly isGemini3: boolean
}

/** A conversation in the API's format. System messages become the system instruction, wherever they are. */
export function messagesToWire({
  messages: given,
  ...format
}: Conversation): Pick<GenerateRequest, 'contents' | 'systemInstruction'> {
  const messages = withUserMessage(given)
  const system: SentPart[] = []
  const contents: WireContent[] = []
  for (const [index, { role, content }] of messages.entries()) {
    if (role === 'system') system.push(...content.flatMap((part) => textToWire(part, format)))
    else if (role === 'user') contents.push({ role, parts: content.flatMap((part) => inputToWire(part, format)) })
    else if (role === 'assistant') contents.push({ role: 'model', parts: answerToWire(content, format) })
    // The results of parallel calls must be in one turn.
    else if (messages[index - 1]?.role !== 'tool') {
      contents.push({ role: 'user', parts: resultsFrom(messages, index).flatMap((part) => resultToWire(part, format)) })
    }
  }
  return {
    contents: contents.filter(({ parts }) => parts.length > 0),
    ...(system.length > 0 && { systemInstruction: { role: 'user' as const, parts: system } }),
  }
}

type Format = Omit<Conversation, 'messages'>
type Content<Role extends Message['role']> = Extract<Message, { role: Role }>['content']

function textToWire({ text, providerOptions }: TextPart, { id }: Format): SentPart[] {
  const own = providerOptions?.[id]
  // The API rejects an empty text, unless it carries a signature.
  return text === '' && !own ? [] : [{ ...own, text }]
}

function inputToWire(part: Content<'user'>[number], format: Format): SentPart[] {
  return part.type === 'text' ? textToWire(part, format) : [{ ...ownFields(part, format), ...mediaToWire(part) }]
}

function mediaToWire({ source }: MediaPart): SentMedia {
  if (source.kind === 'data') return { inlineData: { mimeType: source.mediaType, data: source.data } }
  const { url, mediaType } = source
  return { fileData: { ...(mediaType !== undefined && { mimeType: mediaType }), fileUri: url } }
}

/**
 * Stands for the signature of a call that another model made, because Gemini 3 rejects calls without one:
 * https://ai.google.dev/gemini-api/docs/thought-signatures
 */
const foreignSignature = 'skip_thought_signature_validator'

function answerToWire(parts: Content<'assistant'>, format: Format): SentPart[] {
  // Of parallel calls, the first alone is signed.
  const calls = parts.filter((part) => part.type === 'tool_call')
  const isSigned = calls.some((part) => ownFields(part, format)?.['thoughtSignature'] !== undefined)
  const unsigned = format.isGemini3 && !isSigned ? calls[0] : undefined
  return parts.flatMap((part): SentPart[] => {
    if (part.type === 'text') return textToWire(part, format)
    if (part.type === 'reasoning') return textToWire({ ...part, type: 'text' }, format).map(asThought)
    if (part.type === 'opaque') return blockToWire(part)
    const { id, name, input: args = {} } = part
    const signature = part === unsigned && { thoughtSignature: foreignSignature }
    return [{ ...ownFields(part, format), ...signature, functionCall: { id, name, args } }]
  })
}

function asThought(part: SentPart): SentPart {
  return { ...part, thought: true }
}

/** The traces of Google's own tools, and pictures that belong to thoughts. Others could name files of the operator's account. */
const blocks = ['executableCode', 'codeExecutionResult', 'toolCall', 'toolResponse', 'inlineData']
const ofBlocks: ReadonlySet<string> = new Set([...blocks, 'thought', 'thoughtSignature'])

function blockToWire(part: OpaquePart): SentPart[] {
  if (isLeftOut(part)) return []
  return [Object.fromEntries(Object.entries(part.data).filter(([name]) => ofBlocks.has(name)))]
}

export function isLeftOut({ data }: OpaquePart): boolean {
  return !blocks.some((name) => Object.hasOwn(data, name))
}

/** The results of consecutive messages, in the order of their calls: without ids, the API matches them by position. */
function resultsFrom(messages: readonly Message[], first: number): readonly ToolResultPart[] {
  const results: ToolResultPart[] = []
  for (let at = first, message = messages[at]; message?.role === 'tool'; at++, message = messages[at]) {
    results.push(...message.content)
  }
  const answered = messages[first - 1]?.content ?? []
  const order = new Map(answered.map((part, at) => [part.type === 'tool_call' ? part.id : '', at]))
  const orderOf = ({ toolCallId }: ToolResultPart) => order.get(toolCallId) ?? -1
  return results.toSorted((one, other) => orderOf(one) - orderOf(other))
}

function resultToWire(part: ToolResultPart, format: Format): SentPart[] {
  const { toolCallId: id, name, content, isError = false } = part
  const text = content.flatMap((each) => (each.type === 'text' ? [each.text] : [])).join('\n')
  const media = content.flatMap((each) => (each.type === 'text' ? [] : [mediaToWire(each)]))
  const response = isError ? { error: text } : { output: text }
  const parts = format.isGemini3 && media.length > 0 && { parts: media }
  const result = { ...ownFields(part, format), functionResponse: { id, name, response, ...parts } }
  return format.isGemini3 ? [result] : [result, ...media]
}

function ownFields({ providerOptions }: { readonly providerOptions?: ProviderOptions | undefined }, { id }: Format) {
  return providerOptions?.[id]
}
