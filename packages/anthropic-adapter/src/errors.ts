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

/** Anthropic's own status where it differs: https://platform.claude.com/docs/en/api/errors */
export function errorStatus({ error: { code, details } }: Failure): number | undefined {
  if (details['reason'] === 'model_not_found') return 404
  return code === 'PROVIDER_UNAVAILABLE' || code === 'SERVICE_UNAVAILABLE' ? 529 : undefined
}

/** Clients look for these words at the beginning, and then shorten the conversation. */
const tooLong = 'prompt is too long'

/** An error in Anthropic's form. */
export function toErrorBody({ error: { code, message: found, details }, meta }: Failure) {
  const message = details['reason'] === 'context_length_exceeded' ? fromTooLong(found) : found
  const type = details['reason'] === 'model_not_found' ? types.NOT_FOUND : types[code]
  return { type: 'error', error: { type, message }, request_id: meta.requestId }
}

/** Begins with the upstream's own sentence, which has the numbers of tokens, if it sent one. */
function fromTooLong(message: string): string {
  const at = message.indexOf(tooLong)
  return at < 0 ? `${tooLong}: ${message}` : message.slice(at)
}
