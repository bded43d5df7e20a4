import type { IncomingMessage, ServerResponse } from 'node:http'
import { createIds, type ErrorCode, type FairleadCore, type IdentifiedCaller } from '@fairlead/core'
import type { GraphqlContext } from './context.ts'
import { answerNode, breakOff } from './http/answer-node.ts'
import { createService } from './http/service.ts'
import type { GraphqlAdapterOptions } from './options.ts'

export interface GraphqlListenerOptions extends GraphqlAdapterOptions {
  /** The network address that a request comes from. Default: that of its connection. */
  readonly addressOf?: (request: IncomingMessage) => string
  /** Hears of every answer once it is out, or its caller gone. Default: nobody does. */
  readonly onAnswer?: (answer: GraphqlAnswer) => void
}

/** One line of a request log: nothing secret is in it. */
export interface GraphqlAnswer extends Partial<IdentifiedCaller> {
  readonly requestId: string
  readonly method: string
  readonly status: number
  /** Of the first error, where there is one. */
  readonly code?: ErrorCode
  readonly durationMs: number
  /** Whether the caller left before the end. */
  readonly aborted: boolean
  /** Where the request came from. */
  readonly address: string
}

/** Answers a request of Node's, whatever its path. */
export type GraphqlListener = (request: IncomingMessage, response: ServerResponse) => void

/** Offers a core's operations over GraphQL, as a handler for `node:http` or for `app.use('/graphql', …)` of Express. */
export function graphqlListener(core: FairleadCore, options: GraphqlListenerOptions = {}): GraphqlListener {
  const { addressOf = remoteAddress, onAnswer } = options
  const service = createService(core, options)
  const newId = createIds(service.clock.now)
  return (request, response) => {
    const at = service.clock.now()
    const leaving = new AbortController()
    const context: GraphqlContext = {
      core,
      credentials: service.credentialsOf(request.headers.authorization),
      requestId: newId('req'),
      address: addressOf(request),
      vary: response.getHeader('vary')?.toString(),
      signal: leaving.signal,
      outcome: {},
    }
    response.on('close', () => {
      if (!response.writableFinished) leaving.abort()
      const { code, caller } = context.outcome
      onAnswer?.({
        requestId: context.requestId,
        method: request.method ?? '',
        status: response.statusCode,
        ...(code && { code }),
        durationMs: service.clock.now() - at,
        aborted: !response.writableFinished,
        address: context.address,
        ...caller,
      })
    })
    answerNode(service, { request, response, context }).catch((error: unknown) => {
      breakOff(service, { request, response, context }, error)
    })
  }
}

function remoteAddress({ socket }: IncomingMessage): string {
  return socket.remoteAddress ?? 'unknown'
}
