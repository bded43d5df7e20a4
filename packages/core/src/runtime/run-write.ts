import type { Services } from './call.ts'
import type { Streaming, Success } from './envelope.ts'
import { keepOutcome, replay, takeClaim } from './idempotency.ts'
import type { Operation } from './operation.ts'
import { giveBack } from './quota.ts'
import { checkOutput, toPublicError, toSuccess } from './reply.ts'
import type { OperationCall, Runtime } from './runtime.ts'
import { billOf, reserveUnit, settleUnit, storeEvents } from './settlement.ts'

/**
 * Commits the claim, effect, events, stored outcome, and usage in one transaction. The unit is reserved before it, so that
 * no transaction holds the lock of a counter, which all requests of an API key need.
 */
export async function runWrite(
  runtime: Runtime,
  services: Services,
  operation: Extract<Operation, { kind: 'write' }>,
  call: OperationCall,
  plan: unknown,
): Promise<Success<unknown> | Streaming<unknown, unknown>> {
  const { stores } = services
  let refusal: unknown
  try {
    await reserveUnit(runtime, stores, call)
  } catch (error) {
    // A concurrent request with the same Idempotency-Key may have taken the last unit: this one gets its response.
    if (!call.claim) throw error
    refusal = error
  }
  try {
    const done = await stores.transact(async (tx) => {
      const existing = await takeClaim(runtime, tx, call)
      if (existing) {
        if (call.reservation) call.limits = await giveBack(tx.counters, call.reservation)
        return { existing }
      }
      if (refusal !== undefined) throw refusal
      const data = checkOutput(operation, await operation.apply(tx, call, plan))
      await storeEvents(runtime, tx, call)
      await keepOutcome(runtime, tx, call, data)
      // Last, because the requests of an API key share the rows of its sums, which stay locked until the commit.
      await settleUnit(tx, call, billOf(runtime, call, { outcome: 'ok', charged: true }))
      return { data }
    })
    if ('existing' in done) return await replay(runtime, services, call, done.existing)
    if (call.events.length > 0) runtime.eventSink?.committed()
    await runHooks(runtime, services, call)
    return toSuccess(call, done.data)
  } catch (error) {
    const publicError = toPublicError(runtime.log, call, error)
    if (call.reservation) {
      call.limits = undefined
      const bill = billOf(runtime, call, { outcome: publicError.code, charged: false })
      await runtime.pendingSettlements
        .write(() => stores.transact((tx) => settleUnit(tx, call, bill), { durable: false }))
        .catch((cause: unknown) =>
          runtime.log.error({ requestId: call.requestId, error: cause }, 'could not record a failed request'),
        )
    }
    throw publicError
  }
}

/** Calls the `afterCommit` hooks. The change is committed, so their errors are only logged. */
async function runHooks({ log }: Runtime, services: Services, { requestId, hooks }: OperationCall): Promise<void> {
  for (const hook of hooks) {
    try {
      await hook(services)
    } catch (error) {
      log.error({ requestId, error }, 'an afterCommit hook failed')
    }
  }
}
