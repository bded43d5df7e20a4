import { type IncomingMessage, METHODS, type ServerResponse } from 'node:http'
import {
  type AdapterAccess,
  type Clock,
  credentialsReader,
  createIds,
  type FairleadCore,
  FairleadError,
  requireCore,
  requireOptions,
  systemClock,
} from '@fairlead/core'
import { imagePage, type ServiceDescription, servicePage } from './built-in-pages.ts'
import { failureResponse } from './envelope.ts'
import {
  type Admit,
  type Answer,
  type Exchange,
  fetchHandler,
  type HttpResponse,
  nodeHandler,
  pathOf,
  type RequestOrigin,
  requestTarget,
} from '@fairlead/http'
import { type HandleOperation, operationHandler } from './handle-operation.ts'
import { openapiPages } from './openapi/openapi-pages.ts'
import { type Page, type PageDescription, pageFinder, type PageParameters } from './pages.ts'
import { defaultMaxBodyBytes, type MatchedPath, type Method, type Route, routeFinder, routesOf } from './routes.ts'
import { sessionCookie } from './session-cookie.ts'

export interface RestAdapterOptions extends AdapterAccess {
  /** What `GET /` says of the service. */
  readonly service: ServiceDescription
  /**
   * The path under which clients reach the adapter, such as `/ai`. Default: in Express, the path of `app.use`; elsewhere,
   * the root.
   */
  readonly basePath?: string | undefined
  /** The maximum size of a body in bytes, for all routes. Default: as each route declares, usually 1 MiB. */
  readonly maxBodyBytes?: number | undefined
  /** The number of trusted proxies in front, for the client's address. Default: 0. */
  readonly trustedProxies?: number | undefined
  /**
   * The public address of the service, for the session cookie of browsers. Default: unknown; then the cookie requires
   * https, and only `Sec-Fetch-Site` shows that a request comes from the service's own pages.
   */
  readonly baseUrl?: string | undefined
  /** Decides whether a request is answered at all. Default: every request is. */
  readonly admit?: Admit | undefined
  /** Called once a response was sent, or the client disconnected; with Node's response, where there is one. Default: none. */
  readonly onAnswer?: ((answer: Answer, response?: ServerResponse) => void) | undefined
  /** Default: those that the operations of the core declare. */
  readonly routes?: readonly Route[] | undefined
  /** Served beside the operations, the images and `GET /`. Default: none. */
  readonly pages?: readonly Page[] | undefined
  /** Paths that the application serves itself, for the OpenAPI document. Default: none. */
  readonly otherPaths?: Readonly<Record<`/${string}`, PageDescription>> | undefined
  /** Default: the system's. */
  readonly clock?: Clock | undefined
}

/**
 * Answers every request, also one for an unknown path, which is a 404. As a function it handles requests of `node:http`, and
 * so fits `app.use()` of Express.
 */
export interface RestAdapter {
  (request: IncomingMessage, response: ServerResponse): void
  /** Answers a `Request` with a `Response`, for Hono, Next.js, Bun, Deno and others. Never rejects. */
  handle(request: Request, origin?: RequestOrigin): Promise<Response>
}

const example = "restAdapter(fairlead, { service: { name: 'My service', version: '1.0.0', documents: {} } })"
const optionNames: readonly (keyof RestAdapterOptions)[] = [
  'service',
  'basePath',
  'maxBodyBytes',
  'trustedProxies',
  'baseUrl',
  'admit',
  'onAnswer',
  'routes',
  'pages',
  'otherPaths',
  'clock',
  'authenticate',
  'anonymous',
]

/**
 * Offers the operations of a core over REST.
 *
 * @example
 *   const rest = restAdapter(fairlead, { service: { name: 'Shop', version: '1.0.0' } })
 *   createServer(rest).listen(8080) // node:http
 *   app.use('/ai', rest) // Express
 *   Bun.serve({ fetch: (request) => rest.handle(request) })
 */
