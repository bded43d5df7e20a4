import type { Failure } from '@fairlead/core'
import { errorStatus as usualStatus } from '@fairlead/http'

/** Anthropic's types of errors, by their usual status. Any other is an `invalid_request_error`. */
const types: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  500: 'api_error',
  502: 'api_error',
  503: 'overloaded_error',
  504: 'timeout_error',
}

/** The errors of Anthropic that callers get as they are. Errors of the account concern the operator. */
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
  const status = details['reason'] === 'model_not_found' ? 404 : usualStatus[code]
  const type = ownType(failure) ?? types[status] ?? 'invalid_request_error'
  return { type: 'error', error: { type, message }, request_id: meta.requestId }
}

/** Begins with the upstream's own sentence, which has the numbers of tokens, if it sent one. */
function fromTooLong(message: string): string {
  const at = message.indexOf(tooLong)
  return at < 0 ? `${tooLong}: ${message}` : message.slice(at)
}
