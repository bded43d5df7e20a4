import { createHash } from 'node:crypto'
import {
  type Issue,
  type JsonObject,
  type MediaPart,
  type Message,
  ProviderError,
  type SentAnswerPart,
  type TextPart,
  type ToolResultPart,
  withUserMessage,
} from '@fairlead/core/provider'
import type { ServerDialect, OptionsOf, RequestSettings } from './dialect.ts'
import { ownMessages } from './native.ts'

type MessageSettings = Pick<RequestSettings, 'dialect' | 'optionsOf' | 'chosen'>

const movedToStart = 'a later system message was moved to the start, the only place where this server takes one'

/**
 * Joins all system messages at the start: servers that apply the chat template of the model, such as vLLM and llama.cpp,
 * fail with many models if another message is a system message.
 */
export function systemFirst(given: readonly Message[], optionsOf: OptionsOf, warnings: Issue[]): readonly Message[] {
  if (!given.some(({ role }) => role === 'system')) return given
  const messages = withUserMessage(given)
  const parts = messages.flatMap(({ role, content }) => (role === 'system' ? content : []))
  // The only system message has become one of the user.
  if (parts.length === 0) return messages
  const text = parts.map((part) => part.text).join('\n\n')
  const content = parts.some(optionsOf) ? parts : [{ type: 'text' as const, text }]
  const firstOther = messages.findIndex(({ role }) => role !== 'system')
  if (messages.some(({ role }, index) => role === 'system' && index > firstOther)) {
    warnings.push({ field: 'messages', issue: movedToStart })
  }
  return [{ role: 'system', content }, ...messages.filter(({ role }) => role !== 'system')]
}

/** The messages of a chat completion. */
export function toChatMessages(messages: readonly Message[], settings: MessageSettings): readonly JsonObject[] {
  const wire: JsonObject[] = []
  for (const message of messages) {
    const own = message.native && ownMessages(message, 'openai-chat')
    const { role, content } = message
    if (own) wire.push(...own)
    else if (role === 'assistant') wire.push(...toAssistantMessages(content, settings))
    else if (role === 'tool') wire.push(...toToolMessages(content, settings))
    else wire.push({ role, content: toContent(content, settings) })
  }
  return wire
}

function toContent(parts: readonly ContentPart[], settings: MessageSettings): string | readonly JsonObject[] {
  return plainText(parts, settings.optionsOf) ?? parts.map((part) => toContentPart(part, settings))
}

/** The fields of a part take precedence over its options, which could otherwise have the server load another address. */
function toContentPart(part: ContentPart, { dialect, optionsOf }: MessageSettings): JsonObject {
  const options = optionsOf(part)
  if (part.type === 'text') return { ...options, type: 'text', text: part.text }
  if (part.type === 'image') {
    const { detail, ...others } = options ?? {}
    return { ...others, type: 'image_url', image_url: { url: dataUrl(part), ...(detail !== undefined && { detail }) } }
  }
  // OpenAI's chat takes PDF documents alone, and other servers no files at all.
  const text = fileText(part)
  if (text !== undefined) return { ...options, type: 'text', text }
  const { files = 'file' } = dialect
  if (files === null) throw unsupported('this server takes no files')
  if (files === 'document_url') {
    const name = part.filename === undefined ? {} : { document_name: part.filename }
    return { ...options, type: 'document_url', document_url: dataUrl(part), ...name }
  }
  // OpenRouter loads an address that it gets in the place of the bytes; OpenAI has only its Responses API for that.
  if (part.source.kind === 'url' && dialect.reasoning !== 'openrouter') {
    throw unsupported('this server loads no files from URLs: send their bytes')
  }
  return { ...options, type: 'file', file: { filename: fileName(part), file_data: dataUrl(part) } }
}

function unsupported(detail: string): ProviderError {
  return new ProviderError('invalid_request', detail, { field: 'messages', detail })
}

/** None for a turn that held only what this API has no form for: an empty message is rejected. */
function toAssistantMessages(parts: readonly SentAnswerPart[], settings: MessageSettings): readonly JsonObject[] {
  const { optionsOf, dialect } = settings
  const texts = parts.filter((part) => part.type === 'text')
  const calls = parts.filter((part) => part.type === 'tool_call')
  const text = texts.some(optionsOf)
    ? texts.map((part) => toContentPart(part, settings))
    : texts.map((part) => part.text).join('')
  const reasoning = toReasoning(parts, calls.length > 0, settings)
  if (text === '' && calls.length === 0 && !reasoning) return []
  return [
    {
      role: 'assistant',
      content: text === '' && calls.length > 0 ? null : text,
      ...reasoning,
      ...(calls.length > 0 && {
        tool_calls: calls.map((call) => ({
          ...optionsOf(call),
          id: toolCallId(call.id, dialect),
          type: 'function',
          function: { name: call.name, arguments: call.inputText },
        })),
      }),
    },
  ]
}

