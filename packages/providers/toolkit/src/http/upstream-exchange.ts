import type { IncomingHttpHeaders } from 'node:http'
import { type Deadlines, ProviderError, type ProviderFailure, type UpstreamFacts } from '@fairlead/core/provider'
import type { Dispatcher } from 'undici'
import type { Connections } from './fetch-transport.ts'
import type { HttpTimeouts } from './http-client-options.ts'
import { type ConnectionControl, ReplyBody } from './reply-body.ts'

/** The head of a reply, and its body as it arrives. The body must be read to its end, or abandoned. */
export interface Reply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: ReplyBody
}

/** The parts that the exchanges of one client share. */
export interface Transport {
  readonly dispatcher: Connections
  /** The proxy of the environment, for messages. */
  readonly proxy?: string | undefined
  readonly deadlines: Deadlines
  readonly timeouts: HttpTimeouts
}

const connecting = 'accept a connection'

/** How long a stream may take to end its reply after its last event. */
const endingMs = 500

/**
 * Sends one request, once, and follows no redirects. Rejects with a `ProviderError`, or with the signal's reason as
 * soon as it aborts, which also closes the connection.
 */
export function exchange(
  transport: Transport,
  request: Dispatcher.DispatchOptions,
  signal: AbortSignal,
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const handler = new Exchange(transport, signal, resolve, reject)
    try {
      transport.dispatcher.dispatch(request, handler)
    } catch (error) {
      handler.onResponseError(undefined, error as Error)
    }
  })
}

class Exchange implements Dispatcher.DispatchHandler, ConnectionControl {
  readonly #transport: Transport
  readonly #signal: AbortSignal
  readonly #resolve: (reply: Reply) => void
  readonly #reject: (error: unknown) => void
  #controller: Dispatcher.DispatchController | undefined
  #body: ReplyBody | undefined
  #isAnswering = false
  #isOver = false
  /** The upstream's next step, and how long it may take. */
  #awaited = connecting
  #withinMs: number
  readonly #deadline: ReturnType<Deadlines['after']>

  constructor(
    transport: Transport,
    signal: AbortSignal,
    resolve: (reply: Reply) => void,
    reject: (error: unknown) => void,
  ) {
    this.#transport = transport
    this.#signal = signal
    this.#resolve = resolve
    this.#reject = reject
    this.#withinMs = transport.timeouts.connectMs
    this.#deadline = transport.deadlines.after(this.#withinMs, this.#onTimeout)
    signal.addEventListener('abort', this.#onAbort, { once: true })
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#isOver) this.#disconnect()
    else this.#expect('reply', this.#transport.timeouts.firstByteMs)
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    // Informational responses, such as 103, precede the reply.
    if (status < 200) return
    this.#controller = controller
    this.#expectChunk()
    this.#body = new ReplyBody(this)
    this.#isAnswering = status < 300
    this.#resolve({ status, headers, body: this.#body })
  }

  onResponseData(_controller: Dispatcher.DispatchController, piece: Buffer): void {
    this.#expectChunk()
    this.#body?.push(piece)
  }

  onResponseEnd(): void {
    if (this.#over()) this.#body?.end()
  }

  pause(): void {
    this.#controller?.pause()
  }

  resume(): void {
    if (this.#isOver) return
    this.#expectChunk()
    this.#controller?.resume()
  }

  abort(): void {
    this.#fail(new ProviderError('give_up', 'the reply was abandoned'))
  }

  awaitEnd(): void {
    if (!this.#isOver) this.#expect('end its reply', endingMs)
  }

  onResponseError(_controller: unknown, error: Error & { readonly code?: unknown }): void {
    // Of a stream that was sent.
    if (error instanceof ProviderError) return this.#fail(error)
    this.#fail(connectionFailure(error, this.#transport.proxy, this.#isAnswering))
  }

  #expectChunk(): void {
    this.#expect('send the next chunk', this.#transport.timeouts.idleMs)
  }

  #expect(what: string, withinMs: number): void {
    this.#awaited = what
    this.#withinMs = withinMs
    this.#transport.deadlines.set(this.#deadline, withinMs)
  }

  readonly #onTimeout = () => {
    if (this.#body?.isFull) return this.#expect(this.#awaited, this.#withinMs)
    const message = `the upstream did not ${this.#awaited} within ${this.#withinMs} ms`
    this.#fail(
      new ProviderError('timeout', message, { mayBill: this.#awaited !== connecting, brokeOff: this.#isAnswering }),
    )
  }

  readonly #onAbort = () => this.#fail(this.#signal.reason)

  /** Returns false if it had ended before. */
  #over(): boolean {
    if (this.#isOver) return false
    this.#isOver = true
    this.#transport.deadlines.remove(this.#deadline)
    this.#signal.removeEventListener('abort', this.#onAbort)
    return true
  }

  #fail(error: unknown): void {
    if (!this.#over()) return
    if (this.#body) this.#body.fail(error)
    else this.#reject(error)
    this.#disconnect()
  }

  #disconnect(): void {
    this.#controller?.abort(new Error('hung up'))
  }
}

const failures: Readonly<Record<string, ProviderFailure>> = {
  ETIMEDOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  // Our own failures: the request can't be sent, or the provider is closed.
  UND_ERR_INVALID_ARG: 'give_up',
  UND_ERR_REQ_CONTENT_LENGTH_MISMATCH: 'give_up',
  UND_ERR_DESTROYED: 'give_up',
  UND_ERR_CLOSED: 'give_up',
}

/** The failure of a connection. Without the error as its cause, because that may contain the request and its headers. */
export function connectionFailure(
  error: Error & { readonly code?: unknown },
  proxy?: string,
  brokeOff = false,
): ProviderError {
  const code = typeof error.code === 'string' ? error.code : error.name
  const words = error.message === '' ? '' : `: ${error.message}`
  const hint = proxy === undefined ? '' : ` (${proxy})`
  return new ProviderError(failureOfConnection(code), `the connection failed with ${code}${words}${hint}`, { brokeOff })
}

/** Classifies a connection error by its code. A retry does not help with certificates. */
export function failureOfConnection(code: string): ProviderFailure {
  return failures[code] ?? (/CERT|TLS|SSL|SELF_SIGNED|ISSUER|VERIFY/.test(code) ? 'give_up' : 'retry')
}

/** The facts from the headers of a reply that callers may know. Undefined if there is nothing. */
export function upstreamFacts(headers: IncomingHttpHeaders, rateLimitHeaders = false): UpstreamFacts | undefined {
  const requestId = readRequestId(headers)
  const rateLimit = rateLimitHeaders ? rateLimitsIn(headers) : undefined
  if (requestId === undefined && !rateLimit) return undefined
  return { ...(requestId !== undefined && { requestId }), ...(rateLimit && { rateLimit }) }
}

function rateLimitsIn(headers: IncomingHttpHeaders): UpstreamFacts['rateLimit'] {
  const found = Object.keys(headers).filter((name) => /^(?:x|anthropic)-ratelimit-/.test(name))
  if (found.length === 0) return undefined
  return Object.fromEntries(found.map((name) => [name, firstValue(headers[name]) ?? '']))
}

/** The upstream's id of a request, for its support: of OpenAI and most others, Anthropic, Azure, and AWS. */
export function readRequestId(headers: IncomingHttpHeaders): string | undefined {
  return firstValue(
    headers['x-request-id'] ?? headers['request-id'] ?? headers['apim-request-id'] ?? headers['x-amzn-requestid'],
  )
}

/** A header that was sent twice is an array, whatever its type says. */
export function firstValue(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === 'object' ? value[0] : value
}
