import type { RequestListener } from 'node:http'
import { type Clock, FairleadError } from '@fairlead/core'
import type { FairleadCore } from '@fairlead/core/adapter'
import { anthropicAdapter } from '@fairlead/anthropic-adapter'
import { openaiAdapter } from '@fairlead/openai-adapter'
import { type BodyRoom, type Page, restAdapter, sendRefusal } from '@fairlead/rest-adapter'
import compression from 'compression'
import cors from 'cors'
import express, { type Express, type Request, type RequestHandler, type Response } from 'express'
import type { AnonymousLimit } from './anonymous-limit.ts'
import { anthropicPath, baseUrlHint, openaiPath } from './base-urls.ts'
import type { Config } from './config.ts'
import { builtDashboard, dashboardPages, dashboardPath, type SignInOptions } from './dashboard.ts'
import { docsPages } from './docs-page.ts'
import { graphiqlPages, wantsGraphiql } from './graphiql.ts'
import { graphqlHandler, graphqlPath } from './graphql.ts'
import { probes, type Readiness } from './health.ts'
import { type Metrics, metricsPage } from './metrics.ts'
import type { Telemetry } from './telemetry.ts'

/** The name and version that the service reports. */
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
  /** Default: no limit. */
  readonly limit?: AnonymousLimit | undefined
  /** The room for request bodies. Default: the room of the process. */
  readonly bodyRoom?: BodyRoom | undefined
  /** The directory of the built dashboard. Default: where the build puts it. */
  readonly dashboard?: string | undefined
  /** Default: the system's. */
  readonly clock?: Clock | undefined
  /** Default: none. */
  readonly telemetry?: Telemetry | undefined
  /** How people sign in to the dashboard. Default: with a password, after signing up. */
  readonly signIn?: SignInOptions | undefined
  /** Further pages. Default: none. */
  readonly pages?: readonly Page[] | undefined
  /** The ids of the providers that speak Anthropic's API. Default: `anthropic`. */
  readonly anthropicProviders?: (() => readonly string[]) | undefined
  /** Whether the `metadata` of OpenAI's API are tags for every key. Default: false. */
  readonly tagsFromMetadata?: boolean
}

/** The Express app of the service. Serve it with `createServer` and `appListener`. */
export function createApp(
  core: FairleadCore,
  {
    config,
    baseUrl,
    service,
    readiness,
    metrics,
    limit,
    bodyRoom,
    dashboard = builtDashboard,
    clock,
    telemetry,
    anthropicProviders,
    tagsFromMetadata = false,
    signIn,
    pages = [],
  }: AppOptions,
): Express {
  const { trustedProxies, maxBodyBytes } = config
  // Present without a limit too, because the API reference shall not depend on it.
  const admit = limit?.admitTo(core) ?? (() => {})
  const shared = { trustedProxies, admit, bodyRoom, clock, hintFor: (path: string) => baseUrlHint(path, baseUrl) }
  const graphql = graphqlHandler(core, config, { admit: limit?.admitTo(core, { overGraphql: true }), bodyRoom })
  const openaiOptions = { ...shared, tagsFromMetadata }
  const openai = openaiAdapter(core, { ...openaiOptions, basePath: openaiPath })
  const openaiAtV1 = openaiAdapter(core, { ...openaiOptions, basePath: '/v1' })
  const anthropicOptions = { ...shared, providers: anthropicProviders }
  const anthropic = anthropicAdapter(core, { ...anthropicOptions, basePath: anthropicPath })
  const anthropicAtRoot = anthropicAdapter(core, { ...anthropicOptions, basePath: '' })
  const rest = restAdapter(core, {
    service: {
      ...service,
      documents: {
        docs: '/docs',
        graphql: graphqlPath,
        openai: openaiPath,
        anthropic: anthropicPath,
        dashboard: dashboardPath,
      },
    },
    ...(maxBodyBytes !== undefined && { maxBodyBytes }),
    ...shared,
    baseUrl,
    pages: [
      ...probes(readiness),
      metricsPage(core, metrics),
      ...docsPages(),
      ...dashboardPages(dashboard, signIn),
      ...(config.graphql.graphiql ? graphiqlPages() : []),
      ...pages,
    ],
  })

  /** Passes a request to the adapter that has its path. REST has the pages, and answers unknown paths with 404. */
  const dispatch = (request: Request, response: Response) => {
    const { path } = request
    if (isBelow(path, openaiPath)) return openai(request, response)
    if (isBelow(path, anthropicPath)) return anthropic(request, response)
    if (isBelow(path, '/v1/messages') && anthropicAtRoot.tryHandle(request, response)) return
    // REST serves `GET /v1/models`, with the fields of both.
    if (isBelow(path, '/v1') && !path.startsWith('/v1/models') && openaiAtV1.tryHandle(request, response)) return
    if (path === graphqlPath && !(config.graphql.graphiql && wantsGraphiql(request))) return graphql(request, response)
    rest(request, response)
  }

  const serve = (request: Request, response: Response) => {
    const { method } = request
    if (method === 'GET' || method === 'HEAD') compress(request, response, () => dispatch(request, response))
    else dispatch(request, response)
  }
  const allowOrigins = crossOrigin(config.corsOrigins)
  const app = express()
  app.disable('x-powered-by').disable('etag').enable('case sensitive routing').enable('strict routing')
  // For the scheme of a request, which nothing else asks Express for.
  if (telemetry) app.set('trust proxy', trustedProxies).use(telemetry.middleware)
  // One middleware for everything, because Express takes 1 µs for each.
  app.use((request, response) => {
    requireHost(request)
    if (allowOrigins) allowOrigins(request, response, () => serve(request, response))
    else serve(request, response)
  })
  return app
}

