/** A JSON Schema (2020-12), as plain data. */
export type JsonSchema = Readonly<Record<string, unknown>>

/**
 * Data that only one provider understands, by the provider's id. Parts of an answer carry what their provider needs back
 * in the next request, such as the signature of its reasoning; a request adds settings of its own, such as cache marks.
 *
 * @example
 *   { anthropic: { cache_control: { type: 'ephemeral' } } }
 */
export type ProviderOptions = Readonly<Record<string, Readonly<Record<string, unknown>>>>

interface WithProviderOptions {
  readonly providerOptions?: ProviderOptions | undefined
}

export interface TextPart extends WithProviderOptions {
  readonly type: 'text'
  readonly text: string
}

/** Has `data` and `mediaType`, or `url` if the model is listed with `urls`: core downloads it for other models. */
interface Media extends WithProviderOptions {
  /** An https URL. */
  readonly url?: string | undefined
  /** The bytes in base64, without line breaks. */
  readonly data?: string | undefined
}

export interface ImagePart extends Media {
  readonly type: 'image'
  /** `image/png`, `image/jpeg`, `image/gif` or `image/webp`. Present with `data`. */
  readonly mediaType?: string | undefined
}

export interface FilePart extends Media {
  readonly type: 'file'
  /** Such as `application/pdf`. */
  readonly mediaType: string
  readonly filename?: string | undefined
}

export interface ToolCallPart extends WithProviderOptions {
  readonly type: 'tool_call'
  /** Unique within the conversation. */
  readonly id: string
  /** The name of a tool. */
  readonly name: string
  /** Empty if the model wrote no JSON object. */
  readonly input: Readonly<Record<string, unknown>>
  /**
   * The text of the input as the model wrote it. Required if it is not a JSON object, and left out if it is the JSON of
   * `input`. An upstream that takes a text gets it back unchanged.
   */
  readonly inputText?: string | undefined
}

export interface ToolResultPart extends WithProviderOptions {
  readonly type: 'tool_result'
  /** The `id` of the call. */
  readonly toolCallId: string
  /** The name of the called tool. */
  readonly name: string
  readonly content: readonly (TextPart | ImagePart | FilePart)[]
  /** Whether the tool failed. Default: false. */
  readonly isError?: boolean | undefined
}

/** The reasoning of a model before its answer. Its text is empty if the upstream encrypts it in `providerOptions`. */
export interface ReasoningPart extends WithProviderOptions {
  readonly type: 'reasoning'
  readonly text: string
}

/** What a model says when it declines to answer. In requests, core sends it as a text. */
export interface RefusalPart extends WithProviderOptions {
  readonly type: 'refusal'
  readonly text: string
}

/** A message of a conversation. Its content is never empty. */
export type Message =
  | { readonly role: 'system'; readonly content: readonly TextPart[] }
  | { readonly role: 'user'; readonly content: readonly (TextPart | ImagePart | FilePart)[] }
  | { readonly role: 'assistant'; readonly content: readonly Exclude<AnswerPart, RefusalPart>[] }
  | { readonly role: 'tool'; readonly content: readonly ToolResultPart[] }

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

/** A part of a model's answer. */
export type AnswerPart = TextPart | ReasoningPart | ToolCallPart | RefusalPart

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

export const toolChoices = ['auto', 'none', 'required', 'tool'] as const

export interface ToolChoice {
  /** `required` calls any tool, `tool` the one with the `name`. */
  readonly type: (typeof toolChoices)[number]
  /** Present with `tool`. */
  readonly name?: string | undefined
}

export const responseFormats = ['text', 'json', 'json_schema'] as const

export interface ResponseFormat {
  readonly type: (typeof responseFormats)[number]
  /** Present with `json_schema`. */
  readonly schema?: JsonSchema | undefined
  /** At most 128 letters, digits, `_` and `-`. Default: the provider chooses one. */
  readonly name?: string | undefined
  readonly description?: string | undefined
  /** Default: whether the upstream can enforce the schema. */
  readonly strict?: boolean | undefined
}

/** `none` turns reasoning off. */
export const reasoningEfforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh'] as const
export type ReasoningEffort = (typeof reasoningEfforts)[number]
