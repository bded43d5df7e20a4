import type { BurstLimit, Limits } from '@fairlead/core'

/** The limits of a caller after a request. */
export interface Standing {
  readonly limits?: Limits | undefined
  readonly burst?: BurstLimit | undefined
}

/**
 * The limits of a caller as headers: the fields of draft-ietf-httpapi-ratelimit-headers (windows and resets in
 * seconds), and of the monthly quota the customary `X-RateLimit-*`, whose reset is in Unix seconds.
 */
export function limitHeaders({ limits, burst }: Standing, now: number): Record<string, string> {
  if (!limits && !burst) return {}
  const secondsTo = (instant: number) => Math.max(0, Math.ceil((instant - now) / 1000))
  const policies: string[] = []
  const standings: string[] = []
  if (burst) {
    policies.push(`"burst";q=${burst.limit};w=${burst.windowMs / 1000}`)
    standings.push(`"burst";r=${burst.remaining};t=${secondsTo(burst.resetAt)}`)
  }
  if (limits) {
    policies.push(`"monthly";q=${limits.limit};w=${limits.windowMs / 1000}`)
    standings.push(`"monthly";r=${limits.remaining};t=${secondsTo(limits.resetAt)}`)
  }
  return {
    'RateLimit-Policy': policies.join(', '),
    RateLimit: standings.join(', '),
    ...(limits && {
      'X-RateLimit-Limit': String(limits.limit),
      'X-RateLimit-Remaining': String(limits.remaining),
      'X-RateLimit-Reset': String(limits.resetAt / 1000),
    }),
  }
}
