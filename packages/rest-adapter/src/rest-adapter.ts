import type { Failure } from '@fairlead/core'
import { type FairleadCore, requireCore, requireOptions } from '@fairlead/core/adapter'
import { type SurfaceAdapter, surfaceAdapter, type SurfaceOptions, surfaceOptionNames } from '@fairlead/http'
import { auditExport } from './audit-export.ts'
import { imagePages, type ServiceDescription, servicePage } from './built-in-pages.ts'
import { openapiPages } from './openapi/openapi-pages.ts'
import type { Page } from './pages.ts'
import { createEndpoints, failureBody } from './rest-endpoint.ts'
import { createPublicPath } from './public-path.ts'
import { type Route, listRoutes } from './routes.ts'
import { sessionCookie } from './session-cookie.ts'

export interface RestAdapterOptions extends SurfaceOptions {
  /** The description of the service in `GET /`. */
  readonly service: ServiceDescription
  /** The maximum size of a body in bytes, for all routes. Default: as each route declares, usually 1 MiB. */
  readonly maxBodyBytes?: number | undefined
  /**
   * The public address of the service, for links and the session cookie of browsers. Default: unknown; then the cookie requires
   * https, and only `Sec-Fetch-Site` shows that a request comes from the service's own pages.
   */
  readonly baseUrl?: string | undefined
  /** Default: those that the operations of the core declare. */
  readonly routes?: readonly Route[] | undefined
  /** Served beside the operations, the images and `GET /`. Default: none. */
  readonly pages?: readonly Page[] | undefined
}

const example = "restAdapter(fairlead.core, { service: { name: 'My service', version: '1.0.0', documents: {} } })"
const optionNames: readonly (keyof RestAdapterOptions)[] = [
  ...surfaceOptionNames,
  'service',
  'maxBodyBytes',
  'baseUrl',
  'routes',
  'pages',
]

/**
 * Offers the operations of a core over REST.
 *
 * @example
 *   const rest = restAdapter(fairlead.core, { service: { name: 'Shop', version: '1.0.0' } })
 *   createServer(rest).listen(8080) // node:http
 *   app.use('/ai', rest) // Express
 *   Bun.serve({ fetch: (request) => rest.handle(request) })
 */
export function restAdapter(core: FairleadCore, options: RestAdapterOptions): SurfaceAdapter {
  requireCore(core, example)
  requireOptions(options, optionNames, example)
  const {
    service,
    routes = listRoutes(core.operations),
    pages = [],
    maxBodyBytes,
    baseUrl,
    ...surfaceOptions
  } = options
  if (typeof service?.name !== 'string') throw new TypeError(`service: is required: ${example}`)
  const { sections, scopes, eventTypes } = core
  const publicPath = createPublicPath(baseUrl)
  const documents = openapiPages(() => ({
    service,
    routes,
    sections,
    scopes,
    eventTypes,
    pages: allPages,
    limited: options.admit !== undefined,
    baseUrl,
  }))
  const allPages: readonly Page[] = [
    servicePage(service, routes, publicPath),
    ...imagePages(core),
    ...auditExport(core),
    ...documents,
    ...pages,
  ]
  const cookie = sessionCookie(baseUrl)
  const { clock = core.clock } = surfaceOptions
  const startedAt = clock.now()
  const surface = {
    endpoints: routes.flatMap((route) => createEndpoints(route, { startedAt, maxBodyBytes, cookie, publicPath })),
    pages: allPages.map((page) => ({ ...page, exempt: page.description?.exempt })),
    errorBody: (failure: Failure) => failureBody(failure),
    unknownPath: (method: string, path: string, basePath: string) =>
      `Route not found: ${method} ${path}. GET ${publicPath(basePath)}/ lists the routes.`,
    hasImages: true,
    hasWarnings: true,
  }
  return surfaceAdapter(core, surface, surfaceOptions)
}
