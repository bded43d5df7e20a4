// Generated from the operations: npm run generate
import type { Dialect, ReasoningEffort } from './messages/message.ts'
import type { EntityType } from './provider.ts'
import type { ProviderFailure } from './provider-error.ts'
import type { Method, StreamingMethod } from '../runtime/method.ts'
export type { Dialect, EntityType, ProviderFailure, ReasoningEffort }

export interface GatewayMethods {
  /** Generates text from a prompt or a conversation. */
  readonly generate: StreamingMethod<GenerateInput, Generation, GenerateChunk>
  /** Counts the tokens of a conversation, without generating an answer. */
  readonly countTokens: Method<CountTokensInput, TokenCount>
  /** Generates an image from a prompt. */
  readonly generateImage: Method<GenerateImageInput, Image>
  /** Embeds texts: returns a vector for each. */
  readonly embed: Method<EmbedInput, Embeddings>
  /** Analyzes a text: sentiment, entities, and keywords. */
  readonly analyze: Method<AnalyzeInput, Analysis>
  readonly models: {
    /** Lists the available models. */
    readonly list: Method<ModelsInput, ListedModel[]>
    /** Returns a model. */
    readonly get: Method<ModelInput, ListedModel>
  }
  readonly analyzers: {
    /** Lists the available analyzers. */
    readonly list: Method<AnalyzersInput, Analyzer[]>
  }
  readonly providers: {
    /** Lists the providers with their health, circuit breakers and latency on the node that responds. */
    readonly list: Method<ProvidersInput, ListedProvider[]>
  }
}

/** A message of a conversation. */
export interface MessageInput {
  /** The author of the message. */
  readonly role: 'system' | 'user' | 'assistant' | 'tool'
  /** Text, or parts: `text` in every role but `tool`, `image` and `file` of a user, `reasoning`, `refusal`, `tool_call`, `file`, and `opaque` of an assistant, `tool_result` of a tool. */
  readonly content: string | readonly ContentPartInput[]
}

/** A part of a message. */
export type ContentPartInput =
  | TextPartInput
  | ImagePartInput
  | FilePartInput
  | ReasoningPartInput
  | RefusalPartInput
  | ToolCallPartInput
  | ToolResultPartInput
  | OpaquePartInput

/** A text. */
export interface TextPartInput {
  readonly type: 'text'
  /** The text. */
  readonly text: string
  /** Sources of the text, in answers. */
  readonly citations?: readonly CitationInput[] | undefined
  /** Data for single providers, by provider id, such as `{"anthropic": {"cache_control": {"type": "ephemeral"}}}`. Names follow the provider’s API. */
  readonly providerOptions?: Readonly<Record<string, Readonly<Record<string, unknown>>>> | undefined
}

/** A source of a text. */
export type CitationInput = Readonly<Citation>

/** An image: PNG, JPEG, GIF, or WebP. */
export interface ImagePartInput {
  readonly type: 'image'
  /** An https URL, or a `data:` URL. */
  readonly url?: string | undefined
  /** The bytes in base64. Either `url` or `data` is required. */
  readonly data?: string | undefined
  /** Of `data`. Default: recognized from the bytes. */
  readonly mediaType?: string | undefined
  /** Data for single providers, by provider id, such as `{"anthropic": {"cache_control": {"type": "ephemeral"}}}`. Names follow the provider’s API. */
  readonly providerOptions?: Readonly<Record<string, Readonly<Record<string, unknown>>>> | undefined
}

/** A file, such as a PDF document. */
export type FilePartInput = Readonly<FilePart>

/** The reasoning of the model before its answer. */
export type ReasoningPartInput = Readonly<ReasoningPart>

/** The text with which the model declined to answer. */
export type RefusalPartInput = Readonly<RefusalPart>

/** A call of a tool by the model. */
export type ToolCallPartInput = Readonly<ToolCallPart>

/** The result of a tool call. */
export interface ToolResultPartInput {
  readonly type: 'tool_result'
  /** Id of the call. */
  readonly toolCallId: string
  /** The result of the tool: text, or parts. */
  readonly content: string | readonly ToolResultContentPartInput[]
  /** Whether the tool failed. */
  readonly isError?: boolean | undefined
  /** Data for single providers, by provider id, such as `{"anthropic": {"cache_control": {"type": "ephemeral"}}}`. Names follow the provider’s API. */
  readonly providerOptions?: Readonly<Record<string, Readonly<Record<string, unknown>>>> | undefined
}

