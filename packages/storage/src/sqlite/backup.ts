import { closeSync, openSync } from 'node:fs'
import { backup, DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { unusable } from './open-connection.ts'

/** How many pages are copied before the event loop gets a turn. */
const pagesPerStep = 1_000

/**
 * Copies an SQLite database that other processes may be writing to, as it is at one instant
 * (https://sqlite.org/backup.html). Only the owner can read the copy. Rejects if the copy would be damaged.
 *
 * @param to must not exist
 */
export async function backUpSqlite(from: string, to: string): Promise<void> {
  let source: DatabaseSync | undefined
  try {
    source = new DatabaseSync(from, { readOnly: true, timeout: 5_000 })
    // SQLite restarts the copy after each write of another connection, unless a transaction keeps what it reads.
    source.exec('begin')
    source.prepare('select 1 from sqlite_schema').get()
    closeSync(openSync(to, 'wx', 0o600))
    await backup(source, to, { rate: pagesPerStep })
  } catch (error) {
    throw unusable(from, error)
  } finally {
    source?.close()
  }
}

/** A setting in a copy that `backUpSqlite` wrote. Leaves no files beside it, and can read it on a read-only disk. */
export function readBackupSetting(path: string, name: string): string | undefined {
  const url = pathToFileURL(path)
  url.search = 'immutable=1'
  let connection: DatabaseSync | undefined
  try {
    connection = new DatabaseSync(url, { readOnly: true })
    const row = connection.prepare('select value from settings where name = ?').get(name)
    return row && String(row['value'])
  } catch (error) {
    throw unusable(path, error)
  } finally {
    connection?.close()
  }
}
