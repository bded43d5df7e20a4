import type { Issue, JsonSchema, TextRequest } from '@fairlead/core/provider'
import type { Dialect } from './dialect.ts'
import { chooseEffort, type Effort, effortFields, type ModelRule, type SamplingField } from './model-rules.ts'

export interface ChatRequest {
  readonly body: Readonly<Record<string, unknown>>
  /** Settings of the request or the provider that the model does not support. */
  readonly warnings: readonly Issue[]
}

/**
 * The request of a chat completion, without the parameters that the model does not support.
 *
 * @param configured the provider's `effort`. Default: the lowest that the model accepts
 */
export function toChatRequest(
  request: TextRequest,
  dialect: Dialect,
  rule: ModelRule,
  configured: Effort | undefined,
): ChatRequest {
  const { effort, warnings } = chooseEffort(rule, configured)
  const isReasoning = effort !== undefined && effort !== 'none'
  const parameters = samplingParameters(request, dialect, rule, isReasoning)
  return {
    body: {
      model: request.model,
      messages: [{ role: 'user', content: request.prompt }],
      [dialect.maxTokensField ?? 'max_tokens']: request.maxTokens,
      ...Object.fromEntries(parameters.filter(({ isSent }) => isSent).map(({ name, value }) => [name, value])),
      ...(effort && effortFields(dialect.reasoning, effort)),
      ...responseFormat(request, dialect),
    },
    warnings: [
      ...parameters.flatMap(({ field, isSent, isSet }) => (isSet && !isSent ? [unsupported(field)] : [])),
      ...warnings,
    ],
  }
}

/** Core's defaults: a parameter with this value counts as not set. */
const defaults = { temperature: 0.7, topP: 1, frequencyPenalty: 0, presencePenalty: 0 }

interface Parameter {
  /** The name in Fairlead's interface. */
  readonly field: SamplingField
  /** The name on the wire. */
  readonly name: string
  readonly value: unknown
  readonly isSet: boolean
  readonly isSent: boolean
}

function samplingParameters(
  request: TextRequest,
  { seedField = 'seed', penalties = true, stop = true }: Dialect,
  { ignores = [], ignoresWhenReasoning = [] }: ModelRule,
  isReasoning: boolean,
): readonly Parameter[] {
  const parameter = (field: SamplingField, name: string, serverTakesIt = true): Parameter => {
    const value = request[field]
    const isSet = value !== undefined && value !== defaults[field as keyof typeof defaults]
    const isIgnored = ignores.includes(field) || (isReasoning && ignoresWhenReasoning.includes(field))
    // The server's own default temperature may differ from ours: it is always sent.
    return { field, name, value, isSet, isSent: serverTakesIt && !isIgnored && (isSet || field === 'temperature') }
  }
  return [
    parameter('temperature', 'temperature'),
    parameter('topP', 'top_p'),
    parameter('frequencyPenalty', 'frequency_penalty', penalties),
    parameter('presencePenalty', 'presence_penalty', penalties),
    parameter('seed', seedField ?? '', seedField !== null),
    parameter('stop', 'stop', stop),
  ]
}

function unsupported(field: string): Issue {
  return { field, issue: 'is not supported by this model and was ignored' }
}

function responseFormat({ responseSchema: schema }: TextRequest, { jsonAnswers = 'json_schema' }: Dialect) {
  if (!schema || jsonAnswers === null) return {}
  if (jsonAnswers === 'json_object') return { response_format: { type: 'json_object' } }
  const json_schema = { name: 'answer', schema, strict: isStrictSchema(schema) }
  return { response_format: { type: 'json_schema', json_schema } }
}

/**
 * Whether servers can enforce a schema: every object requires all of its properties and allows no others (OpenAI,
 * structured outputs, supported schemas). Servers follow any other schema on a best-effort basis.
 */
function isStrictSchema(schema: JsonSchema): boolean {
  const { properties, required, additionalProperties } = schema
  if (schema['type'] === 'object' || properties !== undefined) {
    const names = Object.keys((properties ?? {}) as object)
    const requiresAll = Array.isArray(required) && names.every((name) => required.includes(name))
    if (!requiresAll || additionalProperties !== false) return false
  }
  return Object.entries(schema).every(([name, value]) => name === 'enum' || name === 'const' || isStrictPart(value))
}

function isStrictPart(part: unknown): boolean {
  if (Array.isArray(part)) return part.every(isStrictPart)
  if (typeof part !== 'object' || part === null) return true
  return isStrictSchema(part as JsonSchema)
}