/** A part of a tool’s result. */
export type ToolResultContentPartInput = TextPartInput | ImagePartInput | FilePartInput

/** A block of a provider’s own, such as a search that it ran. */
export type OpaquePartInput = Readonly<OpaquePart>

/** A function that the model may call. Your program runs it. */
export interface ToolInput {
  /** Name of the tool. */
  readonly name: string
  /** A description of the tool, for the model. */
  readonly description?: string | undefined
  /** JSON schema of the tool’s input, of type `object`. */
  readonly inputSchema: Readonly<Record<string, unknown>>
  /** Whether inputs must follow the schema exactly, if the provider can enforce it. */
  readonly strict?: boolean | undefined
  /** Data for single providers, by provider id, such as `{"anthropic": {"cache_control": {"type": "ephemeral"}}}`. Names follow the provider’s API. */
  readonly providerOptions?: Readonly<Record<string, Readonly<Record<string, unknown>>>> | undefined
}

/** Whether the model calls tools. */
export interface ToolChoiceInput {
  /** `auto`: the model decides. `none`: no tool. `required`: any tool. `tool`: the tool called `name`. */
  readonly type: 'auto' | 'none' | 'required' | 'tool'
  /** Name of the tool, with `tool`. */
  readonly name?: string | undefined
}

/** Searches of the web, which the provider runs while it answers. */
export interface WebSearchInput {
  /** Maximum number of searches. Default: the provider’s. */
  readonly maxUses?: number | undefined
  /** Domains whose pages may be found. Default: all. */
  readonly allowedDomains?: readonly string[] | undefined
  /** Domains whose pages may not be found. Cannot be combined with `allowed_domains`. */
  readonly blockedDomains?: readonly string[] | undefined
  /** Where the user is, approximately. Default: unknown. */
  readonly userLocation?: UserLocationInput | undefined
}

/** Where the user is, approximately. */
export interface UserLocationInput {
  /** City. */
  readonly city?: string | undefined
  /** Region, or state. */
  readonly region?: string | undefined
  /** Country, as two letters of ISO 3166-1. */
  readonly country?: string | undefined
  /** IANA time zone, such as `Europe/Lisbon`. */
  readonly timezone?: string | undefined
}

/** The format of the content. */
export interface ResponseFormatInput {
  /** `text`, `json`: a JSON object, or `json_schema`: JSON that follows `schema`. */
  readonly type: 'text' | 'json' | 'json_schema'
  /** The JSON schema, with `json_schema`. */
  readonly schema?: Readonly<Record<string, unknown>> | undefined
  /** Name of the schema, for the model. */
  readonly name?: string | undefined
  /** A description of the JSON, for the model. */
  readonly description?: string | undefined
  /** Whether the provider must enforce the schema. */
  readonly strict?: boolean | undefined
}

/** Reasoning before the answer. */
export interface ReasoningInput {
  /** How much the model reasons. `none` turns reasoning off. The nearest effort that the model has is used. Null for the model’s own default, unless the provider is configured with an effort. */
  readonly effort: ReasoningEffort | null
}

