import { isObject, type JsonObject, parseJson } from '../../runtime/json.ts'

/** A JSON Schema (2020-12), as plain data. */
export type JsonSchema = JsonObject

/** The APIs that clients and providers may have in common. */
export const dialects = [
  'openai-chat',
  'openai-responses',
  'openai-completions',
  'anthropic',
  'google',
  'ai-sdk',
] as const
export type Dialect = (typeof dialects)[number]

/**
 * Fields in the form of one API, which core does not interpret: of a request on its way to a provider of that dialect,
 * and of an answer on its way back to a client that speaks it.
 */
export type Native = Readonly<Partial<Record<Dialect, JsonObject>>>

/**
 * Data that only one provider understands, by the provider's id. Parts of an answer carry data that their provider
 * needs back in the next request, such as the signature of its reasoning; a request adds its settings, such as cache
 * marks.
 *
 * @example
 *   { anthropic: { cache_control: { type: 'ephemeral' } } }
 */
export type ProviderOptions = Readonly<Record<string, JsonObject>>

interface WithProviderOptions {
  readonly providerOptions?: ProviderOptions | undefined
}

/** The fields that every part of an answer may have. */
interface AnswerData extends WithProviderOptions {
  /** Fields of the part in the form of the provider's API. */
  readonly native?: Native | undefined
}

export interface TextPart extends AnswerData {
  readonly type: 'text'
  readonly text: string
  /** The sources of the text. Default: none. */
  readonly citations?: readonly Citation[] | undefined
}

/** A source of a text, and the range that it stands for, where the upstream gives one. */
export interface Citation {
  readonly url?: string | undefined
  readonly title?: string | undefined
  /** The index of the cited file among the files of the request. */
  readonly document?: number | undefined
  /** The words of the source. */
  readonly quote?: string | undefined
  /** Where the range in the part's text begins, in UTF-16 code units. */
  readonly start?: number | undefined
  /** Where it ends: the index behind its last code unit. */
  readonly end?: number | undefined
  /** The citation as the upstream wrote it. */
  readonly native?: Native | undefined
}

/**
 * Bytes in base64 without line breaks, or a URL, which only models that are listed with `urls` get: an https URL, or also an
 * http URL of a client's own form.
 */
export type MediaSource =
  | { readonly kind: 'data'; readonly data: string; readonly mediaType: string }
  | { readonly kind: 'url'; readonly url: string; readonly mediaType?: string | undefined }

/**
 * An image: PNG, JPEG, GIF or WebP. Or a file, whose source always has a media type, such as `application/pdf`.
 */
export interface MediaPart extends WithProviderOptions {
  readonly type: 'image' | 'file'
  readonly source: MediaSource
  /** Of a file. Default: none. */
  readonly filename?: string | undefined
}

export interface ToolCallPart extends AnswerData {
  readonly type: 'tool_call'
  /** Unique within the conversation. */
  readonly id: string
  /** The name of a tool. */
  readonly name: string
  /** The input as the model wrote it. An upstream that takes a text gets it back unchanged. */
  readonly inputText: string
  /** The same text as a value. Absent unless it is a JSON object. */
  readonly input?: JsonObject | undefined
}

export interface ToolResultPart extends WithProviderOptions {
  readonly type: 'tool_result'
  /** The `id` of the call. */
  readonly toolCallId: string
  /** The name of the called tool. */
  readonly name: string
  readonly content: readonly (TextPart | MediaPart)[]
  /** Whether the tool failed. Default: false. */
  readonly isError?: boolean | undefined
}

/** The reasoning of a model before its answer. Its text is empty if the upstream encrypts it in `providerOptions`. */
export interface ReasoningPart extends AnswerData {
  readonly type: 'reasoning'
  readonly text: string
}

/** The text with which a model declines to answer. In requests, core sends it as a text. */
export interface RefusalPart extends AnswerData {
  readonly type: 'refusal'
  readonly text: string
}

/** A file that the model generated. In requests, core leaves it out. */
export interface FileAnswerPart extends AnswerData {
  readonly type: 'file'
  /** Such as `image/png`. */
  readonly mediaType: string
  /** The bytes in base64. */
  readonly data: string
}

/**
 * A block of the upstream's own, such as a search that it ran. It goes back to the same provider alone, and is shown to
 * clients of its dialect.
 */
export interface OpaquePart {
  readonly type: 'opaque'
  /** The id of the provider. Empty for a block from a client of the dialect, which any provider of the dialect gets. */
  readonly provider: string
  readonly dialect: Dialect
  /** The upstream's name for the block, such as `web_search_tool_result`. */
  readonly kind: string
  /** The block as the upstream wrote it. */
  readonly data: JsonObject
}

/** A part of a model's answer. */
export type AnswerPart = TextPart | ReasoningPart | RefusalPart | ToolCallPart | FileAnswerPart | OpaquePart

/** All text of an answer. */
export function answerText({ parts }: { readonly parts: readonly AnswerPart[] }): string {
  const only = parts[0]
  if (parts.length === 1 && only?.type === 'text') return only.text
  return parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
}

