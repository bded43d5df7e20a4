import { type FairleadCore, FairleadError } from '@fairlead/core'
import { type Exchange, sendFailure } from './exchange.ts'
import type { Method } from './routes.ts'

/** Answers with 405, and what the path does take. */
export function refuseMethod(core: FairleadCore, exchange: Exchange, methods: Iterable<Method>): void {
  const allowed = [...methods].flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ')
  const error = new FairleadError('METHOD_NOT_ALLOWED', `This path takes ${allowed}.`)
  sendFailure(exchange, core.refuse(error, { requestId: exchange.requestId }), { Allow: allowed })
}
