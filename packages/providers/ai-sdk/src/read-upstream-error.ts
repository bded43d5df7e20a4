/** What the body of an upstream's error adds to its status. */
export interface UpstreamError {
  readonly refused: boolean
  /** The invalid field of the request. */
  readonly field: string | undefined
  readonly code: string | undefined
  readonly param: string | undefined
}

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

/** Reads `{ error: { code, type, param } }`, which most upstreams send. */
export function readUpstreamError(data: unknown): UpstreamError {
  const { code, type, param } = record(record(data).error)
  return {
    refused: [code, type].some((name) => typeof name === 'string' && refusals.test(name)),
    field: typeof param === 'string' ? fields.get(param) : undefined,
    code: typeof code === 'string' ? code : undefined,
    param: typeof param === 'string' ? param : undefined,
  }
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}
