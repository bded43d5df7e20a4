import { LRUCache } from 'lru-cache'
import { type Clock, isFuture } from '../runtime/clock.ts'
import { FairleadError } from '../runtime/errors.ts'

/** Failed logins of a network, over any accounts, that may come at once, and the time in which as many more may follow. */
const maxFailures = 100
const windowMs = 15 * 60_000
const intervalMs = windowMs / maxFailures
/** No refusal is remembered for longer than the longest window of a throttle. */
const maxRefusalMs = 3_600_000
/** Of each kind; the least recently used is dropped. */
const maxRemembered = 10_000

/** Limits attempts to log in or sign up in the memory of this process, before the store and the password hash are reached. */
export interface AttemptLimits {
  /**
   * Counts an attempt of a network as a failure, and returns the function that takes that back. Rejected with
   * `RATE_LIMIT_EXCEEDED` where the network failed too often.
   */
  countFailure(network: string): () => void
  /**
   * Runs work that the store may refuse with `RATE_LIMIT_EXCEEDED`. That refusal is remembered by the name of its bucket,
   * and repeated without the work until it ends.
   */
  unlessRefused<Result>(bucket: string, work: () => Promise<Result>): Promise<Result>
}

export function createAttemptLimits(clock: Clock): AttemptLimits {
  /**
   * When each network will have all of its failures left again (the generic cell rate algorithm): one number, however
   * many attempts there were.
   */
  const recoversAt = new LRUCache<string, number>({ max: maxRemembered })
  const refusals = new LRUCache<string, { readonly error: FairleadError; readonly until: number }>({
    max: maxRemembered,
  })

  /** A clock that was set back must not prolong a limit, and what a clock that was far ahead left behind is ignored. */
  function recoveryOf(network: string, now: number): number {
    const at = recoversAt.get(network) ?? now
    return isFuture(at, now + windowMs) ? now : Math.min(Math.max(at, now), now + windowMs)
  }

  return {
    countFailure(network) {
      const now = clock.now()
      const next = recoveryOf(network, now) + intervalMs
      if (next > now + windowMs) {
        throw tooManyAttempts('Too many logins from this network failed.', next - now - windowMs)
      }
      recoversAt.set(network, next)
      return () => {
        const later = clock.now()
        recoversAt.set(network, recoveryOf(network, later) - intervalMs)
      }
    },
    async unlessRefused(bucket, work) {
      const known = refusals.get(bucket)
      const leftMs = known ? known.until - clock.now() : 0
      if (known && leftMs > 0 && leftMs <= maxRefusalMs) throw tooManyAttempts(known.error.message, leftMs)
      try {
        return await work()
      } catch (error) {
        if (error instanceof FairleadError && error.code === 'RATE_LIMIT_EXCEEDED') {
          refusals.set(bucket, { error, until: clock.now() + (error.retryAfterMs ?? 0) })
        }
        throw error
      }
    },
  }
}

/** A refusal that tells when to try again: not before a second, the least that `Retry-After` can say. */
export function tooManyAttempts(message: string, retryAfterMs: number): FairleadError {
  return new FairleadError('RATE_LIMIT_EXCEEDED', message, { retryAfterMs: Math.max(1_000, retryAfterMs) })
}

const groups = 8

/**
 * Whom an address is counted for when one account is concerned: an IPv4 address alone, an IPv6 address with its /64, since
 * whoever has one of those addresses has all 2^64.
 */
export function hostOf(address: string): string {
  if (!isIpv6(address)) return withoutMapping(address)
  return `${ipv6Groups(address).slice(0, 4).join(':')}::/64`
}

/** The network of an address, which providers give to one customer or a few: an IPv4 /24 or an IPv6 /56. */
export function networkOf(address: string): string {
  if (isIpv6(address)) {
    const [one, two, three, four = '0'] = ipv6Groups(address)
    return `${one}:${two}:${three}:${four.padStart(4, '0').slice(0, 2)}00::/56`
  }
  const bytes = withoutMapping(address).split('.')
  return bytes.length === 4 ? `${bytes.slice(0, 3).join('.')}.0/24` : address
}

function isIpv6(address: string): boolean {
  return withoutMapping(address).includes(':')
}

/** An IPv4 address without the prefix that an IPv6 socket puts before it. */
function withoutMapping(address: string): string {
  return address.replace(/^::ffff:(?=[\d.]+$)/i, '')
}

/** All eight groups in their shortest form. */
function ipv6Groups(address: string): readonly string[] {
  const [head = '', tail] = address.split('%')[0]?.split('::') ?? []
  const before = head.split(':').filter((group) => group !== '')
  const after = (tail ?? '').split(':').filter((group) => group !== '')
  const zeros = Array.from({ length: Math.max(0, groups - before.length - after.length) }, () => '0')
  return [...before, ...zeros, ...after].map((group) => group.replace(/^0+(?=.)/, '').toLowerCase())
}