export interface GenerateInput {
  /** Prompt. Required without `messages`. The model’s context size may limit it further. */
  readonly prompt?: string | undefined
  /** Conversation. Either `prompt` or `messages` is required. */
  readonly messages?: readonly MessageInput[] | undefined
  /** Id of a text model. */
  readonly model: string
  /** Maximum tokens to generate, at most the model’s own maximum. Default: 100 with `prompt`, lowered to the model’s maximum; the model’s maximum with `messages`, and for null. */
  readonly maxTokens?: number | null | undefined
  /** Sampling temperature. 0 always takes the most likely token. Default: 0.7 with `prompt`; the provider’s default with `messages`, and for null. */
  readonly temperature?: number | null | undefined
  /** Nucleus sampling: only the most likely tokens with this total probability are considered. Default: 1 with `prompt`; the provider’s default with `messages`, and for null. */
  readonly topP?: number | null | undefined
  /** Penalizes tokens by how often they have appeared. Default: 0 with `prompt`; the provider’s default with `messages`, and for null. */
  readonly frequencyPenalty?: number | null | undefined
  /** Penalizes tokens that have appeared at all. Default: 0 with `prompt`; the provider’s default with `messages`, and for null. */
  readonly presencePenalty?: number | null | undefined
  /** The same seed and request give the same text, if the model supports it. */
  readonly seed?: number | undefined
  /** Stop sequences: generation ends before the first one that appears. At most 4, unless the model takes more, as Claude does. */
  readonly stop?: readonly string[] | undefined
  /** Tools that the model may call. */
  readonly tools?: readonly ToolInput[] | undefined
  /** Whether the model calls tools. Default: `auto`. */
  readonly toolChoice?: ToolChoiceInput | undefined
  /** Whether the model may call several tools at once. Default: the provider’s. */
  readonly parallelToolCalls?: boolean | undefined
  /** Lets the model search the web, where the operator allows it; the model decides when. Sources are `citations` of the text. Default: no search. */
  readonly webSearch?: WebSearchInput | undefined
  /** Format of the content. Default: text. */
  readonly responseFormat?: ResponseFormatInput | undefined
  /** Reasoning before the answer. Default: the effort that the provider is configured with, else the lowest that the model has with `prompt`, and the model’s own with `messages`. */
  readonly reasoning?: ReasoningInput | undefined
  /** Data for single providers, by provider id, such as `{"anthropic": {"cache_control": {"type": "ephemeral"}}}`. Names follow the provider’s API. */
  readonly providerOptions?: Readonly<Record<string, Readonly<Record<string, unknown>>>> | undefined
  /** Whether to adapt a request that the model cannot take instead of rejecting it: `max_tokens` is lowered to the model’s maximum, and `reasoning` is left out, with warnings. If the request has `tools`, a provider’s own tools are optional. Default: `false`. */
  readonly adapt?: boolean | undefined
  /** Whether a cached response to the same request may be returned, if the operator has enabled caching. Default: `true`. */
  readonly cache?: boolean | undefined
}

/** A generated text. */
export interface Generation {
  /** Generation id: `gen_` and digits. */
  id: string
  /** Generated text: the texts of all parts together. */
  content: string
  /** The whole answer in its order. As the `content` of a message of role `assistant`, it continues the conversation. */
  parts: AnswerPart[]
  /** The text with which the model declined to answer. Absent if it answered. */
  refusal?: string | undefined
  /** Id of the model that generated the text. */
  model: string
  /** Token usage. */
  usage: TokenUsage
  /** Why generation ended: it was complete (`stop`), reached `max_tokens` (`length`), was refused or cut by a content filter (`content_filter`), calls tools (`tool_calls`), or was paused (`pause`). */
  finishReason: 'stop' | 'length' | 'content_filter' | 'tool_calls' | 'pause'
  /** The sequence of `stop` that ended the text. Absent if none did, or the provider does not name it. */
  stopSequence?: string | undefined
  /** Creation time in Unix seconds. */
  created: number
}

/** A part of an answer. */
export type AnswerPart = TextPart | ReasoningPart | RefusalPart | ToolCallPart | FilePart | OpaquePart

/** A text. */
export interface TextPart {
  type: 'text'
  /** The text. */
  text: string
  /** Sources of the text, in answers. */
  citations?: Citation[] | undefined
  /** Data for single providers, by provider id, such as `{"anthropic": {"cache_control": {"type": "ephemeral"}}}`. Names follow the provider’s API. */
  providerOptions?: Record<string, Record<string, unknown>> | undefined
}

/** A source of a text. */
export interface Citation {
  /** Address of the source. */
  url?: string | undefined
  /** Title of the source. */
  title?: string | undefined
  /** Index of the cited file among the files of the request. */
  document?: number | undefined
  /** The words of the source. */
  quote?: string | undefined
  /** Where the range in the text begins, in UTF-16 code units. */
  start?: number | undefined
  /** Where it ends: the index behind its last code unit. */
  end?: number | undefined
}

/** The reasoning of the model before its answer. */
export interface ReasoningPart {
  type: 'reasoning'
  /** The text. Empty if the provider encrypts it. */
  text: string
  /** Data for single providers, by provider id, such as `{"anthropic": {"cache_control": {"type": "ephemeral"}}}`. Names follow the provider’s API. */
  providerOptions?: Record<string, Record<string, unknown>> | undefined
}

