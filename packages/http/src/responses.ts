import type { ErrorCode, Failure, Meta, UpstreamFacts } from '@fairlead/core'
import type { Exchange, Headers } from './exchange.ts'
import { jsonParts } from './json-parts.ts'
import { limitHeaders, type Standing } from './limit-headers.ts'

/** The HTTP status of every error. */
export const errorStatus = {
  INVALID_REQUEST: 400,
  CONTENT_REFUSED: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  CONFLICT: 409,
  PRECONDITION_FAILED: 412,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  IDEMPOTENCY_KEY_REUSED: 422,
  QUOTA_EXCEEDED: 429,
  RATE_LIMIT_EXCEEDED: 429,
  INTERNAL_ERROR: 500,
  PROVIDER_ERROR: 502,
  PROVIDER_UNAVAILABLE: 503,
  SERVICE_UNAVAILABLE: 503,
  PROVIDER_TIMEOUT: 504,
} as const satisfies Record<ErrorCode, number>

/** The headers of every response of an operation. */
export function standardHeaders(
  { requestId, at, modelCall: { upstream } }: Exchange,
  standing?: Standing,
): Record<string, string> {
  return {
    ...(upstream && upstreamHeaders(upstream)),
    'X-Request-Id': requestId,
    'Cache-Control': 'no-store',
    Vary: 'Authorization',
    ...(standing && limitHeaders(standing, at)),
  }
}

/** Names that the service itself uses for its own limits are left out. */
const rateLimitName = /^(?:anthropic-ratelimit-|x-ratelimit-(?!(?:limit|remaining|reset)$))[a-z\d-]{1,64}$/
const rateLimitValue = /^[!-~](?:[ -~]{0,126}[!-~])?$/
const maxRateLimits = 32

/** The headers that come from the upstream. Unusual values are left out, because a header must not have them. */
function upstreamHeaders({ requestId, rateLimit }: UpstreamFacts): Headers {
  const id = requestId !== undefined && /^[\w.:=+/-]{1,128}$/.test(requestId) && { 'X-Upstream-Request-Id': requestId }
  if (!rateLimit) return { ...id }
  const limits = Object.entries(rateLimit).filter(
    ([name, value]) => rateLimitName.test(name) && rateLimitValue.test(value),
  )
  return { ...id, ...Object.fromEntries(limits.slice(0, maxRateLimits)) }
}

const maxWarningsLength = 1_000

/** Warnings, such as settings that the model does not support. At the start of a stream, those that are known by then. */
export function warningsHeader({ warnings = [] }: Meta): Headers {
  if (warnings.length === 0) return {}
  const text = warnings.map(({ field, issue }) => (field === null ? issue : `${field} ${issue}`)).join('; ')
  return { 'X-Fairlead-Warnings': text.slice(0, maxWarningsLength).replaceAll(/[^ -~]+/g, '?') }
}

export function jsonResponse(status: number, headers: Headers, body: unknown) {
  return {
    status,
    headers: { ...headers, 'Content-Type': 'application/json; charset=utf-8' },
    body: JSON.stringify(body),
  }
}

/** As `jsonResponse`. A long body is written in parts while it is sent. */
export function partsResponse(status: number, headers: Headers, body: unknown) {
  const parts = jsonParts(body)
  const { value: first = '' } = parts.next()
  const { value: second, done } = parts.next()
  return {
    status,
    headers: { ...headers, 'Content-Type': 'application/json; charset=utf-8' },
    body: done ? first : { parts: chain([first, second ?? ''], parts) },
  }
}

function* chain(...lists: readonly Iterable<string>[]): Generator<string, void, undefined> {
  for (const list of lists) yield* list
}

/** Keeps what the request log shows of a failure. */
export function noteFailure(exchange: Exchange, { error: { code, details } }: Failure): void {
  exchange.code = code
  if (typeof details.provider === 'string') Object.assign(exchange.modelCall, { provider: details.provider })
}

export function failureHeaders({ error: { code }, retryAfterMs, upstream }: Failure): Record<string, string> {
  return {
    ...(upstream && upstreamHeaders(upstream)),
    ...(code === 'UNAUTHORIZED' && { 'WWW-Authenticate': 'Bearer' }),
    ...(retryAfterMs !== undefined && { 'Retry-After': String(Math.ceil(retryAfterMs / 1000)) }),
    // An SDK should not retry for a month, and Claude Code retries a wrong key for minutes.
    ...((code === 'QUOTA_EXCEEDED' || code === 'UNAUTHORIZED') && { 'x-should-retry': 'false' }),
  }
}
