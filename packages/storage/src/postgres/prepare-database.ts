import { FairleadError } from '@fairlead/core'
import { sql } from 'kysely'
import { migrateNext, requireMigrated } from '../migrations/migrations.ts'
import type { Database } from '../sql/schema.ts'
import type { SqlTables } from '../sql/tables.ts'
import { advisoryLock } from './advisory-lock.ts'
import { addMonthsAhead } from './partitions.ts'
import { openDatabase, openPool } from './pool.ts'
import { toStoreError } from './postgres-failure.ts'

/** Checks the server, and migrates the tables on a connection that may wait while another process migrates. */
export async function prepareDatabase(
  url: string,
  connectionTimeoutMs: number,
  tables: readonly SqlTables[],
  shouldMigrate = true,
): Promise<void> {
  const pool = openPool({ url, size: 1, connectionTimeoutMs, onLost: () => {} })
  try {
    const db = openDatabase(pool)
    await checkServer(db)
    if (!shouldMigrate) return await requireMigrated(db, tables)
    const next = () =>
      db.transaction().execute(async (transaction) => {
        await sql`set local statement_timeout = 0`.execute(transaction)
        await advisoryLock(transaction, 'migrations')
        return migrateNext(transaction, tables)
      })
    // A transaction for each, because one that locks several tables could deadlock with requests.
    while (await next());
    await addMonthsAhead(db)
  } catch (error) {
    throw explained(error, url)
  } finally {
    await pool.end()
  }
}

interface Facts {
  readonly version: number
  readonly encoding: string
  readonly durable: string
}

const oldest = 130_000

/** Rejects a server that cannot keep our guarantees. */
export async function checkServer(db: Database): Promise<void> {
  const { rows } = await sql<Facts>`
    select
      cast(current_setting('server_version_num') as int) as version,
      current_setting('server_encoding') as encoding,
      current_setting('synchronous_commit') as durable
  `.execute(db)
  const { version, encoding, durable } = rows[0]!
  if (version < oldest) throw new Error('Fairlead needs PostgreSQL 13 or later: move the data to a newer server.')
  if (encoding !== 'UTF8') {
    throw new Error(`The database has the encoding ${encoding}: create one with "create database … encoding 'UTF8'".`)
  }
  if (durable === 'off') {
    throw new Error('The server commits before data is on disk: run "alter database … set synchronous_commit = on".')
  }
}

/** A suggestion for a certificate that TLS rejects. */
function certificateFix(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return 'set the host of the URL to a name in the certificate of the server'
  if (!/CERT|VERIFY_LEAF_SIGNATURE/.test(code)) return undefined
  return 'add sslrootcert=/path/to/ca.crt to the URL, with the certificate of the authority that signed that of the server'
}

/** Names the server and the reason, without the password. */
export function explained(error: unknown, url: string): unknown {
  const known = toStoreError(error)
  const fix = certificateFix(error)
  if (fix !== undefined) return new Error(`${(error as Error).message.replace(/\W+$/, '')}: ${fix}`, { cause: error })
  if (!(known instanceof FairleadError)) return known
  const reason = error instanceof Error ? error.message || ('code' in error ? error.code : error.name) : error
  const { hostname, port, pathname } = URL.parse(url) ?? { hostname: '', port: '', pathname: '' }
  const address = `${hostname || 'localhost'}:${port || 5432}${pathname}`
  return new FairleadError('SERVICE_UNAVAILABLE', `PostgreSQL at ${address} cannot be used: ${String(reason)}`, {
    cause: error,
  })
}
