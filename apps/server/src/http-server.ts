import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import { type FairleadCore, FairleadError } from '@fairlead/core'
import { type Answer, requestTarget, restAdapter, sendRefusal } from '@fairlead/rest-adapter'
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import { crossOrigin } from './cross-origin.ts'
import { graphiqlPages, wantsGraphiql } from './graphiql-pages.ts'
import { graphqlApp, graphqlPath } from './graphql.ts'
import type { Metrics } from './metrics.ts'
import { metricsPage } from './metrics-page.ts'
import { probes } from './probes.ts'
import type { Readiness } from './readiness.ts'
import { referencePages } from './reference/reference-page.ts'
import { refuseUnreadable } from './refuse-unreadable.ts'
import { securedResponse } from './security-headers.ts'

/** A service's version, as its package says. */
export interface Service {
  readonly name: string
  readonly version: string
}

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

/** Against clients that are slow on purpose (H59); Node's own differ from version to version. */
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

export function httpServer(
  listener: RequestListener,
  { isSecure, isDraining, limits = {} }: HttpServerOptions,
): Server {
  const { timeout, maxConnections, maxRequestsPerSocket, ...timeouts } = { ...defaultLimits, ...limits }
  const server = createServer(
    // Whoever names no host is refused below, in the form of every other failure.
    { ...timeouts, requireHostHeader: false, ServerResponse: securedResponse(isSecure, isDraining) },
    listener,
  )
  server.on('clientError', refuseUnreadable(isSecure))
  // What is expected beside "100-continue" may be ignored (RFC 9110, 10.1.1); Node would refuse it in a form of its own.
  server.on('checkExpectation', listener)
  server.setTimeout(timeout)
  server.maxConnections = maxConnections
  server.maxRequestsPerSocket = maxRequestsPerSocket
  return server
}

export interface AppOptions {
  readonly config: Pick<Config, 'trustedProxies' | 'maxBodyBytes' | 'corsOrigins' | 'graphql'>
  /** Where the outside reaches the service. */
  readonly baseUrl: string
  readonly service: Service
  readonly readiness: Readiness
  readonly metrics: Metrics
  readonly logger: Logger
}

/** Everything that the service answers. */
export function createApp(
  core: FairleadCore,
  { config, baseUrl, service, readiness, metrics, logger }: AppOptions,
): RequestListener {
  const onAnswer = (answer: Answer) => {
    metrics.count(answer)
    logger[levelOf(answer)](answer, 'answered')
  }
  const graphql = graphqlApp(core, config, onAnswer)
  const rest = restAdapter(core, {
    service: { ...service, documents: { docs: '/docs', graphql: graphqlPath } },
    ...(config.maxBodyBytes !== undefined && { maxBodyBytes: config.maxBodyBytes }),
    trustedProxies: config.trustedProxies,
    baseUrl,
    pages: [
      ...probes(readiness),
      metricsPage(core, metrics),
      ...referencePages(),
      ...(config.graphql.graphiql ? graphiqlPages() : []),
    ],
    onAnswer,
  })
  const answererOf = (request: IncomingMessage) => {
    if (requestTarget(request.url ?? '/').pathname !== graphqlPath) return rest
    return config.graphql.graphiql && wantsGraphiql(request) ? rest : graphql
  }
  const share = crossOrigin(config.corsOrigins)
  return (request, response) => {
    try {
      if (request.headers.host === undefined && request.httpVersion === '1.1') throw hostless()
      share(request, response, () => answererOf(request)(request, response))
    } catch (error) {
      sendRefusal(core, request, response, error)
    }
  }
}

/** RFC 9112, 3.2. */
function hostless(): FairleadError {
  return new FairleadError('INVALID_REQUEST', 'The request has no Host header.')
}

/** Asked every few seconds, by machines. */
const asideRoutes: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics'])

function levelOf({ status, route }: Answer): 'debug' | 'info' | 'error' {
  if (asideRoutes.has(route)) return 'debug'
  return status >= 500 ? 'error' : 'info'
}
