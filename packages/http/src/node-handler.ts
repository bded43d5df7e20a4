import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Clock, FairleadCore } from '@fairlead/core'
import { openEventStream, type SentEvent } from './event-stream.ts'
import {
  type Answer,
  type Exchange,
  type ExchangeOptions,
  isEventBody,
  isPartsBody,
  openExchange,
  type EventBody,
  type HttpRequest,
  type HttpResponse,
  toAnswer,
} from './exchange.ts'
import { endInParts } from './json-parts.ts'
import { readBody } from './read-body.ts'
import { belowBasePath } from './request-head.ts'
import { endResponse } from './slow-reader.ts'

/** Answers a request of `node:http`. */
export type NodeHandler = (request: IncomingMessage, response: ServerResponse) => void

export interface HandlerOptions extends ExchangeOptions {
  /** Answers an exchange. Never rejects. */
  readonly answer: (exchange: Exchange) => Promise<HttpResponse>
  readonly core: FairleadCore
  readonly basePath: string | undefined
  readonly onAnswer: ((answer: Answer, response?: ServerResponse) => void) | undefined
}

export function nodeHandler({ answer, core, basePath, onAnswer, ...options }: HandlerOptions): NodeHandler {
  const { clock } = options
  const serve = async (exchange: Exchange, response: ServerResponse) => {
    try {
      const sending = sendResponse(await answer(exchange), exchange, response, clock)
      if (sending) await sending
    } catch (error) {
      core.refuse(error, { requestId: exchange.requestId })
      response.destroy()
    }
  }
  return (request, response) => {
    const exchange = openExchange(nodeRequest(request, response, basePath), options)
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

/** @param mountedAt default: the path that Express names */
export function nodeRequest(request: MountedRequest, response: ServerResponse, mountedAt?: string): HttpRequest {
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
 * @returns a promise for the end of a stream, or of a body in parts
 */
export function sendResponse(
  { status, headers, body }: HttpResponse,
  { request }: Pick<Exchange, 'request'>,
  response: ServerResponse,
  clock: Clock,
): Promise<void> | undefined {
  const all = response.hasHeader('Vary') ? { ...headers, Vary: joinVary(response, headers['Vary']) } : headers
  if (isEventBody(body)) {
    response.writeHead(status, all)
    return sendEvents(body, response, clock)
  }
  if (isPartsBody(body)) {
    response.writeHead(status, all)
    return endInParts(response, body.parts, clock)
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
      const sent = toSent(event)
      if (!Array.isArray(sent)) await stream.send(sent as SentEvent)
      else for (const each of sent) await stream.send(each)
      if (response.destroyed) break
    }
  } finally {
    stream.end()
  }
}
