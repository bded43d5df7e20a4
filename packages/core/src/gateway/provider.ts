import type { Issue } from '../runtime/errors.ts'
import type { AnalysisTask, Analyzer, Model } from './model.ts'

/**
 * A source of models. A provider knows one foreign API and nothing of callers, quotas or envelopes.
 *
 * A capability exists because its method does. Every method rejects with a `ProviderError`, whose failure class says
 * what may be tried next, or with the signal's reason when that has aborted. Any other error is logged, and the caller
 * is told `PROVIDER_ERROR`. Answers are checked: what breaks this contract fails the call, never the process.
 *
 * The contract only grows: core ignores events, model types and fields that it does not know.
 */
export interface Provider {
  /** The version of this contract that the provider is written to. */
  readonly contract: 1
  /**
   * A plain lower-case name, such as `openai`: letters, digits, dots, dashes. Stands before the slash where a caller
   * writes `provider/model`.
   */
  readonly id: string
  /** The models, or how to list them within ten seconds. Read again every ten minutes: another list takes the place of the first. */
  readonly models: readonly Model[] | ((call: ProviderCall) => Promise<readonly Model[]>)
  /** Default: none. */
  readonly analyzers?: readonly Analyzer[]
  /**
   * Models and analyzers that can work on few calls at once, such as those that share a pool of threads. Further calls
   * wait in core, where accounts take turns, and not in the provider. Default: none; each takes as many calls at once as
   * the operator's `concurrency` says.
   */
  readonly capacities?: readonly Capacity[]
  generateText?(request: TextRequest, call: ProviderCall): Promise<TextAnswer>
  /** Yields text as it is made and `finish` last. An end without `finish` counts as a failure, never as an answer. */
  streamText?(request: TextRequest, call: ProviderCall): AsyncIterable<TextEvent>
  generateImage?(request: ImageRequest, call: ProviderCall): Promise<ImageAnswer>
  analyze?(request: AnalysisRequest, call: ProviderCall): Promise<AnalysisAnswer>
  /** Resolves within five seconds where calls can be expected to work. Default: not known. */
  health?(call: ProviderCall): Promise<void>
  /** Loads what the first request would otherwise wait for. */
  warmUp?(): Promise<void>
  /** Lets go of connections and workers; nothing is called afterwards. */
  close?(): Promise<void>
}

/** How many calls some of a provider's models and analyzers work on at once, all of them together. */
export interface Capacity {
  /** Their ids, without the provider's name. Default: all that the provider has. */
  readonly ids?: readonly string[]
  /** Calls at once; at least 1. */
  readonly concurrency: number
  /** Calls that may wait. Default: as the operator's `concurrency.queue` says. */
  readonly queue?: number
}

/** What a provider is told of the call that it serves. */
export interface ProviderCall {
  /** Aborts when the caller leaves or the deadline passes; work must end within a second of it, or be announced. */
  readonly signal: AbortSignal
  /**
   * Announces work that may go on after the signal has aborted, such as that of a thread: until the promise settles, for
   * 30 seconds at most, the call keeps its place at the target, so that its account can't occupy every thread with work
   * that it has abandoned.
   */
  waitUntil?(work: Promise<unknown>): void
  /** When the answer stops being wanted, in milliseconds since the epoch. */
  readonly deadline: number
  /** For logs: the request that this call is part of, or what core asks of its own accord. */
  readonly requestId: string
}

/** Every answer may say what was asked for and not honoured; nothing is dropped in silence. */
interface WithWarnings {
  /** Fields as in the request: `topP`, `seed`. */
  readonly warnings?: readonly Issue[]
}

/** A schema of JSON Schema 2020-12, as plain data. */
export type JsonSchema = Readonly<Record<string, unknown>>

export interface TextRequest {
  /** The model's id, without the provider's name. */
  readonly model: string
  readonly prompt: string
  readonly maxTokens: number
  /** 0 to 2. */
  readonly temperature: number
  /** 0 to 1. */
  readonly topP: number
  /** -2 to 2. */
  readonly frequencyPenalty: number
  /** -2 to 2. */
  readonly presencePenalty: number
  readonly seed?: number
  /** At most four; generation ends before the first that appears. */
  readonly stop?: readonly string[]
  /**
   * A JSON schema of an object that the answer's content should be the JSON of. Only models that are `structured` are
   * asked for it. A provider hands it on where the upstream takes one; elsewhere the prompt's own words must do.
   */
  readonly responseSchema?: JsonSchema
}

export const finishReasons = ['stop', 'length', 'content_filter'] as const
export type FinishReason = (typeof finishReasons)[number]

export interface TokenUsage {
  readonly promptTokens: number
  /** All that were made, those of thoughts that aren't shown included. */
  readonly completionTokens: number
  /** How many of the prompt's tokens the upstream still had from an earlier call. Default: 0. */
  readonly cachedPromptTokens?: number
  /** How many of the prompt's tokens the upstream wrote to its prompt cache. Default: 0. */
  readonly cacheWriteTokens?: number
}

export interface TextAnswer extends WithWarnings {
  readonly content: string
  readonly finishReason: FinishReason
  /** Default: unknown; core then estimates, and says so. */
  readonly usage?: TokenUsage
}

export type TextEvent =
  | { readonly type: 'text'; readonly text: string }
  | ({ readonly type: 'finish'; readonly finishReason: FinishReason; readonly usage?: TokenUsage } & WithWarnings)

export interface ImageRequest {
  readonly model: string
  readonly prompt: string
  /** Pixels. */
  readonly width: number
  /** Pixels. */
  readonly height: number
  readonly quality: 'standard' | 'hd'
  readonly style: 'natural' | 'vivid'
  readonly seed?: number
}

export interface ImageAnswer extends WithWarnings {
  /** A PNG file of exactly the size asked for. */
  readonly png: Uint8Array
  /** The prompt as the model understood it, where it has one. */
  readonly revisedPrompt?: string
  /** Tokens of prompt read, where the model counts them. */
  readonly promptTokens?: number
  /** US dollars, where the upstream's own count gives a truer sum than the model's prices. */
  readonly costUsd?: number
}

export interface AnalysisRequest {
  /** The analyzer's id, without the provider's name. */
  readonly analyzer: string
  readonly text: string
  readonly tasks: readonly AnalysisTask[]
  /** ISO 639-1. */
  readonly language: string
}

export interface AnalysisAnswer extends WithWarnings {
  readonly analysis: Analysis
}

export const sentimentLabels = ['positive', 'neutral', 'negative'] as const

export interface Sentiment {
  /** From -1, negative, to 1, positive. */
  readonly score: number
  readonly label: (typeof sentimentLabels)[number]
}

export const entityTypes = [
  'PERSON',
  'ORGANIZATION',
  'LOCATION',
  'DATE',
  'TIME',
  'MONEY',
  'PERCENT',
  'EMAIL',
  'URL',
  'PHONE',
  'PRODUCT',
  'EVENT',
  'NUMBER',
  'OTHER',
] as const

export type EntityType = (typeof entityTypes)[number]

export interface Entity {
  readonly text: string
  readonly type: EntityType
  /** From 0 to 1. */
  readonly confidence: number
}

export interface Keyword {
  readonly text: string
  /** From 0 to 1; the best keyword of a text comes first. */
  readonly score: number
}

/** Holds exactly the keys of the tasks that were asked for. */
export interface Analysis {
  readonly sentiment?: Sentiment
  /** In order of appearance. */
  readonly entities?: readonly Entity[]
  /** By falling score, at most 20. */
  readonly keywords?: readonly Keyword[]
}
