import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { FairleadCore, OpenCall } from '@fairlead/core'
import { type Answer, Exchange, type ExchangeOptions, type HttpRequest, type HttpResponse } from './exchange.ts'
import { readBody } from './json-body.ts'
import type { JsonScan } from './json-scan.ts'
import { sendResponse } from './node-writer.ts'
import { belowBasePath, requestTarget } from './request-head.ts'

/** @typeParam Found what was found for the path of a request */
export interface Answerer<Found> {
  find(pathname: string): Found | undefined
  /** Answers an exchange. Never rejects. */
  answer(exchange: Exchange, found: Found | undefined): Promise<HttpResponse>
}

export interface HandlerOptions<Found> extends ExchangeOptions {
  readonly answerer: Answerer<Found>
  readonly core: FairleadCore
  readonly basePath: string | undefined
  readonly onAnswer: ((answer: Answer, response?: ServerResponse) => void) | undefined
}

/** Answers requests of `node:http`: all of them, or only those whose path is found. */
export class NodeServer<Found> {
  readonly #options: HandlerOptions<Found>

  constructor(options: HandlerOptions<Found>) {
    this.#options = options
  }

  answer(request: IncomingMessage, response: ServerResponse): void {
    const sent = new NodeRequest(request, response, this.#options.basePath)
    void this.#serve(sent, response, this.#options.answerer.find(sent.pathname))
  }

  /** @returns whether the path was found. If not, nothing has happened. */
  tryAnswer(request: IncomingMessage, response: ServerResponse): boolean {
    const sent = new NodeRequest(request, response, this.#options.basePath)
    const found = this.#options.answerer.find(sent.pathname)
    if (found === undefined) return false
    void this.#serve(sent, response, found)
    return true
  }

  async #serve(request: NodeRequest, response: ServerResponse, found: Found | undefined): Promise<void> {
    const { answerer, core, clock, onAnswer } = this.#options
    const exchange = new Exchange(request, this.#options)
    response.on('close', () => {
      request.close()
      onAnswer?.(exchange.toAnswer(response.statusCode, !response.writableFinished, clock.now()), response)
    })
    try {
      const sending = sendResponse(await answerer.answer(exchange, found), request.method, response, clock)
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
export class NodeRequest implements HttpRequest {
  readonly method: string
  readonly pathname: string
  readonly search: string
  readonly basePath: string
  readonly headers: IncomingHttpHeaders
  readonly #request: IncomingMessage
  readonly #response: ServerResponse
  #call: OpenCall | undefined

  /** @param mountedAt default: the path that Express names */
  constructor(request: MountedRequest, response: ServerResponse, mountedAt?: string) {
    const { pathname, search } = requestTarget(request.url ?? '/')
    this.method = request.method ?? ''
    this.basePath = mountedAt ?? request.baseUrl ?? ''
    this.pathname = belowBasePath(pathname, this.basePath)
    this.search = search
    this.headers = request.headers
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

  readBody(maxBytes: number, scan: JsonScan): Promise<Uint8Array | undefined> {
    return readBody(this.#request, maxBytes, scan)
  }
}
