import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Clock, ErrorCode, Failure, IdentifiedCaller, NewId } from '@fairlead/core'
import { closeUnlessRead, endResponse, limitHeaders, type Standing } from '@fairlead/node-http'
import { clientAddress } from './client-address.ts'
import { errorStatus } from './error-status.ts'
import { failureBody } from './wire-envelope.ts'

/** One request and its answer. */
export interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly requestId: string
  /** Milliseconds since the epoch. */
  readonly at: number
  /** Where the request comes from. */
  readonly address: string
  readonly clock: Clock
  /** What the log calls the path: its pattern, never an id. */
  route: string
  code?: ErrorCode
  /** Unknown until the credentials are found good. */
  caller?: IdentifiedCaller
}

export interface ExchangeOptions {
  readonly newId: NewId
  readonly clock: Clock
  readonly trustedProxies: number
}

export function openExchange(
  request: IncomingMessage,
  response: ServerResponse,
  { newId, clock, trustedProxies }: ExchangeOptions,
): Exchange {
  return {
    request,
    response,
    requestId: newId('req'),
    at: clock.now(),
    address: clientAddress(request, trustedProxies),
    clock,
    route: '(unknown)',
  }
}

export type Headers = Readonly<Record<string, string>>

/** The headers of every answer to an operation. */
export function answerHeaders({ response, requestId, at }: Exchange, standing?: Standing): Record<string, string> {
  return {
    'X-Request-Id': requestId,
    'Cache-Control': 'no-store',
    Vary: response.hasHeader('Vary') ? varyingBeside(response.getHeader('Vary')) : 'Authorization',
    ...(standing && limitHeaders(standing, at)),
  }
}

/** Whoever stands in front of us may have named headers of its own. */
function varyingBeside(named: ReturnType<ServerResponse['getHeader']>): string {
  return [named ?? [], 'Authorization'].flat().join(', ')
}

export function sendJson(exchange: Exchange, status: number, headers: Headers, body: unknown): void {
  sendBody(exchange, status, { ...headers, 'Content-Type': 'application/json; charset=utf-8' }, JSON.stringify(body))
}

/** Sends a whole body; to `HEAD`, only what would stand above it (RFC 9110, 9.3.2). */
export function sendBody(
  { request, response, clock }: Exchange,
  status: number,
  headers: Headers,
  body: string | Uint8Array | undefined,
): void {
  closeUnlessRead(request, response)
  response.writeHead(status, { ...headers, ...(body !== undefined && { 'Content-Length': Buffer.byteLength(body) }) })
  endResponse(response, request.method === 'HEAD' ? undefined : body, clock)
}

export function sendFailure(exchange: Exchange, failure: Failure, headers: Headers = {}): void {
  const { code } = failure.error
  exchange.code = code
  sendJson(
    exchange,
    errorStatus[code],
    { ...answerHeaders(exchange, failure), ...headers, ...failureHeaders(failure) },
    failureBody(failure),
  )
}

function failureHeaders({ error: { code }, retryAfterMs }: Failure): Record<string, string> {
  return {
    ...(code === 'UNAUTHORIZED' && { 'WWW-Authenticate': 'Bearer' }),
    ...(retryAfterMs !== undefined && { 'Retry-After': String(Math.ceil(retryAfterMs / 1000)) }),
    // A month is too long for an SDK to retry in.
    ...(code === 'QUOTA_EXCEEDED' && { 'x-should-retry': 'false' }),
  }
}
