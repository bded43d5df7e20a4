import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { FairleadCore, OpenCall } from '@fairlead/core'
import { type Answer, Exchange, type ExchangeOptions, type HttpRequest, type HttpResponse } from './exchange.ts'
import { readBody } from './json-body.ts'
import type { JsonScan } from './json-scan.ts'
import { sendResponse } from './node-writer.ts'
import { belowBasePath, requestTarget } from './request-head.ts'

/** @typeParam Found what a path table found for the path of a request */
export interface HandlerOptions<Found> extends ExchangeOptions {
  find(pathname: string): Found | undefined
  /** Answers an exchange. Never rejects. */
  answer(exchange: Exchange, found: Found | undefined): Promise<HttpResponse>
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
    this.#start(sent, response, this.#options.find(sent.pathname))
  }

  /** @returns whether the path was found. If not, nothing has happened. */
  tryAnswer(request: IncomingMessage, response: ServerResponse): boolean {
    const sent = new NodeRequest(request, response, this.#options.basePath)
    const found = this.#options.find(sent.pathname)
    if (found === undefined) return false
    this.#start(sent, response, found)
    return true
  }

  #start(request: NodeRequest, response: ServerResponse, found: Found | undefined): void {
    const { onAnswer, clock } = this.#options
    const exchange = new Exchange(request, this.#options)
    if (onAnswer) {
      response.on('close', () => {
        onAnswer(exchange.toAnswer(response.statusCode, !response.writableFinished, clock.now()), response)
      })
    }
    void this.#serve(exchange, found, response)
  }

  async #serve(exchange: Exchange, found: Found | undefined, response: ServerResponse): Promise<void> {
    const { core, clock } = this.#options
    try {
      const answered = await this.#options.answer(exchange, found)
      const sending = sendResponse(answered, exchange.request.method, response, clock)
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
    const response = this.#response
    const leave = () => {
      if (!response.writableFinished) call.leave()
    }
    // A response that is closed already emits no further event.
    if (response.closed) leave()
    else response.on('close', leave)
  }

  readBody(maxBytes: number, scan: JsonScan): Promise<Uint8Array | undefined> {
    return readBody(this.#request, maxBytes, scan)
  }
}
