import { branded, type UpstreamFailure } from '../runtime/errors.ts'

/**
 * Failure classes. Core decides by them how to continue:
 * - `retry`: a retry may succeed, as after a lost connection or a 5xx
 * - `rate_limited`: the credential is at its limit; wait `retryAfterMs`
 * - `timeout`: no response in time
 * - `credential`: the credential was rejected; another may work
 * - `invalid_request`: the upstream rejected the request; every target would
 * - `too_long`: the request exceeds the context of the model; a model with a larger context may accept it
 * - `content_refused`: the upstream refused the content
 * - `give_up`: this provider cannot complete the request; with the field `model`, it does not have the model
 */
export type ProviderFailure = keyof typeof failureDescriptions

/** As clients see the classes. */
export const failureDescriptions = {
  retry: 'A temporary failure.',
  rate_limited: 'The provider limited the rate.',
  timeout: 'The provider did not respond in time.',
  credential: 'The provider rejected the credentials.',
  invalid_request: 'The provider rejected the request.',
  too_long: 'The request exceeds the context of the model.',
  content_refused: 'The provider refused the content.',
  give_up: 'A permanent failure.',
} as const

export const providerFailures = Object.keys(failureDescriptions) as readonly ProviderFailure[]

export interface ProviderErrorOptions {
  /**
   * The delay before the next attempt, if the upstream reported one. With `rate_limited` and `credential`, 0 means that
   * another credential is available, and that the same call can be repeated immediately.
   */
  readonly retryAfterMs?: number | undefined
  /** The invalid field of the request, such as `maxTokens`, if the upstream named one. */
  readonly field?: string | undefined
  /** The part of the message that the caller sees; for `invalid_request`, `too_long`, `rate_limited` and `content_refused`. Default: none. */
  readonly detail?: string | undefined
  /**
   * With `too_long`: the size of the request in tokens, if it exceeds a limit of the account rather than the context of the
   * model. A target whose context holds it is tried. Default: the context of the model is too small.
   */
  readonly neededTokens?: number | undefined
  /** The error response of the upstream. Default: unknown, or there was no answer. */
  readonly upstream?: UpstreamFailure | undefined
  /**
   * Whether the upstream may bill the call, because it had accepted the request. Default: whether the status of `upstream`
   * is one of success.
   */
  readonly mayBill?: boolean | undefined
  /**
   * Whether the upstream was sending an answer when it broke off. A whole answer is not asked for again, because each attempt
   * would be billed. Default: false.
   */
  readonly brokeOff?: boolean | undefined
  readonly cause?: unknown | undefined
}

function isSuccess({ status }: UpstreamFailure): boolean {
  return status >= 200 && status < 300
}

const brand = branded('ProviderError')

/** A failure of a provider. Its message is for the operator's log; callers see only `detail`. */
export class ProviderError extends Error {
  readonly failure: ProviderFailure
  readonly retryAfterMs: number | undefined
  readonly field: string | undefined
  readonly detail: string | undefined
  readonly neededTokens: number | undefined
  readonly upstream: UpstreamFailure | undefined
  readonly mayBill: boolean
  readonly brokeOff: boolean

  constructor(failure: ProviderFailure, message: string, options: ProviderErrorOptions = {}) {
    super(message, { cause: options.cause })
    this.name = 'ProviderError'
    this.failure = failure
    this.retryAfterMs = options.retryAfterMs
    this.field = options.field
    this.detail = options.detail
    this.neededTokens = options.neededTokens
    this.upstream = options.upstream
    this.mayBill = options.mayBill ?? (options.upstream ? isSuccess(options.upstream) : false)
    this.brokeOff = options.brokeOff ?? false
    Object.defineProperty(this, brand.mark, { value: true })
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return brand.holds(value)
  }
}

/** The same failure, of another field of the request. */
export function withField(error: ProviderError, field: string | undefined): ProviderError {
  const { failure, message, ...facts } = error
  return new ProviderError(failure, message, { ...facts, cause: error.cause, field })
}
