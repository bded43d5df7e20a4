import type { IncomingMessage, ServerResponse } from 'node:http'
import { createIds, type FairleadCore, systemClock } from '@fairlead/core'
import { type Exchange, openExchange, sendFailure } from './exchange.ts'

const newId = createIds(systemClock.now)

/**
 * Answers a request that broke outside the adapter, such as in a middleware before it: in the form of every other failure,
 * with what is not for the caller masked and logged. An answer that had begun is broken off.
 */
export function sendRefusal(
  core: FairleadCore,
  request: IncomingMessage,
  response: ServerResponse,
  error: unknown,
): void {
  refuseExchange(core, openExchange(request, response, { newId, clock: systemClock, trustedProxies: 0 }), error)
}

/** Ends an exchange that broke: with a failure, or, where the answer had begun, by breaking it off. */
export function refuseExchange(core: FairleadCore, exchange: Exchange, error: unknown): void {
  const failure = core.refuse(error, { requestId: exchange.requestId })
  if (exchange.response.headersSent) exchange.response.destroy()
  else sendFailure(exchange, failure)
}
