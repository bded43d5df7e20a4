import type { Issue, UpstreamFacts } from '../../runtime/errors.ts'
import type { AnswerPart, Citation, Dialect, Native, ProviderOptions } from './message.ts'
import type { JsonObject } from '../../runtime/json.ts'

/**
 * `refusal`: the model declined to answer. `content_filter`: a filter withheld or cut the answer. `pause`: the upstream
 * interrupted a long turn, and goes on if the answer is sent back.
 */
export const finishReasons = ['stop', 'length', 'content_filter', 'refusal', 'tool_calls', 'pause'] as const
export type FinishReason = (typeof finishReasons)[number]

export interface AnswerUsage {
  readonly promptTokens: number
  /** All generated tokens, including reasoning that is not part of the text. */
  readonly completionTokens: number
  /** The completion tokens that were reasoning. Default: unknown. */
  readonly reasoningTokens?: number
  /** The prompt tokens that the upstream read from its prompt cache. Default: 0. */
  readonly cachedPromptTokens?: number
  /** The prompt tokens that the upstream wrote to its prompt cache. Default: 0. */
  readonly cacheWriteTokens?: number
  /** The part of `cacheWriteTokens` that was written for an hour instead of minutes. Default: 0. */
  readonly longCacheWriteTokens?: number
  /** The searches of the web that the upstream ran, as it bills them. Default: 0. */
  readonly webSearches?: number
  /** The tier, speed, and region that answered, if they have their own price: names of `pricing.tiers`. */
  readonly tiers?: readonly string[]
  /** The counts as the upstream wrote them, such as searches or predicted tokens. */
  readonly native?: Native | undefined
}

/** Facts that the upstream reports about its response. */
export interface ResponseFacts extends UpstreamFacts {
  /** The upstream's id of the response. */
  readonly id?: string | undefined
  /** The model that answered, such as a dated snapshot. */
  readonly model?: string | undefined
  readonly serviceTier?: string | undefined
  /** The configuration that answered: OpenAI's `system_fingerprint`. */
  readonly fingerprint?: string | undefined
  /** The fields of the reply that core does not interpret. */
  readonly native?: Native | undefined
}

/** The fields that every answer may have. */
export interface AnswerFacts {
  /**
   * The parameters that the provider could not apply; none is ignored silently. Fields are named as in the request: `topP`,
   * `seed`.
   */
  readonly warnings?: readonly Issue[]
  /** Default: unknown. */
  readonly response?: ResponseFacts | undefined
}

export interface TextAnswer extends AnswerFacts {
  /** The whole answer in its order. */
  readonly parts: readonly AnswerPart[]
  readonly finishReason: FinishReason
  /** The sequence of the request's `stop` that ended the text. Default: none did, or it is unknown. */
  readonly stopSequence?: string | undefined
  /** Default: unknown. Core then estimates it and adds a warning. */
  readonly usage?: AnswerUsage | undefined
  /** The probabilities of tokens as the upstream sent them, for clients of its dialect. */
  readonly logprobs?: JsonObject | undefined
}

/** The end of a stream: all of an answer but its parts. */
export type TextFinish = Omit<TextAnswer, 'parts'>

/**
 * An event of a stream. Each part starts once, gets its deltas, and ends once; several may be open at the same time. The
 * parts of the answer are in the order of their starts.
 */
export type TextEvent =
  /** First, as soon as the upstream names itself. */
  | { readonly type: 'start'; readonly response: ResponseFacts }
  /** `text` and `inputText` of the part may be empty. The index is new in the stream. */
  | { readonly type: 'part_start'; readonly index: number; readonly part: AnswerPart }
  | TextDelta
  /** The end may complete the data of the part. */
  | {
      readonly type: 'part_end'
      readonly index: number
      readonly providerOptions?: ProviderOptions | undefined
      readonly native?: Native | undefined
    }
  /** The counts so far, at any time. The last ones count unless `finish` has its own. */
  | { readonly type: 'usage'; readonly usage: AnswerUsage }
  /**
   * An event of the upstream that belongs to no part, as clients of its dialect get it.
   *
   * `isAnswer` says whether it is a piece of an answer, such as of a second one, so that no other target may be tried.
   * Default: false.
   */
  | { readonly type: 'native'; readonly dialect: Dialect; readonly data: JsonObject; readonly isAnswer?: boolean }
  /** The upstream is still working, as a ping of its stream says: restarts the idle timeout. Clients do not receive it. */
  | { readonly type: 'alive' }
  /** Last. A stream that ends without it has failed. */
  | ({ readonly type: 'finish' } & TextFinish)

/** The next piece of an open part: of its text, or of the text of a tool's input. */
export interface TextDelta {
  readonly type: 'part_delta'
  readonly index: number
  readonly text?: string | undefined
  readonly citation?: Citation | undefined
  readonly logprobs?: JsonObject | undefined
  /** The next piece of an opaque part, as the upstream wrote it. Its `part_end` follows with the whole. */
  readonly data?: JsonObject | undefined
}
