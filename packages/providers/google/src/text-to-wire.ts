import type { Issue, TextRequest } from '@fairlead/core/provider'
import { blockWarnings, messagesToWire } from './messages-to-wire.ts'
import { type Effort, isGemini3, type ModelRules, nearestEffort, rulesOf, thinkingOf } from './model-rules.ts'
import { schemaToWire } from './schema-to-wire.ts'
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
  readonly effort?: Effort | undefined
}

export function textToWire(request: TextRequest, { id, effort }: TextSettings): WireRequest {
  const { model, messages, maxTokens, temperature, topP, seed, stop, reasoning } = request
  const rules = rulesOf(model)
  const isDefault = reasoning?.effort === null && effort === undefined
  const thinking = isDefault ? undefined : thinkingOf(rules, reasoning?.effort ?? effort)
  const isReasoning = reasoning?.effort && reasoning.effort !== 'none'
  const thinkingConfig = thinking && isReasoning ? { ...thinking, includeThoughts: true as const } : thinking
  const body: GenerateRequest = {
    ...messagesToWire({ messages, id, isGemini3: isGemini3(model) }),
    ...toolsToWire(request, id),
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
  const ignored = [
    ...ignoredFields(request, rules.sampling),
    ...(request.parallelToolCalls === false ? ['parallelToolCalls'] : []),
  ]
  const warnings = [
    ...ignored.map((field) => ({ field, issue: unsupported })),
    ...effortWarnings(request, rules),
    ...seedWarnings(seed),
    ...blockWarnings(messages),
  ]
  return { body: withOptions(body, request.providerOptions?.[id]), warnings }
}

const unsupported = 'is not supported by this model and was ignored'

function effortWarnings({ reasoning }: TextRequest, rules: ModelRules): Issue[] {
  const field = 'reasoning'
  if (!reasoning?.effort || reasoning.effort === 'none') return []
  if (!rules.minimumThinking) return [{ field, issue: unsupported }]
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
  const responseJsonSchema = { ...(description !== undefined && { description }), ...schemaToWire(schema) }
  return { responseMimeType, responseJsonSchema }
}

/**
 * The body with the fields that a request sets itself. Those of `generationConfig` and other objects are merged one by
 * one, and tools are added to those of the request.
 */
function withOptions(body: GenerateRequest, options: Readonly<Record<string, unknown>> = {}): GenerateRequest {
  const merged = Object.entries(options).map(([name, value]) => {
    const present: unknown = Object.hasOwn(body, name) ? body[name as keyof GenerateRequest] : undefined
    if (Array.isArray(present) && Array.isArray(value)) return [name, [...present, ...value]]
    return [name, isObject(present) && isObject(value) ? { ...present, ...value } : value]
  })
  return { ...body, ...Object.fromEntries(merged) }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Core's defaults: a parameter with this value counts as not set. */
const unasked = { temperature: 0.7, topP: 1, frequencyPenalty: 0, presencePenalty: 0 }

function ignoredFields(request: TextRequest, sampling: boolean): readonly string[] {
  // Models since Gemini 2.5 reject penalties.
  const fields = [
    'frequencyPenalty',
    'presencePenalty',
    ...(sampling ? [] : (['temperature', 'topP'] as const)),
  ] as const
  return fields.filter((field) => request[field] !== undefined && request[field] !== unasked[field])
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
