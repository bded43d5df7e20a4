import {
  type ErrorCode,
  type Failure,
  type Meta,
  type Streaming,
  type Success,
  toSnakeCase,
  type WireNames,
} from '@fairlead/core'
import { limitHeaders, type Standing } from '@fairlead/node-http'
import type { Exchange, Headers } from './exchange.ts'

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
export function standardHeaders({ requestId, at }: Exchange, standing?: Standing): Record<string, string> {
  return {
    'X-Request-Id': requestId,
    'Cache-Control': 'no-store',
    Vary: 'Authorization',
    ...(standing && limitHeaders(standing, at)),
  }
}

export function successHeaders(
  exchange: Exchange,
  reply: Success<unknown> | Streaming<unknown, unknown>,
): Record<string, string> {
  const headers = standardHeaders(exchange, reply)
  if ('version' in reply) headers['ETag'] = `"${reply.version}"`
  if (reply.replayed) headers['Idempotent-Replayed'] = 'true'
  return headers
}

/** A replayed reply has the id of the first request: it gets that of its own. */
export function withRequestId(reply: Success<unknown>, requestId: string): Success<unknown> {
  return reply.replayed ? { ...reply, meta: { ...reply.meta, requestId } } : reply
}

export function jsonResponse(status: number, headers: Headers, body: unknown) {
  return {
    status,
    headers: { ...headers, 'Content-Type': 'application/json; charset=utf-8' },
    body: JSON.stringify(body),
  }
}

export function failureResponse(exchange: Exchange, failure: Failure, headers: Headers = {}) {
  const { code } = failure.error
  noteFailure(exchange, failure)
  return jsonResponse(
    errorStatus[code],
    { ...standardHeaders(exchange, failure), ...headers, ...failureHeaders(failure) },
    failureBody(failure),
  )
}

/** Keeps what the request log shows of a failure. */
export function noteFailure(exchange: Exchange, { error: { code, details } }: Failure): void {
  exchange.code = code
  if (typeof details.provider === 'string') exchange.provider = details.provider
}

function failureHeaders({ error: { code }, retryAfterMs }: Failure): Record<string, string> {
  return {
    ...(code === 'UNAUTHORIZED' && { 'WWW-Authenticate': 'Bearer' }),
    ...(retryAfterMs !== undefined && { 'Retry-After': String(Math.ceil(retryAfterMs / 1000)) }),
    // An SDK should not retry for a month.
    ...(code === 'QUOTA_EXCEEDED' && { 'x-should-retry': 'false' }),
  }
}

/** The body of a success. In the quick-start form it also has the fields of the result. */
export function successBody({ data, meta }: Pick<Success<unknown>, 'data' | 'meta'>, names: WireNames, hoist: boolean) {
  const wireData = names.write(data)
  const body = { success: true, data: wireData, meta: metaToWire(meta) }
  return hoist ? { ...body, ...(wireData as object) } : body
}

export function failureBody({ error, meta }: Failure) {
  return { success: false, error, meta: metaToWire(meta) }
}

function metaToWire(meta: Meta): Record<string, unknown> {
  const wire: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(meta)) wire[wireNameOf(name)] = name === 'page' ? metaToWire(value) : value
  return wire
}

const wireNamesOfMeta = new Map<string, string>()

function wireNameOf(name: string): string {
  let wire = wireNamesOfMeta.get(name)
  if (wire === undefined) wireNamesOfMeta.set(name, (wire = toSnakeCase(name)))
  return wire
}
