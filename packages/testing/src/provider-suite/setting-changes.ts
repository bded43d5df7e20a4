import type { SuiteRequest } from './ask-provider.ts'
import type { SuiteKind } from './suite-options.ts'

/** Two requests that differ in one field: the upstream must receive the difference, or the caller a warning. */
export interface Change {
  readonly field: keyof SuiteRequest
  readonly from: SuiteRequest
  readonly to: SuiteRequest
}

function change<Field extends keyof SuiteRequest>(
  field: Field,
  from: SuiteRequest[Field] | undefined,
  to: SuiteRequest[Field],
): Change {
  return { field, from: from === undefined ? {} : { [field]: from }, to: { [field]: to } }
}

/** Usual values, values that are falsy, and values at both ends of each range. */
const ofText: readonly Change[] = [
  change('maxTokens', undefined, 47),
  change('maxTokens', 47, 1),
  change('temperature', undefined, 1.3),
  change('temperature', 0.7, 0),
  change('temperature', 1.3, 2),
  change('topP', undefined, 0.4),
  change('topP', 0.4, 0),
  change('frequencyPenalty', undefined, 1.1),
  change('frequencyPenalty', 1.1, 2),
  change('frequencyPenalty', -1.1, -2),
  change('presencePenalty', undefined, -1.2),
  change('presencePenalty', -1.2, -2),
  change('presencePenalty', 1.2, 2),
  change('seed', undefined, 4_711),
  change('seed', undefined, 0),
  change('stop', undefined, ['\n\n']),
  change('stop', ['END'], ['END', 'HALT']),
  change('stop', ['END', 'HALT'], ['END', 'HALT', 'FIN']),
  change('stop', ['END', 'HALT', 'FIN'], ['END', 'HALT', 'FIN', 'STOP']),
]

export const changes: Readonly<Record<SuiteKind, readonly Change[]>> = {
  text: ofText,
  stream: ofText,
  image: [
    change('quality', undefined, 'hd'),
    change('style', undefined, 'vivid'),
    change('seed', undefined, 4_711),
    change('seed', undefined, 0),
  ],
  analysis: [],
  embedding: [],
}
