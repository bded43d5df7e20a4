import { LRUCache } from 'lru-cache'
import { type Clock, isFuture } from '../runtime/clock.ts'
import { FairleadError } from '../runtime/errors.ts'

/** Maximum number of failed logins of one network per window, over all accounts. */
const maxFailures = 100
const windowMs = 15 * 60_000
const intervalMs = windowMs / maxFailures
/** A rejection is cached for at most the longest window of a throttle. */
const maxRejectionMs = 3_600_000
/** Maximum number of networks, and of rejections, in memory. The least recently used is evicted. */
const maxEntries = 10_000

/** Limits logins and sign-ups in the memory of this process, before they cost a store query or a password hash. */
export interface AttemptLimits {
  /**
   * Counts an attempt of a network as failed, and returns a function that undoes this. Throws `RATE_LIMIT_EXCEEDED` if
   * the network has too many failed attempts.
   */
  countFailure(network: string): () => void
  /**
   * Runs work that may reject with `RATE_LIMIT_EXCEEDED`. That rejection is cached for the bucket, and repeated without
   * running the work until its `retryAfterMs` has passed.
   */
  unlessRejected<Result>(bucket: string, work: () => Promise<Result>): Promise<Result>
}

export function createAttemptLimits(clock: Clock): AttemptLimits {
  /**
   * When each network has its full limit again, in milliseconds since the epoch (generic cell rate algorithm): one
   * number per network, however many attempts there were.
   */
  const recoversAt = new LRUCache<string, number>({ max: maxEntries })
  const rejections = new LRUCache<string, { readonly error: FairleadError; readonly until: number }>({
    max: maxEntries,
  })

  /** Setting the clock back must not prolong a limit; times recorded while the clock was far ahead are ignored. */
  function recoveryOf(network: string, now: number): number {
    const at = recoversAt.get(network) ?? now
    return isFuture(at, now + windowMs) ? now : Math.min(Math.max(at, now), now + windowMs)
  }

  return {
    countFailure(network) {
      const now = clock.now()
      const next = recoveryOf(network, now) + intervalMs
      if (next > now + windowMs) {
        throw tooManyAttempts('Too many failed logins from this network. Try again later.', next - now - windowMs)
      }
      recoversAt.set(network, next)
      return () => {
        const later = clock.now()
        recoversAt.set(network, recoveryOf(network, later) - intervalMs)
      }
    },
    async unlessRejected(bucket, work) {
      const known = rejections.get(bucket)
      const leftMs = known ? known.until - clock.now() : 0
      if (known && leftMs > 0 && leftMs <= maxRejectionMs) throw tooManyAttempts(known.error.message, leftMs)
      try {
        return await work()
      } catch (error) {
        if (error instanceof FairleadError && error.code === 'RATE_LIMIT_EXCEEDED') {
          rejections.set(bucket, { error, until: clock.now() + (error.retryAfterMs ?? 0) })
        }
        throw error
      }
    },
  }
}

/** A `RATE_LIMIT_EXCEEDED` error. `retryAfterMs` is at least 1,000, because `Retry-After` counts in seconds. */
export function tooManyAttempts(message: string, retryAfterMs: number): FairleadError {
  return new FairleadError('RATE_LIMIT_EXCEEDED', message, { retryAfterMs: Math.max(1_000, retryAfterMs) })
}

const groups = 8

/**
 * The client that an address belongs to when attempts on one account are counted: an IPv4 address, or the /64 of an IPv6
 * address, because one subscriber can use all 2^64 addresses of it.
 */
export function hostOf(address: string): string {
  if (!isIpv6(address)) return withoutMapping(address)
  return `${ipv6Groups(address).slice(0, 4).join(':')}::/64`
}

/** The network of an address: an IPv4 /24 or an IPv6 /56, which internet providers assign to one customer or a few. */
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

/** Removes the prefix of an IPv4-mapped IPv6 address. */
function withoutMapping(address: string): string {
  return address.replace(/^::ffff:(?=[\d.]+$)/i, '')
}

/** Expands an IPv6 address to its eight groups, in lower case and without leading zeros. */
function ipv6Groups(address: string): readonly string[] {
  const [head = '', tail] = address.split('%')[0]?.split('::') ?? []
  const before = head.split(':').filter((group) => group !== '')
  const after = (tail ?? '').split(':').filter((group) => group !== '')
  const zeros = Array.from({ length: Math.max(0, groups - before.length - after.length) }, () => '0')
  return [...before, ...zeros, ...after].map((group) => group.replace(/^0+(?=.)/, '').toLowerCase())
}
