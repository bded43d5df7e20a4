import { type Clock, ProviderError } from '@fairlead/core/provider'

/** The API keys of one upstream. A key that was rejected or rate limited is suspended, and the others replace it. */
export interface CredentialPool {
  /**
   * The next key that is not suspended.
   *
   * @param quota what the upstream limits separately, such as the model
   * @throws ProviderError if all are rate limited, with the time until the first returns; the upstream is not called
   */
  take(quota: string): Lease
}

/** The use of a key by one call. */
export interface Lease {
  /** Undefined if the upstream needs no key. */
  readonly apiKey: string | undefined
  worked(): void
  /** Suspends the key if it caused the failure. The error then says when to retry: 0 means at once, with another key. */
  failed(error: ProviderError): ProviderError
}

interface Rest {
  /** As the upstream says. */
  readonly until: number
  /** When the key is used again: after a minute at most, because one account's call may have caused the failure. */
  readonly usedAgainAt: number
  readonly failure: 'rate_limited' | 'credential'
  /** Consecutive failures. */
  readonly strikes: number
}

interface Credential {
  readonly apiKey: string | undefined
  /** By quota. */
  readonly rests: Map<string, Rest>
}

const shortestRestMs = 1_000
const longestRestMs = 60_000
/** Quotas that a key remembers. Clients may choose the ids of models, so they must not take memory without limit. */
const maxRests = 1_000

export function createCredentialPool(id: string, apiKeys: readonly string[], clock: Clock): CredentialPool {
  const credentials: readonly Credential[] = (apiKeys.length > 0 ? apiKeys : [undefined]).map((apiKey) => ({
    apiKey,
    rests: new Map(),
  }))
  let turn = 0

  function free(quota: string): Credential | undefined {
    for (let step = 0; step < credentials.length; step++) {
      const index = (turn + step) % credentials.length
      const credential = credentials[index]!
      if (isResting(credential.rests.get(quota), clock)) continue
      turn = index + 1
      return credential
    }
    return undefined
  }

  /** The keys that are suspended for this failure, the one that returns first before the others. */
  function resting(quota: string, failure: Rest['failure']): readonly Credential[] {
    const ofKind = credentials.filter(({ rests }) => rests.get(quota)?.failure === failure)
    return ofKind.sort((one, other) => one.rests.get(quota)!.until - other.rests.get(quota)!.until)
  }

  /** 0 if another key is available; undefined if all others were rejected. */
  function backInMs(quota: string, now: number): number | undefined {
    if (credentials.some(({ rests }) => !isResting(rests.get(quota), clock))) return 0
    const [first] = resting(quota, 'rate_limited')
    return first && first.rests.get(quota)!.until - now
  }

  return {
    take(quota) {
      // A rejection may have concerned one call only, or be fixed by now: the key is tried rather than none.
      const credential = free(quota) ?? resting(quota, 'credential')[0]
      if (credential) return lease(credential, quota, clock, (now) => backInMs(quota, now))
      const retryAfterMs = backInMs(quota, clock.now()) ?? 0
      throw new ProviderError('rate_limited', `${id}: all keys are rate limited`, { retryAfterMs })
    },
  }
}

function lease(
  { apiKey, rests }: Credential,
  quota: string,
  clock: Clock,
  backInMs: (now: number) => number | undefined,
): Lease {
  return {
    apiKey,
    worked() {
      // A suspension by another call a moment ago stays.
      if (rests.size > 0 && !isResting(rests.get(quota), clock)) rests.delete(quota)
    },
    failed(error) {
      const { failure, message, field, detail, upstream, mayBill, cause } = error
      if (failure !== 'rate_limited' && failure !== 'credential') return error
      const now = clock.now()
      const rest = rests.get(quota)
      // Calls that fail together count as one failure, and the longest suspension applies.
      const resting = isResting(rest, clock) ? rest : undefined
      const strikes = resting?.strikes ?? (rest?.strikes ?? 0) + 1
      const restMs = error.retryAfterMs ?? Math.min(shortestRestMs * 2 ** (strikes - 1), longestRestMs)
      const until = now + restMs
      if (!resting || until > resting.until) {
        if (rests.size >= maxRests && !rests.has(quota)) rests.delete(rests.keys().next().value!)
        {
          rests.set(quota, { until, usedAgainAt: Math.min(until, now + longestRestMs), failure, strikes })
        }
      }
      const retryAfterMs = backInMs(now)
      return new ProviderError(failure, message, { retryAfterMs, field, detail, upstream, mayBill, cause })
    },
  }
}

function isResting(rest: Rest | undefined, clock: Clock): boolean {
  return rest !== undefined && rest.usedAgainAt > clock.now()
}
