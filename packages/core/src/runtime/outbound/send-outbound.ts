import { type Agent, type IncomingHttpHeaders, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import type { Task } from '../run/task.ts'

/** A URL whose addresses may be contacted. */
export interface Target {
  readonly url: URL
  /** The host name or address, without brackets or a trailing dot. */
  readonly host: string
  readonly addresses: readonly [string, ...string[]]
}

/** Bytes that the responses of several requests may have together. */
export interface ByteBudget {
  left: number
}

export interface OutboundRequest {
  readonly method: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly body?: string | Uint8Array | undefined
  /** The time from the call to the end of the response, including DNS. */
  readonly timeoutMs: number
  /** The response is cut after this number of bytes, and the connection closed. */
  readonly maxResponseBytes: number
  /** The same for all requests with this budget together. Default: none. */
  readonly budget?: ByteBudget | undefined
  readonly signal?: AbortSignal | undefined
}

export interface OutboundResponse {
  /** Redirects are not followed, so that this can be 302. */
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  /** Whether the body is longer than `maxResponseBytes`. */
  readonly truncated: boolean
}

/**
 * Why a request received no response. `blocked`: the URL may not be contacted. `dns`: the host name did not resolve to an
 * address that may be contacted. `connect`: no connection. `tls`: no secure connection, for example because of an expired
 * certificate. `reset`: the connection was closed before the response was complete. `invalid_response`: it is not HTTP.
 */
export type OutboundErrorKind = 'blocked' | 'dns' | 'connect' | 'tls' | 'timeout' | 'reset' | 'invalid_response'

/** A request that received no response. The message is for the log. */
export class OutboundError extends Error {
  readonly kind: OutboundErrorKind

  constructor(kind: OutboundErrorKind, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'OutboundError'
    this.kind = kind
  }
}

export function exchange(
  { url, host, addresses }: Target,
  { method, headers = {}, body, maxResponseBytes, budget = { left: Infinity } }: OutboundRequest,
  agent: Agent,
  task: Task,
): Promise<OutboundResponse> {
  return new Promise((resolve, reject) => {
    const isHttps = url.protocol === 'https:'
    const request = (isHttps ? requestHttps : requestHttp)({
      method,
      host,
      port: url.port,
      path: url.pathname + url.search,
      headers,
      agent,
      // Not called for a reused connection or an IP address: both were checked by the same rules.
      lookup: answering(addresses),
    })
    /** The kind of an error at this point. */
    let errorKind: OutboundErrorKind = 'connect'
    const fail = (error: NodeJS.ErrnoException) => {
      const kind = error.code?.startsWith('HPE_') ? 'invalid_response' : errorKind
      reject(new OutboundError(kind, error.message || String(error.code), { cause: error }))
    }
    request.on('socket', (socket) => {
      if (!socket.connecting) return void (errorKind = 'reset')
      socket.once('connect', () => (errorKind = isHttps ? 'tls' : 'reset'))
      socket.once('secureConnect', () => (errorKind = 'reset'))
    })
    request.on('response', (response) => {
      const { statusCode: status = 0, headers: received } = response
      const chunks: Buffer[] = []
      let room = maxResponseBytes
      const finish = (truncated: boolean) =>
        resolve({ status, headers: received, body: Buffer.concat(chunks), truncated })
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk.subarray(0, room))
        room -= chunk.length
        budget.left -= chunk.length
        if (room >= 0 && budget.left >= 0) return
        finish(true)
        request.destroy()
      })
      response.on('end', () => finish(false))
      response.on('error', fail)
    })
    request.on('error', fail)
    // Without a listener, Node.js closes the connection without an error.
    request.on('upgrade', (_response, socket) => {
      socket.destroy()
      fail(new Error('The server responded with 101 Switching Protocols'))
    })
    task.follow({ abort: () => request.destroy() })
    request.end(body)
  })
}

/** A lookup that returns these addresses, so that connecting asks no resolver again. */
function answering(addresses: Target['addresses']): LookupFunction {
  const all = addresses.map((address) => ({ address, family: isIP(address) }))
  return (_host, options, callback) => {
    if (options.all) callback(null, all)
    else callback(null, addresses[0], isIP(addresses[0]))
  }
}
