import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Clock } from '@fairlead/core'
import { type AdapterAccess, credentialsReader, createIds, type FairleadCore } from '@fairlead/core/adapter'
import type { Surface } from './endpoint.ts'
import { fetchHandler, type RequestOrigin } from './fetch-handler.ts'
import type { Admit } from './http-request.ts'
import { NodeServer } from './node-handler.ts'
import { type BodyRoom, defaultBodyRoom } from './request-body.ts'
import { SurfaceServer } from './surface.ts'

export interface SurfaceOptions extends AdapterAccess {
  /** The path under which clients reach the surface. Default: in Express, the path of `app.use`; elsewhere, the root. */
  readonly basePath?: string | undefined
  /** The number of trusted proxies in front, for the client's address. Default: 0. */
  readonly trustedProxies?: number | undefined
  /** Decides whether a request is answered at all. Default: every request is. */
  readonly admit?: Admit | undefined
  /** A sentence for the error of an unknown path, such as the base URL that was meant. Default: none. */
  readonly hintFor?: ((path: string) => string | undefined) | undefined
  /** Limits the bytes of the bodies that are in memory. Default: one for all adapters of the process. */
  readonly bodyRoom?: BodyRoom | undefined
  /** Default: the core's clock. */
  readonly clock?: Clock | undefined
}

export const surfaceOptionNames: readonly (keyof SurfaceOptions)[] = [
  'basePath',
  'trustedProxies',
  'admit',
  'hintFor',
  'bodyRoom',
  'clock',
  'authenticate',
  'anonymous',
]

/** Handles requests of `node:http`, and so fits `app.use()` of Express. Answers every request, unknown paths with 404. */
export interface SurfaceAdapter {
  (request: IncomingMessage, response: ServerResponse): void
  /** Answers a `Request` with a `Response`, for Hono, Next.js, Bun, Deno and others. Never rejects. */
  handle(request: Request, origin?: RequestOrigin): Promise<Response>
  /** Answers a request whose path the surface has. Returns false for any other, which is left as it is. */
  tryHandle(request: IncomingMessage, response: ServerResponse): boolean
}

export function surfaceAdapter(core: FairleadCore, surface: Surface, options: SurfaceOptions): SurfaceAdapter {
  const {
    basePath,
    trustedProxies = 0,
    admit,
    hintFor,
    bodyRoom = defaultBodyRoom(),
    clock = core.clock,
    ...access
  } = options
  const server = new SurfaceServer(core, surface, credentialsReader(core, access), { admit, hintFor })
  const shared = { server, core, basePath, newId: createIds(clock.now), clock, trustedProxies, bodyRoom }
  const node = new NodeServer(shared)
  return Object.assign(node.handle.bind(node), {
    handle: fetchHandler(shared),
    tryHandle: node.tryHandle.bind(node),
  })
}
