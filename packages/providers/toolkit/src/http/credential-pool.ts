import { type Clock, ProviderError } from '@fairlead/core/provider'

interface Suspension {
  /** As the upstream says. */
  readonly until: number
  /** When the key is used again: after a minute at most, because one account's call may have caused the failure. */
  readonly usedAgainAt: number
  readonly failure: 'rate_limited' | 'credential'
  /** Consecutive failures. */
  readonly strikes: number
}

/** A key, and its suspensions by quota: what the upstream limits separately, such as the model. */
export interface Credential {
  /** Undefined if the upstream needs no key. */
  readonly apiKey: string | undefined
  readonly suspensions: Map<string, Suspension>
}

const minSuspensionMs = 1_000
const maxSuspensionMs = 60_000
/** Quotas that a key remembers. Clients may choose the ids of models, so they must not take memory without limit. */
const maxSuspensions = 1_000

/** The API keys of one upstream. A key that was rejected or rate limited is suspended, and the others replace it. */
export class CredentialPool {
  readonly #id: string
  readonly #clock: Clock
  readonly #credentials: readonly Credential[]
  #turn = 0

  constructor(id: string, apiKeys: readonly string[], clock: Clock) {
    this.#id = id
    this.#clock = clock
    const keys = apiKeys.length > 0 ? apiKeys : [undefined]
    this.#credentials = keys.map((apiKey) => ({ apiKey, suspensions: new Map() }))
  }

  /**
   * The next key that is not suspended.
   *
   * @throws ProviderError if all are rate limited, with the time until the first returns; the upstream is not called
   */
  take(quota: string): Credential {
    for (let step = 0; step < this.#credentials.length; step++) {
      const index = (this.#turn + step) % this.#credentials.length
      const credential = this.#credentials[index]!
      if (this.#isSuspended(credential.suspensions.get(quota))) continue
      this.#turn = index + 1
      return credential
    }
    // A rejection may have concerned one call only, or be fixed by now: the key is tried rather than none.
    const rejected = this.#first(quota, 'credential')
    if (rejected) return rejected
    const retryAfterMs = this.#backInMs(quota, this.#clock.now()) ?? 0
    throw new ProviderError('rate_limited', `${this.#id}: all keys are rate limited`, { retryAfterMs })
  }

  /** A call succeeded with the key. A suspension by another call a moment ago stays. */
  worked({ suspensions }: Credential, quota: string): void {
    if (suspensions.size > 0 && !this.#isSuspended(suspensions.get(quota))) suspensions.delete(quota)
  }

  /** Suspends the key if it caused the failure. The error then says when to retry: 0 means at once, with another key. */
  failed({ suspensions }: Credential, quota: string, error: ProviderError): ProviderError {
    const { failure, message, field, detail, upstream, mayBill, cause } = error
    if (failure !== 'rate_limited' && failure !== 'credential') return error
    const now = this.#clock.now()
    const suspension = suspensions.get(quota)
    // Calls that fail together count as one failure, and the longest suspension applies.
    const current = this.#isSuspended(suspension) ? suspension : undefined
    const strikes = current?.strikes ?? (suspension?.strikes ?? 0) + 1
    const until = now + (error.retryAfterMs ?? Math.min(minSuspensionMs * 2 ** (strikes - 1), maxSuspensionMs))
    if (!current || until > current.until) {
      if (suspensions.size >= maxSuspensions && !suspensions.has(quota))
        suspensions.delete(suspensions.keys().next().value!)
      suspensions.set(quota, { until, usedAgainAt: Math.min(until, now + maxSuspensionMs), failure, strikes })
    }
    const retryAfterMs = this.#backInMs(quota, now)
    return new ProviderError(failure, message, { retryAfterMs, field, detail, upstream, mayBill, cause })
  }

  /** 0 if another key is available; undefined if all others were rejected. */
  #backInMs(quota: string, now: number): number | undefined {
    if (this.#credentials.some(({ suspensions }) => !this.#isSuspended(suspensions.get(quota)))) return 0
    const first = this.#first(quota, 'rate_limited')?.suspensions.get(quota)
    return first && first.until - now
  }

  /** The key that returns first of those that are suspended for a failure. */
  #first(quota: string, failure: Suspension['failure']): Credential | undefined {
    const suspended = this.#credentials.filter(({ suspensions }) => suspensions.get(quota)?.failure === failure)
    return suspended.sort((one, other) => one.suspensions.get(quota)!.until - other.suspensions.get(quota)!.until)[0]
  }

  #isSuspended(suspension: Suspension | undefined): boolean {
    return suspension !== undefined && suspension.usedAgainAt > this.#clock.now()
  }
}
