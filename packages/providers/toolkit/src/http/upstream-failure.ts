import type { IncomingHttpHeaders } from 'node:http'
import { ProviderError, type ProviderFailure, type UpstreamFacts } from '@fairlead/core/provider'
import { firstValue } from './upstream-exchange.ts'
import type { ErrorReading } from './http-client-options.ts'
import { exceedsContext, requestedBeyondLimit } from './too-long.ts'

interface UpstreamFailureFacts {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** The body, if the reading has no message. */
  readonly text: string
  readonly reading: ErrorReading | undefined
  /** Those that callers may know of the headers. */
  readonly facts?: UpstreamFacts | undefined
  /** Milliseconds since the epoch. */
  readonly now: number
}

/**
 * The error that an upstream replied with, in its own words if it has any. They are not shortened here: a secret that was
 * cut in two would not be recognized.
 */
export function upstreamFailure({
  status,
  headers,
  text,
  reading = {},
  facts,
  now,
}: UpstreamFailureFacts): ProviderError {
  const words = reading.message ?? text
  const classified = reading.failure ?? failureOfStatus(status)
  const requested = classified === 'rate_limited' ? requestedBeyondLimit(words) : undefined
  // Groq's code of a 413 is `rate_limit_exceeded`, too.
  const neverFits = requested !== undefined || (status === 413 && classified === 'rate_limited')
  const isTooLong = neverFits || exceedsContext(words, classified)
  const failure = isTooLong ? 'too_long' : classified
  // A request that never fits may not be repeated.
  const retryAfterMs = isTooLong
    ? undefined
    : (plausibleDelay(reading.retryAfterMs ?? NaN) ?? readRetryAfter(headers, now) ?? delayIn(words, failure))
  const redirect = status >= 300 && status < 400 ? ' (redirects are not followed; correct baseUrl)' : ''
  return new ProviderError(failure, `answered ${status}${redirect}: ${words}`, {
    retryAfterMs,
    field: reading.field,
    detail: reading.message,
    neededTokens: requested || undefined,
    mayBill: false,
    upstream: {
      status: reading.status ?? status,
      code: reading.code,
      param: reading.param,
      ...facts,
      retryAfterMs,
    },
  })
}

const failures: Readonly<Record<number, ProviderFailure>> = {
  400: 'invalid_request',
  401: 'credential',
  402: 'credential',
  403: 'credential',
  408: 'timeout',
  409: 'retry',
  413: 'too_long',
  422: 'invalid_request',
  425: 'retry',
  429: 'rate_limited',
  501: 'give_up',
  505: 'give_up',
  504: 'timeout',
  // Cloudflare: the origin was too slow.
  522: 'timeout',
  524: 'timeout',
}

/** Classifies a status (RFC 9110, 15). After a 404, another target may have the model. */
export function failureOfStatus(status: number): ProviderFailure {
  // An error that was sent with status 200 may be of any kind.
  return failures[status] ?? (status >= 500 || status === 200 ? 'retry' : 'give_up')
}

/** The longest wait: a longer one may be wrong or outdated. */
const maxWaitMs = 60 * 60_000

/**
 * The delay in milliseconds before the next request; undefined if the upstream names none. Reads `retry-after-ms` and
 * both forms of `Retry-After` (RFC 9110, 10.2.3); a date is measured against the upstream's own clock where it sends it.
 */
export function readRetryAfter(headers: IncomingHttpHeaders, now: number): number | undefined {
  const precise = plausibleDelay(Number(firstValue(headers['retry-after-ms']) ?? NaN))
  if (precise !== undefined) return precise
  const said = firstValue(headers['retry-after'])
  if (said === undefined) return undefined
  return plausibleDelay(/^\d+(?:\.\d+)?$/.test(said.trim()) ? Number(said) * 1_000 : untilDate(said, headers.date, now))
}

const delayWords =
  /\b(?:try again|retry)(?: in| after)\s+((?:\d+(?:\.\d+)?\s*(?:ms|milliseconds?|h|hours?|m|min|minutes?|s|seconds?)(?![a-z])[\s,]*)+)/i
const delayUnits: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1_000 }

/** The delay that the message of a busy upstream names, such as `Please try again in 1m2.5s`, where no header has it. */
function delayIn(message: string, failure: ProviderFailure): number | undefined {
  if (failure !== 'rate_limited' && failure !== 'retry') return undefined
  const [, delay = ''] = delayWords.exec(message) ?? []
  const parts = Array.from(delay.matchAll(/(\d+(?:\.\d+)?)\s*([a-z]+)/gi))
  return plausibleDelay(parts.reduce((sum, [, count, unit = '']) => sum + Number(count) * readUnit(unit), 0))
}

function readUnit(name: string): number {
  const unit = name.toLowerCase()
  return unit === 'ms' || unit.startsWith('milli') ? 1 : (delayUnits[unit[0]!] ?? 0)
}

/** A plausible delay; undefined if the number is not a time. */
function plausibleDelay(ms: number): number | undefined {
  return ms > 0 && Number.isFinite(ms) ? Math.min(Math.ceil(ms), maxWaitMs) : undefined
}

function untilDate(date: string, upstreamsNow: string | undefined, now: number): number {
  const reference = Date.parse(upstreamsNow ?? '')
  return Date.parse(date) - (Number.isNaN(reference) ? now : reference)
}
