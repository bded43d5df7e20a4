/** All error codes, as a closed table. Adapters map each code to their protocol. */
export const errorCodes = [
  'INVALID_REQUEST',
  'CONTENT_REFUSED',
  'UNAUTHORIZED',
  'FORBIDDEN',
  'NOT_FOUND',
  'METHOD_NOT_ALLOWED',
  'CONFLICT',
  'PRECONDITION_FAILED',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'IDEMPOTENCY_KEY_REUSED',
  'QUOTA_EXCEEDED',
  'RATE_LIMIT_EXCEEDED',
  'BUDGET_EXCEEDED',
  'INTERNAL_ERROR',
  'PROVIDER_ERROR',
  'PROVIDER_TIMEOUT',
  'PROVIDER_UNAVAILABLE',
  'SERVICE_UNAVAILABLE',
] as const

export type ErrorCode = (typeof errorCodes)[number]

export interface FairleadErrorOptions {
  /** The invalid fields. Default: none. */
  readonly issues?: readonly Issue[] | undefined
  /** When to retry, in milliseconds. Default: unknown. */
  readonly retryAfterMs?: number | undefined
  /** Further details for the caller, such as the provider that failed. */
  readonly facts?: Readonly<Record<string, string | number>> | undefined
  /** The error response of the upstream of a failed model call. Default: unknown, or none was called. */
  readonly upstream?: UpstreamFailure | undefined
  /**
   * The cost of a provider's failed call: `answer` if the provider answered, and the answer cannot be used; `possible`
   * if it had accepted the request, and may bill it. Default: nothing.
   */
  readonly billed?: 'answer' | 'possible' | undefined
  /** For the log; never part of a response. */
  readonly cause?: unknown | undefined
}

/** Facts from the headers of an upstream's reply, for callers. */
export interface UpstreamFacts {
  /** The upstream's id of the request, for its support. */
  readonly requestId?: string | undefined
  /**
   * The headers with the upstream's rate limits, by their lower-case names, if the operator lets callers see them. Adapters
   * send those whose names begin with `x-ratelimit-` or `anthropic-ratelimit-`.
   */
  readonly rateLimit?: Readonly<Record<string, string>> | undefined
}

/** The upstream's error response, so that a surface of the same API can answer as the vendor would. */
export interface UpstreamFailure extends UpstreamFacts {
  /** The HTTP status, or the one that the vendor documents for an error within a stream. */
  readonly status: number
  /** The vendor's code or type of the error: `model_not_found`, `overloaded_error`. */
  readonly code?: string | undefined
  /** The parameter that the vendor names, in its own spelling. */
  readonly param?: string | undefined
  /** When to retry, in milliseconds, as the upstream said. */
  readonly retryAfterMs?: number | undefined
}

const brand = branded('FairleadError')

/** The error that core throws. Its message and issues are part of the response. */
export class FairleadError extends Error {
  readonly code: ErrorCode
  readonly issues: readonly Issue[]
  readonly retryAfterMs: number | undefined
  readonly facts: Readonly<Record<string, string | number>>
  readonly upstream: UpstreamFailure | undefined
  readonly billed: 'answer' | 'possible' | undefined

  constructor(code: ErrorCode, message: string, options: FairleadErrorOptions = {}) {
    super(message, { cause: options.cause })
    this.name = 'FairleadError'
    this.code = code
    this.issues = options.issues ?? []
    this.retryAfterMs = options.retryAfterMs
    this.facts = options.facts ?? {}
    this.upstream = options.upstream
    this.billed = options.billed
    Object.defineProperty(this, brand.mark, { value: true })
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return brand.holds(value)
  }
}

/** A problem with one field, as a predicate: `is required`, `must be between 0 and 2`. */
export interface Issue {
  /** Dotted path in camelCase (`maxTokens`, `tasks[0]`); null if the problem is not about a field. */
  readonly field: string | null
  readonly issue: string
  /** The known field that the caller probably meant. The adapter appends it to the issue in its own spelling. */
  readonly suggestion?: string
}

/** Why a request fails, for programs that handle the reason. */
export type FailureReason =
  | 'model_not_found'
  | 'context_length_exceeded'
  | 'second_factor_required'
  | 'passkey_required'
  | 'queue_full'
  | 'queue_timeout'

export function invalidBecause(reason: FailureReason, issue: Issue, context: FairleadErrorOptions = {}): FairleadError {
  const facts = { ...context.facts, reason }
  return new FairleadError('INVALID_REQUEST', describeIssues([issue]), { ...context, facts, issues: [issue] })
}

export function invalidRequest(...issues: readonly [Issue, ...Issue[]]): FairleadError {
  return new FairleadError('INVALID_REQUEST', describeIssues(issues), { issues })
}

/** Describes the first issue, and counts the others: `prompt is required (and 2 more)`. */
export function describeIssues(issues: readonly [Issue, ...Issue[]]): string {
  const [{ field, issue }] = issues
  const more = issues.length > 1 ? ` (and ${issues.length - 1} more)` : ''
  return `${field ?? 'The request'}${isPredicate(issue) ? '' : ':'} ${issue}${more}`
}

/** Whether the field and the issue form a sentence: "prompt is required", but not "model unknown model". */
function isPredicate(issue: string): boolean {
  return !/^(?:["`]|(?:unknown|no|a|the|this) )/.test(issue)
}

/** Makes `instanceof` work across two installed copies of this package, by a registered symbol on the object. */
export function branded(name: string): { mark: symbol; holds: (value: unknown) => boolean } {
  const mark = Symbol.for(`@fairlead/core/${name}`)
  return { mark, holds: (value) => typeof value === 'object' && value !== null && mark in value }
}