/** The listener of a server for the app. Express gives up on a target that is not a URL: it is answered here. */
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

function isBelow(path: string, base: string): boolean {
  return path.startsWith(base) && (path.length === base.length || path[base.length] === '/')
}

/** Rejects requests without a Host header, and with several (RFC 9112, 3.2). */
function requireHost({ headers, rawHeaders, httpVersion }: Request): void {
  if (headers.host === undefined && httpVersion === '1.1') {
    throw new FairleadError('INVALID_REQUEST', 'The request has no Host header.')
  }
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1
  }
  if (hosts > 1) throw new FairleadError('INVALID_REQUEST', 'The request has more than one Host header.')
}

/**
 * Lets web pages of exactly these origins call the service. An origin is never reflected, and cookies are not accepted:
 * a page sends its API key itself. Most requests come from programs and carry no origin; they skip the middleware.
 */
function crossOrigin(origins: readonly string[]): RequestHandler | undefined {
  if (origins.length === 0) return undefined
  const answerOrigin = cors({
    origin: [...origins],
    credentials: false,
    maxAge: 600,
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    // Without a list, the requested headers are allowed: each SDK has different ones, such as `x-stainless-*`.
    exposedHeaders: [
      'RateLimit',
      'RateLimit-Policy',
      'X-RateLimit-Limit',
      'X-RateLimit-Remaining',
      'X-RateLimit-Reset',
      'Retry-After',
      'X-Request-Id',
      'Request-Id',
      'X-Upstream-Request-Id',
      'X-Should-Retry',
      'Idempotent-Replayed',
      'X-Fairlead-Ignored',
      'X-Fairlead-Warnings',
      'ETag',
      'Location',
      'Content-Disposition',
      'Deprecation',
      'Sunset',
    ],
  })
  return (request, response, next) => {
    if (request.headers.origin !== undefined) return answerOrigin(request, response, next)
    response.setHeader('Vary', 'Origin')
    next()
  }
}

/**
 * Compresses responses above 1 kB. Only for GET: generated text is short, what the middleware costs would be paid by every
 * call, and the responses that hold tokens are never compressed (BREACH).
 */
const compress = compression({ threshold: 1024, filter: isCompressible })

/** A compressed stream of events would be held back in the compressor. */
function isCompressible(...[request, response]: Parameters<compression.CompressionFilter>): boolean {
  const type = String(response.getHeader('Content-Type'))
  return !type.startsWith('text/event-stream') && compression.filter(request, response)
}
