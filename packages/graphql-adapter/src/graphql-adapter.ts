import type { IncomingMessage, ServerResponse } from 'node:http'
import type { LoggedModelCall } from '@fairlead/core'
import { createIds, type FairleadCore, type OpenCall, toIdentified } from '@fairlead/core/adapter'
import { type Admit, type RequestOrigin, statusSent } from '@fairlead/http'
import { findAccount, type GraphqlContext, type Outcome } from './context.ts'
import { closeAfterError, handleNodeRequest, type NodeExchange, sendFailure } from './http/node-handler.ts'
import type { GraphqlAdapterOptions } from './options.ts'
import { createService } from './service.ts'

/** Responds to a request as `fetch` does. */
export type GraphqlAdapter = (request: Request, origin?: RequestOrigin) => Promise<Response>

/** Serves a core's operations over GraphQL, for any server that uses `Request` and `Response`, at any path. */
export function graphqlAdapter(core: FairleadCore, options: GraphqlAdapterOptions = {}): GraphqlAdapter {
  const { yoga, clock, credentialsOf } = createService(core, options)
  const newId = createIds(clock.now)
  return async (request, { address = 'unknown' } = {}) => {
    const outcome: Outcome = { calls: [] }
    const answering = yoga.fetch(request, {
      core,
      credentials: credentialsOf(request.headers.get('authorization'), request.headers.get('x-fairlead-project')),
      requestId: newId('req'),
      address,
      userAgent: request.headers.get('user-agent') ?? undefined,
      tags: request.headers.get('x-fairlead-tags') ?? undefined,
      signal: request.signal,
      outcome,
    })
    return Promise.resolve(answering).finally(() => outcome.bodyHold?.end())
  }
}

export interface GraphqlListenerOptions extends GraphqlAdapterOptions {
  /** The network address of the client. Default: the remote address of the connection. */
  readonly addressOf?: ((request: IncomingMessage) => string) | undefined
  /** Decides whether a request is answered at all. Default: every request is. */
  readonly admit?: Admit | undefined
  /** The path under which it is mounted, for access logs. Default: `/graphql`. */
  readonly route?: string | undefined
}

/** Responds to a request of `node:http`, at any path. */
export type GraphqlListener = (request: IncomingMessage, response: ServerResponse) => void

/** Serves a core's operations over GraphQL, as a handler for `node:http` or for `app.use('/graphql', …)` of Express. */
export function graphqlListener(core: FairleadCore, options: GraphqlListenerOptions = {}): GraphqlListener {
  const { addressOf = ({ socket }) => socket.remoteAddress ?? 'unknown', admit, route = '/graphql' } = options
  const service = createService(core, options)
  const newId = createIds(service.clock.now)
  return (request, response) => {
    const at = service.clock.now()
    const disconnected = new AbortController()
    const context: GraphqlContext = {
      core,
      credentials: service.credentialsOf(
        request.headers.authorization,
        request.headers['x-fairlead-project']?.toString(),
      ),
      requestId: newId('req'),
      address: addressOf(request),
      userAgent: request.headers['user-agent'],
      tags: request.headers['x-fairlead-tags']?.toString(),
      vary: response.getHeader('vary')?.toString(),
      signal: disconnected.signal,
      outcome: { calls: [] },
    }
    response.on('close', () => {
      if (!response.writableFinished) disconnected.abort()
      context.outcome.bodyHold?.end()
      const { code, calls } = context.outcome
      const account = findAccount(context)
      const modelCalls = calls.flatMap(toModelCalls)
      const { model, provider, queuedMs } = modelCalls.at(-1) ?? {}
      core.observer.requestEnded?.(
        {
          requestId: context.requestId,
          method: request.method ?? '',
          route,
          status: statusSent(response),
          ...(code && { code }),
          ...(model !== undefined && { model }),
          ...(provider !== undefined && { provider }),
          durationMs: service.clock.now() - at,
          ...(queuedMs !== undefined && { queuedMs }),
          aborted: !response.writableFinished,
          address: context.address,
          ...(modelCalls.length > 1 && { modelCalls }),
          ...(account && toIdentified(account)),
        },
        response,
      )
    })
    const exchange = { request, response, context }
    const answering = admit ? answerAdmitted(admit, exchange) : handleNodeRequest(service, exchange)
    answering.catch((error: unknown) => closeAfterError(service, exchange, error))
  }

  async function answerAdmitted(decide: Admit, exchange: NodeExchange): Promise<void> {
    const { headers } = exchange.request
    try {
      const admission = decide(exchange.context.address, headers, headers.authorization)
      if (admission) await admission
    } catch (error) {
      return sendFailure(service, exchange, error)
    }
    return handleNodeRequest(service, exchange)
  }
}

/** The call of a model that an operation made, if it made one. */
function toModelCalls({ operation, modelCall }: OpenCall): readonly LoggedModelCall[] {
  const { model, provider, queuedMs } = modelCall
  if (model === undefined && provider === undefined) return []
  return [
    {
      operation: operation.name,
      ...(model !== undefined && { model }),
      ...(provider !== undefined && { provider }),
      ...(queuedMs !== undefined && { queuedMs }),
    },
  ]
}
