import { earliestId, madeAt, type StoredPage } from '@fairlead/core/stores'
import { type RawBuilder, sql } from 'kysely'
import { addStoredIn, storedUsageName } from '../migrations/0034-stored-usage.ts'
import { toRecord } from '../runtime/usage.ts'
import type { Database, Schema } from '../sql/schema.ts'
import { advisoryLock } from './advisory-lock.ts'

/** `0` stands for the records from before they had a transaction. These come first, in the order of their run ids. */
interface Position {
  readonly transaction: string
  readonly runId: string
}

type Row = Schema['usage_records'] & { readonly stored_in: string | null }

const prefix = 'postgres'
const dayMs = 86_400_000

/**
 * Usage records in the order of the transactions that stored them, as far as no earlier transaction is still open. Run ids
 * are made when a call begins, and numbers of a sequence before a commit, so that neither has this order.
 */
export async function usageAfter(
  db: Database,
  position: string | undefined,
  limit: number,
  upTo?: string,
): Promise<StoredPage> {
  const after = await resume(db, parse(position) ?? { transaction: '0', runId: '' })
  const end = parse(upTo)
  const older = after.transaction === '0' ? await readOlder(db, after, limit, end) : []
  const rows = older.length > 0 ? older : await readStored(db, after, limit, end)
  const last = rows.at(-1)
  return { records: rows.map(toRecord), position: last && `${prefix}:${last.stored_in ?? 0}:${last.run_id}` }
}

function parse(position: string | undefined): Position | undefined {
  const [of, transaction = '', runId = ''] = position?.split(':') ?? []
  return of === prefix ? { transaction, runId } : undefined
}

/** A transaction that this server has not reached is of the one that was restored here: see `prepareStoredUsage`. */
async function resume(db: Database, position: Position): Promise<Position> {
  const { rows } = await sql<{ readonly is_reached: number }>`
    select cast(${position.transaction} as xid8) < pg_snapshot_xmax(pg_current_snapshot()) as is_reached
  `.execute(db)
  if (rows[0]!.is_reached) return position
  return { transaction: '0', runId: earliestId('run', madeAt(position.runId) - dayMs) }
}

async function readOlder(db: Database, { runId }: Position, limit: number, end: Position | undefined) {
  const { at } = await db
    .selectFrom('migrations')
    .select('at')
    .where('name', '=', storedUsageName)
    .executeTakeFirstOrThrow()
  // By the clock of the node that added the column.
  const last = end?.runId ?? earliestId('run', at + dayMs)
  return readRows(db, sql`stored_in is null and run_id > ${runId} and run_id <= ${last}`, sql`run_id`, limit)
}

function readStored(db: Database, after: Position, limit: number, end: Position | undefined) {
  const transaction = sql`cast(${after.transaction} as xid8)`
  const last = end ? sql`(stored_in, run_id) <= (cast(${end.transaction} as xid8), ${end.runId})` : sql`true`
  const condition = sql`
    stored_in >= ${transaction} and (stored_in, run_id) > (${transaction}, ${after.runId})
    and stored_in < pg_snapshot_xmin(pg_current_snapshot()) and ${last}`
  return readRows(db, condition, sql`stored_in, run_id`, limit)
}

async function readRows(
  db: Database,
  condition: RawBuilder<unknown>,
  order: RawBuilder<unknown>,
  limit: number,
): Promise<readonly Row[]> {
  const query = sql<Row>`select * from usage_records where ${condition} order by ${order} limit ${limit}`
  return (await query.execute(db)).rows
}

/**
 * Creates the index by transaction while others write, named `_stored` after the table and after each partition. Then takes
 * the records of another server, whose dump was restored here, as older ones: their transactions are not of this server.
 *
 * @param db has two connections, whose statements may take any time
 */
export async function prepareStoredUsage(db: Database): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await advisoryLock(transaction, 'stored usage')
    // Ends the snapshot of the statement before, for whose end the index would wait.
    await sql`savepoint locked`.execute(transaction)
    await indexByTransaction(db)
    const { rows } = await sql<{ readonly is_foreign: number | null }>`
      select max(stored_in) >= pg_snapshot_xmax(pg_current_snapshot()) as is_foreign from usage_records
    `.execute(db)
    if (!rows[0]?.is_foreign) return
    await db.transaction().execute(restart)
    await indexByTransaction(db)
  })
}

async function indexByTransaction(db: Database): Promise<void> {
  const index = sql`(stored_in) where stored_in is not null`
  await sql`create index if not exists usage_records_stored on only usage_records ${index}`.execute(db)
  const { rows: partitions } = await sql<{ readonly name: string }>`
    select cast(relname as text) as name from pg_inherits join pg_class on pg_class.oid = inhrelid
    where inhparent = cast('usage_records' as regclass) and not exists (
      select from pg_index join pg_inherits of_index on of_index.inhrelid = indexrelid
      where indrelid = pg_class.oid and of_index.inhparent = cast('usage_records_stored' as regclass)
    )
  `.execute(db)
  for (const { name } of partitions) {
    const own = sql.id(`${name}_stored`)
    // The remains of an unfinished index are of no use.
    await sql`drop index if exists ${own}`.execute(db)
    await sql`create index concurrently ${own} on ${sql.table(name)} ${index}`.execute(db)
    await sql`alter index usage_records_stored attach partition ${own}`.execute(db)
  }
}

async function restart(db: Database): Promise<void> {
  await sql`alter table usage_records drop column stored_in`.execute(db)
  await addStoredIn(db)
  await db.updateTable('migrations').set({ at: Date.now() }).where('name', '=', storedUsageName).execute()
}
