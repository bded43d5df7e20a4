import type { components } from '../../../api/schema.d.ts'
import type { Call } from '../call.ts'
import { type Side, sides } from '../playground-state.ts'
import type { StreamedPart } from '../streamed-parts.ts'

type Schemas = components['schemas']
export type Message = Schemas['MessageInput']
export type Tool = Schemas['ToolInput']
export type ToolChoice = Schemas['ToolChoiceInput']
export type ResponseFormat = Schemas['ResponseFormatInput']
export type AnswerPart = Schemas['AnswerPart']

/** An image or another file of a message: an https URL, or a file in base64. */
export type Attachment =
  | { readonly id: string; readonly url: string; readonly mediaType?: string | undefined }
  | { readonly id: string; readonly name: string; readonly mediaType: string; readonly data: string }

export interface UserTurn {
  readonly id: string
  readonly role: 'user'
  readonly text: string
  readonly attachments: readonly Attachment[]
}

export interface ToolResult {
  readonly text: string
  readonly isError: boolean
}

/** The answer of a model, with the results of its tool calls. */
export interface ModelTurn {
  readonly id: string
  readonly role: 'assistant'
  readonly model: string
  readonly parts: readonly AnswerPart[]
  /** By the ids of the tool calls. */
  readonly results: Readonly<Partial<Record<string, ToolResult>>>
  /** The format that was requested. */
  readonly format?: ResponseFormat | undefined
  readonly figures: Figures
}

/** The facts about a call that are known after its end. */
export type Figures = Pick<Call, 'status' | 'reply' | 'durationMs' | 'firstTextMs'>

export type Turn = UserTurn | ModelTurn

/** A conversation. The columns of a comparison share all but the turns. */
export interface Conversation {
  readonly system: string
  readonly tools: readonly Tool[]
  readonly toolChoice?: ToolChoice | undefined
  readonly parallelToolCalls: boolean
  readonly format?: ResponseFormat | undefined
  /** The attachments of the next message. */
  readonly attachments: readonly Attachment[]
  readonly turns: Readonly<Record<Side, readonly Turn[]>>
}

export const emptyConversation: Conversation = {
  system: '',
  tools: [],
  parallelToolCalls: true,
  attachments: [],
  turns: { a: [], b: [] },
}

let created = 0

/** Pages without HTTPS have no `crypto.randomUUID`. */
export function newId(): string {
  created += 1
  return `${Date.now().toString(36)}-${created}`
}

/** The fields of a request for an answer to these turns. */
export function conversationFields(conversation: Conversation, turns: readonly Turn[]): Record<string, unknown> {
  const { system, tools, toolChoice, parallelToolCalls, format } = conversation
  return {
    messages: toMessages(system, turns),
    ...(tools.length > 0 && {
      tools,
      ...(toolChoice && { tool_choice: toolChoice }),
      ...(!parallelToolCalls && { parallel_tool_calls: false }),
    }),
    ...(format && { response_format: format }),
  }
}

function toMessages(system: string, turns: readonly Turn[]): readonly Message[] {
  const instructions: readonly Message[] = system.trim() === '' ? [] : [{ role: 'system', content: system }]
  return [...instructions, ...turns.flatMap((turn) => (turn.role === 'user' ? [userMessage(turn)] : answer(turn)))]
}

function userMessage({ text, attachments }: UserTurn): Message {
  if (attachments.length === 0) return { role: 'user', content: text }
  const texts = text.trim() === '' ? [] : [{ type: 'text' as const, text }]
  return { role: 'user', content: [...attachments.map(toPart), ...texts] }
}

function toPart(attachment: Attachment) {
  const { mediaType } = attachment
  const source = 'url' in attachment ? { url: attachment.url } : { data: attachment.data }
  if (isImage(attachment)) return { type: 'image' as const, ...(mediaType && { media_type: mediaType }), ...source }
  const name = 'name' in attachment ? { filename: attachment.name } : {}
  return { type: 'file' as const, media_type: mediaType ?? '', ...name, ...source }
}

