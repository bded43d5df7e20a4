import { type FileHandle, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { syncDirectory } from '../sync-directory.ts'

/** The file of a database's write-ahead log, for what SQLite would do on the thread that everyone waits for. */
export interface LogFile {
  /** Resolves when all that was committed before is on the disk. */
  flush(): Promise<void>
  close(): Promise<void>
}

/**
 * The log of the database at this path. `fdatasync` is about a file, whoever wrote to it, and SQLite has no locks on its
 * log, which closing a file would lift.
 *
 * @param path as SQLite names it; null for a database in memory, which has none
 */
export function openLogFile(path: string | null): LogFile {
  if (path === null) return { flush: async () => {}, close: async () => {} }
  let opened: Promise<FileHandle> | undefined

  async function openIt(databasePath: string): Promise<FileHandle> {
    const file = await open(`${databasePath}-wal`, 'r+')
    // SQLite made it with the first transaction; only now is it sure to be found again.
    await syncDirectory(dirname(databasePath))
    return file
  }

  return {
    async flush() {
      // One that failed to open is tried again.
      opened ??= openIt(path).catch((error: unknown) => {
        opened = undefined
        throw error
      })
      await (await opened).datasync()
    },
    async close() {
      await (await opened)?.close()
    },
  }
}
