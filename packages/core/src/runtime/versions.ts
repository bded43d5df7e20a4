import type { Call } from './call.ts'
import { FairleadError, invalidRequest } from './errors.ts'

/** Refuses, with `PRECONDITION_FAILED`, to touch a record that is no longer at a version that the caller knows. */
export function requireMatch({ ifMatch }: Pick<Call, 'ifMatch'>, version: number): void {
  if (ifMatch === undefined || ifMatch === 'any' || ifMatch.includes(version)) return
  throw new FairleadError('PRECONDITION_FAILED', 'The record has changed since: get it again, and change that.')
}

/**
 * Refuses other values for what a caller may send back but not change. What was left out is unchanged.
 *
 * @param record as the caller sees it
 */
export function requireUnchanged<Facts extends object>(
  record: Facts,
  sent: { [Field in keyof Facts]?: Facts[Field] | undefined },
): void {
  const changed = Object.keys(sent).filter((field) => {
    const value = sent[field as keyof Facts]
    return value !== undefined && JSON.stringify(value) !== JSON.stringify(record[field as keyof Facts])
  })
  const [first, ...others] = changed.map((field) => ({
    field,
    issue:
      'is read-only, and not as the record has it now, which may have changed since: leave it out, or get the record anew',
  }))
  if (first) throw invalidRequest(first, ...others)
}
