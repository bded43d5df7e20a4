import { earliestId } from '@fairlead/core/stores'
import { purge } from './record-table.ts'
import type { Database } from './schema.ts'

/** A large table whose ids contain the time of their rows. */
export interface TimedTable {
  readonly from: 'usage_records' | 'events'
  readonly id: 'run_id' | 'id'
  /** The first part of the ids. */
  readonly prefix: string
}

export const timedUsage: TimedTable = { from: 'usage_records', id: 'run_id', prefix: 'run' }
export const timedEvents: TimedTable = { from: 'events', id: 'id', prefix: 'evt' }

/** Deletes at most `limit` rows from before that time, the oldest first. Returns how many. */
export function purgeByTime(
  db: Database,
  { from, id, prefix }: TimedTable,
  before: number,
  limit: number,
): Promise<number> {
  return purge<'usage_records' | 'events'>(
    db,
    { from, key: [id as never], by: id as never },
    earliestId(prefix, before),
    limit,
  )
}
