import type { Reservation } from '../quota/reserve.ts'
import type { Streaming, Success } from '../values/envelope.ts'
import { keepOutcome, takeClaim } from './run-claim.ts'
import { checkOutput } from './check-output.ts'
import type { Operation } from './define-operation.ts'
import { replay } from './replay.ts'
import { toPublicError } from './public-error.ts'
import type { Run } from './run-state.ts'
import type { Runtime } from './runtime.ts'
import type { Services } from './services.ts'
import { billOf, reserveUnit, settleUnit } from './settlement.ts'
import { toSuccess } from './to-envelope.ts'

/** Claim, reservation, effect, events, usage and kept outcome in one transaction: all of them or none. */
export async function runWrite(
  runtime: Runtime,
  services: Services,
  operation: Extract<Operation, { kind: 'write' }>,
  run: Run,
  plan: unknown,
): Promise<Success<unknown> | Streaming<unknown, unknown>> {
  const { stores } = services
  let reservation: Reservation | undefined
  try {
    const done = await stores.transact(async (tx) => {
      const standing = await takeClaim(runtime, tx, run)
      if (standing) return { standing }
      reservation = await reserveUnit(runtime, tx.counters, run)
      const data = checkOutput(operation, await operation.apply(tx, run, plan))
      await tx.outbox.add(run.events)
      await settleUnit(tx, run, billOf(runtime, run, reservation, { outcome: 'ok', charged: true }))
      await keepOutcome(runtime, tx, run, data)
      return { data }
    })
    if ('standing' in done) return await replay(runtime, services, run, done.standing)
    await finish(runtime, services, run)
    return toSuccess(run, done.data)
  } catch (error) {
    const shown = toPublicError(runtime.log, run, error)
    if (reservation) {
      // The reservation was rolled back with the rest: all that is left to keep is that it failed.
      run.limits = undefined
      const bill = billOf(runtime, run, undefined, { outcome: shown.code, charged: false })
      await runtime.pendingSettlements
        .write(() => stores.transact((tx) => settleUnit(tx, run, bill), { durable: false }))
        .catch((cause: unknown) =>
          runtime.log.error({ requestId: run.requestId, error: cause }, 'a failed request could not be recorded'),
        )
    }
    throw shown
  }
}

/** What the change brings with it outside the stores. The change itself stands by now. */
async function finish({ log }: Runtime, services: Services, { requestId, hooks }: Run): Promise<void> {
  for (const hook of hooks) {
    try {
      await hook(services)
    } catch (error) {
      log.error({ requestId, error }, 'a change was kept, and what follows from it failed')
    }
  }
}
