import { z } from 'zod'
import { type Tier, tiers } from '../values/user.ts'

/** Requests that one account may send in a minute, by its tier. */
export type RequestsPerMinute = Readonly<Partial<Record<Tier, number | undefined>>>

/** Limits over short times, beside the monthly quota. */
export interface RateLimitOptions {
  /**
   * How many metered requests an account may send in a minute: so many at once, and from then on one for each that time
   * gives back. A tier that is left out has no limit. Default: none has.
   */
  readonly requestsPerMinute?: RequestsPerMinute | undefined
}

const requestsPerMinute = z.int().min(1).max(100_000)

/** The form of `RateLimitOptions`. */
export const rateLimitOptions = z.strictObject({
  requestsPerMinute: z.partialRecord(z.enum(tiers), requestsPerMinute).optional(),
}) satisfies z.ZodType<RateLimitOptions>
