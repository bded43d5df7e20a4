import { chargedAccount } from './operation-run.ts'
import { reserveUnit } from './admission.ts'
import type { AnyReply } from './envelope.ts'
import { replay, takeClaim } from './idempotency.ts'
import type { Operation } from '../operation.ts'
import { isUnavailable } from './pending-settlements.ts'
import { quotaExceeded, readNearest, refund } from '../quota/quota.ts'
import { checkOutput, logOutage, replyWithFailure, toPublicError, toSuccess } from './reply.ts'
import type { OperationCall, Prepared, Reserved, Runtime } from './runtime.ts'
import { settleFailure, settleOrQueue, toSettlement, storeSettled } from './settlement.ts'

type Kind<Name extends Operation['kind']> = Extract<Operation, { kind: Name }>

/**
 * A store that cannot write, as on a full disk, does not keep readers from their records: they get their reply, and are
 * charged once it can write again.
 */
export async function runRead(
  runtime: Runtime,
  operation: Kind<'read'>,
  call: OperationCall,
  prepared: Prepared,
): Promise<AnyReply> {
  let reserved: Reserved = prepared
  try {
    reserved = await reserveUnit(runtime, call, prepared)
  } catch (error) {
    await deferCharge(runtime, call, error)
  }
  try {
    const data = checkOutput(operation, await operation.run(call.services, call, prepared.plan))
    await settleOrQueue(runtime, call, reserved, { outcome: 'ok', charged: true })
    return toSuccess(call, data)
  } catch (error) {
    return settleFailure(runtime, call, reserved, error)
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
  prepared: Prepared,
): Promise<AnyReply> {
  const { accepted, plan } = prepared
  const { claim } = accepted
  let reserved: Reserved = prepared
  let refusal: unknown
  try {
    reserved = await reserveUnit(runtime, call, prepared)
  } catch (error) {
    // A concurrent request with the same Idempotency-Key may have taken the last unit: this one gets its response.
    if (!claim) throw error
    refusal = error
  }
  const { unit } = reserved
  try {
    const done = await call.services.stores.transact(async (tx) => {
      const existing = claim && (await takeClaim(runtime, tx, call, claim))
      if (existing) {
        if (unit) call.limits = await refund(tx.counters, unit)
        return { existing }
      }
      if (refusal !== undefined) throw refusal
      const data = checkOutput(operation, await operation.apply(tx, call, plan))
      const settled = { outcome: 'ok', charged: true, data, isKept: true } as const
      await storeSettled(runtime, tx, toSettlement(runtime, call, reserved, settled))
      return { data }
    })
    if ('existing' in done) return await replay(runtime, call, done.existing, accepted)
    if (call.events.length > 0) runtime.eventSink?.committed()
    await runHooks(runtime, call)
    return toSuccess(call, done.data)
  } catch (error) {
    // All but the reservation was rolled back.
    if (unit) return settleFailure(runtime, call, reserved, error)
    if (!claim?.isLost) throw error
    return replyWithFailure(runtime, call, toPublicError(runtime.log, call, error))
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
