import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Clock, createIds, type ErrorCode, type FairleadCore, systemClock } from '@fairlead/core'
import { endResponse, openEventStream, readBody } from '@fairlead/node-http'
import { failureBody, failureResponse } from './envelope.ts'
import {
  type Answer,
  type Exchange,
  type ExchangeOptions,
  isEventBody,
  openExchange,
  type EventBody,
  type RestRequest,
  type RestResponse,
  toAnswer,
} from './exchange.ts'
import type { PageAnswer } from './pages.ts'
import { belowBasePath } from './request-head.ts'

/** Answers a request of `node:http`. */
export type NodeHandler = (request: IncomingMessage, response: ServerResponse) => void

export interface HandlerOptions extends ExchangeOptions {
  /** Answers an exchange. Never rejects. */
  readonly answer: (exchange: Exchange) => Promise<RestResponse>
  readonly core: FairleadCore
  readonly basePath: string | undefined
  readonly onAnswer: ((answer: Answer, response?: ServerResponse) => void) | undefined
}

export function nodeHandler({ answer, core, basePath, onAnswer, ...options }: HandlerOptions): NodeHandler {
  const { clock } = options
  const serve = async (exchange: Exchange, response: ServerResponse) => {
    try {
      const sending = send(await answer(exchange), exchange, response, clock)
      if (sending) await sending
    } catch (error) {
      core.refuse(error, { requestId: exchange.requestId })
      response.destroy()
    }
  }
  return (request, response) => {
    const exchange = openExchange(restRequest(request, response, basePath), options)
    if (onAnswer) {
      response.on('close', () => {
        const aborted = !response.writableFinished
        onAnswer(toAnswer(exchange, { status: response.statusCode, aborted, now: clock.now() }), response)
      })
    }
    void serve(exchange, response)
  }
}

/** Express names the path under which it mounted the handler. */
type MountedRequest = IncomingMessage & { readonly baseUrl?: string }

function restRequest(request: MountedRequest, response: ServerResponse, mountedAt: string | undefined): RestRequest {
  const { method = '', url = '/', headers, socket } = request
  const basePath = mountedAt ?? request.baseUrl ?? ''
  return {
    method,
    url: basePath === '' ? url : belowBasePath(url, basePath),
    basePath,
    headers,
    remoteAddress: socket.remoteAddress,
    signal: disconnectSignal(response),
    readBody: (maxBytes, scan) => readBody(request, maxBytes, scan),
  }
}

function disconnectSignal(response: ServerResponse): AbortSignal {
  const controller = new AbortController()
  const abort = () => {
    if (!response.writableFinished) controller.abort()
  }
  // A response that is closed already emits no further event.
  if (response.closed) abort()
  else response.on('close', abort)
  return controller.signal
}

/**
 * Sends a response; to `HEAD`, only its headers (RFC 9110, 9.3.2).
 *
 * @returns a promise for the end of a stream
 */
function send(
  { status, headers, body }: RestResponse,
  { request }: Pick<Exchange, 'request'>,
  response: ServerResponse,
  clock: Clock,
): Promise<void> | undefined {
  const all = response.hasHeader('Vary') ? { ...headers, Vary: joinVary(response, headers['Vary']) } : headers
  if (isEventBody(body)) {
    response.writeHead(status, all)
    return sendEvents(body, response, clock)
  }
  response.writeHead(status, { ...all, ...(body !== undefined && { 'Content-Length': Buffer.byteLength(body) }) })
  endResponse(response, request.method === 'HEAD' ? undefined : body, clock)
  return undefined
}

/** Middleware may have set the header already. */
function joinVary(response: ServerResponse, own: string | undefined): string {
  return [response.getHeader('Vary') ?? [], own ?? []].flat().join(', ')
}

async function sendEvents({ events, toSent }: EventBody, response: ServerResponse, clock: Clock): Promise<void> {
  const stream = openEventStream(response, clock)
  try {
    for await (const event of events) {
      await stream.send(toSent(event))
      if (response.destroyed) break
    }
  } finally {
    stream.end()
  }
}

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
  const exchange = openExchange(restRequest(request, response, ''), {
    newId: typeof ownId === 'string' ? () => ownId : newId,
    clock: systemClock,
    trustedProxies: 0,
  })
  const failure = core.refuse(error, { requestId: exchange.requestId })
  if (response.headersSent) response.destroy()
  else void send(failureResponse(exchange, failure), exchange, response, systemClock)
  return exchange.code
}

interface Fault {
  readonly status: number
  readonly message: string
}

/** Errors of Node's HTTP parser for requests that are not malformed, by code. */
const faults: Readonly<Record<string, Fault>> = {
  HPE_HEADER_OVERFLOW: { status: 431, message: 'The headers of the request are too large.' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: 'The request took too long to arrive.' },
}
const unknownMethod: Fault = { status: 501, message: 'The method of the request is unknown.' }
/** With any method; the parser reports TLS and other protocols as an unknown method too. */
const requestLine = /^[\w!#$%&'*+.^`|~-]+ \S+ HTTP\/1\.[01]\r?\n/
const malformed: Fault = { status: 400, message: 'The request is not valid HTTP/1.1.' }

/** What Node passes to `clientError`. */
type ParserError = Error & { readonly code?: string; readonly rawPacket?: Buffer }

/** The response to a request that Node's HTTP server cannot parse (its event `clientError`), as an error in the usual form. */
export function unreadableRequest({ code = '', rawPacket }: ParserError): Required<PageAnswer> {
  const isUnknownMethod = code === 'HPE_INVALID_METHOD' && requestLine.test(rawPacket?.toString('latin1') ?? '')
  const { status, message } = isUnknownMethod ? unknownMethod : (faults[code] ?? malformed)
  const requestId = newId('req')
  const body = JSON.stringify(
    failureBody({
      success: false,
      error: {
        code: isUnknownMethod ? 'METHOD_NOT_ALLOWED' : 'INVALID_REQUEST',
        message,
        details: { field: null, issue: null, issues: [] },
      },
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