/** A URL without a media type belongs to an image. */
export function isImage({ mediaType = 'image/' }: Attachment): boolean {
  return mediaType.startsWith('image/')
}

function answer({ parts, results }: ModelTurn): readonly Message[] {
  const isText = parts.every((part) => part.type === 'text' && !part.provider_options)
  const calls = findToolCalls(parts)
  const message: Message = { role: 'assistant', content: isText ? joinTexts(parts) : [...parts] }
  if (calls.length === 0) return [message]
  const content = calls.map(({ id }) => {
    const { text = '', isError = false } = results[id] ?? {}
    return { type: 'tool_result' as const, tool_call_id: id, content: text, ...(isError && { is_error: true }) }
  })
  return [message, { role: 'tool', content }]
}

export function findToolCalls(parts: readonly AnswerPart[]) {
  return parts.filter((part) => part.type === 'tool_call')
}

/** The text of an input that is not a JSON object. */
export function unreadableInput({
  input,
  input_text: text,
}: ReturnType<typeof findToolCalls>[number]): string | undefined {
  return Object.keys(input).length === 0 && text?.replaceAll(/\s/g, '') !== '{}' ? text : undefined
}

export function joinTexts(parts: readonly (AnswerPart | StreamedPart)[]): string {
  return parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
}

/** An answer with other text. Reasoning and tool calls stay as the model sent them. */
export function withText(parts: readonly AnswerPart[], text: string): readonly AnswerPart[] {
  const at = parts.findIndex(({ type }) => type === 'text')
  const before = at === -1 ? parts.filter(({ type }) => type === 'reasoning') : parts.slice(0, at)
  const after = parts.slice(before.length).filter(({ type }) => type !== 'text')
  return text === '' ? [...before, ...after] : [...before, { type: 'text', text }, ...after]
}

/** The turn of a call that ended. Undefined for one that failed, or was stopped before it had content. */
export function toTurn({ id, request, parts, ...call }: Call): ModelTurn | undefined {
  const { status, reply, durationMs, firstTextMs } = call
  const turn = {
    id,
    role: 'assistant',
    model: String(request.body['model']),
    results: {},
    format: request.body['response_format'] as ResponseFormat | undefined,
    figures: { status, reply, durationMs, firstTextMs },
  } as const
  if (reply && 'content' in reply.data) {
    return { ...turn, parts: reply.data.parts.filter((part) => part.type !== 'text' || part.text !== '') }
  }
  // The input of a tool call may be incomplete, and reasoning may have lost its signature.
  const written = parts.filter(({ type }) => type === 'text') as readonly AnswerPart[]
  return status === 'stopped' && written.length > 0 ? { ...turn, parts: written } : undefined
}

/** Whether the model waits for the results of its tool calls. */
export function awaitsResults(turns: readonly Turn[]): boolean {
  const last = turns.at(-1)
  return last?.role === 'assistant' && findToolCalls(last.parts).length > 0
}

/** The size limit of a request, less some room for texts that are escaped in JSON. */
export const maxAttachedCharacters = 20 * 1024 * 1024 - 512 * 1024

/** How much of the request the attachments of a conversation use, in the column that has most. */
export function attachedCharacters({ attachments, turns }: Conversation): number {
  const size = (list: readonly Attachment[]) =>
    list.reduce((total, each) => total + ('data' in each ? each.data.length : 0), 0)
  const columns = sides.map((side) =>
    turns[side].reduce((total, turn) => total + (turn.role === 'user' ? size(turn.attachments) : 0), 0),
  )
  return size(attachments) + Math.max(...columns)
}

export function hasAttachments({ attachments, turns }: Conversation): boolean {
  return (
    attachments.length > 0 ||
    sides.some((side) => turns[side].some((turn) => turn.role === 'user' && turn.attachments.length > 0))
  )
}
