import type { Issue } from '../runtime/errors.ts'
import type { AnswerFacts, TextAnswer, TextEvent } from './messages/answer.ts'
import type {
  Dialect,
  Message,
  Native,
  ProviderOptions,
  ReasoningEffort,
  ResponseFormat,
  Tool,
  ToolChoice,
  WebSearch,
} from './messages/message.ts'
import type { AnalysisTask, ProviderAnalyzer, Model } from './model.ts'

/**
 * A source of models. A provider adapts one upstream API and knows nothing about accounts, quotas or envelopes.
 *
 * A provider has a capability if it has the method. Methods reject with a `ProviderError`, whose failure class decides
 * whether the call is retried, or with the signal's reason after an abort. Any other error is logged as a bug, and the
 * client gets `PROVIDER_ERROR`. Core validates every response: one that violates this contract fails the call, never the
 * process.
 *
 * Changes to the contract are additive: core ignores unknown events, model types and fields.
 */
export interface Provider {
  /** The version of this contract that the provider implements. */
  readonly contract: 2
  /**
   * A lower-case name of letters, digits, dots and dashes, such as `openai`. Clients can address a model as
   * `provider/model`.
   */
  readonly id: string
  /** The models, or a function that lists them within ten seconds. Core reads the list again every ten minutes. */
  readonly models: readonly Model[] | ((call: ProviderCall) => Promise<readonly Model[]>)
  /**
   * The models that are known without the upstream, if `models` is a function. They are listed while it fails, and until it
   * has answered for the first time. Default: none.
   */
  readonly knownModels?: readonly Model[] | undefined
  /**
   * A model that `models` does not list but the upstream may have, such as a dated version of one. Called for each request
   * that names an id which no provider lists, so it must be fast. Default: none.
   */
  findModel?(id: string): Model | undefined
  /**
   * The APIs of clients that the provider speaks too, so that fields of these APIs reach the upstream unchanged. Default:
   * none.
   */
  readonly dialects?: readonly Dialect[] | undefined
  /** Whether a model takes requests in one of the `dialects`. Default: each model takes all of them. */
  takesDialect?(dialect: Dialect, model: string): boolean
  /**
   * Whether the text models search the web for a request with `webSearch`. A search costs money and sends words of the
   * request to a search engine, so set it only where the operator allows that. Default: false.
   */
  readonly webSearch?: boolean | undefined
  /** Sentences about the configuration that the operator should know, which the service logs at its start. Default: none. */
  readonly notices?: readonly string[] | undefined
  /** Default: none. */
  readonly analyzers?: readonly ProviderAnalyzer[]
  /**
   * Concurrency limits, for example of models that share a pool of threads. Further calls wait in core, where accounts
   * take turns, and not in the provider. Default: none; the operator's `concurrency` applies to each model.
   */
  readonly capacities?: readonly Capacity[]
  /**
   * Whether streams are read to their final usage, for so many milliseconds at most, although their caller has left, so that
   * their cost is exact. You pay for the rest of these answers. Default: they are aborted.
   */
  readonly readOn?: { readonly maxMs: number } | undefined
  generateText?(request: TextRequest, call: ProviderCall): Promise<TextAnswer>
  /** Yields the answer as it is generated, and `finish` last. Default: core streams the whole answer as one piece. */
  streamText?(request: TextRequest, call: ProviderCall): AsyncIterable<TextEvent>
  /** Counts the tokens of a request, without an answer. Default: core estimates them. */
  countTokens?(request: TextRequest, call: ProviderCall): Promise<TokenCountAnswer>
  /** Embeds texts. Asked only for models with `embedding`. */
  embed?(request: EmbeddingRequest, call: ProviderCall): Promise<EmbeddingAnswer>
  generateImage?(request: ImageRequest, call: ProviderCall): Promise<ImageAnswer>
  analyze?(request: AnalysisRequest, call: ProviderCall): Promise<AnalysisAnswer>
  /** Resolves within five seconds if the provider is healthy. Default: unknown. */
  health?(call: ProviderCall): Promise<void>
  /** Loads the resources that the first request would otherwise wait for. */
  warmUp?(): Promise<void>
  /** Releases connections and workers. No method is called afterwards. */
  close?(): Promise<void>
}

