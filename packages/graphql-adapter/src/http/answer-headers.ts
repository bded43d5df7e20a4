import type { Limits } from '@fairlead/core'
import type { GraphqlContext } from '../context.ts'

/** The headers of every answer, those of a limited caller with where it stands after the last field. */
export function answerHeaders(
  { requestId, vary, outcome: { limits } }: GraphqlContext,
  now: number,
): Record<string, string> {
  return {
    'X-Request-Id': requestId,
    'Cache-Control': 'no-store',
    Vary: vary === undefined ? 'Authorization, Accept' : `${vary}, Authorization, Accept`,
    ...(limits && limitHeaders(limits, now)),
  }
}

/** As REST has them: draft-ietf-httpapi-ratelimit-headers, and the customary names, with Unix seconds. */
function limitHeaders({ limit, remaining, resetAt, windowMs }: Limits, now: number): Record<string, string> {
  return {
    'X-RateLimit-Limit': `${limit}`,
    'X-RateLimit-Remaining': `${remaining}`,
    'X-RateLimit-Reset': `${resetAt / 1000}`,
    RateLimit: `"monthly";r=${remaining};t=${Math.max(0, Math.ceil((resetAt - now) / 1000))}`,
    'RateLimit-Policy': `"monthly";q=${limit};w=${windowMs / 1000}`,
  }
}
