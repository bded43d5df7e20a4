import type { Issue, TextRequest } from '@fairlead/core/provider'
import { type Effort, rulesOf, type Thought, thoughtOf } from './model-rules.ts'
import { toOutputSchema } from './output-schema.ts'
import type { MessageRequest } from './wire.ts'

/** A request in the API's format, and warnings about settings that it does not support. */
export interface WireRequest {
  readonly body: MessageRequest
  readonly warnings: readonly Issue[]
}

/** The API requires a maximum. */
const fallbackMaxTokens = 4_096

/** @param effort default: the minimum of the model */
export function toWire(request: TextRequest, effort: Effort | undefined): WireRequest {
  const rules = rulesOf(request.model)
  const thought = thoughtOf(rules, effort)
  const stop = readStop(request)
  // The API rejects a temperature beside thinking, even if the model supports one.
  const sampling = readSampling(request, rules.sampling && thought.type !== 'adaptive')
  const body: MessageRequest = {
    model: request.model,
    max_tokens: request.maxTokens ?? fallbackMaxTokens,
    messages: [{ role: 'user', content: request.prompt }],
    ...(stop.kept.length > 0 && { stop_sequences: stop.kept }),
    ...sampling.kept,
    ...(thought.type && { thinking: { type: thought.type } }),
    ...outputOf(request, thought),
  }
  return { body, warnings: [...sampling.warnings, ...stop.warnings, ...unknownToApi(request)] }
}

function outputOf({ responseSchema }: TextRequest, { effort }: Thought): Pick<MessageRequest, 'output_config'> {
  if (!responseSchema && !effort) return {}
  return {
    output_config: {
      ...(effort && { effort }),
      ...(responseSchema && { format: { type: 'json_schema', schema: toOutputSchema(responseSchema) } }),
    },
  }
}

/** Core's defaults: a parameter with this value counts as not set. */
const unasked = { temperature: 0.7, topP: 1 }
const maxTemperature = 1

function readSampling({ temperature = unasked.temperature, topP = unasked.topP }: TextRequest, isTaken: boolean) {
  const warnings: Issue[] = []
  if (!isTaken) {
    if (temperature !== unasked.temperature)
      warnings.push({ field: 'temperature', issue: 'is not supported by this model and was ignored' })
    if (topP !== unasked.topP) warnings.push({ field: 'topP', issue: 'is not supported by this model and was ignored' })
    return { kept: {}, warnings }
  }
  if (temperature > maxTemperature) {
    warnings.push({ field: 'temperature', issue: `was lowered to ${maxTemperature}, the maximum of this model` })
  }
  // The API rejects both together.
  if (topP !== unasked.topP)
    warnings.push({ field: 'topP', issue: 'cannot be combined with a temperature and was ignored' })
  return { kept: { temperature: Math.min(temperature, maxTemperature) }, warnings }
}

/** The API rejects stop sequences of white space only. */
function readStop({ stop = [] }: TextRequest) {
  const kept = stop.filter((sequence) => sequence.trim() !== '')
  const issue = 'the model does not stop at white space'
  return { kept, warnings: kept.length < stop.length ? [{ field: 'stop', issue }] : [] }
}

function unknownToApi({ frequencyPenalty = 0, presencePenalty = 0, seed }: TextRequest): Issue[] {
  const asked = {
    frequencyPenalty: frequencyPenalty !== 0,
    presencePenalty: presencePenalty !== 0,
    seed: seed !== undefined,
  }
  return Object.entries(asked).flatMap(([field, isAsked]) =>
    isAsked ? [{ field, issue: 'is not supported by this model and was ignored' }] : [],
  )
}
