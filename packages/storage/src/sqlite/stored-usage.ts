import type { StoredPage } from '@fairlead/core/stores'
import { sql } from 'kysely'
import { toRecord } from '../runtime/usage.ts'
import type { Database, Schema } from '../sql/schema.ts'

type Row = Schema['usage_records'] & { readonly row: number }

const prefix = 'sqlite'

/**
 * Usage records in the order of their row ids: SQLite has one writer at a time. The position has the run id, too, because a
 * table that was emptied numbers its rows anew.
 */
export async function usageAfter(
  db: Database,
  position: string | undefined,
  limit: number,
  upTo?: string,
): Promise<StoredPage> {
  const start = await findStart(db, position)
  const { rows } = await sql<Row>`
    select rowid as row, * from usage_records
    where rowid > ${start} and rowid <= ${parseRow(upTo) ?? Number.MAX_SAFE_INTEGER} order by rowid limit ${limit}
  `.execute(db)
  const end = rows.at(-1)
  return { records: rows.map(toRecord), position: end && `${prefix}:${end.row}:${end.run_id}` }
}

/** The row after which to go on. 0 where the table no longer continues after the position. */
async function findStart(db: Database, position: string | undefined): Promise<number> {
  const row = parseRow(position)
  if (row === undefined) return 0
  const { rows } = await sql<{ readonly row: number; readonly run_id: string }>`
    select rowid as row, run_id from usage_records where rowid >= ${row} order by rowid limit 1
  `.execute(db)
  const [next] = rows
  const continues = next && (next.row > row || position === `${prefix}:${row}:${next.run_id}`)
  return continues ? row : 0
}

function parseRow(position: string | undefined): number | undefined {
  const [of, row] = position?.split(':') ?? []
  return of === prefix ? Number(row) : undefined
}
