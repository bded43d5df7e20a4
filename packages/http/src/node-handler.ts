import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FairleadCore, OpenCall } from '@fairlead/core/adapter'
import type { BodyHold } from './body-room.ts'
import { Exchange, type ExchangeOptions, HttpRequest } from './exchange.ts'
import { readBody } from './json-body.ts'
import type { JsonScan } from './json-scan.ts'
import { sendResponse, statusSent } from './node-writer.ts'
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
    super(request.method ?? '', request.url ?? '/', mountedAt ?? request.baseUrl ?? '', request.headers)
    this.#request = request
    this.#response = response
  }

  get remoteAddress(): string | undefined {
    return this.#request.socket.remoteAddress
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
