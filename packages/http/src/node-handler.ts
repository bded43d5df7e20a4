import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Clock } from '@fairlead/core'
import { type FairleadCore, type JsonScan, type OpenCall, polled } from '@fairlead/core/adapter'
import { Exchange, type ExchangeOptions, HttpRequest } from './http-request.ts'
import { type BodyHold, readBody } from './request-body.ts'
import { clientClosedRequest, type EventBody, type HeaderList, type HttpResponse, type PartsBody } from './responses.ts'
import { ping, pingMs } from './server-sent-events.ts'
import type { SurfacePath, SurfaceServer } from './surface.ts'

export interface HandlerOptions extends ExchangeOptions {
  readonly server: SurfaceServer
  readonly core: FairleadCore
  readonly basePath: string | undefined
}

/** Handles requests of `node:http`: all of them, or only those whose path is found. */
export class NodeServer {
  readonly #options: HandlerOptions

  constructor(options: HandlerOptions) {
    this.#options = options
  }

  handle(request: IncomingMessage, response: ServerResponse): void {
    const sent = new NodeRequest(request, response, this.#options.basePath)
    void this.#serve(sent, response, this.#options.server.find(sent.pathname))
  }

  /** @returns whether the path was found. If not, nothing has happened. */
  tryHandle(request: IncomingMessage, response: ServerResponse): boolean {
    const sent = new NodeRequest(request, response, this.#options.basePath)
    const found = this.#options.server.find(sent.pathname)
    if (found) void this.#serve(sent, response, found)
    return found !== undefined
  }

  async #serve(request: NodeRequest, response: ServerResponse, found: SurfacePath | undefined): Promise<void> {
    const { server, core, clock } = this.#options
    const exchange = new Exchange(request, this.#options)
    response.on('close', () => {
      request.close()
      exchange.end()
      const aborted = !response.writableFinished
      core.observer.requestEnded?.(exchange.toLogRecord(statusSent(response), aborted, clock.now()), response)
    })
    try {
      const sending = sendResponse(await server.respond(exchange, found), request.method, response, clock)
      if (sending) await sending
    } catch (error) {
      core.refuse(error, { requestId: exchange.requestId })
      response.destroy()
    }
  }
}

/** Express names the path under which it mounted the handler. */
type MountedRequest = IncomingMessage & { readonly baseUrl?: string }

/** A request of `node:http`. */
export class NodeRequest extends HttpRequest {
  readonly #request: IncomingMessage
  readonly #response: ServerResponse
  #call: OpenCall | undefined

  /** @param mountedAt default: the path that Express names */
  constructor(request: MountedRequest, response: ServerResponse, mountedAt?: string) {
    const { method = '', url = '/', baseUrl = '', headers, socket } = request
    super(method, url, mountedAt ?? baseUrl, headers, socket.remoteAddress)
    this.#request = request
    this.#response = response
  }

  follow(call: OpenCall): void {
    this.#call = call
    // A response that is closed already emits no further event.
    if (this.#response.closed) this.close()
  }

  /** The response is closed: it has ended, or the client has disconnected. */
  close(): void {
    if (!this.#response.writableFinished) this.#call?.leave()
  }

  readBody(maxBytes: number, scan?: JsonScan, hold?: BodyHold): Promise<Uint8Array | undefined> {
    return readBody(this.#request, maxBytes, scan, hold)
  }
}

/** A client that reads nothing for this long is disconnected: otherwise its response would stay in memory. */
const maxStallMs = 30_000
/** A long body is written in pieces, so that a slow client can be distinguished from one that stopped reading. */
const pieceBytes = 64 * 1024
/** Of events, in characters. A larger buffer would hide that the client is slow. */
const maxBuffered = 16_384

/** The status of a response that has ended, for the log. */
export function statusSent(response: ServerResponse): number {
  return response.headersSent ? response.statusCode : clientClosedRequest
}

/** Sends a response; to `HEAD`, only its headers (RFC 9110, 9.3.2). @returns a promise for the end of a long body */
export function sendResponse(
  { status, headers, body }: HttpResponse,
  method: string,
  response: ServerResponse,
  clock: Clock,
): Promise<void> | undefined {
  // Middleware may have set the header already.
  if (response.hasHeader('Vary')) addVary(headers, response.getHeader('Vary'))
  if (typeof body === 'object' && !(body instanceof Uint8Array)) {
    response.writeHead(status, headers)
    return 'events' in body ? sendEvents(body, response, clock) : sendParts(body.parts, response, clock)
  }
  if (body !== undefined) headers.push('Content-Length', String(Buffer.byteLength(body)))
  response.writeHead(status, headers)
  endResponse(response, method === 'HEAD' ? undefined : body, clock)
  return undefined
}

function addVary(headers: HeaderList, set: string | number | readonly string[] | undefined): void {
  const at = headers.indexOf('Vary')
  if (at < 0) headers.push('Vary', [set ?? []].flat().join(', '))
  else headers[at + 1] = [set ?? [], headers[at + 1]].flat().join(', ')
}

/** Waits only for events that have not arrived, so that those that arrive together are sent in one chunk. */
async function sendEvents({ events, write }: EventBody, response: ServerResponse, clock: Clock): Promise<void> {
  const stream = new EventStream(response, clock)
  const items = polled(events[Symbol.asyncIterator]())
  try {
    while (!response.destroyed) {
      const next = items.poll()
      if (next?.done) break
      const waiting = next ? stream.send(write(next.value)) : items.ready()
      if (waiting) await waiting
    }
  } finally {
    await items.return().finally(() => stream.end())
  }
}

/** Sends parts at the pace of the client, and lets other work run after each of them. */
async function sendParts(parts: PartsBody['parts'], response: ServerResponse, clock: Clock): Promise<void> {
  for await (const part of parts) {
    await writeTo(response, part, clock)
    if (response.destroyed) return
    await nextTurn()
  }
  endResponse(response, undefined, clock)
}

/** Sends server-sent events to one client, as the body of a response whose head has been written. */
export class EventStream {
  readonly #response: ServerResponse
  readonly #clock: Clock
  readonly #head: NodeJS.Immediate
  #hasBegun = false
  #buffered = ''
  #stopPinging: () => void

  constructor(response: ServerResponse, clock: Clock) {
    this.#response = response
    this.#clock = clock
    // The headers are sent together with the first event if there is one already.
    this.#head = setImmediate(() => response.flushHeaders())
    this.#stopPinging = clock.schedule(pingMs, () => this.#ping())
  }

  /**
   * Sends the text of events; none if it is empty. Texts of the same tick are sent in one chunk.
   *
   * @returns a promise to await before the next event, if the client is slower than the stream
   */
  send(text: string): Promise<void> | undefined {
    if (text === '') return undefined
    // Each write is an HTTP chunk, which costs more than its event. A tick comes after all pending promises.
    if (this.#buffered === '') process.nextTick(EventStream.#write, this)
    this.#buffered += text
    if (this.#buffered.length > maxBuffered) EventStream.#write(this)
    if (this.#response.writableNeedDrain) return untilRead(this.#response, 'drain', this.#clock)
    if (this.#hasBegun) return undefined
    this.#hasBegun = true
    // Events that follow at once would delay the first one.
    return nextTurn()
  }

  /** Sends buffered events, and ends the response. */
  end(): void {
    this.#stopPinging()
    clearImmediate(this.#head)
    const rest = this.#buffered
    this.#buffered = ''
    endResponse(this.#response, rest, this.#clock)
  }

  static #write(stream: EventStream): void {
    clearImmediate(stream.#head)
    if (stream.#buffered === '') return
    const { socket } = stream.#response
    // Otherwise, Node would write at the next tick.
    socket?.cork()
    stream.#response.write(stream.#buffered)
    socket?.uncork()
    stream.#buffered = ''
  }

  #ping(): void {
    this.#response.write(ping)
    this.#stopPinging = this.#clock.schedule(pingMs, () => this.#ping())
  }
}

/** Ends a response with a whole body, or the rest of one, and disconnects a client that stops reading it. */
export function endResponse(response: ServerResponse, body: string | Uint8Array | undefined, clock: Clock): void {
  // Without a socket, responses to earlier requests of the connection are still being sent.
  if (!response.socket || body === undefined || body.length <= pieceBytes) return endAtOnce(response, body, clock)
  void endInPieces(response, typeof body === 'string' ? Buffer.from(body) : body, clock)
}

function endAtOnce(response: ServerResponse, body: string | Uint8Array | undefined, clock: Clock): void {
  response.end(body)
  // Usually the operating system has taken all of it.
  if (response.socket && response.socket.writableLength > 0) void untilRead(response, 'finish', clock)
}

async function endInPieces(response: ServerResponse, body: Uint8Array, clock: Clock): Promise<void> {
  let at = 0
  for (; at + pieceBytes < body.length; at += pieceBytes) {
    await writeTo(response, body.subarray(at, at + pieceBytes), clock)
    if (response.destroyed) return
  }
  endAtOnce(response, body.subarray(at), clock)
}

/** Writes a piece of a body. Await the promise, if there is one, before the next piece. */
export function writeTo(response: ServerResponse, piece: string | Uint8Array, clock: Clock): Promise<void> | undefined {
  return response.write(piece) ? undefined : untilRead(response, 'drain', clock)
}

/**
 * Waits for a client that is slower than its response: until the next piece may be written (`drain`), or all have been
 * sent (`finish`). Also resolves when the client disconnects, or is disconnected because it read nothing for 30 s.
 */
async function untilRead(response: ServerResponse, event: 'drain' | 'finish', clock: Clock): Promise<void> {
  // A closed response emits no further events.
  if (response.destroyed || response.writableFinished) return
  const waiting = new AbortController()
  const stop = () => waiting.abort()
  const cancel = clock.schedule(maxStallMs, () => response.destroy())
  response.once('close', stop)
  await once(response, event, { signal: waiting.signal }).catch(() => {})
  response.off('close', stop)
  cancel()
}
