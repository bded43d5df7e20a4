import type { Stores, Transaction } from '../ports/stores.ts'
import type { Claim } from '../values/claim.ts'
import { FairleadError } from '../values/fairlead-error.ts'
import { sealedFingerprint, sealedOutcome } from './sealed-claim.ts'
import type { Run } from './run-state.ts'
import type { Runtime } from './runtime.ts'

/** How long a crash can keep a key from the next try. */
const leaseMs = 60_000
const renewEveryMs = 20_000
/** How long the same key gets the same answer. */
const keptForMs = 24 * 3_600_000

/** What already stands under a run's key, and still holds. */
export function findStanding(stores: Stores, { id }: NonNullable<Run['claim']>): Promise<Claim | undefined> {
  return stores.read((view) => view.claims.find(id, keptForMs))
}

/** Claims the run's key, where it has one; answers with what stands in the way. */
export async function takeClaim({ cipher }: Runtime, tx: Transaction, run: Run): Promise<Claim | undefined> {
  if (!run.claim) return undefined
  const fingerprint = sealedFingerprint(cipher, run.claim)
  return tx.claims.take({ id: run.claim.id, fingerprint, owner: run.runId }, { leaseMs, keptForMs })
}

/** How long the request that took the key over may need for its outcome. */
const takenOverRetryMs = 1_000

/**
 * Stores the run's outcome under its key, in the transaction that keeps its effect. Throws `CONFLICT`, so that the
 * transaction rolls back, where the run's lease ended and another request owns the key: one key must not have two
 * outcomes.
 */
export async function keepOutcome({ cipher }: Runtime, tx: Transaction, run: Run, data: unknown): Promise<void> {
  if (!run.claim) return
  const { id } = run.claim
  const kept = await tx.claims.keep(id, run.runId, sealedOutcome(cipher, run, id, data))
  if (kept) return
  run.claim.isLost = true
  throw new FairleadError('CONFLICT', 'Another request took over this Idempotency-Key. Retry to get its result.', {
    retryAfterMs: takenOverRetryMs,
  })
}

/** Frees the run's key for the next try. */
export async function releaseClaim(tx: Transaction, { claim, runId }: Run): Promise<void> {
  if (claim) await tx.claims.release(claim.id, runId)
}

/** Holds the run's key for as long as the work takes, until the returned function is called. */
export function holdClaim({ clock, log }: Runtime, stores: Stores, { claim, runId, requestId }: Run): () => void {
  if (!claim) return () => {}
  let cancel = () => {}
  let held = true
  const wait = () => {
    cancel = clock.alarm(renewEveryMs, () => void renew())
  }
  async function renew(): Promise<void> {
    try {
      const kept = await stores.transact((tx) => tx.claims.renew(claim?.id ?? '', runId, leaseMs))
      // It may have been let go of meanwhile.
      held = held && kept
    } catch (error) {
      log.warn({ requestId, error }, 'the claim of an Idempotency-Key could not be renewed')
    }
    if (held) wait()
  }
  wait()
  return () => {
    held = false
    cancel()
  }
}
