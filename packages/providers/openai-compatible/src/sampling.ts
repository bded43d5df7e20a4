import type { Issue, TextRequest } from '@fairlead/core/provider'
import type { Dialect } from './dialect.ts'
import type { ModelRule, SamplingField } from './model-rules.ts'

export interface Sampling {
  /** Under the names of the upstream. */
  readonly fields: Readonly<Record<string, unknown>>
  /** Settings of the request that the model or its server does not support. */
  readonly warnings: readonly Issue[]
}

/** What clients send who set nothing: such a parameter is left out without a warning. */
const defaults = { temperature: 0.7, topP: 1, frequencyPenalty: 0, presencePenalty: 0 }

/** The sampling parameters of a request that its model supports. */
export function samplingOf(
  request: TextRequest,
  { seedField = 'seed', penalties = true, stop = true }: Dialect,
  { ignores = [], ignoresWhenReasoning = [] }: ModelRule,
  isReasoning: boolean,
): Sampling {
  const fields: Record<string, unknown> = {}
  const warnings: Issue[] = []
  const add = (field: SamplingField, name: string, serverTakesIt = true) => {
    const value = request[field]
    if (value === undefined) return
    const isSet = value !== defaults[field as keyof typeof defaults]
    const isIgnored = ignores.includes(field) || (isReasoning && ignoresWhenReasoning.includes(field))
    if (!serverTakesIt || isIgnored) {
      if (isSet) warnings.push(unsupported(field))
    } else if (isSet || field === 'temperature' || request.native) {
      // The upstream's own default temperature may differ from ours; that of the others does not. A client of the API gets
      // what it asked for.
      fields[name] = value
    }
  }
  add('temperature', 'temperature')
  add('topP', 'top_p')
  add('frequencyPenalty', 'frequency_penalty', penalties)
  add('presencePenalty', 'presence_penalty', penalties)
  add('seed', seedField ?? '', seedField !== null)
  add('stop', 'stop', stop)
  return { fields, warnings }
}

/** The warning of a setting that is not sent. */
export function unsupported(field: string): Issue {
  return { field, issue: 'is not supported by this model and was ignored' }
}
