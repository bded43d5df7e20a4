/** At most `limit` requests at once, and from then on one each `windowMs / limit`. */
export interface RateLimit {
  readonly limit: number
  readonly windowMs: number
}

/** Where a key stands after one more request. */
export interface RateReading {
  /** A request that is not granted does not count. */
  readonly granted: boolean
  /** Requests that would be granted at once. */
  readonly remaining: number
  /** Until one more than those would be granted; 0 where none has been counted lately. */
  readonly resetMs: number
}

/** Stores keep instants as floating-point numbers of milliseconds: sums of intervals are not exact. */
export const rateToleranceMs = 0.1

/**
 * The reading of the generic cell rate algorithm (GCRA, ITU-T I.371).
 *
 * @param debtMs how far the theoretical arrival time lies ahead of now, this request counted if it was granted
 */
export function toRateReading(granted: boolean, debtMs: number, { limit, windowMs }: RateLimit): RateReading {
  const intervalMs = windowMs / limit
  const creditMs = windowMs - debtMs
  const remaining = granted ? Math.max(0, Math.floor((creditMs + rateToleranceMs) / intervalMs)) : 0
  const resetMs = remaining >= limit ? 0 : Math.max(1, Math.ceil((remaining + 1) * intervalMs - creditMs))
  return { granted, remaining, resetMs }
}
