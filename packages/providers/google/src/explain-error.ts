import type { ProviderFailure } from '@fairlead/core/provider'
import { type ErrorReading, exceedsContext, type UpstreamError } from '@fairlead/provider-toolkit'
import { errorReply } from './wire.ts'

/** https://ai.google.dev/gemini-api/docs/troubleshooting and google.rpc.Code */
const failures: Readonly<Record<string, ProviderFailure>> = {
  INVALID_ARGUMENT: 'invalid_request',
  OUT_OF_RANGE: 'invalid_request',
  // Because of the account's country or billing, not the request.
  FAILED_PRECONDITION: 'credential',
  UNAUTHENTICATED: 'credential',
  PERMISSION_DENIED: 'credential',
  // The key may lack access to the model; another target may have it.
  NOT_FOUND: 'give_up',
  UNIMPLEMENTED: 'give_up',
  RESOURCE_EXHAUSTED: 'rate_limited',
  DEADLINE_EXCEEDED: 'timeout',
  ABORTED: 'retry',
  CANCELLED: 'retry',
  DATA_LOSS: 'retry',
  INTERNAL: 'retry',
  UNAVAILABLE: 'retry',
  UNKNOWN: 'retry',
}

/** Classifies the errors of replies and streams. */
export function explainError({ body }: UpstreamError): ErrorReading | undefined {
  const read = errorReply.safeParse(body)
  if (!read.success) return undefined
  const { status = '', message, details = [] } = read.data.error
  const isOfKey = details.some(({ reason }) => reason === 'API_KEY_INVALID')
  const classified = isOfKey ? 'credential' : Object.hasOwn(failures, status) ? failures[status] : undefined
  const isMissing = status === 'NOT_FOUND' && message.startsWith('models/')
  const isTooLong = classified !== undefined && exceedsContext(message, classified)
  const named = classified === 'invalid_request' ? findField(message) : isMissing ? 'model' : undefined
  const field = isTooLong ? 'messages' : named
  const failure = isTooLong ? 'too_long' : classified
  const retryAfterMs = parseWait(details.find(({ retryDelay }) => retryDelay !== undefined)?.retryDelay)
  return { failure, message, code: status || undefined, field, retryAfterMs }
}

/** Messages name the field: `* GenerateContentRequest.generation_config.stop_sequences: …`. */
const fields: readonly (readonly [RegExp, string])[] = [
  [/max_?output_?tokens/i, 'maxTokens'],
  [/stop_?sequences/i, 'stop'],
  [/top_?p\b/i, 'topP'],
  [/temperature/i, 'temperature'],
  [/frequency_?penalty/i, 'frequencyPenalty'],
  [/presence_?penalty/i, 'presencePenalty'],
  [/\bseed\b/i, 'seed'],
  [/aspect_?ratio|image_?size/i, 'size'],
  [/output_?dimensionality/i, 'dimensions'],
  [/response_?(json_?)?schema|response[_ ]?mime[_ ]?type/i, 'responseFormat'],
  [/function_?declarations|parameters_?json_?schema/i, 'tools'],
  [/function_?calling_?config|allowed_?function_?names/i, 'toolChoice'],
  [/thinking[_ ]?(config|level|budget)/i, 'reasoning'],
  [/contents|input token count/i, 'messages'],
]

function findField(message: string): string | undefined {
  return fields.find(([pattern]) => pattern.test(message))?.[1]
}

/** A protobuf duration in JSON: `34.07s`. */
function parseWait(duration: string | undefined): number | undefined {
  const [, seconds] = /^(\d+(?:\.\d+)?)s$/.exec(duration ?? '') ?? []
  return seconds === undefined ? undefined : Math.ceil(Number(seconds) * 1_000)
}
