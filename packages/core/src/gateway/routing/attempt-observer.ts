import type { Caller } from '../../runtime/access.ts'
import type { FinishReason, ResponseFacts, AnswerUsage } from '../messages/answer.ts'
import type { ProviderFailure } from '../provider-error.ts'
import type { AnalysisRequest, EmbeddingRequest, ImageRequest, Provider, TextRequest } from '../provider.ts'

/** The events of calls to providers. */
export interface AttemptObserver {
  /** A model or an analyzer gets its first call. Read its state whenever you need it, such as for a gauge. */
  targetAdded?(target: ObservedTarget): void
  /** The last call of a target has ended, and a reconfiguration has removed or replaced its provider. */
  targetRemoved?(target: ObservedTarget): void
  /** A call has waited in the queue of a target, and got a slot or gave up. @param ms since it began to wait */
  callQueued?(target: ObservedTarget, ms: number): void
  /** A call found the queue of a target full, or lost its place there to another account. It tries the next target. */
  queueFull?(target: ObservedTarget): void
  /** A target is called. Each retry and each further target is an attempt. Follows a wait in the queue. */
  attemptStarted?(attempt: ObservedAttempt): void
  /**
   * Runs the work of an attempt, for an observer that needs a context around it, such as an `AsyncLocalStorage`. Called
   * after `attemptStarted`, for each later read of a stream, and for the log line of a failure, which follows
   * `attemptEnded`. Must return the result of `work`.
   */
  runAttempt?<Result>(attempt: ObservedAttempt, work: () => Result): Result
  /** The whole response has arrived, or the first item of a stream. @param ms since the attempt started */
  attemptResponded?(attempt: ObservedAttempt, ms: number): void
  /** An attempt is over: `outcome`, `answer` and `error` say how. */
  attemptEnded?(attempt: ObservedAttempt): void
  /** @param account the only account whose calls are blocked; undefined if all are */
  circuitOpened?(target: ObservedTarget, account: string | undefined): void
  circuitClosed?(target: ObservedTarget): void
}

/** The method of a provider that an attempt needs. */
export type Capability = keyof Pick<
  Provider,
  'generateText' | 'streamText' | 'countTokens' | 'embed' | 'generateImage' | 'analyze'
>

/** A model or an analyzer of a provider. The models that a provider does not list are one target, `other`. */
export interface ObservedTarget {
  /** The id of the provider. */
  readonly provider: string
  readonly id: string
  readonly circuit: { readonly state: 'closed' | 'open' | 'half-open' }
  readonly bulkhead: { readonly inFlight: number; readonly queued: number }
}

/** One call to one target. Its properties are current whenever they are read. */
export interface ObservedAttempt {
  readonly requestId: string
  /** Of the first call, if several wait for the same response. */
  readonly caller: Caller
  /** The route or the alias that the caller asked for. Undefined if it asked for the model itself. */
  readonly route: string | undefined
  readonly target: ObservedTarget
  readonly capability: Capability
  /** The id of the model or analyzer, without the provider's id. */
  readonly model: string
  /** The request to the provider; the texts of all batches. Has data of clients. Undefined until it is known. */
  readonly request: TextRequest | EmbeddingRequest | ImageRequest | AnalysisRequest | undefined
  /** The upstream's facts about its response; of a stream, as soon as they arrive. */
  readonly response: ResponseFacts | undefined
  /** The provider's report at the end. Undefined for an attempt that failed or was canceled. */
  readonly answer: ObservedAnswer | undefined
  /** `canceled` until the attempt has ended. `defect`: an error that violates the provider contract. */
  readonly outcome: 'ok' | 'canceled' | 'defect' | ProviderFailure
  /** Why it failed. Its message may quote what clients sent. */
  readonly error: unknown
}

/** The facts of an answer. Texts have `finishReason` and, if the provider counts tokens, `usage`. */
export interface ObservedAnswer {
  readonly finishReason?: FinishReason | undefined
  readonly usage?: AnswerUsage | undefined
  /** Of embeddings and images. */
  readonly promptTokens?: number | undefined
}