/** The text with which the model declined to answer. */
export interface RefusalPart {
  type: 'refusal'
  /** The text. */
  text: string
  /** Data for single providers, by provider id, such as `{"anthropic": {"cache_control": {"type": "ephemeral"}}}`. Names follow the provider’s API. */
  providerOptions?: Record<string, Record<string, unknown>> | undefined
}

/** A call of a tool by the model. */
export interface ToolCallPart {
  type: 'tool_call'
  /** Id of the call, which its result repeats. */
  id: string
  /** Name of the tool. */
  name: string
  /** Input of the tool. Empty if the model wrote no JSON object. */
  input: Record<string, unknown>
  /** Text of the input as the model wrote it, unless it is the JSON of `input`. A provider that takes a text gets it back unchanged. */
  inputText?: string | undefined
  /** Data for single providers, by provider id, such as `{"anthropic": {"cache_control": {"type": "ephemeral"}}}`. Names follow the provider’s API. */
  providerOptions?: Record<string, Record<string, unknown>> | undefined
}

/** A file, such as a PDF document. */
export interface FilePart {
  type: 'file'
  /** An https URL, or a `data:` URL. */
  url?: string | undefined
  /** The bytes in base64. Either `url` or `data` is required. */
  data?: string | undefined
  /** Media type, such as `application/pdf`. */
  mediaType: string
  /** Name of the file. */
  filename?: string | undefined
  /** Data for single providers, by provider id, such as `{"anthropic": {"cache_control": {"type": "ephemeral"}}}`. Names follow the provider’s API. */
  providerOptions?: Record<string, Record<string, unknown>> | undefined
}

/** A block of a provider’s own, such as a search that it ran. */
export interface OpaquePart {
  type: 'opaque'
  /** Id of the provider, which alone gets the block back. */
  provider: string
  /** The API that the block is from. */
  dialect: Dialect
  /** The API’s name for the block, such as `web_search_tool_result`. */
  kind: string
  /** The block as the provider sent it. */
  data: Record<string, unknown>
}

/** Token counts of a call. */
export interface TokenUsage {
  /** Tokens in the prompt. */
  promptTokens: number
  /** Tokens generated. */
  completionTokens: number
  /** Total tokens. */
  totalTokens: number
  /** Generated tokens that were reasoning, if the provider counts them. */
  reasoningTokens?: number | undefined
  /** Prompt tokens that the provider read from its cache, if any. */
  cachedPromptTokens?: number | undefined
  /** Prompt tokens that the provider wrote to its cache, if any. */
  cacheWriteTokens?: number | undefined
  /** Searches of the web that the provider ran, if any. */
  webSearches?: number | undefined
}

/** The next part of a streamed text. */
export interface GenerationChunk {
  /** Next part of the text. Empty in a chunk of anything else. */
  content: string
  /** Next part of the reasoning. */
  reasoning?: string | undefined
  /** Next part of a refusal. */
  refusal?: string | undefined
  /** Next part of a tool call. */
  toolCall?: ToolCallDelta | undefined
  /** Data of the provider, which completes the part of the answer. `parts` of the result have it. */
  providerOptions?: Record<string, Record<string, unknown>> | undefined
  /** Token usage so far, where the provider reports it before the end. */
  usage?: TokenUsage | undefined
}

/** A part of a tool call. */
export interface ToolCallDelta {
  /** Id of the call. */
  id: string
  /** Name of the tool. */
  name: string
  /** Next part of the text of the input. */
  inputDelta: string
}

export type GenerateChunk = GenerationChunk

export interface CountTokensInput extends Pick<
  GenerateInput,
  'model' | 'tools' | 'toolChoice' | 'webSearch' | 'responseFormat' | 'reasoning' | 'providerOptions' | 'adapt'
> {
  readonly messages: readonly MessageInput[]
}

/** The number of tokens of a prompt. */
export interface TokenCount {
  /** Tokens of the messages and tools. */
  promptTokens: number
  /** Whether the provider cannot count, so that Fairlead estimated the tokens. */
  isEstimate: boolean
}

