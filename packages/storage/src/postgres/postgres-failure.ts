import { FairleadError } from '@fairlead/core'
import type { ServerFailure } from '@fairlead/core/stores'

/**
 * Classes of SQLSTATE (https://www.postgresql.org/docs/current/errcodes-appendix.html) after which the same work may
 * succeed later.
 */
const passingClasses = new Set([
  '08', // connection exception
  '28', // the password was changed
  '53', // disk full, out of memory, too many connections
  '57', // shutting down, or the statement took too long
  '58', // error in the files of the server
])

/** The states with which the server ends or spoils one session, while it serves others. */
const unusableSessions = new Set([
  '25006', // read-only: a new session may reach the primary, or be writable again
  '25P03', // a transaction was idle for too long: this process hung, not the server
  '25P04', // a transaction took too long
  '26000', // a proxy gave the session to a server that does not know its statements
  '42P05', // or to one that knows them from another session
])

/** The states with which the server rolls back one of two concurrent transactions. */
const conflicts = new Set([
  '40001', // serialization failure, as YugabyteDB reports most conflicts
  '40P01', // deadlock
])

const passingStates = new Set([
  ...conflicts,
  '3D000', // no such database: it is being restored
  '55P03', // lock timeout
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

/** Messages of `pg` without a code. */
const lostMessages =
  /^(Connection terminated|Client (was closed|has encountered a connection error)|timeout e(xceeded|xpired)|Query read timeout|Cannot use a pool after)/

/** The message of `pg` for a statement without a response within `query_timeout`. */
const silence = /^Query read timeout/

/** The server planned the statement before a migration; a new connection plans it again. */
const stalePlan = /^cached plan must not change result type/

const retryAfterMs = 1_000

/** A database that is unavailable, full or locked, as `SERVICE_UNAVAILABLE`; bugs of ours as they are. */
export function toStoreError(error: unknown): unknown {
  if (error instanceof FairleadError || !(error instanceof Error)) return error
  withoutValues(error)
  if (!isLost(error) && !isPassing(errorCode(error))) return error
  return new FairleadError('SERVICE_UNAVAILABLE', 'The database is not available right now.', {
    cause: error,
    retryAfterMs,
  })
}

const maxAttempts = 3

/** Repeats work that the server rolled back because of a concurrent transaction. */
export async function repeatConflicts<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (attempt === maxAttempts || !(error instanceof Error) || !conflicts.has(errorCode(error))) throw error
    }
  }
}

/** Whether the connection cannot be used again. */
export function isLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = errorCode(error)
  if (isUnusableSession(error, code) || hasEnded(error)) return true
  return (
    code.startsWith('08') || code.startsWith('57P') || lostConnections.has(code) || lostMessages.test(error.message)
  )
}

function isUnusableSession(error: Error, code: string): boolean {
  return unusableSessions.has(code) || stalePlan.test(error.message)
}

/** Whether the server closes the connection after this error, whatever it is. */
function hasEnded(error: Error): boolean {
  return 'severity' in error && (error.severity === 'FATAL' || error.severity === 'PANIC')
}

/** Classes and states of SQLSTATE with which the server refuses every connection. */
const refusesAll = new Set(['28', '3D000', '53300'])

/** A statement that the server did not respond to, not even to end it at `statement_timeout`, is a silence. */
export function classify(error: unknown): ServerFailure {
  // A full pool, for example, says nothing about the server.
  if (error instanceof FairleadError) return 'local'
  if (!(error instanceof Error) || !isOutage(error)) return 'answered'
  return silence.test(error.message) ? 'silent' : 'lost'
}

/** Whether an error says that the server cannot be used at all, rather than that one statement failed. */
function isOutage(error: Error): boolean {
  const code = errorCode(error)
  if (isUnusableSession(error, code)) return false
  return isLost(error) || refusesAll.has(code) || refusesAll.has(code.slice(0, 2))
}

function isPassing(code: string): boolean {
  return passingClasses.has(code.slice(0, 2)) || passingStates.has(code)
}

function errorCode(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : ''
}

/** Errors are logged, and values of statements must not be. */
function withoutValues(error: Error): void {
  for (const field of ['detail', 'where', 'internalQuery', 'client']) Reflect.deleteProperty(error, field)
}
