import { setTimeout as sleep } from 'node:timers/promises'
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

/** Codes of a damaged file: only a backup helps. */
const corrupt = new Set([
  11, // CORRUPT
  26, // NOTADB
])

/** Codes of a database that another process has locked. */
const busy = new Set([5, 6, 15])

const retryAfterMs = 1_000

/** A database that is locked, full, damaged or unavailable, as `SERVICE_UNAVAILABLE`; bugs of ours as they are. */
export function toStoreError(error: unknown): unknown {
  const code = errorCode(error)
  if (code === undefined || !(passing.has(code) || corrupt.has(code))) return error
  return new FairleadError('SERVICE_UNAVAILABLE', 'The database is not available right now.', {
    cause: error,
    retryAfterMs,
  })
}

/** Whether another process has locked the database. */
export function isBusy(error: unknown): boolean {
  return busy.has(errorCode(error) ?? 0)
}

/** Whether the database file is damaged. */
export function isCorrupt(error: unknown): boolean {
  return corrupt.has(errorCode(error) ?? 0)
}

/** The primary code, which is the lower byte of the extended one. */
function errorCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return undefined
  return error.errcode & 0xff
}

/** How long to wait for another process before the database counts as unavailable, in milliseconds. */
const maxBusyMs = 5_000
const minRetryMs = 2
const maxRetryMs = 100

/**
 * Retries while another process has locked the database, without blocking the event loop; throws the last error. A promise
 * only if it has to wait.
 *
 * @param meanwhile what to do between two attempts
 */
export function retryWhileBusy(attempt: () => void, meanwhile?: () => Promise<void>): Promise<void> | undefined {
  try {
    attempt()
    return undefined
  } catch (error) {
    if (!isBusy(error)) throw error
    return keepTrying(attempt, meanwhile)
  }
}

async function keepTrying(attempt: () => void, meanwhile?: () => Promise<void>): Promise<void> {
  const giveUpAt = performance.now() + maxBusyMs
  for (let retryMs = minRetryMs; ; retryMs = Math.min(retryMs * 2, maxRetryMs)) {
    // Jitter, so that processes do not retry in step.
    await sleep(retryMs * (0.5 + Math.random()))
    await meanwhile?.()
    try {
      return attempt()
    } catch (error) {
      if (!isBusy(error) || performance.now() > giveUpAt) throw error
    }
  }
}
