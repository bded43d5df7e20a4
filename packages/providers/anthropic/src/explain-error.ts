import type { ProviderFailure } from '@fairlead/core/provider'
import { type ErrorReading, exceedsContext, type UpstreamError } from '@fairlead/provider-toolkit'
import { errorReply } from './wire.ts'

/** https://platform.claude.com/docs/en/api/errors */
const failures: Readonly<Record<string, ProviderFailure>> = {
  invalid_request_error: 'invalid_request',
  request_too_large: 'too_long',
  authentication_error: 'credential',
  billing_error: 'credential',
  permission_error: 'credential',
  // The key may lack access to the model; another target may have it.
  not_found_error: 'give_up',
  rate_limit_error: 'rate_limited',
  timeout_error: 'timeout',
  api_error: 'retry',
  overloaded_error: 'retry',
}

/** The statuses of errors that are also sent within a stream. */
const statuses: ReadonlyMap<string, number> = new Map([
  ['invalid_request_error', 400],
  ['rate_limit_error', 429],
  ['api_error', 500],
  ['timeout_error', 504],
  ['overloaded_error', 529],
])

/** Invalid requests because of the account: it has no credit, or is on hold. */
const ofTheAccount = /spend_limit|billing|on_hold|key_creator/
const noCredit = /credit balance|spend limit|usage limits/i

/** Classifies the errors of replies and streams. */
export function explainError({ status, body }: UpstreamError): ErrorReading | undefined {
  const read = errorReply.safeParse(body)
  if (!read.success) return undefined
  const { type, message, details } = read.data.error
  const isOfAccount = ofTheAccount.test(details?.error_code ?? '') || noCredit.test(message)
  const classified = isOfAccount ? 'credential' : Object.hasOwn(failures, type) ? failures[type] : undefined
  const isTooLong = classified !== undefined && exceedsContext(message, classified)
  const failure = isTooLong ? 'too_long' : classified
  const field = isTooLong ? 'messages' : findField(type, message)
  return { failure, message, code: type, field, status: status === 200 ? statuses.get(type) : undefined }
}

const fields: Readonly<Record<string, string>> = {
  max_tokens: 'maxTokens',
  messages: 'messages',
  model: 'model',
  output_config: 'responseFormat',
  prompt: 'messages',
  stop_sequences: 'stop',
  system: 'messages',
  temperature: 'temperature',
  thinking: 'reasoning',
  tool_choice: 'toolChoice',
  tools: 'tools',
  top_p: 'topP',
}

/** Validation messages begin with the field: `max_tokens: 200000 > 128000, …`, `prompt is too long: …`. */
function findField(type: string, message: string): string | undefined {
  if (type === 'request_too_large') return 'messages'
  // The conversation ends with an answer, which the model does not continue.
  if (/\bprefill\b/i.test(message)) return 'messages'
  const [, name = ''] = /^([a-z_]+)(?:[.:]| is )/.exec(message) ?? []
  return Object.hasOwn(fields, name) ? fields[name] : undefined
}