/** A concurrency limit that some of a provider's models and analyzers share. */
export interface Capacity {
  /** The ids of the models and analyzers, without the provider's id. Default: all of them. */
  readonly ids?: readonly string[]
  /** The maximum number of concurrent calls, at least 1. */
  readonly concurrency: number
  /** The maximum number of waiting calls. Default: the operator's `concurrency.queue`. */
  readonly queue?: number
}

/** The context of a call to a provider. */
export interface ProviderCall {
  /** Aborts when the client cancels or the call times out. Work must then stop within a second, or use `waitUntil`. */
  readonly signal: AbortSignal
  /**
   * Registers work that continues after the signal has aborted, such as a thread's. Until the promise settles, for 30
   * seconds at most, the call counts toward the concurrency limit, so that an account can't occupy every thread with
   * calls that it has canceled.
   */
  waitUntil?(work: Promise<unknown>): void
  /**
   * The time at which the call times out, in milliseconds since the epoch. Absent for a stream, which has no such time: each
   * event may take a while.
   */
  readonly deadline?: number | undefined
  /**
   * Reports warnings that are known before the answer, so that the headers of a stream can name them. `finish` has them too.
   * Present for streams.
   */
  warn?(warnings: readonly Issue[]): void
  /** The API that the client speaks, if it is one of the provider's `dialects`. */
  readonly dialect?: Dialect | undefined
  /** For logs: the id of the client's request, or a name for calls that core makes itself. */
  readonly requestId: string
}

/**
 * A request for a text. Only models with the capability get the fields that need it: `chat` for any conversation beyond one
 * user message, `tools`, `vision` for images and files, `structured` for `json_schema`, and `reasoning`.
 */
export interface TextRequest {
  /** The model's id, without the provider's id. */
  readonly model: string
  /** At least one message. A prompt is one user message of text: see `lastPrompt`. */
  readonly messages: readonly Message[]
  /** Default: the model's maximum. Left out upstream where the upstream has that default. */
  readonly maxTokens?: number
  /** 0 to 2. Default, as for the next three: the upstream's. */
  readonly temperature?: number
  /** 0 to 1. */
  readonly topP?: number
  /** -2 to 2. */
  readonly frequencyPenalty?: number
  /** -2 to 2. */
  readonly presencePenalty?: number
  readonly seed?: number
  /** At most the model's `maxStopSequences`. Generation ends before the first that appears. */
  readonly stop?: readonly string[]
  /** Default: none. */
  readonly tools?: readonly Tool[] | undefined
  /** Default: `auto`. */
  readonly toolChoice?: ToolChoice | undefined
  /** Whether the model may call several tools at once. Default: the upstream's. */
  readonly parallelToolCalls?: boolean | undefined
  /**
   * Whether and how the model may search the web, for providers with `webSearch`. Clients of their `dialects` have it in
   * `native` instead. Return sources as citations, and reject a limit of the domains that the upstream lacks. Default: no.
   */
  readonly webSearch?: WebSearch | undefined
  /** Default: text. `json_schema` is sent only to models that are `structured`. */
  readonly responseFormat?: ResponseFormat | undefined
  /**
   * Absent for a prompt: the provider's own setting, else the least that the model has, because `maxTokens` is low by
   * default. An effort of null: the provider's own setting, else the upstream's default.
   */
  readonly reasoning?: { readonly effort: ReasoningEffort | null } | undefined
  /**
   * Fields that the provider adds to the upstream's request, by provider id: use those under your own id. Core has removed
   * none; it has rejected those that Fairlead sets itself.
   */
  readonly providerOptions?: ProviderOptions | undefined
  /**
   * The fields of the client's own API that core does not interpret, and its tools as it wrote them, by dialect. Present
   * only for providers of the dialect.
   */
  readonly native?: Native | undefined
}

export interface TokenCountAnswer {
  readonly promptTokens: number
}

