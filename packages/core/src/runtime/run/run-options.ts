import type { Caller } from '../access.ts'
import type { UpstreamFacts } from '../errors.ts'
import type { UsageAttempt } from '../quota/usage.ts'
import type { Tags } from '../schema/tags.ts'

/** Converts a field path from camelCase to the spelling of a transport. */
export type FieldNameMapper = (field: string) => string

/** Options of a run, besides credentials and input. */
export interface RunOptions {
  /** The id of the request in the response and in logs. Default: a new id. */
  readonly requestId?: string | undefined
  /** Aborts when the caller closes the request. Default: never. */
  readonly signal?: AbortSignal | undefined
  /**
   * Called when the run begins. The call tells adapters what is known of it, and its `leave`, for a caller that closes the
   * request, costs less than a `signal`. Default: none.
   */
  onCall?(call: OpenCall): void
  /** The spelling of field names in errors and warnings. Default: camelCase. */
  readonly spell?: FieldNameMapper | undefined
  /** Rejects with `PRECONDITION_FAILED` unless the record has one of these versions. Default: any version. */
  readonly ifMatch?: IfMatch | undefined
  /**
   * Runs the operation once per caller and key within 24 hours; repeated requests get the stored response. 1 to 255
   * visible ASCII characters. Default: none.
   */
  readonly idempotencyKey?: string | undefined
  /** The request in the form of the client's API, for `generate`. Default: none. */
  readonly native?: NativeRequest | undefined
  /**
   * Tags of the request, by which its usage is grouped, such as `{ team: 'search' }`: at most 16. Those of the API key take
   * precedence. Default: none.
   */
  readonly tags?: Tags | undefined
  /** The client's metadata of the request: tags, if the API key of the caller takes them from it. Default: none. */
  readonly metadata?: Tags | undefined
  /** The network address of the caller, for login and sign-up limits. Default: one shared by all callers without one. */
  readonly address?: string | undefined
  /** The `User-Agent` header of the caller, for the list of sessions. Default: unknown. */
  readonly userAgent?: string | undefined
  /** The path under which the transport is mounted, for the addresses of images. Default: the root. */
  readonly basePath?: string | undefined
  /** The longest result of `embed` that the adapter can write, as JSON in bytes. Default: no limit. */
  readonly maxResultBytes?: number | undefined
  /**
   * How long to wait for the first chunk before the stream begins without it, in milliseconds. A failure before the stream
   * begins is an ordinary failure reply. Default: 5,000.
   */
  readonly firstChunkMs?: number | undefined
}

/** A request that was read for its run. The options of the run have no `native`, `tags` and `metadata` then. */
export interface ReadRequest extends Pick<RunOptions, 'native' | 'tags' | 'metadata'> {
  readonly input: unknown
}

/** A request in the form of an API that providers may share with the client. */
export interface NativeRequest {
  /** The name of the API, such as `anthropic`. */
  readonly dialect: string
  /** The fields that the operation does not interpret, and its tools as the client wrote them. */
  readonly fields: Readonly<Record<string, unknown>>
  /** For each message of the input, those of the client that it stands for. Absent for one that must be written anew. */
  readonly messages: readonly (readonly Readonly<Record<string, unknown>>[] | undefined)[]
  /** The fields that change the answer, so that only a provider of the dialect can answer. Default: none. */
  readonly required?: readonly string[]
  /** Whether the search of the input cannot be left out beside functions, because it is no tool. Default: false. */
  readonly mustSearch?: boolean | undefined
  /** How a client gets the same from other providers, by a required field: `send several requests`. Default: it cannot. */
  readonly fixes?: Readonly<Record<string, string>> | undefined
  /** The prompts, each of which gets answers of its own, or their number of tokens. Default: the input's. */
  readonly prompts?: readonly (string | number)[] | undefined
  /** How many answers it asks for, of all prompts together, which all count. Default: 1. */
  readonly answers?: number | undefined
}

/** A run, for the adapter that began it. Its properties are current whenever they are read. */
export interface OpenCall {
  readonly operation: { readonly name: string }
  /** Anonymous until the credentials are authenticated. */
  readonly caller: Caller
  /** The known facts of the model call. Empty if no model was called. */
  readonly modelCall: Partial<ModelCall>
  /** Ends the run, because the caller has closed the request. */
  leave(reason?: unknown): void
}

export interface ModelCall {
  readonly provider: string
  readonly model: string
  readonly attempts: number
  /** How long it waited for free slots of its targets, in milliseconds. Absent if it did not wait. */
  readonly queuedMs: number
  readonly cached: boolean
  readonly costUsd: number
  readonly promptTokens: number
  readonly completionTokens: number
  readonly reasoningTokens: number
  readonly cachedPromptTokens: number
  /** The last call to a provider, from which those before it can be reached. */
  readonly lastAttempt: TriedAttempt
  /** The headers of the upstream's reply, while the run lasts. Undefined if another target was tried after it. */
  readonly upstream: UpstreamFacts | undefined
}

/** A call to a provider, for the record of the run. */
export interface TriedAttempt {
  /** The one before it. */
  readonly earlier: TriedAttempt | undefined
  /** The facts known now. */
  toRecord(): UsageAttempt
}

/** The versions of a record that a caller accepts: a list, or any as long as the record exists (RFC 9110, 13.1.1). */
export type IfMatch = 'any' | readonly number[]
