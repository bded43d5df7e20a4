import type { Issue, TextRequest } from '@fairlead/core/provider'
import { blockWarnings, toGoogleSchema, unsupported, unsupportedFields, withOptions } from '@fairlead/provider-toolkit'
import { isLeftOut, messagesToWire } from './messages-to-wire.ts'
import {
  type GoogleEffort,
  isGemini3,
  type ModelRules,
  nearestEffort,
  findRules,
  chooseThinking,
} from './model-rules.ts'
import { toolsToWire } from './tools-to-wire.ts'
import type { GenerateRequest, GenerationConfig } from './wire.ts'

/** A request in the API's format, and warnings about settings that the model does not support. */
export interface WireRequest {
  readonly body: GenerateRequest
  readonly warnings: readonly Issue[]
}

export interface TextSettings {
  /** The provider's id. */
  readonly id: string
  /** Default: the minimum of the model. */
  readonly effort?: GoogleEffort | undefined
}

export function textToWire(request: TextRequest, { id, effort }: TextSettings): WireRequest {
  const { model, messages, maxTokens, temperature, topP, seed, stop, reasoning } = request
  const rules = findRules(model)
  const isDefault = reasoning?.effort === null && effort === undefined
  const thinking = isDefault ? undefined : chooseThinking(rules, reasoning?.effort ?? effort)
  const isReasoning = reasoning?.effort && reasoning.effort !== 'none'
  const thinkingConfig = thinking && isReasoning ? { ...thinking, includeThoughts: true as const } : thinking
  const tools = toolsToWire(request, id)
  const body: GenerateRequest = {
    ...messagesToWire({ messages, id, isGemini3: isGemini3(model) }),
    ...tools.fields,
    generationConfig: {
      ...(maxTokens !== undefined && { maxOutputTokens: maxTokens }),
      ...(rules.sampling && temperature !== undefined && { temperature }),
      ...(rules.sampling && topP !== undefined && { topP }),
      ...(seed !== undefined && isSmall(seed) && { seed }),
      ...(stop && stop.length > 0 && { stopSequences: stop }),
      ...formatToWire(request.responseFormat),
      ...(thinkingConfig && { thinkingConfig }),
    },
  }
  const warnings = [
    // Models since Gemini 2.5 reject penalties.
    ...unsupportedFields(request, ['frequencyPenalty', 'presencePenalty']),
    ...(rules.sampling ? [] : unsupportedFields(request, ['temperature', 'topP'])),
    ...(request.parallelToolCalls === false ? [unsupported('parallelToolCalls')] : []),
    ...tools.warnings,
    ...effortWarnings(request, rules),
    ...seedWarnings(seed),
    ...blockWarnings(messages, isLeftOut),
  ]
  return { body: withOptions(body, request.providerOptions?.[id]), warnings }
}

function effortWarnings({ reasoning }: TextRequest, rules: ModelRules): Issue[] {
  const field = 'reasoning'
  if (!reasoning?.effort || reasoning.effort === 'none') return []
  if (!rules.minimumThinking) return [unsupported(field)]
  const nearest = nearestEffort(rules, reasoning.effort)
  return nearest === reasoning.effort
    ? []
    : [{ field, issue: `this model has no effort "${reasoning.effort}"; "${nearest}" was used` }]
}

function formatToWire(
  format: TextRequest['responseFormat'],
): Pick<GenerationConfig, 'responseMimeType' | 'responseJsonSchema'> {
  if (!format) return {}
  const responseMimeType = 'application/json'
  if (format.type === 'json') return { responseMimeType }
  const { schema, description } = format
  return { responseMimeType, responseJsonSchema: { description, ...toGoogleSchema(schema) } }
}

const seedLimit = 2 ** 31

/** The API supports seeds of 32 bits. */
export function isSmall(seed: number): boolean {
  return seed >= -seedLimit && seed < seedLimit
}

export function seedWarnings(seed: number | undefined): Issue[] {
  if (seed === undefined || isSmall(seed)) return []
  return [{ field: 'seed', issue: `was ignored: it must be from ${-seedLimit} to ${seedLimit - 1}` }]
}
