import type { ErrorCode, Failure } from '@fairlead/core'

/** What clients branch on: `type` as in OpenAI's errors, and `code` where OpenAI has one. */
const kinds: Readonly<Record<ErrorCode, readonly [type: string, code: string | null]>> = {
  INVALID_REQUEST: ['invalid_request_error', null],
  CONTENT_REFUSED: ['invalid_request_error', 'content_filter'],
  UNAUTHORIZED: ['invalid_request_error', 'invalid_api_key'],
  FORBIDDEN: ['invalid_request_error', 'insufficient_permissions'],
  NOT_FOUND: ['invalid_request_error', 'unknown_url'],
  METHOD_NOT_ALLOWED: ['invalid_request_error', 'method_not_supported'],
  CONFLICT: ['invalid_request_error', null],
  PRECONDITION_FAILED: ['invalid_request_error', null],
  PAYLOAD_TOO_LARGE: ['invalid_request_error', null],
  UNSUPPORTED_MEDIA_TYPE: ['invalid_request_error', null],
  IDEMPOTENCY_KEY_REUSED: ['idempotency_error', null],
  QUOTA_EXCEEDED: ['insufficient_quota', 'insufficient_quota'],
  RATE_LIMIT_EXCEEDED: ['requests', 'rate_limit_exceeded'],
  INTERNAL_ERROR: ['server_error', null],
  PROVIDER_ERROR: ['server_error', null],
  PROVIDER_UNAVAILABLE: ['server_error', null],
  SERVICE_UNAVAILABLE: ['server_error', null],
  PROVIDER_TIMEOUT: ['server_error', null],
}

/** An error in OpenAI's form: https://platform.openai.com/docs/guides/error-codes */
export function toErrorBody({ error: { code, message, details }, upstream }: Failure) {
  const [type, name] = kinds[code]
  const param = paramOf(details.field, upstream?.param)
  return { error: { message, type, param, code: details['reason'] ?? upstream?.code ?? name } }
}

/** The upstream names the place in the field, `messages[0].content`. If its API is another one, its name does not fit. */
function paramOf(field: string | null, param: string | undefined): string | null {
  return field === null || param?.split(/[.[]/)[0] === field ? (param ?? field) : field
}

/** OpenAI answers 404 where the model is unknown. */
export function errorStatus({ error: { details } }: Failure): number | undefined {
  return details['reason'] === 'model_not_found' ? 404 : undefined
}
