import { type Services, chargedAccount } from './call.ts'
import type { Success } from './envelope.ts'
import type { Operation } from './operation.ts'
import { isUnavailable } from './pending-settlements.ts'
import { limitsFrom, quotaExceeded } from './quota.ts'
import { checkOutput, logOutage, toPublicError, toSuccess } from './reply.ts'
import type { OperationCall, Runtime } from './runtime.ts'
import { type Bill, billOf, reserveUnit, settleUnit, storeEvents } from './settlement.ts'
import type { RuntimeStores } from './stores.ts'

/**
 * Reserves a unit, runs the operation, and records its usage. A store that cannot write, as on a full disk, does not keep
 * readers from their records: they get their reply, and are charged once it can write again.
 */
export async function runRead(
  runtime: Runtime,
  services: Services,
  operation: Extract<Operation, { kind: 'read' }>,
  call: OperationCall,
  plan: unknown,
): Promise<Success<unknown>> {
  const { stores } = services
  const isDeferred = await reserveOrDefer(runtime, stores, call)
  try {
    const data = checkOutput(operation, await operation.run(services, call, plan))
    const bill = billOf(runtime, call, { outcome: 'ok', charged: true })
    await settle(runtime, call, () => storeSuccess(runtime, stores, call, bill, isDeferred))
    return toSuccess(call, data)
  } catch (error) {
    const failure = toPublicError(runtime.log, call, error)
    const outcome = call.hasLeft ? 'aborted' : failure.code
    const bill = billOf(runtime, call, { outcome, charged: false })
    if (bill) await settle(runtime, call, () => stores.transact((tx) => settleUnit(tx, call, bill), { durable: false }))
    throw failure
  }
}

/**
 * Reserves the run's unit. Returns whether it is deferred, because the store can be read but not written and the quota is not
 * used up.
 */
async function reserveOrDefer(runtime: Runtime, stores: RuntimeStores, call: OperationCall): Promise<boolean> {
  try {
    await reserveUnit(runtime, stores, call)
    return false
  } catch (error) {
    const account = chargedAccount(call)
    // An error without a cause is the store's refusal to take more work.
    if (!account || !isUnavailable(error) || error.cause === undefined) throw error
    const reading = await stores
      .read((view) => view.counters.peek(account.counter))
      .catch(() => {
        throw error
      })
    call.limits = limitsFrom(reading, account.limit)
    if (call.limits?.remaining === 0) throw quotaExceeded(call.limits, runtime.clock.now())
    logOutage(runtime.log, call.requestId, error)
    runtime.onDeferredCharge()
    return true
  }
}

/** Adds the usage record, and takes the unit that was deferred. Idempotent, as `settleUnit` is. */
async function storeSuccess(
  runtime: Runtime,
  stores: RuntimeStores,
  call: OperationCall,
  bill: Bill | undefined,
  isDeferred: boolean,
): Promise<void> {
  if (call.events.length === 0 && !isDeferred) return void (bill && (await stores.addUsage(bill.record)))
  await stores.transact(
    async (tx) => {
      const isFirst = bill !== undefined && (await tx.usage.add(bill.record))
      if (isFirst && isDeferred) await tx.counters.reserve(bill.record.counter, null)
      await storeEvents(runtime, tx, call)
    },
    { durable: call.events.length > 0 },
  )
  if (call.events.length > 0) runtime.eventSink?.committed()
}

/** Writes a settlement, or queues it while the store is unavailable. Never rejects. */
async function settle(
  { pendingSettlements, log }: Runtime,
  { requestId }: OperationCall,
  write: () => Promise<void>,
): Promise<void> {
  try {
    await pendingSettlements.write(write)
  } catch (error) {
    log.error({ requestId, error }, 'could not record the usage of a read')
  }
}
