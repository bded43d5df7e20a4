import type { ErrorCode, Failure, Meta, StreamEvent } from '@fairlead/core'
import type { UpstreamFacts } from '@fairlead/core/adapter'
import type { Exchange } from './http-request.ts'
import { jsonParts } from './json-parts.ts'
import type { Fields } from './request-fields.ts'

/** A response as the adapter gives it. The writers for Node and for `fetch` send it. */
export interface HttpResponse {
  readonly status: number
  readonly headers: HeaderList
  /** Default: none. */
  readonly body?: string | Uint8Array | EventBody | PartsBody
}

/** Names and values, alternating, as Node writes them. Belongs to one response; no name comes twice. */
export type HeaderList = string[]

/** A stream of server-sent events. */
export interface EventBody extends EventWriter {
  readonly events: AsyncIterable<ResultEvent>
}

/** Writes the events of one stream, and keeps its state. */
export interface EventWriter {
  /** The text of the server-sent events for an event of core. Empty if there are none. */
  write(event: ResultEvent): string
}

export type ResultEvent = StreamEvent<unknown, unknown>

/** A long text, whose parts are written when they are taken. */
export interface PartsBody {
  readonly parts: Iterable<string> | AsyncIterable<string>
}

/** The status, as nginx logs it, where the client disconnected before the response began. */
export const clientClosedRequest = 499

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
  BUDGET_EXCEEDED: 429,
  INTERNAL_ERROR: 500,
  PROVIDER_ERROR: 502,
  PROVIDER_UNAVAILABLE: 503,
  SERVICE_UNAVAILABLE: 503,
  PROVIDER_TIMEOUT: 504,
} as const satisfies Record<ErrorCode, number>

/**
 * The facts for the headers of a reply: the limits of the caller after the request, and the upstream of a failed call.
 */
export type ReplyLimits = Partial<Pick<Failure, 'limits' | 'burst' | 'upstream'>>

/** The headers of every response of an operation. */
export function standardHeaders({ requestId, at, call }: Exchange, reply: ReplyLimits): HeaderList {
  const upstream = call?.modelCall.upstream
  const headers = ['X-Request-Id', requestId, 'Cache-Control', 'no-store', 'Vary', 'Authorization']
  const facts = reply.upstream ? { ...upstream, ...reply.upstream } : upstream
  if (facts) addUpstream(headers, facts)
  addLimits(headers, reply, at)
  return headers
}

/**
 * Adds the limits of a caller: the fields of draft-ietf-httpapi-ratelimit-headers (windows and resets in seconds), and of the
 * monthly quota the customary `X-RateLimit-*`, whose reset is in Unix seconds.
 */
export function addLimits(headers: HeaderList, { limits, burst }: ReplyLimits, now: number): void {
  if (!limits && !burst) return
  let policy = ''
  let standing = ''
  if (burst) {
    policy = `"burst";q=${burst.limit};w=${burst.windowMs / 1000}`
    standing = `"burst";r=${burst.remaining};t=${secondsTo(burst.resetAt, now)}`
  }
  if (limits) {
    const separator = burst ? ', ' : ''
    policy += `${separator}"monthly";q=${limits.limit};w=${limits.windowMs / 1000}`
    standing += `${separator}"monthly";r=${limits.remaining};t=${secondsTo(limits.resetAt, now)}`
  }
  headers.push('RateLimit-Policy', policy, 'RateLimit', standing)
  if (!limits) return
  headers.push('X-RateLimit-Limit', String(limits.limit))
  headers.push('X-RateLimit-Remaining', String(limits.remaining))
  headers.push('X-RateLimit-Reset', String(limits.resetAt / 1000))
}

function secondsTo(instant: number, now: number): number {
  return Math.max(0, Math.ceil((instant - now) / 1000))
}

/** Names that the service itself uses for its own limits are left out. */
const rateLimitName = /^(?:anthropic-ratelimit-|x-ratelimit-(?!(?:limit|remaining|reset)$))[a-z\d-]{1,64}$/
const rateLimitValue = /^[!-~](?:[ -~]{0,126}[!-~])?$/
const maxRateLimits = 32

