import { nextReset, spendPeriod } from '../budgets/budget.ts'
import { FairleadError } from '../errors.ts'
import { type OperationRun, unmeteredWriter } from '../run/operation-run.ts'
import type { OperationCall, Runtime } from '../run/runtime.ts'
import type { RuntimeTransaction } from '../stores/stores.ts'

/** About what a row takes beside its text: ids, times and hashes, and entries of indexes. */
const rowBytes = 500

/** The data that a run stores besides its record, its events, and its entries of the audit log. */
interface Written {
  /** The result, which is about as long as the record that changed. */
  readonly data: unknown
  /** Whether the result is stored again, for the request's Idempotency-Key. */
  readonly isKept: boolean
  /** The deliveries of its events. */
  readonly deliveries: number
}

/**
 * Counts about how many bytes a change that costs no unit adds to the stores, toward the daily limit (UTC) of its
 * account. Throws `RATE_LIMIT_EXCEEDED` beyond the limit, and the transaction must then be rolled back. A change that
 * removes a record counts too, but always passes: there are no more of them than records that were added.
 */
export async function countWritten(
  { clock, writtenBytesPerDay: limit }: Runtime,
  { counters }: RuntimeTransaction,
  call: OperationCall,
  written: Written,
): Promise<void> {
  const writer = limit === null ? undefined : findWriter(call)
  if (limit === null || writer === undefined) return
  const now = clock.now()
  const { used } = await counters.add(`bytes of ${writer} ${spendPeriod('day', now)}`, countBytes(call, written))
  if (used <= limit || isRemoval(call.operation)) return
  const resetAt = nextReset('day', now) ?? now
  throw new FairleadError(
    'RATE_LIMIT_EXCEEDED',
    `The changes of this account have stored ${limit} bytes today, which is the limit. It resets at ${new Date(resetAt).toISOString()}.`,
    { retryAfterMs: resetAt - now, facts: { limit: call.spell('writtenBytesPerDay') } },
  )
}

/**
 * The account that the bytes count toward: the user who acts or pays, or else the project. Undefined for admins, and
 * for what costs a unit.
 */
function findWriter(call: OperationCall): string | undefined {
  const account = unmeteredWriter(call)
  if (!account) return call.signedIn && `sign-ins of ${call.signedIn}`
  const { role, member, payer, userId } = account
  return role === 'admin' ? undefined : (member?.userId ?? payer ?? userId)
}

function isRemoval({ rest }: OperationCall['operation']): boolean {
  return rest?.method === 'DELETE'
}

function countBytes({ audited, events }: OperationRun, { data, isKept, deliveries }: Written): number {
  // A stored response is in base64.
  const texts = [data, ...(isKept ? [data] : []), ...audited, ...events].map((each) => JSON.stringify(each))
  const rows = texts.length + deliveries
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text), rows * rowBytes)
}
