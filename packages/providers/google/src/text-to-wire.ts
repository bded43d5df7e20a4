import type { Issue, TextRequest } from '@fairlead/core/provider'
import { type Effort, rulesOf, thinkingOf } from './model-rules.ts'
import type { GenerateRequest } from './wire.ts'

/** A request in the API's format, and warnings about settings that the model does not support. */
export interface WireRequest {
  readonly body: GenerateRequest
  readonly warnings: readonly Issue[]
}

/** @param effort default: the minimum of the model */
export function textToWire(request: TextRequest, effort: Effort | undefined): WireRequest {
  const { model, prompt, maxTokens, temperature, topP, seed, stop, responseSchema } = request
  const rules = rulesOf(model)
  const thinkingConfig = thinkingOf(rules, effort)
  const body: GenerateRequest = {
    contents: [{ role: 'user', parts: [{ text: prompt }] }],
    generationConfig: {
      ...(maxTokens !== undefined && { maxOutputTokens: maxTokens }),
      ...(rules.sampling && temperature !== undefined && { temperature }),
      ...(rules.sampling && topP !== undefined && { topP }),
      ...(seed !== undefined && isSmall(seed) && { seed }),
      ...(stop && stop.length > 0 && { stopSequences: stop }),
      ...(responseSchema && { responseMimeType: 'application/json', responseJsonSchema: responseSchema }),
      ...(thinkingConfig && { thinkingConfig }),
    },
  }
  return { body, warnings: [...unsupported(request, rules.sampling), ...seedWarnings(seed)] }
}

/** Core's defaults: a parameter with this value counts as not set. */
const unasked = { temperature: 0.7, topP: 1, frequencyPenalty: 0, presencePenalty: 0 }

function unsupported(request: TextRequest, sampling: boolean): Issue[] {
  // Models since Gemini 2.5 reject penalties.
  const fields = [
    'frequencyPenalty',
    'presencePenalty',
    ...(sampling ? [] : (['temperature', 'topP'] as const)),
  ] as const
  return fields.flatMap((field) =>
    request[field] === undefined || request[field] === unasked[field]
      ? []
      : [{ field, issue: 'is not supported by this model and was ignored' }],
  )
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
