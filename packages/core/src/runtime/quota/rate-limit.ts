import * as z from 'zod'
import { type Clock, isFuture } from '../clock.ts'
import { type Tier, tiers } from '../access.ts'
import { FairleadError } from '../errors.ts'

/** A burst of at most `limit` requests, then one per `windowMs / limit`. */
export interface RateLimit {
  readonly limit: number
  readonly windowMs: number
}

export interface RateReading {
  /** Requests that are not granted do not count. */
  readonly granted: boolean
  /** Requests that would be granted immediately. */
  readonly remaining: number
  /** Milliseconds until one more, or the rejected request, would be granted; 0 if the full limit is available. */
  readonly resetMs: number
  /** Whether this process counted alone, because what it shares with others is unavailable. Default: false. */
  readonly fellBack?: boolean | undefined
}

/** Tolerance for times stored as floating-point milliseconds, whose sums are not exact. */
export const rateToleranceMs = 0.1

/**
 * Computes the reading of the generic cell rate algorithm (GCRA, ITU-T I.371).
 *
 * @param debtMs milliseconds from now to the theoretical arrival time, including this request if it was granted
 * @param cost how many requests it counts as. Default: 1
 */
export function toRateReading(granted: boolean, debtMs: number, { limit, windowMs }: RateLimit, cost = 1): RateReading {
  const intervalMs = windowMs / limit
  const creditMs = windowMs - debtMs
  const remaining = Math.max(0, Math.floor((creditMs + rateToleranceMs) / intervalMs))
  const needed = granted ? remaining + 1 : cost
  const resetMs = remaining >= limit ? 0 : Math.max(1, Math.ceil(needed * intervalMs - creditMs))
  return { granted, remaining, resetMs }
}

/** Counts requests for limits over short windows, and those in flight. Every implementation passes `rateLimiterSuite`. */
export interface RateLimiter {
  /**
   * Counts a request of the key unless it exceeds the limit. Exact under concurrency. Never rejects.
   *
   * @param cost how much of the limit it takes, at most all of it. Default: 1
   */
  take(key: string, limit: RateLimit, cost?: number): RateReading | Promise<RateReading>
  /** Takes more of a limit after the fact, at most all of it, or gives back a negative cost. Never rejects. */
  charge(key: string, limit: RateLimit, cost: number): void | Promise<void>
  /** Acquires one of `max` leases of the key; undefined if all are held. Exact under concurrency. Never rejects. */
  acquire(key: string, max: number): Lease | undefined | Promise<Lease | undefined>
  close?(): Promise<void>
}

/** One of a limited number of runs at the same time. It ends with its process, too. */
export interface Lease {
  /** Only the first call has an effect. */
  release(): void
}

/** Maximum requests per minute of one account, by tier. */
export type RequestsPerMinute = Readonly<Partial<Record<Tier, number | undefined>>>

/** Burst limits, in addition to the monthly quota. */
export interface RateLimitOptions {
  /**
   * Maximum metered requests per minute of one account, by tier. The full number may be sent at once; the limit then
   * recovers continuously. Tiers that are left out have no limit. Default: no limits.
   */
  readonly requestsPerMinute?: RequestsPerMinute | undefined
  /**
   * Maximum changes per minute of one account that cost no unit of its quota, such as changes of webhooks and keys, test
   * events, and changes in a session. Default: 120.
   */
  readonly writesPerMinute?: number | undefined
  /**
   * About how many bytes the changes of one account that cost no unit may add to the stores in a day (UTC): records,
   * events with their deliveries, entries of the audit log, and stored responses. Admins have no limit. The sign-ins of
   * a user count toward a separate limit. Null: no limit. Default: 20,000,000.
   */
  readonly writtenBytesPerDay?: number | null | undefined
  /**
   * Maximum failed model calls of one account that are free although the provider may bill them: those that exceed our time
   * limit, or whose answer is cut off. Further calls are rejected until the budget refills. Null: no limit. Default: 60.
   */
  readonly failures?: number | null | undefined
  /** How many of these failures the budget regains in a minute. Default: 1. */
  readonly failuresPerMinute?: number | undefined
  /** Maximum event streams of one API key or session that are open at the same time. Default: 20. */
  readonly eventStreamsPerKey?: number | undefined
  /** Maximum event streams of one account that are open at the same time. Default: 50. */
  readonly eventStreamsPerAccount?: number | undefined
}

export const defaultWritesPerMinute = 120
export const defaultWrittenBytesPerDay = 20_000_000

/** How many event streams may be open at the same time. */
export function eventStreamLimits({ eventStreamsPerKey = 20, eventStreamsPerAccount = 50 }: RateLimitOptions = {}) {
  return { perKey: eventStreamsPerKey, perAccount: eventStreamsPerAccount }
}

const requestsPerMinute = z.int().min(1).max(100_000)

export const rateLimitOptions = z.strictObject({
  requestsPerMinute: z.partialRecord(z.enum(tiers), requestsPerMinute).optional(),
  writesPerMinute: requestsPerMinute.optional(),
  writtenBytesPerDay: z.int().min(1).max(1e15).nullish(),
  failures: z.int().min(1).max(100_000).nullish(),
  failuresPerMinute: z.int().min(1).max(100_000).optional(),
  eventStreamsPerKey: z.int().min(1).max(100_000).optional(),
  eventStreamsPerAccount: z.int().min(1).max(100_000).optional(),
}) satisfies z.ZodType<RateLimitOptions>

