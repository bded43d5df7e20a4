import { earliestId } from '@fairlead/core/stores'
import { sql } from 'kysely'
import { orDatabaseNow } from '../sql/dialect.ts'
import type { Database } from '../sql/schema.ts'

interface PartitionedTable {
  readonly table: 'usage_records' | 'events'
  /** The column with the id, which begins with the prefix and contains the time. */
  readonly id: 'run_id' | 'id'
  readonly prefix: string
}

interface Index {
  readonly name: string
  readonly definition: string
}

/**
 * Replaces a table on PostgreSQL by one that is partitioned by month, with the same indexes. Copies no rows: the old table
 * becomes the partition of this month and all before it. A default partition has the ids that no other one takes.
 */
export async function partitionByMonth(db: Database, { table, id, prefix }: PartitionedTable): Promise<void> {
  const { rows: clock } = await sql<{ readonly now: number }>`select ${orDatabaseNow(db, null)} as now`.execute(db)
  const today = new Date(clock[0]!.now)
  const end = earliestId(prefix, Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + 1))
  const first = `${table}_${today.toISOString().slice(0, 7).replace('-', '_')}`
  const [all, before, others] = [sql.table(table), sql.table(first), sql.table(`${table}_others`)]
  const key = sql`primary key (${sql.ref(id)})`

  const { rows: indexes } = await sql<Index>`
    select indexname as name, indexdef as definition from pg_indexes
    where schemaname = current_schema() and tablename = ${table}
  `.execute(db)
  for (const { name } of indexes) {
    await sql`alter index ${sql.id(name)} rename to ${sql.id(name.replace(table, first))}`.execute(db)
  }
  await sql`alter table ${all} rename to ${before}`.execute(db)
  await sql`create table ${all} (like ${before} including defaults, ${key}) partition by range (${sql.ref(id)})`.execute(
    db,
  )
  for (const { name, definition } of indexes) {
    if (name !== `${table}_pkey`) await sql.raw(definition).execute(db)
  }
  await sql`create table ${others} partition of ${all} default`.execute(db)

  const {
    rows: [row],
  } = await sql`select from ${before} limit 1`.execute(db)
  if (!row) return void (await sql`drop table ${before}`.execute(db))
  await sql`
    with moved as (delete from ${before} where ${sql.ref(id)} >= ${end} returning *)
    insert into ${others} select * from moved
  `.execute(db)
  await sql`alter table ${all} attach partition ${before} for values from (minvalue) to (${sql.lit(end)})`.execute(db)
}
