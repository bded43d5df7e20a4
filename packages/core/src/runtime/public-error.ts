import type { Log } from '../ports/log.ts'
import { FairleadError } from '../values/fairlead-error.ts'

/** The error that a caller may see. A defect is masked, and logged under the request's id. */
export function toPublicError(
  log: Log,
  { requestId, signal }: { readonly requestId: string; readonly signal?: AbortSignal },
  error: unknown,
): FairleadError {
  if (error instanceof FairleadError) {
    logOutage(log, requestId, error)
    return error
  }
  if (signal?.aborted) return new FairleadError('SERVICE_UNAVAILABLE', 'Client closed the request.')
  log.error({ requestId, error }, 'unhandled error')
  return new FairleadError('INTERNAL_ERROR', 'Internal server error. Quote the request id when you contact support.')
}

const told = new WeakSet<FairleadError>()

/** The response does not say why a dependency is unavailable, so the log does. An error that passes here twice is logged once. */
export function logOutage(log: Log, requestId: string, error: FairleadError): void {
  if (error.code !== 'SERVICE_UNAVAILABLE' || error.cause === undefined || told.has(error)) return
  told.add(error)
  log.warn({ requestId, error }, 'dependency unavailable')
}