/** A rate limiter that answers at once. */
export interface MemoryRateLimiter extends RateLimiter {
  take(key: string, limit: RateLimit, cost?: number): RateReading
  charge(key: string, limit: RateLimit, cost: number): void
  acquire(key: string, max: number): Lease | undefined
}

export interface MemoryRateLimiterOptions {
  readonly clock: Clock
  /** Maximum number of keys in memory. The least recently used one is evicted and loses its count. Default: 100,000. */
  readonly maxKeys?: number | undefined
}

/** Creates a rate limiter that counts the requests of this process only. */
export function memoryRateLimiter({ clock, maxKeys = 100_000 }: MemoryRateLimiterOptions): MemoryRateLimiter {
  /** The theoretical arrival time (GCRA) of each key, the least recently used first. */
  const arrivals = new Map<string, number>()

  /** Removes up to two expired or excess keys per call, one more than a call adds. */
  function expire(now: number): void {
    let checked = 0
    for (const [key, arrival] of arrivals) {
      if (checked++ === 2 || (arrival > now && arrivals.size <= maxKeys)) return
      arrivals.delete(key)
    }
  }

  /** The arrival of a key, from now to the end of the window. */
  function nextArrival(key: string, now: number, windowMs: number): number {
    const known = arrivals.get(key) ?? now
    // Setting the clock back must not prolong a limit; times recorded while the clock was far ahead are ignored.
    return isFuture(known, now + windowMs) ? now : Math.min(Math.max(known, now), now + windowMs)
  }

  /** The leases in use of each key. */
  const leases = new Map<string, number>()

  return {
    take(key, limit, cost = 1) {
      const now = clock.now()
      const arrival = nextArrival(key, now, limit.windowMs)
      const next = arrival + (cost * limit.windowMs) / limit.limit
      const granted = next - now <= limit.windowMs + rateToleranceMs
      const counted = granted ? next : arrival
      arrivals.delete(key)
      arrivals.set(key, counted)
      expire(now)
      return toRateReading(granted, counted - now, limit, cost)
    },
    charge(key, { limit, windowMs }, cost) {
      const now = clock.now()
      const next = nextArrival(key, now, windowMs) + (cost * windowMs) / limit
      if (cost > 0 || arrivals.has(key)) arrivals.set(key, Math.min(next, now + windowMs))
    },
    acquire(key, max) {
      const held = leases.get(key) ?? 0
      if (held >= max) return undefined
      leases.set(key, held + 1)
      return releaseOnce(() => {
        const left = (leases.get(key) ?? 1) - 1
        if (left > 0) leases.set(key, left)
        else leases.delete(key)
      })
    },
  }
}

/** A lease that calls a function when it is released first. */
export function releaseOnce(release: () => void): Lease {
  let isReleased = false
  return {
    release() {
      if (isReleased) return
      isReleased = true
      release()
    },
  }
}

/** More keys than use up a limit at the same time. The one that was blocked first is let through. */
const maxBlocked = 10_000

/** The keys that have used up a limit, so that a request of any other key costs only a lookup. */
export class BlockedKeys {
  readonly #clock: Clock
  /** When each key may send again, in milliseconds since the epoch. */
  readonly #until = new Map<string, number>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  get isEmpty(): boolean {
    return this.#until.size === 0
  }

  block(key: string, ms: number): void {
    this.#until.delete(key)
    this.#until.set(key, this.#clock.now() + ms)
    const [first] = this.#until.keys()
    if (this.#until.size > maxBlocked && first !== undefined) this.#until.delete(first)
  }

  /**
   * How long a key is blocked, in milliseconds; 0 if it is not. A time beyond `maxMs` was recorded before the clock was set
   * back, and is ignored.
   */
  waitOf(key: string, maxMs: number): number {
    const until = this.#until.get(key)
    if (until === undefined) return 0
    const waitMs = until - this.#clock.now()
    if (waitMs > 0 && waitMs <= maxMs) return waitMs
    this.#until.delete(key)
    return 0
  }
}

export type FailureBudget = ReturnType<typeof createFailureBudget>

interface FailureBudgetOptions extends Pick<RateLimitOptions, 'failures' | 'failuresPerMinute'> {
  readonly clock: Clock
  /** Counts the failures. A node learns of failures on other nodes with its own next failure of the account. */
  readonly rateLimiter: RateLimiter
}

/**
 * The failures of an account that are free although a provider may bill them. Nobody can buy calls of a provider with
 * requests that fail, such as those that always exceed the time limit.
 */
export function createFailureBudget({
  clock,
  rateLimiter,
  failures = 60,
  failuresPerMinute = 1,
}: FailureBudgetOptions) {
  const blocked = new BlockedKeys(clock)
  const limit = failures ?? 0
  const windowMs = Math.ceil((limit * 60_000) / failuresPerMinute)

  async function take(userId: string): Promise<void> {
    const { remaining, resetMs } = await rateLimiter.take(`failures ${userId}`, { limit, windowMs })
    if (remaining === 0) blocked.block(userId, resetMs)
  }

  return {
    /** Throws `RATE_LIMIT_EXCEEDED` if the account has used up its budget. */
    require(userId: string): void {
      const waitMs = blocked.waitOf(userId, windowMs)
      if (waitMs <= 0) return
      const seconds = Math.ceil(waitMs / 1_000)
      throw new FairleadError(
        'RATE_LIMIT_EXCEEDED',
        `Too many calls of this account timed out or were cut off, and the provider may bill them. Try again in ${seconds} s.`,
        { retryAfterMs: waitMs },
      )
    },
    count(userId: string): void {
      if (limit > 0) void take(userId)
    },
  }
}
