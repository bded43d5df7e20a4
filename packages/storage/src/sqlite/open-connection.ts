import { closeSync, openSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { isCorrupt, retryWhileBusy } from './sqlite-failure.ts'

/**
 * How long SQLite itself may wait for another process, in milliseconds. It waits by blocking the event loop, so this
 * stays short; the queue waits longer, without blocking.
 */
const busyTimeoutMs = 5

/** `fullfsync` is for macOS, where a plain `fsync` leaves data in the disk's own cache. */
// Temporary files in memory: a container may have no folder for them that can be written.
const setUp = 'pragma journal_mode = wal; pragma synchronous = full; pragma fullfsync = on; pragma temp_store = memory;'

const settings = { journal_mode: 'wal', synchronous: 2, fullfsync: 1, foreign_keys: 1 } as const

/**
 * Opens a database file, or `:memory:`, so that what is committed survives a power failure
 * (https://sqlite.org/pragma.html#pragma_synchronous). Only the owner of a new file can read it. Rejects with what to do
 * where the file cannot be used.
 */
export async function openConnection(path: string): Promise<DatabaseSync> {
  let connection: DatabaseSync | undefined
  try {
    // SQLite gives the files that it creates beside the database the same mode.
    if (path !== ':memory:') closeSync(openSync(path, 'a', 0o600))
    const opened = new DatabaseSync(path, { timeout: busyTimeoutMs, enableForeignKeyConstraints: true })
    connection = opened
    // Two processes that open a new file at the same time lock each other out.
    await retryWhileBusy(() => opened.exec(setUp))
    checkSettings(opened)
    return opened
  } catch (error) {
    connection?.close()
    throw unusable(path, error)
  }
}

/** Why a database cannot be opened, and what to do. */
export function unusable(path: string, error: unknown): Error {
  return new Error(`The database ${path} can't be used: ${reason(error)}`, { cause: error })
}

function checkSettings(connection: DatabaseSync): void {
  for (const [name, wanted] of Object.entries(settings)) {
    const found = Object.values(connection.prepare(`pragma ${name}`).get() ?? {})[0]
    const inMemory = name === 'journal_mode' && found === 'memory'
    if (found !== wanted && !inMemory) throw new Error(`SQLite keeps ${name} at ${String(found)}, not ${wanted}`)
  }
}

/** Reasons that an operator understands. */
const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'its directory does not exist',
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'the disk is read-only',
  EISDIR: 'it is a directory',
  ENOSPC: 'the disk is full',
}

function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (isCorrupt(error)) return `${error.message}; restore the file from a backup`
  const code = 'code' in error ? String(error.code) : ''
  return reasons[code] ?? error.message
}