export function restAdapter(core: FairleadCore, options: RestAdapterOptions): RestAdapter {
  requireCore(core, example)
  requireOptions(options, optionNames, example)
  const {
    service,
    admit,
    onAnswer,
    routes = routesOf(core.operations),
    pages = [],
    otherPaths = {},
    basePath,
    maxBodyBytes,
    trustedProxies = 0,
    baseUrl,
    clock = systemClock,
    ...access
  } = options
  if (typeof service?.name !== 'string') throw new TypeError(`service: is required: ${example}`)
  const cookie = sessionCookie(baseUrl)
  const credentialsOf = credentialsReader(core, access)
  const findRoute = routeFinder(routes)
  const { sections, eventTypes } = core
  const documents = openapiPages(() => ({
    service,
    routes,
    sections,
    eventTypes,
    pages: described,
    limited: admit !== undefined,
    baseUrl,
  }))
  const allPages = [servicePage(service, routes), imagePage(core), ...documents, ...pages]
  const others = Object.entries(otherPaths).map(([path, description]) => ({ path, description }))
  const described = [...allPages, ...others]
  const findPage = pageFinder(allPages)
  const handlers = new Map<Route, HandleOperation>(
    routes.map((route) => [
      route,
      operationHandler(core, route, {
        maxBodyBytes: maxBodyBytes ?? route.maxBodyBytes ?? defaultMaxBodyBytes,
        cookie,
        credentialsOf,
      }),
    ]),
  )

  async function answer(exchange: Exchange): Promise<HttpResponse> {
    try {
      const { headers } = exchange.request
      const admission = admit?.(exchange.address, headers, headers.authorization)
      if (admission) await admission
      return await dispatch(exchange)
    } catch (error) {
      return failureResponse(exchange, core.refuse(error, { requestId: exchange.requestId }))
    }
  }

  function dispatch(exchange: Exchange): Promise<HttpResponse> | HttpResponse {
    const { pathname, search } = requestTarget(exchange.request.url)
    const matched = findRoute(pathname)
    if (matched) return answerOperation(exchange, matched, search)
    const found = findPage(pathname)
    if (found) return answerPage(exchange, found.page, found.parameters)
    const { method, basePath: root } = exchange.request
    throw new FairleadError(
      'NOT_FOUND',
      `Route not found: ${method} ${pathOf(exchange.request)}. GET ${root}/ lists the routes.`,
    )
  }

  function answerOperation(exchange: Exchange, matched: MatchedPath, search: string) {
    exchange.route = matched.pattern
    const route = matched.routes.get(methodOf(exchange))
    const handle = route && handlers.get(route)
    return handle ? handle(exchange, matched, search) : methodNotAllowed(exchange, matched.routes.keys())
  }

  async function answerPage(exchange: Exchange, page: Page, parameters: PageParameters): Promise<HttpResponse> {
    exchange.route = page.path
    if (methodOf(exchange) !== 'GET') return methodNotAllowed(exchange, ['GET'])
    const given = await page.answer(exchange, parameters)
    if ('error' in given) return failureResponse(exchange, given)
    return { ...given, headers: { 'X-Request-Id': exchange.requestId, ...given.headers } }
  }

  function methodNotAllowed(exchange: Exchange, methods: Iterable<Method>): HttpResponse {
    const allowed = [...methods].flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ')
    const error = new FairleadError('METHOD_NOT_ALLOWED', `This path supports only ${allowed}.`)
    const response = failureResponse(exchange, core.refuse(error, { requestId: exchange.requestId }), {
      Allow: allowed,
    })
    // RFC 9110, 15.6.2.
    return METHODS.includes(exchange.request.method) ? response : { ...response, status: 501 }
  }

  const shared = { answer, core, basePath, onAnswer, newId: createIds(clock.now), clock, trustedProxies }
  return Object.assign(nodeHandler(shared), { handle: fetchHandler(shared) })
}

/** `HEAD` is answered like `GET`, without the body. */
function methodOf({ request }: Exchange): Method {
  return request.method === 'HEAD' ? 'GET' : (request.method as Method)
}
