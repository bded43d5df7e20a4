import { isObject, type JsonObject, parseJson, type ProviderFailure } from '@fairlead/core/provider'
import { type ErrorReading, exceedsContext, failureOfStatus, type UpstreamError } from '@fairlead/provider-toolkit'
import { parameterNames, samplingFields } from './model-rules.ts'
import { objectIn, objectsIn, textIn } from './sent-values.ts'

/** The codes and types that say more than the status, of all servers. */
const failures = new Map(
  Object.entries<ProviderFailure>({
    content_filter: 'content_refused',
    content_policy_violation: 'content_refused',
    moderation_blocked: 'content_refused',
    invalid_prompt: 'content_refused',
    insufficient_quota: 'credential',
    billing_hard_limit_reached: 'credential',
    invalid_api_key: 'credential',
    rate_limit_exceeded: 'rate_limited',
    rate_limit_error: 'rate_limited',
    model_not_found: 'give_up',
    deploymentnotfound: 'give_up',
    // Mistral's.
    invalid_model: 'give_up',
    context_length_exceeded: 'too_long',
    // llama.cpp
    exceed_context_size_error: 'too_long',
    string_above_max_length: 'invalid_request',
    // Groq's: the model wrote no JSON of the schema, which may work on a retry.
    json_validate_failed: 'retry',
  }),
)

/** The fields of requests, by the names of parameters. */
const fields = new Map<string, string>([
  ...samplingFields.map((field) => [parameterNames[field], field] as const),
  ...Object.entries({
    messages: 'messages',
    prompt: 'prompt',
    max_tokens: 'maxTokens',
    max_completion_tokens: 'maxTokens',
    max_output_tokens: 'maxTokens',
    tools: 'tools',
    tool_choice: 'toolChoice',
    parallel_tool_calls: 'parallelToolCalls',
    response_format: 'responseFormat',
    text: 'responseFormat',
    reasoning: 'reasoning',
    reasoning_effort: 'reasoning',
    dimensions: 'dimensions',
    random_seed: 'seed',
    size: 'size',
    quality: 'quality',
    style: 'style',
  }),
])

/** The messages of servers without a code for a model that they do not have: vLLM, Ollama, DeepSeek, OpenRouter, xAI. */
const missingModelMessage =
  /^(?:the )?model\b.{0,200}\b(?:not exist|not found)|^no endpoints found|not a valid model id|^invalid model\b/i

/** Reads the error bodies that servers of this API are known to send. */
export function explainError({ status, body }: UpstreamError): ErrorReading | undefined {
  const error = errorIn(body)
  const said = messageIn(error?.['message'])
  if (!error || !said) return undefined
  const { type, code } = error
  const { text } = said
  const param = textIn(error['param']) ?? said.param
  // OpenRouter reports the upstream's status as the code of an error that it sends with status 200.
  const sent = status === 200 && typeof code === 'number' && code >= 400 && code < 600 ? code : undefined
  const facts = { message: text, code: textIn(code), param: param || undefined, status: sent }
  const labels = [code, type].map((label) => String(label).toLowerCase())
  const labeled = labels.map((label) => failures.get(label))
  const isRefusal = status === 403 && (hasReasons(error) || /usage guidelines|safety_?check/i.test(text))
  const classified = isRefusal
    ? 'content_refused'
    : (labeled.find((failure) => failure !== undefined) ?? (sent === undefined ? undefined : failureOfStatus(sent)))
  const assumed = classified ?? failureOfStatus(status)
  const mayBeMissing = assumed === 'invalid_request' || assumed === 'give_up'
  if (labeled.includes('give_up') || (mayBeMissing && missingModelMessage.test(text))) {
    return { ...facts, failure: 'give_up', field: 'model' }
  }
  const failure = exceedsContext(text, assumed) ? 'too_long' : classified
  const isAboutPrompt = (failure ?? assumed) === 'too_long' || labels.includes('string_above_max_length')
  const named = fields.get(param?.split(/[.[]/)[0] ?? '')
  const field = isAboutPrompt && named !== 'prompt' ? 'messages' : named
  return { ...facts, failure, field }
}

/** OpenRouter's, of a moderation. */
function hasReasons({ metadata }: JsonObject): boolean {
  return Array.isArray(objectIn(metadata)?.['reasons'])
}

/** `{ error: { … } }` as OpenAI sends it, `{ error: '…' }`, `{ message: … }`, `{ detail: … }`, or a list of one as others do. */
function errorIn(body: unknown): JsonObject | undefined {
  const sent = objectIn(Array.isArray(body) ? body[0] : body)
  // An event of a stream of the Responses API has it in its response.
  const error = sent?.['error'] ?? objectIn(sent?.['response'])?.['error']
  if (isObject(error)) return error
  if (typeof error === 'string') return { message: error }
  return sent && 'detail' in sent && !('message' in sent) ? { message: sent['detail'] } : sent
}

/** A sentence, or validation errors, which Mistral sends as a list, inside an object, or as JSON in a text. */
function messageIn(message: unknown): { readonly text: string; readonly param?: string } | undefined {
  const value = typeof message === 'string' && message.startsWith('{') ? parseJson(message) : message
  // Pydantic's (Mistral, vLLM). Their `input` repeats the request, and is left out.
  const errors = objectsIn(objectIn(value)?.['detail'] ?? value).flatMap(({ loc, msg }) => {
    if (!Array.isArray(loc) || typeof msg !== 'string') return []
    return [{ path: loc.filter((part, index) => index > 0 || part !== 'body'), msg }]
  })
  if (errors.length === 0) return typeof message === 'string' ? { text: message } : undefined
  const sentences = errors.map(({ path, msg }) => (path.length > 0 ? `${path.join('.')}: ${msg}` : msg))
  return { text: sentences.join('; '), param: String(errors[0]?.path[0] ?? '') }
}
