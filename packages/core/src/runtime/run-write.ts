import type { Services } from './call.ts'
import type { Streaming, Success } from './envelope.ts'
import { keepOutcome, replay, takeClaim } from './idempotency.ts'
import type { Operation } from './operation.ts'
import { giveBack, type ReservedUnit } from './quota.ts'
import { checkOutput, toPublicError, toSuccess } from './reply.ts'
import type { Run, Runtime } from './run-state.ts'
import { billOf, reserveUnit, settleUnit, storeEvents } from './settlement.ts'

/**
 * Commits the claim, effect, events, stored outcome, and usage in one transaction. The unit is reserved before it, so that
 * no transaction holds the lock of a counter, which all requests of an API key need.
 */
export async function runWrite(
  runtime: Runtime,
  services: Services,
  operation: Extract<Operation, { kind: 'write' }>,
  run: Run,
  plan: unknown,
): Promise<Success<unknown> | Streaming<unknown, unknown>> {
  const { stores } = services
  let reservation: ReservedUnit | undefined
  let refusal: unknown
  try {
    reservation = await reserveUnit(runtime, stores, run)
  } catch (error) {
    // A concurrent request with the same Idempotency-Key may have taken the last unit: this one gets its response.
    if (!run.claim) throw error
    refusal = error
  }
  try {
    const done = await stores.transact(async (tx) => {
      const existing = await takeClaim(runtime, tx, run)
      if (existing) {
        if (reservation) run.limits = await giveBack(tx.counters, reservation)
        return { existing }
      }
      if (refusal !== undefined) throw refusal
      const data = checkOutput(operation, await operation.apply(tx, run, plan))
      await storeEvents(runtime, tx, run)
      await keepOutcome(runtime, tx, run, data)
      // Last, because the requests of an API key share the rows of its sums, which stay locked until the commit.
      await settleUnit(tx, run, billOf(runtime, run, reservation, { outcome: 'ok', charged: true }))
      return { data }
    })
    if ('existing' in done) return await replay(runtime, services, run, done.existing)
    if (run.events.length > 0) runtime.eventSink?.committed()
    await runHooks(runtime, services, run)
    return toSuccess(run, done.data)
  } catch (error) {
    const publicError = toPublicError(runtime.log, run, error)
    if (reservation) {
      run.limits = undefined
      const bill = billOf(runtime, run, reservation, { outcome: publicError.code, charged: false })
      await runtime.pendingSettlements
        .write(() => stores.transact((tx) => settleUnit(tx, run, bill), { durable: false }))
        .catch((cause: unknown) =>
          runtime.log.error({ requestId: run.requestId, error: cause }, 'could not record a failed request'),
        )
    }
    throw publicError
  }
}

/** Calls the `afterCommit` hooks. The change is committed, so their errors are only logged. */
async function runHooks({ log }: Runtime, services: Services, { requestId, hooks }: Run): Promise<void> {
  for (const hook of hooks) {
    try {
      await hook(services)
    } catch (error) {
      log.error({ requestId, error }, 'an afterCommit hook failed')
    }
  }
}
