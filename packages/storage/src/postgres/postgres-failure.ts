import { FairleadError } from '@fairlead/core'

/**
 * Classes of SQLSTATE (https://www.postgresql.org/docs/current/errcodes-appendix.html) after which the same work may
 * succeed later.
 */
const passingClasses = new Set([
  '08', // connection exception
  '28', // the password was changed
  '53', // disk full, out of memory, too many connections
  '57', // shutting down, or the statement took too long
  '58', // the server's own files failed it
])

/** A transaction was idle for too long: this process stood still, not the server. */
const idleTooLong = '25P03'

const passingStates = new Set([
  '25006', // read-only: a standby, for as long as a failover takes
  idleTooLong,
  '3D000', // no such database: it is being restored
  '40001', // serialization failure
  '40P01', // deadlock
  '55P03', // a lock was not to be had in time
])

const lostConnections = new Set([
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT', // the socket's file
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
])

/** What `pg` says without a code. */
const lostMessages =
  /^(Connection terminated|Client (was closed|has encountered a connection error)|timeout e(xceeded|xpired)|Query read timeout|Cannot use a pool after)/

/** What `pg` says of a statement that had no response within `query_timeout`. */
const silence = /^Query read timeout/

/** A statement of the server's that plans were made before a migration; the next connection makes them anew. */
const stalePlan = /^cached plan must not change result type/

const retryAfterMs = 1_000

/** Tells a database that is away, full or locked from a defect of ours. */
export function toStoreError(error: unknown): unknown {
  if (error instanceof FairleadError || !(error instanceof Error)) return error
  withoutValues(error)
  if (!isLost(error) && !isPassing(codeOf(error))) return error
  return new FairleadError('SERVICE_UNAVAILABLE', 'The database is not available right now.', {
    cause: error,
    retryAfterMs,
  })
}

/** Whether the connection can not be used again. */
export function isLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = codeOf(error)
  if (code.startsWith('08') || code.startsWith('57P') || code === idleTooLong || lostConnections.has(code)) return true
  return lostMessages.test(error.message) || stalePlan.test(error.message)
}

/** Classes and states of SQLSTATE with which the server refuses every connection, whatever it would be used for. */
const refusesAll = new Set(['28', '3D000', '53300'])

/** Whether an error says that the server cannot be used at all, rather than that one statement failed. */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = codeOf(error)
  if (code === idleTooLong || stalePlan.test(error.message)) return false
  return isLost(error) || refusesAll.has(code) || refusesAll.has(code.slice(0, 2))
}

/** Whether the server did not respond to a statement, not even to end it at `statement_timeout`. */
export function isSilence(error: unknown): boolean {
  return error instanceof Error && silence.test(error.message)
}

function isPassing(code: string): boolean {
  return passingClasses.has(code.slice(0, 2)) || passingStates.has(code)
}

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : ''
}

/** Errors end up in logs, where the values that a statement was about do not belong. */
function withoutValues(error: Error): void {
  for (const field of ['detail', 'where', 'internalQuery', 'client']) Reflect.deleteProperty(error, field)
}