/** A part of an earlier answer in a request. */
export type SentAnswerPart = Exclude<AnswerPart, RefusalPart | FileAnswerPart>

interface MessageData {
  /**
   * The messages, or items, of the client's own dialect that this message stands for, in their order: a provider that
   * speaks the dialect sends them instead of the content, so that the upstream's prompt cache still matches. An empty list
   * belongs to a message that another one, or a field of the request, contains. Absent if core changed the message.
   */
  readonly native?: Readonly<Partial<Record<Dialect, readonly JsonObject[]>>> | undefined
}

/** A message of a conversation. Its content is never empty. */
export type Message = MessageData &
  (
    | { readonly role: 'system'; readonly content: readonly TextPart[] }
    | { readonly role: 'user'; readonly content: readonly (TextPart | MediaPart)[] }
    | { readonly role: 'assistant'; readonly content: readonly SentAnswerPart[] }
    | { readonly role: 'tool'; readonly content: readonly ToolResultPart[] }
  )

/** Any part of a message. */
export type MessagePart = Message['content'][number]

/**
 * The messages with the last one as a user message, if all are system messages: some APIs need a message of the user.
 *
 * @example
 *   const contents = withUserMessage(request.messages).map(toWire)
 */
export function withUserMessage(messages: readonly Message[]): readonly Message[] {
  const last = messages.at(-1)
  if (last?.role !== 'system' || messages.some(({ role }) => role !== 'system')) return messages
  return [...messages.slice(0, -1), { role: 'user', content: last.content }]
}

/**
 * The text of a conversation that is a single user message of text alone, as models without `chat` get it; otherwise
 * undefined.
 */
export function onlyPromptIn(messages: readonly Message[]): string | undefined {
  const only = messages[0]
  if (messages.length !== 1 || only?.role !== 'user' || only.content.length !== 1) return undefined
  const part = only.content[0]
  return part?.type === 'text' && !part.providerOptions ? part.text : undefined
}

/** A function that the model may call. The caller runs it, and sends its result in the next request. */
export interface Tool extends WithProviderOptions {
  /** At most 128 letters, digits, `_` and `-`. */
  readonly name: string
  readonly description?: string | undefined
  /** The schema of an object. */
  readonly inputSchema: JsonSchema
  /** Whether the input must follow the schema exactly, if the upstream can enforce it. Default: the upstream's. */
  readonly strict?: boolean | undefined
}

/** Whether the model calls a tool: `required` is any tool, or a search of the web, `tool` the one with the name. */
export type ToolChoice =
  | { readonly type: 'auto' | 'none' | 'required' }
  | { readonly type: 'tool'; readonly name: string }

/** A search of the web that the upstream runs by itself while it answers. */
export interface WebSearch {
  /** The maximum number of searches. Default: the upstream's. */
  readonly maxUses?: number | undefined
  /** The domains whose pages may be found, with those below them. Default: all. */
  readonly allowedDomains?: readonly string[] | undefined
  /** The domains whose pages may not be found. Never together with `allowedDomains`. Default: none. */
  readonly blockedDomains?: readonly string[] | undefined
  /** Where the user is, approximately. Default: unknown. */
  readonly userLocation?: UserLocation | undefined
}

export interface UserLocation {
  readonly city?: string | undefined
  readonly region?: string | undefined
  /** ISO 3166-1, with two letters. */
  readonly country?: string | undefined
  /** An IANA time zone, such as `Europe/Lisbon`. */
  readonly timezone?: string | undefined
}

/** The format of an answer that is not plain text: any JSON object, or JSON that follows the schema. */
export type ResponseFormat =
  | { readonly type: 'json' }
  | {
      readonly type: 'json_schema'
      readonly schema: JsonSchema
      /** At most 128 letters, digits, `_` and `-`. Default: the provider chooses one. */
      readonly name?: string | undefined
      readonly description?: string | undefined
      /** Default: whether the upstream can enforce the schema. */
      readonly strict?: boolean | undefined
    }

/** `none` turns reasoning off. */
export const reasoningEfforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const
export type ReasoningEffort = (typeof reasoningEfforts)[number]

/**
 * The input of a tool call from the text that the model wrote. The text is kept as it is, except that a model that calls a
 * tool without input may write nothing at all.
 */
export function readToolInput(text: string): Pick<ToolCallPart, 'inputText' | 'input'> {
  if (text.trim() === '') return { inputText: '{}', input: {} }
  const input = parseJson(text)
  return isObject(input) ? { inputText: text, input } : { inputText: text }
}

/** Whether an input is what the model wrote, and not the empty object in place of another text. */
export function isWrittenInput({
  input,
  inputText,
}: {
  readonly input: object
  readonly inputText?: string | undefined
}): boolean {
  return inputText === undefined || Object.keys(input).length > 0 || /^\s*\{\s*\}\s*$/.test(inputText)
}
