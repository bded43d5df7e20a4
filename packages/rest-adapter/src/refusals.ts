import type { IncomingMessage, ServerResponse } from 'node:http'
import { type ErrorCode, systemClock } from '@fairlead/core'
import { createIds, type FairleadCore } from '@fairlead/core/adapter'
import {
  addFailure,
  errorStatus,
  Exchange,
  jsonResponse,
  NodeRequest,
  type PageResponse,
  sendResponse,
  standardHeaders,
} from '@fairlead/http'
import { failureBody } from './rest-endpoint.ts'

const newId = createIds(systemClock.now)

/**
 * Answers a request that failed outside the adapter, such as in a middleware before it, with the error envelope. Internal
 * errors are masked and logged. A response that has begun is aborted. An `X-Request-Id` that is set already is kept.
 *
 * @returns the code of the error, unless the response had begun
 */
export function sendRefusal(
  core: FairleadCore,
  request: IncomingMessage,
  response: ServerResponse,
  error: unknown,
): ErrorCode | undefined {
  const ownId = response.getHeader('X-Request-Id')
  const exchange = new Exchange(new NodeRequest(request, response, ''), {
    newId: typeof ownId === 'string' ? () => ownId : newId,
    clock: systemClock,
    trustedProxies: 0,
  })
  const failure = core.refuse(error, { requestId: exchange.requestId })
  if (response.headersSent) {
    response.destroy()
    return undefined
  }
  const headers = standardHeaders(exchange, failure)
  addFailure(headers, failure)
  const answer = jsonResponse(errorStatus[failure.error.code], headers, failureBody(failure))
  void sendResponse(answer, exchange.request.method, response, systemClock)
  return failure.error.code
}

/** Errors of Node's HTTP parser for requests that are not malformed, by code. */
const faults: Readonly<Record<string, { readonly status: number; readonly message: string }>> = {
  HPE_HEADER_OVERFLOW: { status: 431, message: 'The headers of the request are too large.' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: 'The request took too long to arrive.' },
}
const unknownMethod = { status: 501, message: 'The method of the request is unknown.' }
/** With any method; the parser reports TLS and other protocols as an unknown method too. */
const requestLine = /^[\w!#$%&'*+.^`|~-]+ \S+ HTTP\/1\.[01]\r?\n/
const malformed = { status: 400, message: 'The request is not valid HTTP/1.1.' }

/** The error that Node passes to `clientError`. */
type ParserError = Error & { readonly code?: string; readonly rawPacket?: Buffer }

/** The response to a request that Node's HTTP server cannot parse (its event `clientError`), as an error in the usual form. */
export function unreadableRequest({ code = '', rawPacket }: ParserError): Required<PageResponse> {
  const isUnknownMethod = code === 'HPE_INVALID_METHOD' && requestLine.test(rawPacket?.toString('latin1') ?? '')
  const { status, message } = isUnknownMethod ? unknownMethod : (faults[code] ?? malformed)
  return refusal(status, isUnknownMethod ? 'METHOD_NOT_ALLOWED' : 'INVALID_REQUEST', message)
}

/** The answer to every request while a service cannot start yet. @param reason a sentence */
export function notStarted(reason: string): Required<PageResponse> {
  const { headers, ...response } = refusal(503, 'SERVICE_UNAVAILABLE', reason)
  return { ...response, headers: { ...headers, 'Retry-After': '5' } }
}

/** A response for which there is no core. */
function refusal(status: number, code: ErrorCode, message: string): Required<PageResponse> {
  const requestId = newId('req')
  const body = JSON.stringify(
    failureBody({
      success: false,
      error: { code, message, details: { field: null, issue: null, issues: [] } },
      meta: { requestId, timestamp: new Date(systemClock.now()).toISOString() },
    }),
  )
  const headers = {
    'X-Request-Id': requestId,
    'Cache-Control': 'no-store',
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(body)),
  }
  return { status, headers, body }
}
