import { FairleadError } from '@fairlead/core'

/** Primary result codes (https://sqlite.org/rescode.html) after which the same work may succeed later. */
const passing = new Set([
  5, // BUSY
  6, // LOCKED
  7, // NOMEM
  8, // READONLY
  10, // IOERR
  13, // FULL
  14, // CANTOPEN
  15, // PROTOCOL: processes raced for the beginning of a transaction
])

/** Those that say that the file is damaged: only a backup helps. */
const corrupt = new Set([
  11, // CORRUPT
  26, // NOTADB
])

/** Those that say that another process holds the database. */
const busy = new Set([5, 6, 15])

const retryAfterMs = 1_000

/** Tells a database that is unavailable, full, locked or damaged from a defect of ours. */
export function toStoreError(error: unknown): unknown {
  const code = codeOf(error)
  if (code === undefined || !(passing.has(code) || corrupt.has(code))) return error
  return new FairleadError('SERVICE_UNAVAILABLE', 'The database is not available right now.', {
    cause: error,
    retryAfterMs,
  })
}

/** Whether another process holds the database. */
export function isBusy(error: unknown): boolean {
  return busy.has(codeOf(error) ?? 0)
}

/** Whether the database file is damaged. */
export function isCorrupt(error: unknown): boolean {
  return corrupt.has(codeOf(error) ?? 0)
}

/** The primary code, which is the lower byte of the extended one. */
function codeOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return undefined
  return error.errcode & 0xff
}
