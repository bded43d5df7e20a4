import type { ProviderFailure } from '@fairlead/core/provider'
import { type ErrorReading, failureOfStatus, type UpstreamError } from '@fairlead/provider-http'
import { z } from 'zod'

const word = z.union([z.string(), z.number()]).nullish().catch(undefined)

const errorFields = z.object({
  message: z.string(),
  type: word,
  code: word,
  param: z.string().nullish().catch(undefined),
  metadata: z
    .object({ reasons: z.array(z.unknown()) })
    .optional()
    .catch(undefined),
})

/** `{ error: { … } }` as OpenAI writes it, `{ error: '…' }`, `{ message: '…' }` and `{ detail: '…' }` as others do. */
const errorBody = z.union([
  z.object({ error: errorFields }).transform(({ error }) => error),
  z.object({ error: z.string() }).transform(({ error }) => errorFields.parse({ message: error })),
  errorFields,
  z
    .object({ detail: z.union([z.string(), z.array(z.unknown())]) })
    .transform(({ detail }) =>
      errorFields.parse({ message: typeof detail === 'string' ? detail : JSON.stringify(detail) }),
    ),
  z.tuple([z.object({ error: errorFields })], z.unknown()).transform(([{ error }]) => error),
])

/** What codes and types mean that says more than the status, of whichever server they are. */
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
    context_length_exceeded: 'invalid_request',
    string_above_max_length: 'invalid_request',
    // Groq's: the model wrote no JSON of the schema; it may at the next try.
    json_validate_failed: 'retry',
  }),
)

const fields = new Map(
  Object.entries({
    messages: 'prompt',
    prompt: 'prompt',
    max_tokens: 'maxTokens',
    max_completion_tokens: 'maxTokens',
    temperature: 'temperature',
    top_p: 'topP',
    frequency_penalty: 'frequencyPenalty',
    presence_penalty: 'presencePenalty',
    seed: 'seed',
    random_seed: 'seed',
    stop: 'stop',
    size: 'size',
    quality: 'quality',
    style: 'style',
  }),
)

const aboutThePrompt = ['context_length_exceeded', 'string_above_max_length']

/** Reads the error bodies that servers of this API are known to send. */
export function explainError({ status, body }: UpstreamError): ErrorReading | undefined {
  const read = errorBody.safeParse(body)
  if (!read.success) return undefined
  const { message, type, code, param, metadata } = read.data
  const words = [code, type].map((said) => String(said ?? '').toLowerCase())
  const named = words.map((said) => failures.get(said)).find((failure) => failure !== undefined)
  const isRefusal = status === 403 && (metadata !== undefined || /usage guidelines|safety_?check/i.test(message))
  const failure = isRefusal ? 'content_refused' : (named ?? ofNumber(status, code))
  const field = words.some((said) => aboutThePrompt.includes(said))
    ? 'prompt'
    : fields.get(param?.split(/[.[]/)[0] ?? '')
  return { message, ...(failure === undefined ? {} : { failure }), ...(field === undefined ? {} : { field }) }
}

/** OpenRouter reports an upstream's status as the code of an error that it sends as a success. */
function ofNumber(status: number, code: string | number | null | undefined): ProviderFailure | undefined {
  const isStatus = typeof code === 'number' && code >= 400 && code < 600
  return status === 200 && isStatus ? failureOfStatus(code) : undefined
}
