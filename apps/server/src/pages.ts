import { createIds, type FairleadCore, FairleadError, systemClock } from '@fairlead/core'
import { endResponse, keptDocument, type KeptDocument } from '@fairlead/http'
import { type Admit, type Answer, clientAddress, sendRefusal } from '@fairlead/rest-adapter'
import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express'

/** Handlers of GET and HEAD by their paths. `/*` at the end of a path stands for everything below it. */
export type Pages = Readonly<Record<`/${string}`, RequestHandler>>

export interface PagesOptions {
  readonly trustedProxies: number
  /** Decides whether a request is answered at all. Default: every request is. */
  readonly admit?: Admit | undefined
  /** Called after each response. */
  readonly onAnswer: (answer: Answer, response: Response) => void
}

/** Requested every few seconds, by machines. */
export const monitoringRoutes: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics'])

const newId = createIds(systemClock.now)

/** A middleware that serves pages, with an `X-Request-Id` each. Any other method is answered with 405. */
export function servePages(pages: Pages, { trustedProxies, admit, onAnswer }: PagesOptions): RequestHandler {
  const handlers = new Map<string, RequestHandler>(Object.entries(pages))
  const prefixes = [...handlers.keys()].filter((route) => route.endsWith('/*')).map((route) => route.slice(0, -1))

  function routeOf(path: string): string | undefined {
    if (handlers.has(path)) return path
    const prefix = prefixes.find((each) => path.startsWith(each))
    return prefix === undefined ? undefined : `${prefix}*`
  }

  return (request, response, next) => {
    const route = routeOf(request.path)
    const handler = route === undefined ? undefined : handlers.get(route)
    if (route === undefined || !handler) return next()
    void serve(route, handler, request, response, next)
  }

  async function serve(
    route: string,
    handler: RequestHandler,
    ...[request, response, next]: Parameters<RequestHandler>
  ) {
    try {
      response.setHeader('X-Request-Id', newId('req'))
      const address = clientAddress(request.headers, request.socket.remoteAddress, trustedProxies)
      reportAnswer(route, address, request, response, onAnswer)
      if (admit && !monitoringRoutes.has(route)) await admit(address, request.headers, request.headers.authorization)
      if (request.method === 'GET' || request.method === 'HEAD') return await handler(request, response, next)
      response.setHeader('Allow', 'GET, HEAD')
      throw new FairleadError('METHOD_NOT_ALLOWED', 'This path supports only GET, HEAD.')
    } catch (error) {
      next(error)
    }
  }
}

/**
 * A page that stays the same. It is loaded on the first request: most services never get one.
 *
 * @param headers their `Cache-Control` should contain `no-transform`, because the page is compressed already
 */
export function keptPage(
  contentType: string,
  headers: Readonly<Record<string, string>>,
  load: () => string | Promise<Buffer>,
): RequestHandler {
  let loading: Promise<KeptDocument> | undefined
  const document = async () => keptDocument(await load(), contentType)
  return async (request, response) => {
    const { status, headers: own, body } = await (await (loading ??= document())).respond(request.headers)
    const { Vary: _acceptEncoding, ...set } = { ...own, ...headers }
    response.status(status).vary('Accept-Encoding').set(set)
    if (body) response.set('Content-Length', String(body.length))
    endResponse(response, request.method === 'HEAD' ? undefined : body, systemClock)
  }
}

function reportAnswer(
  route: string,
  address: string,
  request: Request,
  response: Response,
  onAnswer: PagesOptions['onAnswer'],
): void {
  const { method } = request
  const startedAt = systemClock.now()
  response.on('close', () =>
    onAnswer(
      {
        requestId: requestIdOf(response),
        method,
        route,
        status: response.statusCode,
        ...(response.locals['code'] && { code: response.locals['code'] }),
        durationMs: systemClock.now() - startedAt,
        aborted: !response.writableFinished,
        address,
      },
      response,
    ),
  )
}

export function requestIdOf(response: Response): string {
  return String(response.getHeader('X-Request-Id'))
}

/** An error-handling middleware that answers with the error envelope. */
export function sendErrors(core: FairleadCore): ErrorRequestHandler {
  return (error, request, response, _next) => {
    response.locals['code'] = sendRefusal(core, request, response, error)
  }
}
