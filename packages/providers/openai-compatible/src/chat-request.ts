import type { Issue, JsonSchema, ResponseFormat, TextRequest, Tool } from '@fairlead/core/provider'
import { isSet, outsideStrict, toFunctionSchema, unsupported, withOptions } from '@fairlead/provider-toolkit'
import { systemFirst, toChatMessages } from './chat-messages.ts'
import type { ServerDialect, Options, OptionsOf, RequestSettings } from './dialect.ts'
import { effortFields, parameterNames, samplingFields } from './model-rules.ts'
import { withOwnFields } from './native.ts'

/** @param id of the provider */
export function optionsFor(id: string): OptionsOf {
  return ({ providerOptions }) => providerOptions?.[id]
}

/** The body of a request, while it is written field by field. */
export type Body = Record<string, unknown>

/** A request in the form of an upstream. */
export interface WireRequest {
  readonly body: Body
  /** Settings of the request or the provider that the model does not support. */
  readonly warnings: readonly Issue[]
}

/** The request of a chat completion, without the parameters that the model does not support. */
export function toChatRequest(request: TextRequest, settings: RequestSettings): WireRequest {
  const { dialect, chosen, leftOut, optionsOf } = settings
  const { model, maxTokens, tools, responseFormat } = request
  const warnings = chosen.warnings.slice()
  const messages = dialect.laterSystem ? request.messages : systemFirst(request.messages, optionsOf, warnings)
  const body: Body = { model, messages: toChatMessages(messages, settings) }
  if (maxTokens !== undefined) body[dialect.maxTokensField ?? 'max_tokens'] = maxTokens
  addSampling(body, request, settings, dialect, warnings)
  if (chosen.effort) Object.assign(body, effortFields(dialect.reasoning, chosen.effort))
  const own = request.native?.['openai-chat']
  // Tools with options for single providers are not in the client's own form.
  const hasOwnTools = own?.['tools'] !== undefined
  if (tools?.length && !hasOwnTools) Object.assign(body, toolFields(tools, request, settings, warnings))
  if (responseFormat) Object.assign(body, formatFields(responseFormat, dialect, warnings))
  return {
    body: withOptions(own ? withOwnFields(body, own, hasOwnTools) : body, optionsOf(request)),
    warnings: warnings.concat(leftOut),
  }
}

/**
 * Adds the sampling parameters of a request that its model supports.
 *
 * @param dialect of the API, which may take fewer of them than the server's
 * @param warnings receives those about the other ones
 */
export function addSampling(
  body: Body,
  request: TextRequest,
  { rule: { ignores = [], ignoresWhenReasoning = [] }, chosen: { isReasoning } }: RequestSettings,
  { seedField = 'seed', penalties = true, stop = true }: ServerDialect,
  warnings: Issue[],
): void {
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
      // The upstream's own default temperature may differ from ours, unlike the other defaults. A client of the API
      // gets what it asked for.
      body[name] = value
    }
  }
}

function toolFields(
  tools: readonly Tool[],
  { toolChoice, parallelToolCalls }: TextRequest,
  { dialect, optionsOf }: RequestSettings,
  warnings: Issue[],
): Options {
  const { toolChoice: takesChoice = true, parallelToolCalls: takesParallel = true, strictTools = true } = dialect
  // Without tools, the model can call none.
  if (toolChoice?.type === 'none' && !takesChoice) return {}
  if (toolChoice && toolChoice.type !== 'auto' && !takesChoice) warnings.push(unsupported('toolChoice'))
  if (parallelToolCalls === false && !takesParallel) warnings.push(unsupported('parallelToolCalls'))
  if (tools.some(({ strict }) => strict === true) && !strictTools) warnings.push(unsupported('tools'))
  return {
    tools: tools.map(({ providerOptions, ...tool }, index) => ({
      ...optionsOf({ providerOptions }),
      type: 'function',
      function: toFunction(tool, index, dialect, warnings),
    })),
    ...(toolChoice &&
      takesChoice && {
        tool_choice:
          toolChoice.type === 'tool' ? { type: 'function', function: { name: toolChoice.name } } : toolChoice.type,
      }),
    ...(parallelToolCalls !== undefined && takesParallel && { parallel_tool_calls: parallelToolCalls }),
  }
}

function formatFields(format: ResponseFormat, dialect: ServerDialect, warnings: Issue[]): Options {
  const { jsonAnswers = 'json_schema', jsonObjects = jsonAnswers !== null } = dialect
  if (jsonAnswers === null) {
    warnings.push(unsupported('responseFormat'))
    return {}
  }
  if (format.type === 'json' && jsonObjects) return { response_format: { type: 'json_object' } }
  if (jsonAnswers === 'json_schema') {
    return { response_format: { type: 'json_schema', json_schema: jsonSchema(format, warnings) } }
  }
  const issue = 'the schema is not supported by this model: the answer is JSON of any shape'
  warnings.push({ field: 'responseFormat', issue })
  return { response_format: { type: 'json_object' } }
}

/**
 * A tool in the form of both APIs, with a schema that the server takes.
 *
 * @param warnings receives those about changes that the model notices
 */
export function toFunction(
  { name, description, inputSchema, strict }: Tool,
  index: number,
  { checksToolSchemas = false, strictTools = true }: ServerDialect,
  warnings: Issue[],
) {
  const changed: string[] = []
  const parameters = checksToolSchemas ? toFunctionSchema(inputSchema, changed) : inputSchema
  const field = `tools[${index}].inputSchema`
  if (changed.length > 0) warnings.push({ field, issue: `the model does not see ${changed.join(', ')} of the root` })
  return {
    name,
    ...(description !== undefined && { description }),
    parameters,
    ...(strict !== undefined && strictTools && { strict: strict && isEnforceable(parameters, field, warnings) }),
  }
}

/**
 * The schema in the form of both APIs. A format without one is any object.
 *
 * @param warnings receives one if the server cannot enforce a strict schema
 */
export function jsonSchema(format: ResponseFormat, warnings: Issue[]) {
  if (format.type === 'json') return { name: 'answer', schema: { type: 'object' }, strict: false }
  const { name = 'answer', description, schema, strict } = format
  return {
    name,
    ...(description !== undefined && { description }),
    schema,
    strict: strict ? isEnforceable(schema, 'responseFormat.schema', warnings) : (strict ?? !outsideStrict(schema)),
  }
}

/** Whether the server can hold the model to a schema. It rejects any other if it is strict. */
function isEnforceable(schema: JsonSchema, field: string, warnings: Issue[]): boolean {
  const outside = outsideStrict(schema)
  if (outside !== undefined) warnings.push({ field, issue: `is followed without a guarantee, because of ${outside}` })
  return outside === undefined
}
