import { type ErrorCode, errorCodes } from '../values/error-code.ts'
import type { Operation } from './define-operation.ts'

const ofKind = {
  read: [],
  write: [],
  inference: ['CONTENT_REFUSED', 'PROVIDER_ERROR', 'PROVIDER_TIMEOUT', 'PROVIDER_UNAVAILABLE'],
} as const satisfies Record<Operation['kind'], readonly ErrorCode[]>

/** What any operation may answer with: its input may be wrong, the service broken, or busy. */
const always = ['INVALID_REQUEST', 'INTERNAL_ERROR', 'SERVICE_UNAVAILABLE'] as const satisfies readonly ErrorCode[]

/**
 * Every way in which an operation may be refused, in the order of the table: what it declares, and what its kind, access,
 * metering and idempotency bring. What a transport adds, such as a body that is too large, is not among them.
 */
export function errorsOf(operation: Operation): readonly ErrorCode[] {
  const { kind, access, metered, errors = [] } = operation
  const found = new Set<ErrorCode>([...always, ...ofKind[kind], ...errors])
  if (!('anonymous' in access)) found.add('UNAUTHORIZED').add('FORBIDDEN')
  if (metered) found.add('QUOTA_EXCEEDED').add('RATE_LIMIT_EXCEEDED')
  if (takesIdempotencyKey(operation)) found.add('CONFLICT').add('IDEMPOTENCY_KEY_REUSED')
  return errorCodes.filter((code) => found.has(code))
}

/** Whether a caller may have the operation done once, under a key of its own. */
export function takesIdempotencyKey({ kind, access }: Operation): boolean {
  return kind !== 'read' && !('anonymous' in access)
}
