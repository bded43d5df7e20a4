import {
  createServer as createHttpServer,
  IncomingMessage,
  type OutgoingHttpHeader,
  type OutgoingHttpHeaders,
  type RequestListener,
  type Server,
  ServerResponse,
  STATUS_CODES,
} from 'node:http'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { unreadableRequest } from '@fairlead/rest-adapter'
import type { Express } from 'express'
import helmet from 'helmet'
import { closeUnlessRead, oneAtATime } from './pipelining.ts'

/** Longer than a whole answer of a model, whose connection is silent meanwhile. @param callMs of the longest route */
export function connectionTimeout(callMs: number): number {
  return Math.min(callMs + 60_000, maxTimerMs)
}

/** The maximum delay of a Node.js timer. */
const maxTimerMs = 2 ** 31 - 1

/** Timeouts in milliseconds, and limits of connections, against slow clients (Slowloris). The defaults of Node differ. */
const defaultLimits = {
  /** To receive the headers of a request. */
  headersTimeout: 10_000,
  /** To receive a whole request. */
  requestTimeout: 30_000,
  /** Between two requests on one connection. */
  keepAliveTimeout: 65_000,
  /** Without data in either direction. Longer than a model call, as `connectionTimeout` makes it. */
  timeout: 660_000,
  /** How often the timeouts are checked. */
  connectionsCheckingInterval: 2_000,
  /** More connections are closed at once. */
  maxConnections: 12_000,
  /** The response to the last request closes the connection. */
  maxRequestsPerSocket: 1_000,
}

export type ServerLimits = typeof defaultLimits

export interface HttpServerOptions {
  /** Whether clients reach the service over https. */
  readonly isSecure: boolean
  /** The path of the public URL, such as `/ai`. A proxy may keep it in requests, or remove it. Default: none. */
  readonly basePath?: string
  /** Default: limits against slow clients. */
  readonly limits?: Partial<ServerLimits>
}

/** A server that an app can be attached to. */
export interface AppServer {
  readonly server: Server
  /**
   * Passes all requests from now on to the listener of an app, and gives the app the prototypes of the server's
   * requests and responses, in addition to the app's: otherwise Express would replace the prototypes of every request.
   */
  adopt(app: Express, listener: RequestListener): void
  /** Closes each connection with its next response. */
  drain(): void
}

/** Creates a server with limits for slow clients, and with the security headers on every response. */
export function createServer(
  first: RequestListener,
  { isSecure, basePath = '', limits = {} }: HttpServerOptions,
): AppServer {
  const state = { isDraining: false }
  let current = first
  const serve = oneAtATime(
    basePath === ''
      ? (request, response) => current(request, response)
      : (request, response) => {
          request.url = withoutBasePath(request.url ?? '/', basePath)
          current(request, response)
        },
  )
  const { timeout, maxConnections, maxRequestsPerSocket, ...timeouts } = { ...defaultLimits, ...limits }
  const writeHead = writeHeadSecured(isSecure, state)
  // Classes, for which V8 reserves the fields of Node's constructors: a plain function around them costs 25 µs a request.
  class Request extends IncomingMessage {}
  class Response extends ServerResponse {}
  Object.assign(Response.prototype, { writeHead })
  const server = createHttpServer(
    // The app rejects a request without a Host header, with the error envelope.
    { ...timeouts, requireHostHeader: false, IncomingMessage: Request, ServerResponse: Response },
    serve,
  )
  server.on('clientError', rejectUnreadable(isSecure))
  // Expectations other than "100-continue" may be ignored (RFC 9110, 10.1.1). Node would reject them without the envelope.
  server.on('checkExpectation', serve)
  server.setTimeout(timeout)
  server.on('timeout', destroyIfSilent)
  server.maxConnections = maxConnections
  server.maxRequestsPerSocket = maxRequestsPerSocket
  return {
    server,
    adopt(app, listener) {
      app.request = Object.setPrototypeOf(Request.prototype, app.request)
      app.response = Object.setPrototypeOf(Response.prototype, app.response)
      current = listener
    },
    drain() {
      state.isDraining = true
    },
  }
}

/**
 * Destroys a connection that was silent for too long, unless something has arrived on it: when the event loop was held up, its
 * timers are due before what arrived meanwhile is read.
 */