export interface GenerateImageInput {
  /** Description of the image. */
  readonly prompt: string
  /** Id of an image model. */
  readonly model: string
  /** Image size, as `<width>x<height>`. One of the sizes that the model lists. Default: `"1024x1024"`. */
  readonly size?: string | undefined
  /** Image quality. Default: `"standard"`. */
  readonly quality?: 'standard' | 'hd' | undefined
  /** Quality in the levels of OpenAI’s models, instead of `quality`. Other models use the nearest quality. */
  readonly qualityLevel?: 'low' | 'medium' | 'high' | 'auto' | undefined
  /** Image style. Default: `"natural"`. */
  readonly style?: 'natural' | 'vivid' | undefined
  /** The same seed and request give the same image, if the model supports it. */
  readonly seed?: number | undefined
  /** Number of images. More than 1 only for models that draw several in one request. Default: 1. */
  readonly n?: number | undefined
  /** Whether a cached response to the same request may be returned, if the operator has enabled caching. Default: `true`. */
  readonly cache?: boolean | undefined
}

/** A generated image. */
export interface Image {
  /** Image id: `img_` and digits. */
  id: string
  /** Address of the PNG. Anyone who knows it can download the image. */
  url: string
  /** All images, this one first. Absent unless `n` is above 1. */
  images?: ImageAddress[] | undefined
  /** Id of the model that generated the image. */
  model: string
  /** The prompt as the model interpreted it. */
  revisedPrompt?: string | undefined
  /** Creation time in Unix seconds. */
  created: number
}

/** One of several images. */
export interface ImageAddress {
  /** Image id: `img_` and digits. */
  id: string
  /** Address of the PNG. Anyone who knows it can download the image. */
  url: string
}

export interface EmbedInput {
  /** Texts. Each has at most as many tokens as the model’s `max_tokens`. */
  readonly texts: readonly string[]
  /** Id of a model that embeds texts. */
  readonly model: string
  /** Length of the embeddings, for models that let you choose it. Default: the model’s. */
  readonly dimensions?: number | undefined
  /** `float`: arrays of numbers. `base64`: 32-bit floats (little-endian) in base64, a quarter as long. Default: `"float"`. */
  readonly encoding?: 'float' | 'base64' | undefined
  /** Data for single providers, by provider id, such as `{"anthropic": {"cache_control": {"type": "ephemeral"}}}`. Names follow the provider’s API. */
  readonly providerOptions?: Readonly<Record<string, Readonly<Record<string, unknown>>>> | undefined
  /** Whether a cached response to the same request may be returned, if the operator has enabled caching. Default: `true`. */
  readonly cache?: boolean | undefined
}

/** Embeddings of texts. */
export interface Embeddings {
  /** One embedding for each text, in the order of the texts. Empty with the encoding `base64`. */
  embeddings: number[][]
  /** The embeddings with the encoding `base64`: 32-bit floats, little-endian. Otherwise absent. */
  base64?: string[] | undefined
  /** Id of the model that embedded the texts. */
  model: string
  /** Token usage. */
  usage: TokenUsage
}

export interface AnalyzeInput {
  /** Text to analyze. */
  readonly text: string
  /** Tasks to perform. The result has exactly these keys. */
  readonly tasks: readonly ('sentiment' | 'entities' | 'keywords')[]
  /** Language of the text, as an ISO 639-1 code. Default: `"en"`. */
  readonly language?: string | undefined
  /** Analyzer, or text model with the capability `structured`. Default: the first that supports the tasks. */
  readonly model?: string | undefined
  /** Whether a cached response to the same request may be returned, if the operator has enabled caching. Default: `true`. */
  readonly cache?: boolean | undefined
}

/** The result of an analysis: one field per requested task. */
export interface Analysis {
  /** Sentiment of the text. */
  sentiment?: Sentiment | undefined
  /** Entities in order of appearance. */
  entities?: Entity[] | undefined
  /** Keywords by descending score, at most 20. */
  keywords?: Keyword[] | undefined
}

/** The sentiment of a text. */
export interface Sentiment {
  /** Score from -1 (negative) to 1 (positive). */
  score: number
  /** Sentiment label. */
  label: 'positive' | 'neutral' | 'negative'
}

/** A named entity in a text. */
export interface Entity {
  /** Text of the entity. */
  text: string
  /** Type of the entity. */
  type: EntityType
  /** Confidence from 0 to 1. */
  confidence: number
}

/** A keyword of a text. */
export interface Keyword {
  /** Keyword or phrase, as written in the text. */
  text: string
  /** Relevance from 0 to 1. */
  score: number
}

