import { chargedAccount } from './operation-run.ts'
import type { Streaming, Success } from './envelope.ts'
import { replay, takeClaim } from './idempotency.ts'
import type { Operation } from '../operation.ts'
import { isUnavailable } from './pending-settlements.ts'
import { quotaExceeded, readNearest, refund } from '../quota/quota.ts'
import { checkOutput, logOutage, toPublicError, toSuccess } from './reply.ts'
import type { OperationCall, Runtime } from './runtime.ts'
import { reserveUnit, settleFailure, settleOrQueue, storeSettled } from './settlement.ts'
import { usageRecord } from './usage-record.ts'

type Kind<Name extends Operation['kind']> = Extract<Operation, { kind: Name }>

/**
 * A store that cannot write, as on a full disk, does not keep readers from their records: they get their reply, and are
 * charged once it can write again.
 */
export async function runRead(
  runtime: Runtime,
  operation: Kind<'read'>,
  call: OperationCall,
  plan: unknown,
): Promise<Success<unknown> | Streaming<unknown, unknown>> {
  try {
    await reserveUnit(runtime, call)
  } catch (error) {
    await deferCharge(runtime, call, error)
  }
  try {
    const data = checkOutput(operation, await operation.run(call.services, call, plan))
    await settleOrQueue(runtime, call, { outcome: 'ok', charged: true })
    return toSuccess(call, data)
  } catch (error) {
    throw await settleFailure(runtime, call, error)
  }
}

/** Throws the error again, unless the store can be read but not written, and no quota is used up. */
async function deferCharge(runtime: Runtime, call: OperationCall, error: unknown): Promise<void> {
  const account = chargedAccount(call)
  // An error without a cause is the store's refusal to take more work.
  if (!account || !isUnavailable(error) || error.cause === undefined) throw error
  call.limits = await call.services.stores
    .read((view) => readNearest(view.counters, account))
    .catch(() => {
      throw error
    })
  if (call.limits?.remaining === 0) throw quotaExceeded(call.limits, runtime.clock.now())
  logOutage(runtime.log, call.requestId, error)
  runtime.observer.chargeDeferred?.(call)
}

/**
 * Commits the claim, effect, events, stored outcome, and usage in one transaction. The unit is reserved before it, so that
 * no transaction holds the lock of a counter, which all requests of an API key need.
 */
export async function runWrite(
  runtime: Runtime,
  operation: Kind<'write'>,
  call: OperationCall,
  plan: unknown,
): Promise<Success<unknown> | Streaming<unknown, unknown>> {
  let refusal: unknown
  try {
    await reserveUnit(runtime, call)
  } catch (error) {
    // A concurrent request with the same Idempotency-Key may have taken the last unit: this one gets its response.
    if (!call.claim) throw error
    refusal = error
  }
  try {
    const done = await call.services.stores.transact(async (tx) => {
      const existing = await takeClaim(runtime, tx, call)
      if (existing) {
        if (call.reservation) call.limits = await refund(tx.counters, call.reservation)
        return { existing }
      }
      if (refusal !== undefined) throw refusal
      const data = checkOutput(operation, await operation.apply(tx, call, plan))
      const settled = { outcome: 'ok', charged: true, data, isKept: true } as const
      await storeSettled(runtime, tx, call, usageRecord(runtime, call, settled), settled)
      return { data }
    })
    if ('existing' in done) return await replay(runtime, call, done.existing)
    if (call.events.length > 0) runtime.eventSink?.committed()
    await runHooks(runtime, call)
    return toSuccess(call, done.data)
  } catch (error) {
    // All but the reservation was rolled back.
    throw call.reservation ? await settleFailure(runtime, call, error) : toPublicError(runtime.log, call, error)
  }
}

/** Calls the `afterCommit` hooks. The change is committed, so their errors are only logged. */
async function runHooks({ log }: Runtime, { services, requestId, hooks }: OperationCall): Promise<void> {
  for (const hook of hooks) {
    try {
      await hook(services)
    } catch (error) {
      log.error({ requestId, error }, 'an afterCommit hook failed')
    }
  }
}
