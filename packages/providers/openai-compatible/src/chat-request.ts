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

/** A part of a request, with warnings. */
interface Fields {
  readonly fields: Options
  readonly warnings: readonly Issue[]
}

/** The request of a chat completion, without the parameters that the model does not support. */
export function toChatRequest(request: TextRequest, settings: RequestSettings): WireRequest {
  const { dialect, rule, chosen, leftOut, optionsOf } = settings
  const { isReasoning } = chosen
  const parts = [
    samplingOf(request, dialect, rule, isReasoning),
    { fields: chosen.effort ? effortFields(dialect.reasoning, chosen.effort) : {}, warnings: chosen.warnings },
    toolFields(request, dialect, optionsOf),
    responseFormat(request.responseFormat, dialect),
  ]
  const { model, maxTokens } = request
  const { messages, warnings } = dialect.laterSystem
    ? { messages: request.messages, warnings: [] }
    : systemFirst(request.messages, optionsOf)
  const body: Options = {
    model,
    messages: toChatMessages(messages, { dialect, optionsOf, isReasoning }),
    ...(maxTokens !== undefined && { [dialect.maxTokensField ?? 'max_tokens']: maxTokens }),
    ...Object.assign({}, ...parts.map(({ fields }) => fields)),
  }
  const own = request.native?.['openai-chat']
  return {
    body: withOptions(own ? withOwnFields(body, own) : body, optionsOf(request)),
    warnings: [...parts.flatMap((part) => part.warnings), ...warnings, ...leftOut],
  }
}

/** The sampling parameters of a request that its model supports. */
export function samplingOf(
  request: TextRequest,
  { seedField = 'seed', penalties = true, stop = true }: Dialect,
  { ignores = [], ignoresWhenReasoning = [] }: ModelRule,
  isReasoning: boolean,
): Fields {
  const fields: Record<string, unknown> = {}
  const warnings: Issue[] = []
  const names = {
    ...parameterNames,
    seed: seedField,
    ...(!penalties && { frequencyPenalty: null, presencePenalty: null }),
    ...(!stop && { stop: null }),
  }
  for (const field of samplingFields) {
    const value = request[field]
    if (value === undefined) continue
    const name = names[field]
    if (name === null || ignores.includes(field) || (isReasoning && ignoresWhenReasoning.includes(field))) {
      if (isSet(request, field)) warnings.push(unsupported(field))
    } else if (isSet(request, field) || field === 'temperature' || request.native) {
      // The upstream's own default temperature may differ from ours; that of the others does not. A client of the API gets
      // what it asked for.
      fields[name] = value
    }
  }
  return { fields, warnings }
}

function toolFields(request: TextRequest, dialect: Dialect, optionsOf: OptionsOf): Fields {
  const { tools = [], toolChoice, parallelToolCalls } = request
  const { toolChoice: takesChoice = true, parallelToolCalls: takesParallel = true, strictTools = true } = dialect
  // Without tools, the model can call none.
  if (tools.length === 0 || (toolChoice?.type === 'none' && !takesChoice)) return { fields: {}, warnings: [] }
  const sendsChoice = toolChoice !== undefined && takesChoice
  const isChoiceLost = toolChoice !== undefined && toolChoice.type !== 'auto' && !takesChoice
  return {
    fields: {
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
      ...(sendsChoice && {
        tool_choice:
          toolChoice.type === 'tool' ? { type: 'function', function: { name: toolChoice.name } } : toolChoice.type,
      }),
      ...(parallelToolCalls !== undefined && takesParallel && { parallel_tool_calls: parallelToolCalls }),
    },
    warnings: [
      ...(isChoiceLost ? [unsupported('toolChoice')] : []),
      ...(parallelToolCalls === false && !takesParallel ? [unsupported('parallelToolCalls')] : []),
      ...(tools.some(({ strict }) => strict === true) && !strictTools ? [unsupported('tools')] : []),
    ],
  }
}

function responseFormat(format: ResponseFormat | undefined, dialect: Dialect): Fields {
  const { jsonAnswers = 'json_schema', jsonObjects = jsonAnswers !== null } = dialect
  if (!format) return { fields: {}, warnings: [] }
  if (jsonAnswers === null) return { fields: {}, warnings: [unsupported('responseFormat')] }
  if (format.type === 'json' && jsonObjects) {
    return { fields: { response_format: { type: 'json_object' } }, warnings: [] }
  }
  if (jsonAnswers === 'json_object') {
    const issue = 'the schema is not supported by this model: the answer is JSON of any shape'
    const warnings = [{ field: 'responseFormat', issue }]
    return { fields: { response_format: { type: 'json_object' } }, warnings }
  }
  return { fields: { response_format: { type: 'json_schema', json_schema: jsonSchema(format) } }, warnings: [] }
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
