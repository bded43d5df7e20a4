import { createIds, type FairleadCore } from '@fairlead/core'
import type { GraphqlAdapterOptions } from './options.ts'
import { createService } from './http/service.ts'

/** Answers a request, as `fetch` would. */
export type GraphqlAdapter = (request: Request, origin?: RequestOrigin) => Promise<Response>

/** What the server knows of a request beside what stands in it. */
export interface RequestOrigin {
  /** The network address of the caller, where throttles count by it. Default: one for all who name none. */
  readonly address?: string
}

/** Offers a core's operations over GraphQL, for any server that speaks in `Request` and `Response`, at whatever path. */
export function graphqlAdapter(core: FairleadCore, options: GraphqlAdapterOptions = {}): GraphqlAdapter {
  const { handler, clock, credentialsOf } = createService(core, options)
  const newId = createIds(clock.now)
  return async (request, { address = 'unknown' } = {}) =>
    handler.fetch(request, {
      core,
      credentials: credentialsOf(request.headers.get('authorization')),
      requestId: newId('req'),
      address,
      signal: request.signal,
      outcome: {},
    })
}
