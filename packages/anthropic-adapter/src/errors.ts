import type { ErrorCode, Failure } from '@fairlead/core'

const types: Readonly<Record<ErrorCode, string>> = {
  INVALID_REQUEST: 'invalid_request_error',
  CONTENT_REFUSED: 'invalid_request_error',
  UNAUTHORIZED: 'authentication_error',
  FORBIDDEN: 'permission_error',
  NOT_FOUND: 'not_found_error',
  METHOD_NOT_ALLOWED: 'invalid_request_error',
  CONFLICT: 'invalid_request_error',
  PRECONDITION_FAILED: 'invalid_request_error',
  PAYLOAD_TOO_LARGE: 'request_too_large',
  UNSUPPORTED_MEDIA_TYPE: 'invalid_request_error',
  IDEMPOTENCY_KEY_REUSED: 'invalid_request_error',
  QUOTA_EXCEEDED: 'rate_limit_error',
  RATE_LIMIT_EXCEEDED: 'rate_limit_error',
  INTERNAL_ERROR: 'api_error',
  PROVIDER_ERROR: 'api_error',
  PROVIDER_UNAVAILABLE: 'overloaded_error',
  SERVICE_UNAVAILABLE: 'overloaded_error',
  PROVIDER_TIMEOUT: 'timeout_error',
}

/** The errors of Anthropic that callers get as they are. Those of the account concern the operator. */
const statuses: Readonly<Record<string, number>> = {
  invalid_request_error: 400,
  not_found_error: 404,
  request_too_large: 413,
  rate_limit_error: 429,
  api_error: 500,
  timeout_error: 504,
  overloaded_error: 529,
}

/** The type of an error of Anthropic itself; undefined for any other. */
function ownType({ upstream }: Failure): string | undefined {
  const type = upstream?.code ?? ''
  return Object.hasOwn(statuses, type) ? type : undefined
}

/** Anthropic's own status where it differs: https://platform.claude.com/docs/en/api/errors */
export function errorStatus(failure: Failure): number | undefined {
  const { code, details } = failure.error
  const own = ownType(failure)
  if (own !== undefined) return statuses[own]
  if (details['reason'] === 'model_not_found') return 404
  return code === 'PROVIDER_UNAVAILABLE' || code === 'SERVICE_UNAVAILABLE' ? 529 : undefined
}

/** Clients look for these words at the beginning, and then shorten the conversation. */
const tooLong = 'prompt is too long'

/** An error in Anthropic's form. */
export function toErrorBody(failure: Failure) {
  const { error, meta } = failure
  const { code, message: found, details } = error
  const message = details['reason'] === 'context_length_exceeded' ? fromTooLong(found) : found
  const type = ownType(failure) ?? (details['reason'] === 'model_not_found' ? types.NOT_FOUND : types[code])
  return { type: 'error', error: { type, message }, request_id: meta.requestId }
}

/** Begins with the upstream's own sentence, which has the numbers of tokens, if it sent one. */
function fromTooLong(message: string): string {
  const at = message.indexOf(tooLong)
  return at < 0 ? `${tooLong}: ${message}` : message.slice(at)
}
