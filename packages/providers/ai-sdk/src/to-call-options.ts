import type { JSONSchema7, LanguageModelV4CallOptions } from '@ai-sdk/provider'
import type { Issue, TextRequest } from '@fairlead/core/provider'
import type { AiSdkTextModel } from './options.ts'
import { ignoredOptions, mergeOptions } from './package-options.ts'
import { blockWarnings, optionsOf, toPrompt } from './to-prompt.ts'

/**
 * A request in the form of the AI SDK, without settings at their defaults: models warn about settings they don't know.
 *
 * @param id the provider's id, for the options of the model's package that the request carries
 */
export function toCallOptions(
  { model, providerOptions }: Pick<AiSdkTextModel, 'model' | 'providerOptions'>,
  request: TextRequest,
  id: string,
  abortSignal: AbortSignal,
): LanguageModelV4CallOptions {
  const { messages, maxTokens, temperature, topP, frequencyPenalty, presencePenalty, seed, stop } = request
  const { tools = [], toolChoice, responseFormat, reasoning } = request
  const format = { id, version: model.specificationVersion }
  const options = mergeOptions(providerOptions, request, id)
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
    ...optionsOf(tool, { id }),
  }
}

function toToolChoice(choice: NonNullable<TextRequest['toolChoice']>) {
  return choice.type === 'tool' ? { type: choice.type, toolName: choice.name } : choice
}

function toFormat(format: NonNullable<TextRequest['responseFormat']>) {
  if (format.type === 'json') return format
  const { schema, name = 'answer', description } = format
  return {
    type: 'json' as const,
    name,
    schema: schema as JSONSchema7,
    ...(description !== undefined && { description }),
  }
}

/** Core's default: it counts as not set. */
const usualTemperature = 0.7

/** Fields that every request has, requested or not. */
export function unasked({ temperature }: TextRequest): readonly string[] {
  return temperature === usualTemperature ? ['temperature'] : []
}

/** What the specification has no field for. A `providerOptions` function is assumed to handle settings. */
export function unsupported(
  { model: { specificationVersion: version }, providerOptions }: AiSdkTextModel,
  request: TextRequest,
  id: string,
): readonly Issue[] {
  const ignored = [...ignoredOptions(request, id), ...blockWarnings(request.messages, { version })]
  if (typeof providerOptions === 'function') return ignored
  const { parallelToolCalls, reasoning, tools = [] } = request
  const isStrict = version === 'v2' && tools.some(({ strict }) => strict !== undefined)
  const fields = [
    ...(parallelToolCalls === undefined ? [] : ['parallelToolCalls']),
    ...(reasoning?.effort && version !== 'v4' ? ['reasoning'] : []),
    ...(isStrict ? ['tools.strict'] : []),
  ]
  return [
    ...ignored,
    ...fields.map((field) => ({
      field,
      issue: 'is not supported by the AI SDK; set it in `providerOptions`',
    })),
  ]
}
