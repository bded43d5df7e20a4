import { branded } from '../runtime/errors.ts'

/**
 * What may be done after a failure:
 * - `retry`: the same call may work in a moment (a connection broke, the upstream answered 5xx)
 * - `rate_limited`: this credential is at its limit; wait `retryAfterMs`
 * - `timeout`: no answer in time
 * - `credential`: this credential is refused; another may work
 * - `invalid_request`: the upstream refuses the request; no target will take it
 * - `content_refused`: the upstream refuses the content
 * - `give_up`: nothing helps at this provider
 */
export const providerFailures = [
  'retry',
  'rate_limited',
  'timeout',
  'credential',
  'invalid_request',
  'content_refused',
  'give_up',
] as const
export type ProviderFailure = (typeof providerFailures)[number]

export interface ProviderErrorOptions {
  /**
   * How long to wait before the next try, where the upstream said so. With `rate_limited` and `credential`, 0 means that
   * another credential is free: the same call may come again at once.
   */
  readonly retryAfterMs?: number | undefined
  /** The request's field at fault (`maxTokens`), where the upstream named one. */
  readonly field?: string | undefined
  /** What the caller may read of it; for `invalid_request` and `content_refused`. Default: nothing. */
  readonly detail?: string | undefined
  readonly cause?: unknown | undefined
}

const brand = branded('ProviderError')

/** A provider's failure. Its message is for the operator's log; callers read only the `detail`. */
export class ProviderError extends Error {
  readonly failure: ProviderFailure
  readonly retryAfterMs: number | undefined
  readonly field: string | undefined
  readonly detail: string | undefined

  constructor(failure: ProviderFailure, message: string, options: ProviderErrorOptions = {}) {
    super(message, { cause: options.cause })
    this.name = 'ProviderError'
    this.failure = failure
    this.retryAfterMs = options.retryAfterMs
    this.field = options.field
    this.detail = options.detail
    Object.defineProperty(this, brand.mark, { value: true })
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return brand.holds(value)
  }
}