/** Adds the headers that come from the upstream. Unusual values are left out, because a header must not have them. */
function addUpstream(headers: HeaderList, { requestId, rateLimit }: UpstreamFacts): void {
  if (requestId !== undefined && /^[\w.:=+/-]{1,128}$/.test(requestId)) headers.push('X-Upstream-Request-Id', requestId)
  if (!rateLimit) return
  const limits = Object.entries(rateLimit).filter(
    ([name, value]) => rateLimitName.test(name) && rateLimitValue.test(value),
  )
  for (const [name, value] of limits.slice(0, maxRateLimits)) headers.push(name, value)
}

const maxWarningsLength = 1_000

/** Adds warnings, such as settings that the model does not support. At the start of a stream, those that are known by then. */
export function addWarnings(headers: HeaderList, { warnings = [] }: Meta): void {
  if (warnings.length === 0) return
  const text = warnings.map(({ field, issue }) => (field === null ? issue : `${field} ${issue}`)).join('; ')
  headers.push('X-Fairlead-Warnings', text.slice(0, maxWarningsLength).replaceAll(/[^ -~]+/g, '?'))
}

/** A budget that resets later is used up. Otherwise only calls in progress leave no room. */
const maxRetryMs = 1_000

/** The statuses of an upstream that rejects the key of the operator. */
const rejections: ReadonlySet<number | undefined> = new Set([401, 402, 403])
/** Codes of a 429 that says that its account has no money left. */
const outOfFunds: ReadonlySet<string | undefined> = new Set(['insufficient_quota', 'billing_hard_limit_reached'])

type FailureFacts = Pick<Failure, 'retryAfterMs' | 'upstream'> & { readonly error: Pick<Failure['error'], 'code'> }

/** Adds the headers that only failures have. */
export function addFailure(headers: HeaderList, { error: { code }, retryAfterMs, upstream }: FailureFacts): void {
  if (code === 'UNAUTHORIZED') headers.push('WWW-Authenticate', 'Bearer')
  if (retryAfterMs !== undefined) headers.push('Retry-After', String(Math.ceil(retryAfterMs / 1000)))
  // An SDK should not retry for a month, and Claude Code retries a wrong key for minutes.
  const isUsedUp = code === 'BUDGET_EXCEEDED' && (retryAfterMs ?? Infinity) > maxRetryMs
  // Nothing changes until the operator has another key.
  const isRejected = code === 'PROVIDER_ERROR' && (rejections.has(upstream?.status) || outOfFunds.has(upstream?.code))
  if (code === 'QUOTA_EXCEEDED' || code === 'UNAUTHORIZED' || isUsedUp || isRejected)
    headers.push('x-should-retry', 'false')
}

/**
 * A long body is written in parts while it is sent.
 *
 * @param body JSON, or text that is JSON already
 */
export function jsonResponse(status: number, headers: HeaderList, body: unknown): HttpResponse {
  headers.push('Content-Type', 'application/json; charset=utf-8')
  if (typeof body === 'string') return { status, headers, body }
  const isLong = isContainer(body) && elementsIn(body) > maxElements
  return { status, headers, body: isLong ? { parts: jsonParts(body) } : JSON.stringify(body) }
}

/** Writing so many numbers at once takes 3 ms. */
const maxElements = 16_384

/** A text counts as one value for every 64 characters, up to the length of a long vector in base64. */
const charactersPerElement = 64
const maxTextElements = 256

/** How many values an object or a list has, or more than `maxElements`. */
function elementsIn(container: Fields | readonly unknown[]): number {
  if (Array.isArray(container) && typeof container[0] === 'number') return container.length
  let elements = 1
  for (const name in container) {
    const value = (container as Fields)[name]
    if (isContainer(value)) elements += elementsIn(value)
    else if (typeof value !== 'string' || value.length < charactersPerElement) elements++
    else elements += Math.min(Math.ceil(value.length / charactersPerElement), maxTextElements)
    if (elements > maxElements) break
  }
  return elements
}

function isContainer(value: unknown): value is Fields | readonly unknown[] {
  return typeof value === 'object' && value !== null
}
