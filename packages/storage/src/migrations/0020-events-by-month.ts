import { sql } from 'kysely'
import { isPostgres } from '../sql/dialect.ts'
import type { Database } from '../sql/schema.ts'
import { partitionByMonth } from './partition-by-month.ts'

/**
 * Events in partitions by month on PostgreSQL. Their primary key becomes the id, because a unique index of a partitioned
 * table contains the column that decides the partition. Before version 17, such a table has no identity column.
 */
export async function eventsByMonth(db: Database): Promise<void> {
  if (!isPostgres(db)) return
  await sql`
    alter table events
      drop constraint events_pkey, drop constraint events_id_key, alter column position drop identity
  `.execute(db)
  // Events of earlier transactions come first, so the numbers may begin again.
  await sql`create sequence events_position_seq`.execute(db)
  await sql`alter table events alter column position set default nextval('events_position_seq')`.execute(db)
  await partitionByMonth(db, { table: 'events', prefix: 'evt', id: 'id' })
  await sql`alter sequence events_position_seq owned by events.position`.execute(db)
  await sql`create index events_in_order on events (transaction_id, position)`.execute(db)
}
