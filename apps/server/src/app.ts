import type { RequestListener } from 'node:http'
import { type FairleadCore, FairleadError } from '@fairlead/core'
import { type Answer, restAdapter, sendRefusal } from '@fairlead/rest-adapter'
import express, { type Express, type Request, type RequestHandler, type Response } from 'express'
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

/** A service's version, as its package says. */
export interface Service {
  readonly name: string
  readonly version: string
}

export interface AppOptions {
  readonly config: Pick<Config, 'trustedProxies' | 'maxBodyBytes' | 'corsOrigins' | 'graphql'>
  /** The address under which clients reach the service. */
  readonly baseUrl: string
  readonly service: Service
  readonly readiness: Readiness
  readonly metrics: Metrics
  readonly logger: Logger
}

/** The Express app of the service. Serve it with `createServer` and `appListener`. */
export function createApp(
  core: FairleadCore,
  { config, baseUrl, service, readiness, metrics, logger }: AppOptions,
): Express {
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

  const app = express()
  app.disable('x-powered-by').enable('case sensitive routing').enable('strict routing')
  app.use(requireHost)
  app.use(crossOrigin(config.corsOrigins))
  // A browser that asks for a page gets GraphiQL, which is one of the pages of the REST adapter.
  app.all(graphqlPath, (request, response, next) =>
    config.graphql.graphiql && wantsGraphiql(request) ? next() : graphql(request, response),
  )
  // Last, because it answers every other path with 404.
  app.use(rest)
  return app
}

/** RFC 9112, 3.2. */
const requireHost: RequestHandler = (request, _response, next) => {
  if (request.headers.host === undefined && request.httpVersion === '1.1') {
    throw new FairleadError('INVALID_REQUEST', 'The request has no Host header.')
  }
  next()
}

/**
 * The listener of a server for the app. What the app does not answer, such as an error of a middleware or a target that is
 * no URL, is answered in the form of every other error.
 */
export function appListener(app: Express, core: FairleadCore): RequestListener {
  return (request, response) =>
    app(request as Request, response as Response, (error: unknown) =>
      sendRefusal(
        core,
        request,
        response,
        error ?? new FairleadError('INVALID_REQUEST', 'The request target is malformed.'),
      ),
    )
}

/** Requested every few seconds, by machines. */
const asideRoutes: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics'])

function levelOf({ status, route }: Answer): 'debug' | 'info' | 'error' {
  if (asideRoutes.has(route)) return 'debug'
  return status >= 500 ? 'error' : 'info'
}
