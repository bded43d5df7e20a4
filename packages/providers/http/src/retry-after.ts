import type { IncomingHttpHeaders } from 'node:http'

/** An upstream that says more is asked again after this long: what it says may be wrong, or no longer hold. */
const mostMs = 60 * 60_000

/**
 * How many milliseconds the upstream wants to be left alone; undefined where it doesn't say. Reads `retry-after-ms` and
 * both forms of `Retry-After` (RFC 9110, 10.2.3); a date is measured against the upstream's own clock where it sends it.
 */
export function readRetryAfter(headers: IncomingHttpHeaders, now: number): number | undefined {
  const precise = saneWait(Number(first(headers['retry-after-ms']) ?? NaN))
  if (precise !== undefined) return precise
  const said = first(headers['retry-after'])
  if (said === undefined) return undefined
  return saneWait(/^\d+(?:\.\d+)?$/.test(said.trim()) ? Number(said) * 1_000 : untilDate(said, headers.date, now))
}

/** How long an upstream is left alone that says so many milliseconds; undefined where they are no time. */
export function saneWait(ms: number): number | undefined {
  return ms > 0 && Number.isFinite(ms) ? Math.min(Math.ceil(ms), mostMs) : undefined
}

/** A header that an upstream sends twice is a list, whatever its type says. */
function first(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === 'object' ? value[0] : value
}

function untilDate(date: string, upstreamsNow: string | undefined, now: number): number {
  const reference = Date.parse(upstreamsNow ?? '')
  return Date.parse(date) - (Number.isNaN(reference) ? now : reference)
}
