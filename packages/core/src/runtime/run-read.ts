import type { Services } from './call.ts'
import type { Success } from './envelope.ts'
import type { Operation } from './operation.ts'
import { isUnavailable } from './pending-settlements.ts'
import { limitsFrom, quotaExceeded, type ReservedUnit } from './quota.ts'
import { checkOutput, logOutage, toPublicError, toSuccess } from './reply.ts'
import { chargedAccount, type Run, type Runtime } from './run-state.ts'
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
  run: Run,
  plan: unknown,
): Promise<Success<unknown>> {
  const { stores } = services
  const unit = await reserveOrDefer(runtime, stores, run)
  const reservation = unit === 'deferred' ? undefined : unit
  try {
    const data = checkOutput(operation, await operation.run(services, run, plan))
    const bill = billOf(runtime, run, reservation, { outcome: 'ok', charged: true })
    await settle(runtime, run, () => storeSuccess(runtime, stores, run, bill, unit === 'deferred'))
    return toSuccess(run, data)
  } catch (error) {
    const failure = toPublicError(runtime.log, run, error)
    const outcome = run.signal.aborted ? 'aborted' : failure.code
    const bill = billOf(runtime, run, reservation, { outcome, charged: false })
    if (bill) await settle(runtime, run, () => stores.transact((tx) => settleUnit(tx, run, bill), { durable: false }))
    throw failure
  }
}

/** Reserves the run's unit, or defers it if the store can be read but not written and the quota is not used up. */
async function reserveOrDefer(
  runtime: Runtime,
  stores: RuntimeStores,
  run: Run,
): Promise<ReservedUnit | 'deferred' | undefined> {
  try {
    return await reserveUnit(runtime, stores, run)
  } catch (error) {
    const account = chargedAccount(run)
    // An error without a cause is the store's refusal to take more work.
    if (!account || !isUnavailable(error) || error.cause === undefined) throw error
    const reading = await stores
      .read((view) => view.counters.peek(account.counter))
      .catch(() => {
        throw error
      })
    run.limits = limitsFrom(reading, account.limit)
    if (run.limits?.remaining === 0) throw quotaExceeded(run.limits, runtime.clock.now())
    logOutage(runtime.log, run.requestId, error)
    runtime.onDeferredCharge()
    return 'deferred'
  }
}

/** Adds the usage record, and takes the unit that was deferred. Idempotent, as `settleUnit` is. */
async function storeSuccess(
  runtime: Runtime,
  stores: RuntimeStores,
  run: Run,
  bill: Bill | undefined,
  isDeferred: boolean,
): Promise<void> {
  if (run.events.length === 0 && !isDeferred) return void (bill && (await stores.addUsage(bill.record)))
  await stores.transact(
    async (tx) => {
      const isFirst = bill !== undefined && (await tx.usage.add(bill.record))
      if (isFirst && isDeferred) await tx.counters.reserve(bill.record.counter, null)
      await storeEvents(runtime, tx, run)
    },
    { durable: run.events.length > 0 },
  )
  if (run.events.length > 0) runtime.eventSink?.committed()
}

/** Writes a settlement, or queues it while the store is unavailable. Never rejects. */
async function settle(
  { pendingSettlements, log }: Runtime,
  { requestId }: Run,
  write: () => Promise<void>,
): Promise<void> {
  try {
    await pendingSettlements.write(write)
  } catch (error) {
    log.error({ requestId, error }, 'could not record the usage of a read')
  }
}
