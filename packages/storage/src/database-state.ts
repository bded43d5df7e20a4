import { statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { pendingMigrations } from './migrations/migrations.ts'
import { openDatabase, openPool } from './postgres/pool.ts'
import { checkServer, explained } from './postgres/prepare-database.ts'
import type { Schema } from './sql/schema.ts'
import { unusable } from './sqlite/open-connection.ts'

/** The result of `readDatabaseState`. */
export interface DatabaseState {
  /** Name and version, such as `PostgreSQL 16.3`. */
  readonly server: string
  readonly sizeBytes: number
  /** The migrations that the next start runs. */
  readonly pendingMigrations: readonly string[]
  /** How far the clock of the server is ahead of this machine's, in milliseconds. Absent for SQLite, which has none. */
  readonly clockOffsetMs?: number
}

/**
 * Reads the state of a database, and changes nothing. Rejects with the reason if the stores could not use it: no connection,
 * damage (every page of an SQLite file is read), or tables that only a newer version can use.
 */
export function readDatabaseState(at: { readonly path: string } | { readonly url: string }): Promise<DatabaseState> {
  return 'url' in at ? inspectPostgres(at.url) : inspectSqlite(at.path)
}

async function inspectSqlite(path: string): Promise<DatabaseState> {
  let connection: DatabaseSync | undefined
  try {
    connection = new DatabaseSync(path, { readOnly: true, timeout: 5_000 })
    const { quick_check: damage } = connection.prepare('pragma quick_check(1)').get() as {
      readonly quick_check: string
    }
    if (damage !== 'ok') throw new Error('the file is damaged; restore it from a backup')
    const { version } = connection.prepare('select sqlite_version() as version').get() as { readonly version: string }
    const isNew = connection.prepare("select 1 from sqlite_schema where name = 'migrations'").get() === undefined
    const rows = isNew ? [] : connection.prepare('select * from migrations').all()
    const pending = pendingMigrations(rows as unknown as readonly Schema['migrations'][])
    return { server: `SQLite ${version}`, sizeBytes: statSync(path).size, pendingMigrations: pending }
  } catch (error) {
    throw unusable(path, error)
  } finally {
    connection?.close()
  }
}

interface PostgresFacts {
  readonly version: string
  readonly bytes: number
  readonly now: number
  /** 1 for a database without tables. */
  readonly is_new: number
}

async function inspectPostgres(url: string): Promise<DatabaseState> {
  const pool = openPool({ url, size: 1, connectionTimeoutMs: 2_000, statementTimeoutMs: 5_000, onLost: () => {} })
  try {
    const db = openDatabase(pool)
    await checkServer(db)
    const startedAt = Date.now()
    const { rows } = await sql<PostgresFacts>`
      select
        current_setting('server_version') as version,
        pg_database_size(current_database()) as bytes,
        cast(extract(epoch from clock_timestamp()) * 1000 as bigint) as now,
        to_regclass('migrations') is null as is_new
    `.execute(db)
    const { version, bytes, now, is_new: isNew } = rows[0]!
    const clockOffsetMs = now - (startedAt + Date.now()) / 2
    const done = isNew ? [] : await db.selectFrom('migrations').selectAll().execute()
    const pending = pendingMigrations(done)
    return { server: `PostgreSQL ${version}`, sizeBytes: bytes, pendingMigrations: pending, clockOffsetMs }
  } catch (error) {
    throw explained(error, url)
  } finally {
    await pool.end()
  }
}
