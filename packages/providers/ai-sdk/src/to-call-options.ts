import type { JSONSchema7, LanguageModelV4CallOptions } from '@ai-sdk/provider'
import type { Issue, TextRequest } from '@fairlead/core/provider'
import { blockWarnings } from '@fairlead/provider-toolkit'
import type { AiSdkTextModel } from './options.ts'
import { ignoredOptions, mergeOptions, type ModelCall } from './package-options.ts'
import { isLeftOut, readOptions, toPrompt } from './to-prompt.ts'

export type TextCall = ModelCall<AiSdkTextModel, TextRequest>

/** A request in the form of the AI SDK, without settings at their defaults: models warn about settings they don't know. */
export function toCallOptions(call: TextCall): LanguageModelV4CallOptions {
  const { entry, request, id, signal: abortSignal } = call
  const { messages, maxTokens, temperature, topP, frequencyPenalty, presencePenalty, seed, stop } = request
  const { tools = [], toolChoice, responseFormat, reasoning } = request
  const format = { id, version: entry.model.specificationVersion }
  const options = mergeOptions(call)
  return {
    prompt: toPrompt(messages, format),
    ...(maxTokens !== undefined && { maxOutputTokens: maxTokens }),
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && topP !== 1 && { topP }),
    ...(frequencyPenalty && { frequencyPenalty }),
    ...(presencePenalty && { presencePenalty }),
    ...(seed !== undefined && { seed }),
    ...(stop && { stopSequences: [...stop] }),
    ...(tools.length > 0 && { tools: tools.map((tool) => toTool(tool, id)) }),
    ...(toolChoice && { toolChoice: toToolChoice(toolChoice) }),
    ...(responseFormat && { responseFormat: toFormat(responseFormat) }),
    ...(reasoning?.effort && format.version === 'v4' && { reasoning: reasoning.effort }),
    ...(options && { providerOptions: options }),
    abortSignal,
  }
}

function toTool(tool: NonNullable<TextRequest['tools']>[number], id: string) {
  const { name, description, inputSchema, strict } = tool
  return {
    type: 'function' as const,
    name,
    ...(description !== undefined && { description }),
    inputSchema: inputSchema as JSONSchema7,
    ...(strict !== undefined && { strict }),
    ...readOptions(tool, { id }),
  }
}

function toToolChoice(choice: NonNullable<TextRequest['toolChoice']>) {
  return choice.type === 'tool' ? { type: choice.type, toolName: choice.name } : choice
}

function toFormat(format: NonNullable<TextRequest['responseFormat']>) {
  if (format.type === 'json') return format
  const { schema, name = 'answer', description } = format
  const described = description !== undefined && { description }
  return { type: 'json' as const, name, schema: schema as JSONSchema7, ...described }
}

/** Core's default: it counts as not set. */
const usualTemperature = 0.7

/** Fields that every request has, requested or not. */
export function unasked({ temperature }: TextRequest): readonly string[] {
  return temperature === usualTemperature ? ['temperature'] : []
}

/**
 * The settings for which the specification has no field. A `providerOptions` function is assumed to handle settings.
 */
export function unsupported(call: TextCall): readonly Issue[] {
  const { entry, request } = call
  const { specificationVersion: version } = entry.model
  const ignored = [...ignoredOptions(call), ...blockWarnings(request.messages, (part) => isLeftOut(part, { version }))]
  if (typeof entry.providerOptions === 'function') return ignored
  const { parallelToolCalls, reasoning, responseFormat, tools = [] } = request
  const isStrict = version === 'v2' && tools.some(({ strict }) => strict !== undefined)
  const fields = [
    ...(parallelToolCalls === undefined ? [] : ['parallelToolCalls']),
    ...(reasoning?.effort && version !== 'v4' ? ['reasoning'] : []),
    ...(isStrict ? ['tools.strict'] : []),
    ...(responseFormat?.type === 'json_schema' && responseFormat.strict !== undefined ? ['responseFormat.strict'] : []),
  ]
  const issue = 'is not supported by the AI SDK; set it in `providerOptions`'
  return [...ignored, ...fields.map((field) => ({ field, issue }))]
}
