import type { ProviderFailure } from '@fairlead/core/provider'
import { type ErrorReading, failureOfStatus, type UpstreamError } from '@fairlead/provider-toolkit'
import { z } from 'zod'
import { parameterNames, samplingFields } from './model-rules.ts'

/** Pydantic's validation errors (Mistral, vLLM). Their `input` repeats the request, and is left out. */
const validationErrors = z.array(z.object({ loc: z.array(z.union([z.string(), z.number()])), msg: z.string() })).min(1)

/** A sentence, or validation errors, which Mistral sends as a list, inside an object, or as JSON in a text. */
const message = z.union([
  z.preprocess(parsedJson, z.union([validationErrors, z.object({ detail: validationErrors })])).transform((errors) => {
    const all = (Array.isArray(errors) ? errors : errors.detail).map(({ loc, msg }) => ({
      path: loc.filter((part, index) => index > 0 || part !== 'body'),
      msg,
    }))
    const sentences = all.map(({ path, msg }) => (path.length > 0 ? `${path.join('.')}: ${msg}` : msg))
    return { text: sentences.join('; '), param: String(all[0]?.path[0] ?? '') }
  }),
  z.string().transform((text) => ({ text, param: undefined })),
])

function parsedJson(value: unknown): unknown {
  if (typeof value !== 'string' || !value.startsWith('{')) return value
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}

const word = z.union([z.string(), z.number()]).nullish().catch(undefined)

const errorFields = z.object({
  message,
  type: word,
  code: word,
  param: z.string().nullish().catch(undefined),
  metadata: z
    .object({ reasons: z.array(z.unknown()) })
    .optional()
    .catch(undefined),
})

/** `{ error: { … } }` as OpenAI sends it, `{ error: '…' }`, `{ message: … }`, and `{ detail: … }` as others do. */
const errorBody = z.union([
  z.object({ error: errorFields }).transform(({ error }) => error),
  // An event of a stream of the Responses API.
  z.object({ response: z.object({ error: errorFields }) }).transform(({ response }) => response.error),
  z.object({ error: z.string() }).transform(({ error }) => errorFields.parse({ message: error })),
  errorFields,
  z.object({ detail: message }).transform(({ detail }) => ({ ...errorFields.parse({ message: '' }), message: detail })),
  z.tuple([z.object({ error: errorFields })], z.unknown()).transform(([{ error }]) => error),
])

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

/** The messages of servers without a code for prompts that exceed the context: vLLM, llama.cpp, DeepSeek, Mistral, xAI. */
const contextMessage = /context (?:length|size|window)|maximum prompt length|input token count/i

const missingModelCodes = ['model_not_found', 'deploymentnotfound', 'invalid_model']

/** The messages of servers without a code for a model that they do not have: vLLM, Ollama, DeepSeek, OpenRouter, xAI. */
const missingModelMessage =
  /^(?:the )?model\b.{0,200}\b(?:not exist|not found)|^no endpoints found|not a valid model id|^invalid model\b/i

/** Reads the error bodies that servers of this API are known to send. */
export function explainError({ status, body }: UpstreamError): ErrorReading | undefined {
  const read = errorBody.safeParse(body)
  if (!read.success) return undefined
  const { message: said, type, code, metadata } = read.data
  const param = read.data.param ?? said.param
  const codeAndParam = {
    ...(typeof code === 'string' && { code }),
    ...(param != null && param !== '' && { param }),
    ...(isStatus(code) && status === 200 && { status: code }),
  }
  const labels = [code, type].map((label) => String(label ?? '').toLowerCase())
  const labelled = labels.map((label) => failures.get(label)).find((failure) => failure !== undefined)
  const isRefusal = status === 403 && (metadata !== undefined || /usage guidelines|safety_?check/i.test(said.text))
  const classified = isRefusal ? 'content_refused' : (labelled ?? failureOfCode(status, code))
  const isInvalid = (classified ?? failureOfStatus(status)) === 'invalid_request'
  const failure = isInvalid && contextMessage.test(said.text) ? 'too_long' : classified
  const isMissing =
    labels.some((label) => missingModelCodes.includes(label)) ||
    ((isInvalid || (classified ?? failureOfStatus(status)) === 'give_up') && missingModelMessage.test(said.text))
  if (isMissing) return { failure: 'give_up', message: said.text, field: 'model', ...codeAndParam }
  const isAboutPrompt = failure === 'too_long' || labels.includes('string_above_max_length')
  const named = fields.get(param?.split(/[.[]/)[0] ?? '')
  const field = isAboutPrompt && named !== 'prompt' ? 'messages' : named
  return {
    message: said.text,
    ...(failure === undefined ? {} : { failure }),
    ...(field === undefined ? {} : { field }),
    ...codeAndParam,
  }
}

/** OpenRouter reports the upstream's status as the code of an error that it sends with status 200. */
function failureOfCode(status: number, code: string | number | null | undefined): ProviderFailure | undefined {
  return status === 200 && isStatus(code) ? failureOfStatus(code) : undefined
}

function isStatus(code: string | number | null | undefined): code is number {
  return typeof code === 'number' && code >= 400 && code < 600
}
