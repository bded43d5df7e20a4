import { ProviderError, type ProviderFailure } from '@fairlead/core/provider'
import type { Credential } from './credential-pool.ts'
import type { Authorize, AuthorizeCall } from './http-client-options.ts'
import { connectionFailure } from './upstream-exchange.ts'

export type AuthHeaders = Readonly<Record<string, string>>

/** The headers of a key. While they are being renewed, all calls wait for the same renewal. */
export class Authorization {
  readonly #authorize: Authorize
  readonly #renewals = new Map<Credential, Renewal>()

  constructor(authorize: Authorize) {
    this.#authorize = authorize
  }

  /**
   * The headers for a request. A promise if they must be waited for.
   *
   * @param isRejected whether the upstream rejected those that were returned last
   */
  headers(credential: Credential, signal: AbortSignal, isRejected = false): AuthHeaders | Promise<AuthHeaders> {
    const current = this.#renewals.get(credential)
    if (current) return current.join(signal)
    const call = new RenewalCall(credential.apiKey, isRejected)
    const headers = this.#authorize(call)
    if (!(headers instanceof Promise)) return headers
    const forget = () => {
      if (this.#renewals.get(credential) === renewal) this.#renewals.delete(credential)
    }
    const renewal = new Renewal(headers, forget, (reason) => call.abort(reason))
    this.#renewals.set(credential, renewal)
    return renewal.join(signal)
  }

  /** Headers that replace rejected ones. Undefined if there are no others. */
  async renewed(credential: Credential, rejected: AuthHeaders, signal: AbortSignal): Promise<AuthHeaders | undefined> {
    // Another call may have renewed them meanwhile.
    const present = await this.headers(credential, signal)
    if (!isSame(present, rejected)) return present
    const renewed = await this.headers(credential, signal, true)
    return isSame(renewed, rejected) ? undefined : renewed
  }
}

/** Has a signal only if `authorize` reads it. */
class RenewalCall implements AuthorizeCall {
  readonly apiKey: string | undefined
  readonly rejected: boolean
  #controller: AbortController | undefined = undefined

  constructor(apiKey: string | undefined, rejected: boolean) {
    this.apiKey = apiKey
    this.rejected = rejected
  }

  get signal(): AbortSignal {
    return (this.#controller ??= new AbortController()).signal
  }

  abort(reason: unknown): void {
    this.#controller?.abort(reason)
  }
}

/** Headers that calls wait for. An abort ends the wait of its call, and the last one ends the renewal. */
class Renewal {
  readonly #headers: Promise<AuthHeaders>
  readonly #abandon: (reason: unknown) => void
  #waiting = 0

  constructor(headers: Promise<AuthHeaders>, forget: () => void, abort: (reason: unknown) => void) {
    this.#headers = headers.catch((error: unknown) => Promise.reject(toFailure(error))).finally(forget)
    this.#abandon = (reason) => {
      forget()
      abort(reason)
    }
  }

  join(signal: AbortSignal): Promise<AuthHeaders> {
    this.#waiting++
    return new Promise((resolve, reject) => {
      const leave = () => {
        reject(signal.reason)
        this.#waiting--
        if (this.#waiting === 0) this.#abandon(signal.reason)
      }
      const stay = () => signal.removeEventListener('abort', leave)
      this.#headers.finally(stay).then(resolve, reject)
      if (signal.aborted) leave()
      else signal.addEventListener('abort', leave, { once: true })
    })
  }
}

/**
 * The failure of a renewal. It was not billed, and is no fault of the caller's request. A `fetch` that failed is a failure of
 * the connection; other errors are bugs.
 */
function toFailure(error: unknown): unknown {
  if (error instanceof ProviderError) {
    const { failure, message, retryAfterMs, upstream } = error
    return new ProviderError(isOfRequest.has(failure) ? 'credential' : failure, message, {
      retryAfterMs,
      upstream,
      mayBill: false,
    })
  }
  if (!(error instanceof Error)) return error
  if (error.name === 'TimeoutError') return new ProviderError('timeout', `authorize: ${error.message}`)
  return error instanceof TypeError && error.cause instanceof Error ? connectionFailure(error.cause) : error
}

const isOfRequest: ReadonlySet<ProviderFailure> = new Set(['invalid_request', 'too_long', 'content_refused'])

function isSame(one: AuthHeaders, other: AuthHeaders): boolean {
  const names = Object.keys(one)
  return names.length === Object.keys(other).length && names.every((name) => one[name] === other[name])
}