function destroyIfSilent(socket: Socket): void {
  const { bytesRead } = socket
  setImmediate(() => {
    if (socket.bytesRead === bytesRead) socket.destroy()
  })
}

/** The target of a request below the path of the public URL. @param basePath such as `/ai` */
function withoutBasePath(target: string, basePath: string): string {
  if (!target.startsWith(basePath)) return target
  const rest = target.slice(basePath.length)
  if (rest === '' || rest[0] === '?') return `/${rest}`
  return rest[0] === '/' ? rest : target
}

/** Answers bytes that are not an HTTP request, for which there is no `ServerResponse`, and closes the connection. */
function rejectUnreadable(isSecure: boolean): (error: Error, socket: Duplex) => void {
  const secured = [...securityHeaders(isSecure)]
  return (error, socket) => {
    if (socket.writable && !isResponding(socket)) {
      const { status, headers, body } = unreadableRequest(error)
      const lines = [...secured, ...Object.entries(headers), ['Connection', 'close']].map((line) => line.join(': '))
      socket.write([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n'))
    }
    socket.destroy(error)
  }
}

/** Whether the response to an earlier request has started: nothing may be written into it. */
function isResponding(socket: Duplex & { readonly _httpMessage?: ServerResponse | null }): boolean {
  // oxlint-disable-next-line no-underscore-dangle -- Node's own handler reads it, and there is no public property
  return socket._httpMessage?.headersSent === true
}

type GivenHeaders = OutgoingHttpHeaders | OutgoingHttpHeader[]

/** Helmet's headers for responses that are not web pages. */
function securityHeaders(isSecure: boolean): ReadonlyMap<string, string> {
  return collectHeaders(
    helmet({
      contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
      strictTransportSecurity: isSecure,
    }),
  )
}

/**
 * A `writeHead` for the prototype of responses, which adds Helmet's headers to every response. Node writes headers that are
 * passed at once several times as fast as headers that are set one by one.
 *
 * @param isSecure whether clients reach the service by https
 * @param state whether each response closes its connection
 */
function writeHeadSecured(isSecure: boolean, state: { readonly isDraining: boolean }): WriteHead {
  const headers = securityHeaders(isSecure)
  const all = [...headers].flat() as OutgoingHttpHeader[]
  const lengths = new Set([...headers.keys()].map(({ length }) => length))

  /** Whether it is the name of one of the headers. Only names of such a length are compared, which few are. */
  const isSecured = (name: OutgoingHttpHeader) =>
    typeof name === 'string' && lengths.has(name.length) && headers.has(name.toLowerCase())

  /** The headers that a response does not set itself. */
  function missing(set: readonly string[], own: readonly OutgoingHttpHeader[]): OutgoingHttpHeader[] {
    const names = own.filter((_each, at) => at % 2 === 0)
    const double = new Set([...set, ...names].map((name) => String(name).toLowerCase()))
    return [...headers].filter(([name]) => !double.has(name)).flat()
  }

  return function writeHead(this: ServerResponse, status, first, second) {
    if (state.isDraining) this.shouldKeepAlive = false
    closeUnlessRead(this.req, this)
    const reason = typeof first === 'string' ? first : undefined
    const own = flat((typeof first === 'object' ? first : second) ?? [])
    const set = this.getHeaderNames()
    // Nearly no response sets one of them itself.
    const isUsual = !own.some(isSecured) && !set.some(isSecured)
    return plainWriteHead.call(this, status, reason, (isUsual ? all : missing(set, own)).concat(own))
  }
}

const plainWriteHead = ServerResponse.prototype.writeHead as WriteHead

type WriteHead = (
  this: ServerResponse,
  status: number,
  first?: string | GivenHeaders,
  second?: GivenHeaders,
) => ServerResponse

/** Names and values, alternating. */
function flat(given: GivenHeaders): readonly OutgoingHttpHeader[] {
  if (Array.isArray(given)) return given
  const list: OutgoingHttpHeader[] = []
  for (const name of Object.keys(given)) {
    const value = given[name]
    if (value !== undefined) list.push(name, value)
  }
  return list
}

function collectHeaders(middleware: ReturnType<typeof helmet>): ReadonlyMap<string, string> {
  const request = new IncomingMessage(new Socket())
  const response = new ServerResponse(request)
  middleware(request, response, () => {})
  return new Map(Object.entries(response.getHeaders()).map(([name, value]) => [name, String(value)]))
}
