import type { ErrorCode, Failure } from '@fairlead/core'
import { errorStatus as usualStatus } from '@fairlead/http'

type Names = Readonly<Partial<Record<ErrorCode, string>>>

/** The types of OpenAI's errors. Any other is an `invalid_request_error`, or with a status of 500 and above a `server_error`. */
const types: Names = {
  IDEMPOTENCY_KEY_REUSED: 'idempotency_error',
  QUOTA_EXCEEDED: 'insufficient_quota',
  BUDGET_EXCEEDED: 'insufficient_quota',
  RATE_LIMIT_EXCEEDED: 'requests',
}
/** The codes of the errors that have one. */
const codes: Names = {
  CONTENT_REFUSED: 'content_filter',
  UNAUTHORIZED: 'invalid_api_key',
  FORBIDDEN: 'insufficient_permissions',
  NOT_FOUND: 'unknown_url',
  METHOD_NOT_ALLOWED: 'method_not_supported',
  QUOTA_EXCEEDED: 'insufficient_quota',
  BUDGET_EXCEEDED: 'insufficient_quota',
  RATE_LIMIT_EXCEEDED: 'rate_limit_exceeded',
}

/** An error in OpenAI's form: https://platform.openai.com/docs/guides/error-codes */
export function toErrorBody({ error: { code, message, details }, upstream }: Failure) {
  const type = types[code] ?? (usualStatus[code] < 500 ? 'invalid_request_error' : 'server_error')
  const param = chooseParam(details.field, upstream?.param)
  return { error: { message, type, param, code: details['reason'] ?? upstream?.code ?? codes[code] ?? null } }
}

/** The upstream names the place in the field, `messages[0].content`. If its API is another one, its name does not fit. */
function chooseParam(field: string | null, param: string | undefined): string | null {
  return field === null || param?.split(/[.[]/)[0] === field ? (param ?? field) : field
}

/** OpenAI answers 404 where the model is unknown. */
export function errorStatus({ error: { details } }: Failure): number | undefined {
  return details['reason'] === 'model_not_found' ? 404 : undefined
}
