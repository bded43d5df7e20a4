import { AISDKError, APICallError, LoadAPIKeyError, LoadSettingError, NoSuchModelError } from '@ai-sdk/provider'
import { type Clock, isObject, type JsonObject, ProviderError, type ProviderFailure } from '@fairlead/core/provider'
import {
  createRedactor,
  exceedsContext,
  failureOfStatus,
  readRetryAfter,
  requestedBeyondLimit,
  readRequestId,
  tidyError,
} from '@fairlead/provider-toolkit/failure'

const redact = createRedactor([])

/**
 * Maps an error to a `ProviderError` or the signal's reason. Errors of the AI SDK hold the request, its headers and the whole reply,
 * so none is passed on, not even as a cause: only its status, its name, and its message without anything that looks like a key.
 */
export function failing(id: string, clock: Clock): (error: unknown, signal: AbortSignal) => never {
  return (error, signal) => {
    if (signal.aborted) throw signal.reason
    throw tidyError(error instanceof ProviderError ? error : toProviderError(error, clock), id, redact)
  }
}

function toProviderError(error: unknown, clock: Clock): ProviderError {
  if (APICallError.isInstance(error)) return ofCall(error, clock)
  if (LoadAPIKeyError.isInstance(error)) return new ProviderError('credential', error.message)
  if (LoadSettingError.isInstance(error) || NoSuchModelError.isInstance(error)) {
    return new ProviderError('give_up', error.message)
  }
  const field = rejections.get(error instanceof Error ? error.name : '')
  if (AISDKError.isInstance(error) && field !== undefined) {
    return new ProviderError('invalid_request', error.message, { field, detail: error.message })
  }
  // Other errors quote the response.
  if (AISDKError.isInstance(error)) return new ProviderError(failures.get(error.name) ?? 'give_up', errorName(error))
  return new ProviderError(
    'give_up',
    error instanceof Error ? `${error.name}: ${error.message}` : 'threw a value that is no error',
  )
}

/** The name of an error, with the paths of the fields that it could not read, and without their values. */
function errorName(error: Error): string {
  const paths = pathsIn(error.cause)
  return paths.length > 0 ? `${error.name}: ${paths.join(', ')}` : error.name
}

const maxPaths = 3

function pathsIn(cause: unknown): readonly string[] {
  const { issues, errors, cause: inner } = fieldsIn(cause)
  const found = [issues, errors].flat(3).flatMap((issue) => {
    const { path, errors: alternatives } = fieldsIn(issue)
    const deeper = Array.isArray(alternatives) ? pathsIn({ issues: alternatives }) : []
    return [...(Array.isArray(path) && path.length > 0 ? [path.join('.')] : []), ...deeper]
  })
  return found.length > 0 || inner === undefined ? [...new Set(found)].slice(0, maxPaths) : pathsIn(inner)
}

/** By name, because the classes differ between versions. */
const failures: ReadonlyMap<string, ProviderFailure> = new Map([
  ['AI_EmptyResponseBodyError', 'retry'],
  ['AI_InvalidResponseDataError', 'retry'],
  ['AI_JSONParseError', 'retry'],
  ['AI_TypeValidationError', 'retry'],
  ['AI_NoContentGeneratedError', 'retry'],
  ['AI_InvalidPromptError', 'invalid_request'],
])

/** Errors of the request, which name what the package does not take, and the field at fault. */
const rejections: ReadonlyMap<string, string> = new Map([
  ['AI_InvalidArgumentError', 'providerOptions'],
  ['AI_UnsupportedFunctionalityError', 'messages'],
])

function ofCall(error: APICallError, clock: Clock): ProviderError {
  const { statusCode, responseHeaders = {} } = error
  if (statusCode === undefined) return new ProviderError(error.isRetryable ? 'retry' : 'give_up', error.message)
  const { refused, field, code, param } = readUpstreamError(error.data)
  const classified = refused ? 'content_refused' : toFailure(statusCode, error.isRetryable)
  const mayNeverFit = classified === 'rate_limited' || statusCode === 413
  const requested = mayNeverFit ? requestedBeyondLimit(error.message) : undefined
  const isTooLong = requested !== undefined || exceedsContext(error.message, classified)
  const failure = isTooLong ? 'too_long' : classified
  // An upstream may quote the key that it rejects, in any form.
  if (failure === 'credential') return new ProviderError(failure, `answered ${statusCode}`)
  const retryAfterMs = isTooLong ? undefined : readRetryAfter(responseHeaders, clock.now())
  const paths = statusCode < 300 ? pathsIn(error.cause) : []
  const words = [error.message, ...(paths.length > 0 ? [paths.join(', ')] : [])].join(': ')
  return new ProviderError(failure, `answered ${statusCode}: ${words}`, {
    retryAfterMs,
    field: code === 'model_not_found' ? 'model' : field,
    detail: error.message,
    neededTokens: requested || undefined,
    upstream: { status: statusCode, code, param, requestId: readRequestId(responseHeaders), retryAfterMs },
  })
}

function toFailure(status: number, isRetryable: boolean): ProviderFailure {
  // The reply broke off, or is not what the package expects.
  if (status < 300) return 'retry'
  const failure = failureOfStatus(status)
  if (failure === 'retry' && !isRetryable) return 'give_up'
  return failure === 'give_up' && isRetryable ? 'retry' : failure
}

/** The fields of requests, by the parameters that upstreams name. */
const fields: ReadonlyMap<string, string> = new Map([
  ['max_tokens', 'maxTokens'],
  ['max_completion_tokens', 'maxTokens'],
  ['max_output_tokens', 'maxTokens'],
  ['temperature', 'temperature'],
  ['top_p', 'topP'],
  ['frequency_penalty', 'frequencyPenalty'],
  ['presence_penalty', 'presencePenalty'],
  ['seed', 'seed'],
  ['stop', 'stop'],
  ['prompt', 'messages'],
  ['input', 'messages'],
  ['messages', 'messages'],
  ['tools', 'tools'],
  ['tool_choice', 'toolChoice'],
  ['response_format', 'responseFormat'],
  ['reasoning_effort', 'reasoning'],
  ['dimensions', 'dimensions'],
  ['size', 'size'],
])

const refusals = /content_?policy|content_?filter|moderation|safety/i

/**
 * The facts that the body of an upstream's error adds to its status: `{ error: { code, type, param } }`, which most
 * upstreams send.
 */
function readUpstreamError(data: unknown) {
  const { code, type, param } = fieldsIn(fieldsIn(data)['error'])
  return {
    refused: [code, type].some((name) => typeof name === 'string' && refusals.test(name)),
    field: typeof param === 'string' ? fields.get(param) : undefined,
    code: typeof code === 'string' ? code : undefined,
    param: typeof param === 'string' ? param : undefined,
  }
}

function fieldsIn(value: unknown): JsonObject {
  return isObject(value) ? value : {}
}