/** The reasoning that the server needs back: the data that it sent beside the text, or the text itself. */
function toReasoning(
  parts: readonly SentAnswerPart[],
  callsTools: boolean,
  { optionsOf, dialect: { reasoningField }, chosen }: MessageSettings,
): JsonObject | undefined {
  const reasoning = parts.filter((part) => part.type === 'reasoning')
  const details = reasoning.flatMap((part) => {
    const sent = optionsOf(part)?.['reasoning_details']
    return Array.isArray(sent) ? (sent as readonly unknown[]) : []
  })
  if (details.length > 0) return { reasoning_details: details }
  if (!reasoningField) return undefined
  // DeepSeek rejects a tool call without the field while it reasons, also one that another model made.
  if (reasoning.length === 0) return callsTools && chosen.isReasoning ? { [reasoningField]: '' } : undefined
  return { [reasoningField]: reasoning.map(({ text }) => text).join('') }
}

/** A tool message takes only text, so images and files follow in a message of the user, after all results. */
function toToolMessages(parts: readonly ToolResultPart[], settings: MessageSettings): readonly JsonObject[] {
  const media = parts.flatMap(({ name, toolCallId: id, content }) => {
    const found = content.filter((part) => part.type !== 'text')
    if (found.length === 0) return []
    const caption = { type: 'text', text: `From the result of ${name} (${toolCallId(id, settings.dialect)}):` }
    return [caption, ...found.map((part) => toContentPart(part, settings))]
  })
  const results = parts.map((part) => toToolMessage(part, settings))
  return media.length === 0 ? results : [...results, { role: 'user', content: media }]
}

function toToolMessage(part: ToolResultPart, settings: MessageSettings): JsonObject {
  const texts = part.content.filter(({ type }) => type === 'text')
  const content = texts.length === 0 ? '' : toContent(texts, settings)
  return {
    ...settings.optionsOf(part),
    role: 'tool',
    tool_call_id: toolCallId(part.toolCallId, settings.dialect),
    content: part.isError ? withErrorMark(content) : content,
  }
}

/** The API has no field for a failed tool. */
function withErrorMark(content: string | readonly JsonObject[]): string | readonly JsonObject[] {
  return typeof content === 'string' ? `Error: ${content}` : [{ type: 'text', text: 'Error:' }, ...content]
}

const shortIdLength = 9

/** An id that the server accepts: the id of another server's call may be too long for it. */
function toolCallId(id: string, { shortToolCallIds = false }: ServerDialect): string {
  if (!shortToolCallIds || /^[A-Za-z0-9]{9}$/.test(id)) return id
  return createHash('sha256').update(id).digest('hex').slice(0, shortIdLength)
}

export type ContentPart = TextPart | MediaPart

/** The content of a message as a string, if it can be one: the chat templates of some servers take nothing else. */
export function plainText(parts: readonly ContentPart[], optionsOf: OptionsOf): string | undefined {
  const only = parts[0]
  return parts.length === 1 && only?.type === 'text' && !optionsOf(only) ? only.text : undefined
}

/** An image or a file as an address, which contains its bytes unless the upstream loads it. */
export function dataUrl({ source }: MediaPart): string {
  return source.kind === 'url' ? source.url : `data:${source.mediaType};base64,${source.data}`
}

const textType = /^text\/|^application\/(?:json|xml|yaml|x-yaml|toml|javascript|sql)$|\+(?:json|xml)$/

/** The text of a file that is one, with its name; undefined for any other file, and for an address. */
function fileText({ source, filename }: MediaPart): string | undefined {
  if (source.kind !== 'data' || !textType.test(source.mediaType)) return undefined
  const text = Buffer.from(source.data, 'base64').toString()
  return filename === undefined ? text : `${filename}:\n\n${text}`
}

/** OpenAI rejects a file without a name. */
export function fileName({ filename, source }: MediaPart): string {
  return filename ?? `file.${source.mediaType?.split('/')[1] ?? 'bin'}`
}