export interface EmbeddingRequest {
  /** The model's id, without the provider's id. */
  readonly model: string
  /** At least one, and at most the model's `maxTexts`. */
  readonly texts: readonly string[]
  /** The length of the vectors. Default: the model's `dimensions`. Sent only to models with `minDimensions`. */
  readonly dimensions?: number
  /** As in `TextRequest`. */
  readonly providerOptions?: ProviderOptions | undefined
  /**
   * The fields of the client's own API that core does not interpret, by dialect. Present only for providers of the
   * dialect. Requests of clients that send tokens have `input`: an entry for each text, which the text only stands for.
   */
  readonly native?: Native | undefined
}

export interface EmbeddingAnswer extends AnswerFacts {
  /** One vector of the requested length for each text, in their order. */
  readonly embeddings: readonly (Float32Array | readonly number[])[]
  /** Default: unknown. Core then estimates it and adds a warning. */
  readonly promptTokens?: number
}

export interface ImageRequest {
  readonly model: string
  readonly prompt: string
  /** Pixels. */
  readonly width: number
  /** Pixels. */
  readonly height: number
  readonly quality: 'standard' | 'hd'
  /** The quality in the levels of OpenAI's models, if the request has one. `quality` is then the nearest to it. */
  readonly qualityLevel?: 'low' | 'medium' | 'high' | 'auto'
  readonly style: 'natural' | 'vivid'
  readonly seed?: number
  /** The number of images: at most the model's `maxImages`. Default: 1. */
  readonly n?: number
  /**
   * The fields of the client's own API as it sent them, by dialect. Present only for providers of the dialect, which then
   * send no others, and may answer in any size and in the type that the client asked for.
   */
  readonly native?: Native | undefined
}

export interface ImageAnswer extends AnswerFacts {
  /** A PNG file of exactly the requested size. With `native`: any PNG, JPEG, WebP, or GIF file. */
  readonly png: Uint8Array
  /** The further images of a request with `n`, each as `png`. Default: none. */
  readonly others?: readonly Uint8Array[]
  /** The prompt as the model interpreted it, if the upstream returns it. */
  readonly revisedPrompt?: string
  /** The number of prompt tokens, if the upstream counts them. */
  readonly promptTokens?: number
  /** The cost in US dollars, if the upstream's counts give a more exact one than the model's prices. */
  readonly costUsd?: number
}

export interface AnalysisRequest {
  /** The analyzer's id, without the provider's id. */
  readonly analyzer: string
  readonly text: string
  readonly tasks: readonly AnalysisTask[]
  /** ISO 639-1. */
  readonly language: string
}

export interface AnalysisAnswer extends AnswerFacts {
  readonly analysis: Analysis
}

export const sentimentLabels = ['positive', 'neutral', 'negative'] as const

export interface Sentiment {
  /** From -1 (negative) to 1 (positive). */
  readonly score: number
  readonly label: (typeof sentimentLabels)[number]
}

export const entityDescriptions = {
  PERSON: 'A person.',
  ORGANIZATION: 'An organization.',
  LOCATION: 'A place.',
  DATE: 'A date.',
  TIME: 'A time of day.',
  MONEY: 'An amount of money.',
  PERCENT: 'A percentage.',
  EMAIL: 'An email address.',
  URL: 'A URL.',
  PHONE: 'A phone number.',
  PRODUCT: 'A product.',
  EVENT: 'An event.',
  NUMBER: 'A number.',
  OTHER: 'Another entity.',
} as const

export type EntityType = keyof typeof entityDescriptions
export const entityTypes = Object.keys(entityDescriptions) as readonly EntityType[]

export interface Entity {
  readonly text: string
  readonly type: EntityType
  /** From 0 to 1. */
  readonly confidence: number
}

export interface Keyword {
  readonly text: string
  /** Relevance, from 0 to 1. */
  readonly score: number
}

/** Has exactly the keys of the requested tasks. */
export interface Analysis {
  readonly sentiment?: Sentiment
  /** In order of appearance. */
  readonly entities?: readonly Entity[]
  /** By descending score, at most 20. */
  readonly keywords?: readonly Keyword[]
}
