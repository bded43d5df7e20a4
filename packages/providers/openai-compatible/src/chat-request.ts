import type { Issue, JsonSchema, ResponseFormat, TextRequest } from '@fairlead/core/provider'
import { isSet, unsupported, withOptions } from '@fairlead/provider-toolkit'
import { systemFirst, toChatMessages } from './chat-messages.ts'
import type { Dialect } from './dialect.ts'
import { type ChosenEffort, effortFields, type ModelRule, parameterNames, samplingFields } from './model-rules.ts'
import { withOwnFields } from './native.ts'
import type { Options, OptionsOf } from './parts.ts'

/** A request in the form of an upstream. */
export interface WireRequest {
  readonly body: Options
  /** Settings of the request or the provider that the model does not support. */
  readonly warnings: readonly Issue[]
}

export interface RequestSettings {
  readonly dialect: Dialect
  readonly rule: ModelRule
  readonly chosen: ChosenEffort
  /** Warnings about options that the operator does not allow. */
  readonly leftOut: readonly Issue[]
  readonly optionsOf: OptionsOf
}

/** The request of a chat completion, without the parameters that the model does not support. */
export function toChatRequest(request: TextRequest, settings: RequestSettings): WireRequest {
  const { dialect, rule, chosen, leftOut, optionsOf } = settings
  const { isReasoning } = chosen
  const { model, maxTokens } = request
  const warnings = chosen.warnings.slice()
  const messages = dialect.laterSystem ? request.messages : systemFirst(request.messages, optionsOf, warnings)
  const body: Options = {
    model,
    messages: toChatMessages(messages, { dialect, optionsOf, isReasoning }),
    ...(maxTokens !== undefined && { [dialect.maxTokensField ?? 'max_tokens']: maxTokens }),
    ...samplingOf(request, dialect, rule, isReasoning, warnings),
    ...(chosen.effort && effortFields(dialect.reasoning, chosen.effort)),
    ...toolFields(request, dialect, optionsOf, warnings),
    ...responseFormat(request.responseFormat, dialect, warnings),
  }
  const own = request.native?.['openai-chat']
  return {
    body: withOptions(own ? withOwnFields(body, own) : body, optionsOf(request)),
    warnings: warnings.concat(leftOut),
  }
}

/**
 * The sampling parameters of a request that its model supports.
 *
 * @param warnings receives those about the other ones
 */
export function samplingOf(
  request: TextRequest,
  { seedField = 'seed', penalties = true, stop = true }: Dialect,
  { ignores = [], ignoresWhenReasoning = [] }: ModelRule,
  isReasoning: boolean,
  warnings: Issue[],
): Options {
  const fields: Record<string, unknown> = {}
  for (let at = 0; at < samplingFields.length; at++) {
    const field = samplingFields[at]!
    const value = request[field]
    if (value === undefined) continue
    const isPenalty = field === 'frequencyPenalty' || field === 'presencePenalty'
    const isTaken = !(isPenalty && !penalties) && !(field === 'stop' && !stop)
    const name = field === 'seed' ? seedField : parameterNames[field]
    if (!isTaken || name === null || ignores.includes(field) || (isReasoning && ignoresWhenReasoning.includes(field))) {
      if (isSet(request, field)) warnings.push(unsupported(field))
    } else if (isSet(request, field) || field === 'temperature' || request.native) {
      // The upstream's own default temperature may differ from ours; that of the others does not. A client of the API gets
      // what it asked for.
      fields[name] = value
    }
  }
  return fields
}

function toolFields(request: TextRequest, dialect: Dialect, optionsOf: OptionsOf, warnings: Issue[]): Options {
  const { tools = [], toolChoice, parallelToolCalls } = request
  const { toolChoice: takesChoice = true, parallelToolCalls: takesParallel = true, strictTools = true } = dialect
  // Without tools, the model can call none.
  if (tools.length === 0 || (toolChoice?.type === 'none' && !takesChoice)) return {}
  if (toolChoice && toolChoice.type !== 'auto' && !takesChoice) warnings.push(unsupported('toolChoice'))
  if (parallelToolCalls === false && !takesParallel) warnings.push(unsupported('parallelToolCalls'))
  if (tools.some(({ strict }) => strict === true) && !strictTools) warnings.push(unsupported('tools'))
  return {
    tools: tools.map(({ name, description, inputSchema, strict, providerOptions }) => ({
      ...optionsOf({ providerOptions }),
      type: 'function',
      function: {
        name,
        ...(description !== undefined && { description }),
        parameters: inputSchema,
        ...(strict !== undefined && strictTools && { strict }),
      },
    })),
    ...(toolChoice &&
      takesChoice && {
        tool_choice:
          toolChoice.type === 'tool' ? { type: 'function', function: { name: toolChoice.name } } : toolChoice.type,
      }),
    ...(parallelToolCalls !== undefined && takesParallel && { parallel_tool_calls: parallelToolCalls }),
  }
}

function responseFormat(format: ResponseFormat | undefined, dialect: Dialect, warnings: Issue[]): Options {
  const { jsonAnswers = 'json_schema', jsonObjects = jsonAnswers !== null } = dialect
  if (!format) return {}
  if (jsonAnswers === null) {
    warnings.push(unsupported('responseFormat'))
    return {}
  }
  if (format.type === 'json' && jsonObjects) return { response_format: { type: 'json_object' } }
  if (jsonAnswers === 'json_schema') {
    return { response_format: { type: 'json_schema', json_schema: jsonSchema(format) } }
  }
  const issue = 'the schema is not supported by this model: the answer is JSON of any shape'
  warnings.push({ field: 'responseFormat', issue })
  return { response_format: { type: 'json_object' } }
}

/** The schema in the form of both APIs. A format without one is any object. */
export function jsonSchema(format: ResponseFormat) {
  if (format.type === 'json') return { name: 'answer', schema: { type: 'object' }, strict: false }
  const { name = 'answer', description, schema, strict } = format
  return {
    name,
    ...(description !== undefined && { description }),
    schema,
    strict: strict ?? isStrictSchema(schema),
  }
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
