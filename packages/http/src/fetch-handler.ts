import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Clock, FairleadError } from '@fairlead/core'
import type { JsonScan, OpenCall } from '@fairlead/core/adapter'
import { Exchange, HttpRequest } from './http-request.ts'
import type { HandlerOptions } from './node-handler.ts'
import { type BodyHold, noRoomError } from './request-body.ts'
import { clientClosedRequest, type EventBody, type HeaderList, type PartsBody } from './responses.ts'
import { ping, pingMs } from './server-sent-events.ts'

/** Facts about a request that the server knows and the `Request` object does not contain. */
export interface RequestOrigin {
  /** The network address of the client, for throttles and logs. Default: unknown, one for all clients. */
  readonly address?: string | undefined
}

/** Answers a request as `fetch` would. Never rejects. */
export function fetchHandler(options: HandlerOptions) {
  const { server, core, clock, basePath = '' } = options
  return async (request: Request, { address }: RequestOrigin = {}): Promise<Response> => {
    // Not `AbortSignal.any`: Node keeps such a signal, and what listens to it, until it aborts.
    const left = new AbortController()
    const { signal } = left
    const sent = new FetchRequest(request, signal, address, basePath)
    const exchange = new Exchange(sent, options)
    const leave = () => {
      left.abort(request.signal.reason)
      exchange.end()
    }
    if (request.signal.aborted) leave()
    else request.signal.addEventListener('abort', leave, { once: true })
    const { status, headers, body } = await server.respond(exchange, server.find(sent.pathname))
    const logged = signal.aborted ? clientClosedRequest : status
    const finish = () => {
      request.signal.removeEventListener('abort', leave)
      exchange.end()
      core.observer.requestEnded?.(exchange.toLogRecord(logged, signal.aborted, clock.now()))
    }
    if (typeof body === 'object' && 'events' in body) {
      return new Response(eventStream(body, clock, left, finish), { status, headers: toHeaderPairs(headers) })
    }
    finish()
    if (typeof body === 'object' && 'parts' in body)
      return new Response(partsStream(body), { status, headers: toHeaderPairs(headers) })
    if (body !== undefined) headers.push('Content-Length', String(Buffer.byteLength(body)))
    const content = request.method === 'HEAD' || body === undefined ? null : (body as string | Uint8Array<ArrayBuffer>)
    return new Response(content, { status, headers: toHeaderPairs(headers) })
  }
}

/** The names and values of a header list, one by one. */
export function toHeaderPairs(headers: HeaderList): [string, string][] {
  const pairs: [string, string][] = []
  for (let at = 0; at < headers.length; at += 2) pairs.push([headers[at]!, headers[at + 1]!])
  return pairs
}

class FetchRequest extends HttpRequest {
  readonly #signal: AbortSignal
  readonly #request: Request

  constructor(request: Request, signal: AbortSignal, remoteAddress: string | undefined, basePath: string) {
    super(request.method, request.url, basePath, Object.fromEntries(request.headers), remoteAddress)
    this.#signal = signal
    this.#request = request
  }

  follow(call: OpenCall): void {
    const signal = this.#signal
    if (signal.aborted) call.leave(signal.reason)
    else signal.addEventListener('abort', () => call.leave(signal.reason), { once: true })
  }

  async readBody(maxBytes: number, scan?: JsonScan, hold?: BodyHold): Promise<Uint8Array | undefined> {
    if (this.#request.bodyUsed) {
      const message = 'The request body was read before it reached Fairlead: pass it on unread.'
      throw new FairleadError('INTERNAL_ERROR', message)
    }
    return readStream(this.#request, maxBytes, scan, hold)
  }
}

/** Reads the body of a `Request`, with the limits of `readBody`. */
export async function readStream(
  { headers, body }: Pick<Request, 'headers' | 'body'>,
  maxBytes: number,
  scan?: JsonScan,
  hold?: BodyHold,
): Promise<Buffer<ArrayBuffer> | undefined> {
  const declared = Number(headers.get('content-length') ?? 0)
  if (declared > maxBytes) return undefined
  if (declared > 0 && hold?.take(declared) === false) throw noRoomError()
  const chunks: Uint8Array[] = []
  let length = 0
  // The server discards the rest of a body that is too large: a canceled one would close the connection before the response.
  for await (const chunk of body?.values({ preventCancel: true }) ?? []) {
    // A header of a `Request` is not checked: its body may be longer.
    const more = length + chunk.length - Math.max(length, declared)
    length += chunk.length
    if (length > maxBytes || scan?.add(chunk) === false) return undefined
    if (more > 0 && hold?.take(more) === false) throw noRoomError()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** A part is written in a separate turn, when the client takes it. */
function partsStream({ parts }: PartsBody): ReadableStream<Uint8Array> {
  const iterator = Symbol.asyncIterator in parts ? parts[Symbol.asyncIterator]() : parts[Symbol.iterator]()
  const encoder = new TextEncoder()
  return new ReadableStream({
    async pull(controller) {
      await nextTurn()
      const next = await iterator.next()
      if (next.done) controller.close()
      else controller.enqueue(encoder.encode(next.value))
    },
  })
}

/** Server-sent events (HTML standard, 9.2) as the body of a `Response`. An event is read when the client takes it. */
function eventStream(
  { events, write }: EventBody,
  clock: Clock,
  left: AbortController,
  finish: () => void,
): ReadableStream<Uint8Array> {
  const iterator = events[Symbol.asyncIterator]()
  const encoder = new TextEncoder()
  let stopPinging = () => {}
  let canceled = false
  return new ReadableStream({
    start(controller) {
      const sendPing = () => {
        if ((controller.desiredSize ?? 0) > 0) controller.enqueue(encoder.encode(ping))
        stopPinging = clock.schedule(pingMs, sendPing)
      }
      stopPinging = clock.schedule(pingMs, sendPing)
    },
    async pull(controller) {
      let text = ''
      // An event of core may have no text in the form of the surface.
      while (text === '') {
        const next = await iterator.next()
        // `cancel` has ended it.
        if (canceled) return
        if (next.done) {
          stopPinging()
          finish()
          return controller.close()
        }
        text = write(next.value)
      }
      controller.enqueue(encoder.encode(text))
    },
    async cancel() {
      stopPinging()
      canceled = true
      left.abort()
      finish()
      await iterator.return?.()
    },
  })
}
