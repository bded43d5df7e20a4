import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  type AdapterAccess,
  type Clock,
  credentialsReader,
  createIds,
  type ErrorCode,
  type FairleadCore,
  FairleadError,
  type IdentifiedCaller,
  systemClock,
} from '@fairlead/core'
import { type Exchange, openExchange, sendBody, sendFailure } from './exchange.ts'
import { refuseExchange } from './send-refusal.ts'
import { type Destination, routeFinder } from './find-route.ts'
import { type HandleOperation, operationHandler } from './handle-operation.ts'
import { imagePage } from './image-page.ts'
import { openapiPages } from './openapi/openapi-pages.ts'
import { type Page, type PageDescription, pageFinder, type PageParameters } from './pages.ts'
import { refuseMethod } from './refuse-method.ts'
import { requestTarget } from './request-target.ts'
import { defaultMaxBodyBytes, type Method, type Route, routesOf } from './routes.ts'
import { type ServiceDescription, servicePage } from './service-page.ts'
import { sessionCookie } from './session-cookie.ts'

export interface RestAdapterOptions extends AdapterAccess {
  /** What `GET /` says of the service. */
  readonly service: ServiceDescription
  /** The largest body that is read, in bytes, for all routes alike. Default: as each route says, mostly 1 MiB. */
  readonly maxBodyBytes?: number
  /** How many proxies of ours stand in front, for the caller's address. Default: none. */
  readonly trustedProxies?: number
  /**
   * Where the outside reaches the service, for the cookie of browsers' sessions. Default: unknown; then the cookie is for
   * https, and only `Sec-Fetch-Site` tells that a request comes from our own pages.
   */
  readonly baseUrl?: string
  /** Hears of every answer once it is out, or its caller gone. Default: nobody does. */
  readonly onAnswer?: (answer: Answer) => void
  /** Default: those that the operations of the core declare. */
  readonly routes?: readonly Route[]
  /** Served beside the operations, the images and `GET /`. Default: none. */
  readonly pages?: readonly Page[]
  /** Paths that the application serves itself, for the OpenAPI document. Default: none. */
  readonly otherPaths?: Readonly<Record<`/${string}`, PageDescription>>
  /** Default: the system's. */
  readonly clock?: Clock
}

/** One line of a request log: nothing secret is in it. */
export interface Answer extends Partial<IdentifiedCaller> {
  readonly requestId: string
  readonly method: string
  /** The path's pattern: ids are left out. */
  readonly route: string
  readonly status: number
  readonly code?: ErrorCode
  readonly durationMs: number
  /** Whether the caller left before the end. */
  readonly aborted: boolean
  /** Where the request came from. */
  readonly address: string
}

/** Serves a request, whatever it is: an unknown path is answered with 404. */
export type RestAdapter = (request: IncomingMessage, response: ServerResponse) => void

/** Offers a core's operations over HTTP, as a handler for `node:http` or for `app.use()` of Express and its like. */
export function restAdapter(
  core: FairleadCore,
  {
    service,
    onAnswer,
    routes = routesOf(core.operations),
    pages = [],
    otherPaths = {},
    maxBodyBytes,
    trustedProxies = 0,
    baseUrl,
    clock = systemClock,
    ...access
  }: RestAdapterOptions,
): RestAdapter {
  const newId = createIds(clock.now)
  const cookie = sessionCookie(baseUrl)
  const credentialsOf = credentialsReader(core, access)
  const findRoute = routeFinder(routes)
  const documents = openapiPages(() => ({ service, routes, sections: core.sections, pages: described, baseUrl }))
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

  async function answer(exchange: Exchange): Promise<void> {
    const { pathname, search } = requestTarget(exchange.request.url ?? '/')
    const destination = findRoute(pathname)
    if (destination) return answerOperation(exchange, destination, search)
    const found = findPage(pathname)
    if (found) return answerPage(exchange, found.page, found.parameters)
    throw new FairleadError('NOT_FOUND', 'Route not found.')
  }

  async function answerOperation(exchange: Exchange, destination: Destination, search: string): Promise<void> {
    exchange.route = destination.pattern
    const route = destination.routes.get(methodOf(exchange))
    const handle = route && handlers.get(route)
    if (!handle) return refuseMethod(core, exchange, destination.routes.keys())
    return handle(exchange, destination, search)
  }

  async function answerPage(exchange: Exchange, page: Page, parameters: PageParameters): Promise<void> {
    exchange.route = page.path
    if (methodOf(exchange) !== 'GET') return refuseMethod(core, exchange, ['GET'])
    const given = await page.answer(exchange, parameters)
    if ('error' in given) return sendFailure(exchange, given)
    const { status, headers, body } = given
    const named = { 'X-Request-Id': exchange.requestId, ...headers }
    sendBody(exchange, status, named, body)
  }

  return (request, response) => {
    const exchange = openExchange(request, response, { newId, clock, trustedProxies })
    if (onAnswer) response.on('close', () => onAnswer(toAnswer(exchange)))
    answer(exchange).catch((error: unknown) => refuseExchange(core, exchange, error))
  }
}

/** `HEAD` is answered like `GET`, without the body. */
function methodOf({ request }: Exchange): Method {
  return request.method === 'HEAD' ? 'GET' : (request.method as Method)
}

function toAnswer({ request, response, requestId, at, clock, address, route, code, caller }: Exchange): Answer {
  return {
    requestId,
    method: request.method ?? '',
    route,
    status: response.statusCode,
    ...(code && { code }),
    durationMs: clock.now() - at,
    aborted: !response.writableFinished,
    address,
    ...caller,
  }
}
