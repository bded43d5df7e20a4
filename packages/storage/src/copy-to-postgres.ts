import { createHash } from 'node:crypto'
import { accessSync, constants } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { type Kysely, sql } from 'kysely'
import { pendingMigrations } from './migrations/migrations.ts'
import { openDatabase, openPool } from './postgres/pool.ts'
import { explained, prepareDatabase } from './postgres/prepare-database.ts'
import { unusable } from './sqlite/open-connection.ts'
import { isBusy } from './sqlite/sqlite-failure.ts'

/** How many rows each table had. */
export type CopiedTables = Readonly<Record<string, number>>

type Row = Readonly<Record<string, string | number | null>>
/** Tables by name, as the catalogs of the databases list them. */
type AnyTables = Kysely<Record<string, Record<string, unknown>>>

const connectionTimeoutMs = 5_000
/** How long another command may keep the file open. */
const busyTimeoutMs = 1_000
/** Keeps a statement far below 65,535 parameters, the most that PostgreSQL takes. */
const rowsPerInsert = 500
/** The order of the tables that others refer to. */
const first = ['users', 'sessions']

/**
 * Copies all records of an SQLite database into a PostgreSQL database without records. Counts and checksums of both are
 * compared before the copy is committed. On failure, PostgreSQL keeps empty tables. Rejects if another process has the file
 * open, and keeps others from opening it: what they write would not be copied.
 */
export async function copyToPostgres({
  path,
  url,
}: {
  readonly path: string
  readonly url: string
}): Promise<CopiedTables> {
  const source = openSource(path)
  try {
    await prepareDatabase(url, connectionTimeoutMs, [])
    const pool = openPool({ url, size: 1, connectionTimeoutMs, onLost: () => {} })
    try {
      const db = openDatabase(pool) as unknown as AnyTables
      return await db.transaction().execute((transaction) => copyTables(source, transaction))
    } catch (error) {
      throw explained(error, url)
    } finally {
      await pool.end()
    }
  } finally {
    source.close()
  }
}

function openSource(path: string): DatabaseSync {
  const url = pathToFileURL(path)
  // Fails if there is no file.
  url.search = 'mode=rw'
  let source: DatabaseSync | undefined
  try {
    source = new DatabaseSync(url, { timeout: busyTimeoutMs })
    // SQLite would only say that the lock failed.
    accessSync(path, constants.W_OK)
    // Every open connection has a shared lock, also while it does nothing (https://sqlite.org/wal.html#noshm).
    source.exec('pragma locking_mode = exclusive; begin')
    const done = source.prepare('select name from migrations').all()
    if (pendingMigrations(done.map(({ name }) => ({ name: String(name) }))).length > 0)
      throw new Error('an earlier version wrote it; run "fairlead migrate" first')
    return source
  } catch (error) {
    source?.close()
    const reason = isBusy(error) ? new Error('another process uses it; stop the service first') : error
    throw unusable(path, reason)
  }
}

async function copyTables(source: DatabaseSync, target: AnyTables): Promise<CopiedTables> {
  const copied: Record<string, number> = {}
  for (const table of listTables(source)) {
    const columns = listColumns(source, table)
    if ((await countRows(target, table)) > 0)
      throw new Error(`the table ${table} already has records: create an empty database`)
    const sum = new Checksum()
    for (const rows of readRows(source, table, columns)) {
      await target.insertInto(table).values(rows).execute()
      for (const row of rows) sum.add(row)
    }
    const inTarget = await computeChecksum(target, table, columns)
    if (inTarget.value !== sum.value) throw new Error(`the copy of the table ${table} differs from the original`)
    copied[table] = sum.rows
  }
  return copied
}

function listTables(source: DatabaseSync): readonly string[] {
  const names = source
    .prepare("select name from sqlite_schema where type = 'table' and name not like 'sqlite_%' order by name")
    .all()
    .map(({ name }) => String(name))
  const rank = (name: string) => (first.includes(name) ? first.indexOf(name) : first.length)
  return names.filter((name) => name !== 'migrations').toSorted((one, other) => rank(one) - rank(other))
}

/** Without the position of an event: PostgreSQL numbers events itself, in the order in which they are inserted. */
function listColumns(source: DatabaseSync, table: string): readonly string[] {
  const columns = source.prepare('select name from pragma_table_info(?)').all(table)
  return columns.map(({ name }) => String(name)).filter((name) => name !== 'position')
}

function* readRows(source: DatabaseSync, table: string, columns: readonly string[]): Generator<Row[]> {
  const list = columns.map((column) => `"${column}"`).join(', ')
  let rows: Row[] = []
  for (const row of source.prepare(`select ${list} from "${table}" order by rowid`).iterate()) {
    rows.push(row as Row)
    if (rows.length < rowsPerInsert) continue
    yield rows
    rows = []
  }
  if (rows.length > 0) yield rows
}

async function countRows(target: AnyTables, table: string): Promise<number> {
  const { rows } = await sql<{ readonly count: number }>`select count(*) as count from ${sql.table(table)}`.execute(
    target,
  )
  return rows[0]!.count
}

async function computeChecksum(target: AnyTables, table: string, columns: readonly string[]): Promise<Checksum> {
  const sum = new Checksum()
  await sql`declare copied cursor for select ${sql.join(columns.map((column) => sql.ref(column)))} from ${sql.table(table)}`.execute(
    target,
  )
  for (;;) {
    const { rows } = await sql<Row>`fetch ${sql.lit(rowsPerInsert)} from copied`.execute(target)
    if (rows.length === 0) break
    for (const row of rows) sum.add(row)
  }
  await sql`close copied`.execute(target)
  return sum
}

/** A checksum of rows in any order: the databases sort texts differently. */
class Checksum {
  rows = 0
  #sum = 0n

  add(row: Row): void {
    this.rows++
    const digest = createHash('sha256')
      .update(JSON.stringify(Object.values(row)))
      .digest()
    this.#sum = BigInt.asUintN(64, this.#sum + digest.readBigUInt64BE())
  }

  get value(): string {
    return `${this.rows}:${this.#sum}`
  }
}
