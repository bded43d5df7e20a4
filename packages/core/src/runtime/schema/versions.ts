import type { OperationRun } from '../run/operation-run.ts'
import { FairleadError, invalidRequest } from '../errors.ts'

/**
 * Throws `PRECONDITION_FAILED` unless the version is one of those in `ifMatch`. Without `ifMatch`, any version matches.
 *
 * @example
 *   async apply(tx, call, { id, ...sent }) {
 *     const note = await tx.notes.take(id)
 *     if (!note) throw new FairleadError('NOT_FOUND', 'Note not found.')
 *     requireMatch(call, note.version)
 *     const changed = { ...withFields(note, sent), version: note.version + 1 }
 *     await tx.notes.replace(changed)
 *     call.version(changed.version)
 *     return toNoteRecord(changed)
 *   }
 */
export function requireMatch({ ifMatch }: Pick<OperationRun, 'ifMatch'>, version: number): void {
  if (ifMatch === undefined || ifMatch === 'any' || ifMatch.includes(version)) return
  throw new FairleadError(
    'PRECONDITION_FAILED',
    'The record has changed since you fetched it. Fetch it again and retry.',
  )
}

/**
 * Throws `INVALID_REQUEST` if a read-only field was sent with a value other than the record's. Throws `CONFLICT` if that
 * field is `updatedAt`: the record has changed since the caller fetched it.
 *
 * @param record as the caller received it
 * @param sent read-only fields of the input; undefined where the caller omitted them
 */
export function requireUnchanged<Facts extends object>(
  record: Facts,
  sent: { [Field in keyof Facts]?: Facts[Field] | undefined },
): void {
  const changed = Object.keys(sent).filter((field) => {
    const value = sent[field as keyof Facts]
    return value !== undefined && JSON.stringify(value) !== JSON.stringify(record[field as keyof Facts])
  })
  if (changed.includes('updatedAt')) throw staleRecord()
  const [first, ...others] = changed.map((field) => ({
    field,
    issue: 'is read-only and does not match the current record: omit it, or fetch the record again',
  }))
  if (first) throw invalidRequest(first, ...others)
}

/** The record with the fields that a client sent. Those that are undefined keep their value. */
export function withFields<Item extends object>(
  record: Item,
  sent: { readonly [Field in keyof Item]?: Item[Field] | undefined },
): Item {
  return { ...record, ...Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined)) }
}

function staleRecord(): FairleadError {
  const issue = 'does not match: the record has changed since you fetched it, fetch it again and repeat the change'
  return new FairleadError('CONFLICT', `updatedAt ${issue}`, { issues: [{ field: 'updatedAt', issue }] })
}
