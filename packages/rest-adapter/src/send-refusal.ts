import type { IncomingMessage, ServerResponse } from 'node:http'
import { createIds, type ErrorCode, type FairleadCore, systemClock } from '@fairlead/core'
import { type Exchange, openExchange, sendFailure } from './exchange.ts'

const newId = createIds(systemClock.now)

/**
 * Answers a request that failed outside the adapter, such as in a middleware before it: with the error envelope, and with
 * internal errors masked and logged. A response that has begun is aborted. An `X-Request-Id` that is set already is kept.
 *
 * @returns the code of the error, unless the response had begun
 */
export function sendRefusal(
  core: FairleadCore,
  request: IncomingMessage,
  response: ServerResponse,
  error: unknown,
): ErrorCode | undefined {
  const requestId = response.getHeader('X-Request-Id')
  const exchange = openExchange(request, response, {
    newId: typeof requestId === 'string' ? () => requestId : newId,
    clock: systemClock,
    trustedProxies: 0,
  })
  refuseExchange(core, exchange, error)
  return exchange.code
}

/** Ends an exchange that broke: with a failure, or, where the answer had begun, by breaking it off. */
export function refuseExchange(core: FairleadCore, exchange: Exchange, error: unknown): void {
  const failure = core.refuse(error, { requestId: exchange.requestId })
  if (exchange.response.headersSent) exchange.response.destroy()
  else sendFailure(exchange, failure)
}
