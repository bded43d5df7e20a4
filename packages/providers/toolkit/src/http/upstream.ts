import type { Dispatcher } from 'undici'
import { Deadlines, ProviderError, systemClock } from '@fairlead/core/provider'
import { type AuthHeaders, Authorization } from './authorization.ts'
import { type Credential, CredentialPool } from './credential-pool.ts'
import { type Connections, fetchTransport } from './fetch-transport.ts'
import type { Authorize, HttpClientOptions } from './http-client-options.ts'
import type { Post, UpstreamRequest } from './http-requests.ts'
import { readApiKeys, readBaseUrl, readHeaders, readRateLimitHeaders, readTimeouts } from './read-options.ts'
import { isSuccess, readFailure, type ReplyReading } from './read-reply.ts'
import { createRedactor, tidyError } from './redact.ts'
import { isStream, type WrittenBody, writeBody } from './request-body.ts'
import { exchange, type Reply, type Transport, upstreamFacts } from './upstream-exchange.ts'

/** Opens the connections to an upstream. */
export type Connect = (
  origin: string,
  connectMs: number,
) => { readonly dispatcher: Connections; readonly proxy?: string | undefined }

/** A request with its key, and as much as there is of its authorization and its reply. */
export interface SentRequest {
  readonly request: UpstreamRequest & Partial<Post>
  /** The media types that are asked for. */
  readonly accept: string
  readonly credential: Credential
  authorized: AuthHeaders
  reply: Reply | undefined
}

const userAgent = 'fairlead'
const maxUploadBytes = 64 * 1024 * 1024

/** An upstream as the options describe it: how requests are authorized and sent, and their failures classified. */
export class Upstream {
  readonly credentials: CredentialPool
  readonly reading: ReplyReading
  readonly #id: string
  readonly #line: Transport
  readonly #origin: string
  readonly #path: string
  readonly #headers: Readonly<Record<string, string>>
  readonly #authorization: Authorization
  readonly #hasOwnAuthorize: boolean
  readonly #secrets: readonly string[]
  readonly #ownConnections: Connections | undefined

  constructor(options: HttpClientOptions, connect: Connect) {
    const { id, clock = systemClock, explainError = () => undefined, authorize, apiKeyHeader, headers } = options
    const timeouts = readTimeouts(options)
    this.#id = id
    this.reading = { explainError, clock, rateLimitHeaders: readRateLimitHeaders(options) }
    const apiKeys = readApiKeys(options)
    this.#headers = { 'user-agent': userAgent, 'accept-encoding': 'identity', ...readHeaders(options) }
    this.#secrets = [...apiKeys, ...Object.values(headers ?? {})]
    const { origin, path } = readBaseUrl(options)
    this.#origin = origin
    this.#path = path
    this.credentials = new CredentialPool(id, apiKeys, clock)
    this.#authorization = new Authorization(authorize ?? sendKey(apiKeyHeader))
    this.#hasOwnAuthorize = authorize !== undefined
    const own = options.dispatcher
      ? undefined
      : options.fetch
        ? { dispatcher: fetchTransport(options.fetch) }
        : connect(origin, timeouts.connectMs)
    this.#ownConnections = own?.dispatcher
    const { dispatcher, proxy } = own ?? { dispatcher: options.dispatcher! }
    this.#line = { dispatcher, proxy, deadlines: new Deadlines(clock), timeouts }
  }

  /** The reply to a request, also if it is an error: see `retried`. */
  open(sent: SentRequest): Promise<Reply> {
    const { credential, request } = sent
    const headers = this.#authorization.headers(credential, request.signal)
    if (!(headers instanceof Promise)) return this.#send(sent, headers)
    return headers.then((renewed) => this.#send(sent, renewed))
  }

  /** The reply to the same request with other headers, if the upstream rejected the first. Rejects with the error otherwise. */
  async retried(sent: SentRequest, refused: Reply): Promise<Reply> {
    const failure = await readFailure(refused, this.reading)
    if (refused.status !== 401 || !this.#hasOwnAuthorize) throw failure
    const { credential, authorized, request } = sent
    const renewed = await this.#authorization.renewed(credential, authorized, request.signal)
    if (!renewed || isStream(request.body)) throw failure
    const reply = await this.#send(sent, renewed)
    if (!isSuccess(reply)) throw await readFailure(reply, this.reading)
    return reply
  }

  /** The error for the caller, without secrets. Suspends the key if it caused the failure. */
  failure(error: unknown, { request, credential, authorized, reply }: SentRequest): unknown {
    const { signal, quota = '' } = request
    if (signal.aborted) return signal.reason
    if (!(error instanceof ProviderError)) return error
    const head = reply && { status: reply.status, ...upstreamFacts(reply.headers, this.reading.rateLimitHeaders) }
    const redact = createRedactor([...this.#secrets, ...Object.values(authorized)])
    return this.credentials.failed(credential, quota, tidyError(error, this.#id, redact, head))
  }

  /** Closes the connections, unless they were given. */
  async close(): Promise<void> {
    await this.#ownConnections?.destroy()
  }

  #send(sent: SentRequest, authorized: AuthHeaders): Promise<Reply> {
    const { request } = sent
    sent.authorized = authorized
    if (!('body' in request)) return this.#exchange(sent, undefined)
    const written = writeBody(request.body, request.maxUploadBytes ?? maxUploadBytes)
    return written instanceof Promise
      ? written.then((body) => this.#exchange(sent, body))
      : this.#exchange(sent, written)
  }

  #exchange({ request, accept, authorized }: SentRequest, written: WrittenBody | undefined): Promise<Reply> {
    const post = written && { 'content-type': written.contentType }
    const parts = {
      origin: this.#origin,
      path: this.#path + request.path,
      method: written ? 'POST' : 'GET',
      headers: { accept, ...post, ...this.#headers, ...request.headers, ...authorized },
      body: written?.body ?? null,
      // The exchange has its own timeouts, with the given clock.
      headersTimeout: 0,
      bodyTimeout: 0,
    }
    return exchange(this.#line, parts as Dispatcher.DispatchOptions, request.signal)
  }
}

const none: AuthHeaders = {}

function sendKey(header: string | undefined): Authorize {
  return ({ apiKey }) => {
    if (apiKey === undefined) return none
    return header === undefined ? { authorization: `Bearer ${apiKey}` } : { [header]: apiKey }
  }
}
