import { type ErrorCode, errorCodes } from './errors.ts'
import type { Operation } from './operation.ts'

const errorsOfKind = {
  read: [],
  write: [],
  action: ['CONTENT_REFUSED', 'RATE_LIMIT_EXCEEDED', 'PROVIDER_ERROR', 'PROVIDER_TIMEOUT', 'PROVIDER_UNAVAILABLE'],
  subscription: [],
} as const satisfies Record<Operation['kind'], readonly ErrorCode[]>

const commonErrors = [
  'INVALID_REQUEST',
  'INTERNAL_ERROR',
  'SERVICE_UNAVAILABLE',
] as const satisfies readonly ErrorCode[]

/**
 * All error codes of an operation, in the order of the table, except for errors of the transport, such as
 * `PAYLOAD_TOO_LARGE`.
 */
export function errorsOf(operation: Operation): readonly ErrorCode[] {
  const { kind, access, metered, errors = [] } = operation
  const found = new Set<ErrorCode>([...commonErrors, ...errorsOfKind[kind], ...errors])
  // A request can name a project that does not exist.
  if (!('anonymous' in access)) found.add('UNAUTHORIZED').add('FORBIDDEN').add('NOT_FOUND')
  if ((kind === 'write' || kind === 'subscription') && !('anonymous' in access)) found.add('RATE_LIMIT_EXCEEDED')
  if (metered) found.add('QUOTA_EXCEEDED').add('RATE_LIMIT_EXCEEDED')
  if (metered && kind === 'action') found.add('BUDGET_EXCEEDED')
  if (takesIdempotencyKey(operation)) found.add('CONFLICT').add('IDEMPOTENCY_KEY_REUSED')
  return errorCodes.filter((code) => found.has(code))
}

/** Whether the operation accepts an Idempotency-Key. */
export function takesIdempotencyKey({ kind, access, rest }: Operation): boolean {
  const isOfSignIn = 'anonymous' in access || rest?.path.startsWith('/auth/') === true
  return (kind === 'write' || kind === 'action') && !isOfSignIn
}
