/** Every way in which a request can be refused or fail. Adapters map each to their transport; the table is closed. */
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
  'INTERNAL_ERROR',
  'PROVIDER_ERROR',
  'PROVIDER_TIMEOUT',
  'PROVIDER_UNAVAILABLE',
  'SERVICE_UNAVAILABLE',
] as const

export type ErrorCode = (typeof errorCodes)[number]

export interface FairleadErrorOptions {
  /** What is wrong, field by field. Default: none. */
  readonly issues?: readonly Issue[] | undefined
  /** When trying again makes sense. */
  readonly retryAfterMs?: number | undefined
  /** Facts for the caller beside the issues, such as the provider that failed. */
  readonly facts?: Readonly<Record<string, string | number>> | undefined
  /** For the log; never shown to a caller. */
  readonly cause?: unknown | undefined
}

const brand = branded('FairleadError')

/** The one error that core throws. Its message and issues are written for the caller. */
export class FairleadError extends Error {
  readonly code: ErrorCode
  readonly issues: readonly Issue[]
  readonly retryAfterMs: number | undefined
  readonly facts: Readonly<Record<string, string | number>>

  constructor(code: ErrorCode, message: string, options: FairleadErrorOptions = {}) {
    super(message, { cause: options.cause })
    this.name = 'FairleadError'
    this.code = code
    this.issues = options.issues ?? []
    this.retryAfterMs = options.retryAfterMs
    this.facts = options.facts ?? {}
    Object.defineProperty(this, brand.mark, { value: true })
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return brand.holds(value)
  }
}

/** What is wrong with one field, written for people: `is required`, `must be between 0 and 2`. */
export interface Issue {
  /** Dotted path in core's own spelling (`maxTokens`, `tasks[0]`), or null where no field is at fault. */
  readonly field: string | null
  readonly issue: string
  /** The known field that the caller probably meant; the transport spells it and adds it to the sentence. */
  readonly suggestion?: string
}

/** `INVALID_REQUEST` for the fields at fault. */
export function invalidRequest(...issues: readonly [Issue, ...Issue[]]): FairleadError {
  return new FairleadError('INVALID_REQUEST', describeIssues(issues), { issues })
}

/** One sentence for all issues: the first, and how many more there are. */
export function describeIssues(issues: readonly [Issue, ...Issue[]]): string {
  const [{ field, issue }] = issues
  const more = issues.length > 1 ? ` (and ${issues.length - 1} more)` : ''
  return `${field ?? 'The request'}${isPredicate(issue) ? '' : ':'} ${issue}${more}`
}

/** Whether the field and the issue make a sentence: "prompt is required", but not "model unknown model". */
function isPredicate(issue: string): boolean {
  return !/^(?:unknown|no) /.test(issue)
}

/**
 * Makes `instanceof` hold across two installed copies of this package: the test looks for a registered symbol
 * on the object, not for the identity of its class.
 */
export function branded(name: string): { mark: symbol; holds: (value: unknown) => boolean } {
  const mark = Symbol.for(`@fairlead/core/${name}`)
  return { mark, holds: (value) => typeof value === 'object' && value !== null && mark in value }
}