export interface ModelsInput {
  /** Only models of this type. */
  readonly type?: 'text' | 'image' | undefined
}

/** A model. */
export interface ListedModel {
  /** Model id, used as `model` in requests. */
  id: string
  /** Display name. */
  name: string
  /** Type of output. */
  type: 'text' | 'image'
  /** Short description. */
  description: string
  /** Maximum tokens: of the output for a text model, of the prompt for an image model, of one text for an embedding model. */
  maxTokens: number
  /** Prices. */
  pricing: {
    /** US dollars per million prompt tokens. */
    input: number
    /** US dollars per million output tokens, or per image. */
    output: number
    /** False if the prices are unknown; `input` and `output` are then 0. */
    known?: boolean | undefined
  }
  /** Provider of the model. `provider/id` is an id of the model too. */
  provider: string
  /** Capabilities. */
  capabilities: {
    /** Whether the model can stream. */
    streaming: boolean
    /** Whether the same `seed` gives the same output. */
    seed: boolean
    /** Whether the model takes conversations of several messages. */
    chat: boolean
    /** Whether the model calls tools. */
    tools: boolean
    /** Whether messages may have images and files. */
    vision: boolean
    /** Whether the model can follow a JSON schema, and so analyze texts. */
    structured: boolean
    /** Whether the effort of reasoning can be set. */
    reasoning: boolean
    /** Whether the model searches the web, where the operator allows it. */
    webSearch: boolean
    /** Present if the model embeds texts. It then generates none. */
    embedding?: EmbeddingCapability | undefined
    /** Context size: maximum tokens of prompt and output together, if known. */
    contextSize?: number | undefined
    /** Image sizes, as `<width>x<height>`. Image models only. */
    sizes?: string[] | undefined
  }
}

/** The embeddings of a model. */
export interface EmbeddingCapability {
  /** Length of the embeddings. */
  dimensions: number
  /** Smallest length that can be requested, if the length can be chosen. */
  minDimensions?: number | undefined
}

export interface ModelInput {
  /** Model id, alone or as `provider/id`. */
  readonly id: string
}

export type AnalyzersInput = Record<string, never>

/** An analyzer of texts that is not a model. */
export interface Analyzer {
  /** Analyzer id, used as `model` in requests. */
  id: string
  /** Provider of the analyzer. */
  provider: string
  /** Supported tasks. */
  tasks: AnalyzerTask[]
}

/** A task of an analyzer. */
export interface AnalyzerTask {
  /** Task. */
  task: 'sentiment' | 'entities' | 'keywords'
  /** Supported languages, as ISO 639-1 codes. */
  languages: string[]
}

export type ProvidersInput = Record<string, never>

/** A provider, with its state on the node that responds. */
export interface ListedProvider {
  /** Provider id, the first part of `provider/model`. */
  id: string
  /** Number of models that it lists. */
  models: number
  /** Health of the provider. */
  health: ProviderHealth
  /** Its models and analyzers that were called since the process started. */
  targets: ProviderTarget[]
}

/** The health of a provider. */
export interface ProviderHealth {
  /** Health status. `unknown` if the provider has no health check. */
  status: 'up' | 'down' | 'unknown'
  /** When the health was last checked: at most every ten seconds. */
  checkedAt?: string | undefined
  /** Why the provider is down. */
  failure?: ProviderFailure | undefined
}

/** A model or analyzer of a provider that was called. */
export interface ProviderTarget {
  /** Model id within the provider. */
  model: string
  /** `closed`: calls pass. `open`: calls are rejected after consecutive failures, only for one account if only its calls failed. `half-open`: one trial call is allowed. */
  circuit: 'closed' | 'open' | 'half-open'
  /** Milliseconds until it accepts calls again, if its circuit breaker is open or it sent `Retry-After`. */
  restMs?: number | undefined
  /** Calls in flight. */
  inFlight: number
  /** Calls waiting in its queue. */
  queued: number
  /** Moving averages of its latency, in milliseconds, where measured. */
  latencyMs: {
    /** Time to a whole response. */
    whole?: number | undefined
    /** Time to the first chunk of a stream. */
    stream?: number | undefined
  }
  /** Failed calls since the process started. */
  failures: number
  /** Class of the last failure. `defect` is a bug in the provider plugin. */
  lastFailure?: ProviderFailure | undefined
}
