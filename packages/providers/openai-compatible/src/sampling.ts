import type { Issue, TextRequest } from '@fairlead/core/provider'
import { isSet, unsupported } from '@fairlead/provider-toolkit'
import type { Dialect } from './dialect.ts'
import type { ModelRule, SamplingField } from './model-rules.ts'

export interface Sampling {
  /** Under the names of the upstream. */
  readonly fields: Readonly<Record<string, unknown>>
  /** Settings of the request that the model or its server does not support. */
  readonly warnings: readonly Issue[]
}

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
    const isIgnored = ignores.includes(field) || (isReasoning && ignoresWhenReasoning.includes(field))
    if (!serverTakesIt || isIgnored) {
      if (isSet(request, field)) warnings.push(unsupported(field))
    } else if (isSet(request, field) || field === 'temperature' || request.native) {
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
