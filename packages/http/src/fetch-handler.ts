import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Clock, FairleadError } from '@fairlead/core'
import { eventText, type SentEvent } from './event-stream.ts'
import {
  type EventBody,
  isEventBody,
  isPartsBody,
  type PartsBody,
  openExchange,
  type HttpRequest,
  toAnswer,
} from './exchange.ts'
import type { JsonScan } from './json-scan.ts'
import type { HandlerOptions } from './node-handler.ts'
import { belowBasePath } from './request-head.ts'

/** Answers a request as `fetch` would. Never rejects. */
export type FetchHandler = (request: Request, origin?: RequestOrigin) => Promise<Response>

/** What the server knows of a request that the `Request` object does not contain. */
export interface RequestOrigin {
  /** The network address of the client, for throttles and logs. Default: unknown, one for all clients. */
  readonly address?: string | undefined
}

/** A stream without events sends a comment this often: proxies close connections that are silent for long. */
const pingMs = 15_000

export function fetchHandler({ answer, basePath = '', onAnswer, ...options }: HandlerOptions): FetchHandler {
  const { clock } = options
  return async (request, { address } = {}) => {
    const cancelled = new AbortController()
    const signal = AbortSignal.any([request.signal, cancelled.signal])
    const exchange = openExchange(httpRequest(request, signal, address, basePath), options)
    const { status, headers, body } = await answer(exchange)
    const finish = () => onAnswer?.(toAnswer(exchange, { status, aborted: signal.aborted, now: clock.now() }))
    if (isEventBody(body)) {
      return new Response(eventStream(body, { clock, cancelled, finish }), { status, headers })
    }
    finish()
    if (isPartsBody(body)) return new Response(partsStream(body), { status, headers })
    const length = body !== undefined && { 'Content-Length': String(Buffer.byteLength(body)) }
    const sent = request.method === 'HEAD' || body === undefined ? null : (body as string | Uint8Array<ArrayBuffer>)
    return new Response(sent, { status, headers: { ...headers, ...length } })
  }
}

function httpRequest(
  request: Request,
  signal: AbortSignal,
  remoteAddress: string | undefined,
  basePath: string,
): HttpRequest {
  return {
    method: request.method,
    url: belowBasePath(request.url, basePath),
    basePath,
    headers: Object.fromEntries(request.headers),
    remoteAddress,
    signal,
    readBody: (maxBytes, scan) => readBody(request, maxBytes, scan),
  }
}

async function readBody(request: Request, maxBytes: number, scan: JsonScan): Promise<Uint8Array | undefined> {
  if (request.bodyUsed) {
    throw new FairleadError(
      'INTERNAL_ERROR',
      'The request body was read before it reached Fairlead: pass it on unread.',
    )
  }
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) return undefined
  const chunks: Uint8Array[] = []
  let length = 0
  // The server discards the rest of a body that is too large: a cancelled one would close the connection before the response.
  for await (const chunk of request.body?.values({ preventCancel: true }) ?? []) {
    length += chunk.length
    if (length > maxBytes || !scan.add(chunk)) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** A part is written when the client takes it, in a turn of its own. */
function partsStream({ parts }: PartsBody): ReadableStream<Uint8Array> {
  const iterator = parts[Symbol.iterator]()
  const encoder = new TextEncoder()
  return new ReadableStream({
    async pull(controller) {
      await nextTurn()
      const next = iterator.next()
      if (next.done) controller.close()
      else controller.enqueue(encoder.encode(next.value))
    },
  })
}

interface StreamOptions {
  readonly clock: Clock
  /** Aborted when the client cancels the stream. */
  readonly cancelled: AbortController
  /** Called once, when the stream has ended or was cancelled. */
  readonly finish: () => void
}

/** Server-sent events (HTML standard, 9.2) as the body of a `Response`. An event is read when the client takes it. */
function eventStream(
  { events, toSent }: EventBody,
  { clock, cancelled, finish }: StreamOptions,
): ReadableStream<Uint8Array> {
  const iterator = events[Symbol.asyncIterator]()
  const encoder = new TextEncoder()
  let stopPinging = () => {}
  return new ReadableStream({
    start(controller) {
      const ping = () => {
        if ((controller.desiredSize ?? 0) > 0) controller.enqueue(encoder.encode(': ping\n\n'))
        stopPinging = clock.schedule(pingMs, ping)
      }
      stopPinging = clock.schedule(pingMs, ping)
    },
    async pull(controller) {
      const next = await iterator.next()
      if (!next.done) {
        const sent = [toSent(next.value)].flat() as readonly SentEvent[]
        return controller.enqueue(encoder.encode(sent.map(eventText).join('')))
      }
      stopPinging()
      finish()
      controller.close()
    },
    async cancel() {
      stopPinging()
      cancelled.abort()
      finish()
      await iterator.return?.()
    },
  })
}
