import { type RawBuilder, sql } from 'kysely'
import { isPostgres } from '../sql/dialect.ts'
import type { Database } from '../sql/schema.ts'

/** The order in which events were committed, in SQL. */
export interface EventOrder {
  /** The place of a row, as text. */
  readonly place: RawBuilder<string>
  readonly columns: RawBuilder<unknown>
  isAfter(place: string): RawBuilder<boolean>
  /** Whether no event can still be committed before the row. */
  readonly isSettled: RawBuilder<boolean>
  /** Selects the place after all committed events. */
  readonly selectLast: RawBuilder<{ readonly place: string }>
}

export function eventOrder(db: Database): EventOrder {
  return isPostgres(db) ? postgres : sqlite
}

const sqlite: EventOrder = {
  place: sql`cast(position as text)`,
  columns: sql`position`,
  isAfter: (place) => sql`position > cast(${place} as integer)`,
  isSettled: sql`true`,
  selectLast: sql`select cast(coalesce(max(position), 0) as text) as place from events`,
}

/**
 * Transactions commit in another order than they add their events. Those of a transaction are passed on once all older
 * transactions have ended, and each later one has a higher id than they have.
 */
const postgres: EventOrder = {
  place: sql`transaction_id::text || ':' || position`,
  columns: sql`transaction_id, position`,
  isAfter(place) {
    const [transactionId, position] = place.split(':')
    return sql`(transaction_id, position) > (cast(${transactionId} as xid8), cast(${position} as bigint))`
  },
  isSettled: sql`transaction_id < pg_snapshot_xmin(pg_current_snapshot())`,
  selectLast: sql`select pg_snapshot_xmin(pg_current_snapshot())::text || ':0' as place`,
}
