import {
  createServer as createHttpServer,
  IncomingMessage,
  type RequestListener,
  type Server,
  ServerResponse,
  STATUS_CODES,
} from 'node:http'
import type { Duplex } from 'node:stream'
import { unreadableRequest } from '@fairlead/rest-adapter'
import type { Express } from 'express'
import { securityHeaders, writeHeadSecured } from './security-headers.ts'

/** How long clients may take, in milliseconds, and how much they may hold. */
export interface ServerLimits {
  /** For all headers of a request. */
  readonly headersTimeout: number
  /** For a whole request. */
  readonly requestTimeout: number
  /** Between two requests on one connection. */
  readonly keepAliveTimeout: number
  /** Without a byte either way: longer than a model call may take, and than a stream is silent. */
  readonly timeout: number
  /** How often the above are looked at. */
  readonly connectionsCheckingInterval: number
  /** Further connections are closed at once. */
  readonly maxConnections: number
  /** The last answer closes the connection. */
  readonly maxRequestsPerSocket: number
}

/** Against clients that are slow on purpose; Node's defaults differ from version to version. */
const defaultLimits: ServerLimits = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 65_000,
  timeout: 180_000,
  connectionsCheckingInterval: 2_000,
  maxConnections: 12_000,
  maxRequestsPerSocket: 1_000,
}

export interface HttpServerOptions {
  /** Whether the service is reached by https. */
  readonly isSecure: boolean
  /** Whether each answer is to close its connection. Default: never. */
  readonly isDraining?: () => boolean
  /** Default: against clients that are slow on purpose. */
  readonly limits?: Partial<ServerLimits>
}

/** A server, and the app that it serves once that is ready. */
export interface AppServer {
  readonly server: Server
  /** Has requests created with the prototypes of the app. Without it Express replaces them on every request. */
  adopt(app: Express): void
}

/** Creates a server with limits for slow clients, and with the security headers on every response. */
export function createServer(
  listener: RequestListener,
  { isSecure, isDraining, limits = {} }: HttpServerOptions,
): AppServer {
  const { timeout, maxConnections, maxRequestsPerSocket, ...timeouts } = { ...defaultLimits, ...limits }
  const Request = constructorLike(IncomingMessage)
  const Response = constructorLike(ServerResponse)
  const writeHead = writeHeadSecured(isSecure, isDraining)
  Response.prototype = Object.assign(Object.create(ServerResponse.prototype), { writeHead })
  const server = createHttpServer(
    // A request without a Host is rejected by the app, in the form of every other error.
    { ...timeouts, requireHostHeader: false, IncomingMessage: Request, ServerResponse: Response },
    listener,
  )
  server.on('clientError', refuseUnreadable(isSecure))
  // What is expected beside "100-continue" may be ignored (RFC 9110, 10.1.1); Node would reject it in a form of its own.
  server.on('checkExpectation', listener)
  server.setTimeout(timeout)
  server.maxConnections = maxConnections
  server.maxRequestsPerSocket = maxRequestsPerSocket
  return {
    server,
    adopt({ request, response }) {
      Request.prototype = request
      Response.prototype = Object.assign(response, { writeHead })
    },
  }
}

/** A constructor whose prototype can be replaced, which that of a class can not. */
function constructorLike<Base extends typeof IncomingMessage | typeof ServerResponse>(base: Base): Base {
  function Constructor(this: object, ...values: unknown[]): void {
    Reflect.apply(base, this, values)
  }
  Constructor.prototype = base.prototype
  return Constructor as unknown as Base
}

/** Answers what is no request, so that there is no `ServerResponse` for it, and closes the connection. */
function refuseUnreadable(isSecure: boolean): (error: Error, socket: Duplex) => void {
  const secured = [...securityHeaders(isSecure)]
  return (error, socket) => {
    if (socket.writable && !isAnswering(socket)) {
      const { status, headers, body } = unreadableRequest(error)
      const lines = [...secured, ...Object.entries(headers), ['Connection', 'close']].map((line) => line.join(': '))
      socket.write([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n'))
    }
    socket.destroy(error)
  }
}

/** Whether an answer to what came before has begun: nothing may stand within it. */
function isAnswering(socket: Duplex & { readonly _httpMessage?: ServerResponse | null }): boolean {
  // oxlint-disable-next-line no-underscore-dangle -- Node's own handler asks the same, and nothing else tells
  return socket._httpMessage?.headersSent === true
}
