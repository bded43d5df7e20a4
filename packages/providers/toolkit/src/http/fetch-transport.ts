import type { IncomingHttpHeaders } from 'node:http'
import { ReadableStream } from 'node:stream/web'
import type { Dispatcher } from 'undici'

/** The requests of a client. */
export type Connections = Pick<Dispatcher, 'dispatch' | 'destroy'>

/** Encodings that `fetch` has decoded. */
const decoded = /^(?:gzip|x-gzip|deflate|br|zstd)$/

/**
 * Connections of `fetch`, for platforms without sockets, and for programs that give another `fetch`. It does not tell when a
 * connection is established, so that this has no time limit.
 */
export function fetchTransport(fetchWith: typeof fetch): Connections {
  const open = new Set<FetchRequest>()
  let isClosed = false
  return {
    dispatch(options, handler) {
      if (isClosed) throw Object.assign(new Error('The client is closed'), { code: 'UND_ERR_CLOSED' })
      const request = new FetchRequest(handler)
      open.add(request)
      void request.run(fetchWith, options).finally(() => open.delete(request))
      return true
    },
    async destroy() {
      isClosed = true
      for (const request of open)
        request.abort(Object.assign(new Error('The client is closed'), { code: 'UND_ERR_DESTROYED' }))
    },
  }
}

class FetchRequest implements Dispatcher.DispatchController {
  readonly #handler: Dispatcher.DispatchHandler
  readonly #controller = new AbortController()
  #resumed: PromiseWithResolvers<void> | undefined = undefined

  constructor(handler: Dispatcher.DispatchHandler) {
    this.#handler = handler
  }

  get aborted(): boolean {
    return this.#controller.signal.aborted
  }

  get reason(): Error | null {
    return this.aborted ? (this.#controller.signal.reason as Error) : null
  }

  get paused(): boolean {
    return this.#resumed !== undefined
  }

  pause(): void {
    this.#resumed ??= Promise.withResolvers()
  }

  resume(): void {
    this.#resumed?.resolve()
    this.#resumed = undefined
  }

  abort(reason: Error): void {
    this.#controller.abort(reason)
    this.resume()
  }

  async run(fetchWith: typeof fetch, options: Dispatcher.DispatchOptions): Promise<void> {
    const handler = this.#handler
    try {
      handler.onRequestStart?.(this, undefined)
      const reply = await fetchWith(`${String(options.origin)}${options.path}`, this.#toInit(options))
      handler.onResponseStart?.(this, reply.status, readHeaders(reply.headers))
      for await (const piece of reply.body ?? []) {
        handler.onResponseData?.(this, Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength))
        await this.#resumed?.promise
      }
      handler.onResponseEnd?.(this, {})
    } catch (error) {
      handler.onResponseError?.(this, toError(error))
    }
  }

  #toInit({ method, headers, body }: Dispatcher.DispatchOptions): RequestInit {
    const { signal } = this.#controller
    const init = { method, headers, redirect: 'manual', signal, body }
    const isStream = typeof body === 'object' && body !== null && Symbol.asyncIterator in body
    return (isStream ? { ...init, body: ReadableStream.from(body), duplex: 'half' } : init) as RequestInit
  }
}

function readHeaders(headers: Headers): IncomingHttpHeaders {
  const read = Object.fromEntries(headers)
  if (decoded.test(read['content-encoding'] ?? '')) delete read['content-encoding']
  return read
}

/** `fetch` hides the error of the connection in its cause. */
function toError(error: unknown): Error {
  const { cause } = error as { readonly cause?: unknown }
  return cause instanceof Error ? cause : (error as Error)
}
