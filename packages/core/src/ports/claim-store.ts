import type { Claim } from '../values/claim.ts'

export interface ClaimView {
  /** What stands there and still holds. */
  find(id: string, keptForMs: number): Promise<Claim | undefined>
}

/** How long a claim holds while its run goes on, and how long what it came to. */
export interface ClaimTerms {
  readonly leaseMs: number
  readonly keptForMs: number
}

/**
 * Idempotency keys in use. What holds is told by the store's clock, so that nodes whose own differ agree.
 *
 * A lease that was taken or renewed in the future by more than `maxClockSkewMs` does not hold: it was taken while the clock
 * was wrong, and its owner, if alive, renews it within seconds. An outcome of the future does hold, since it must not be
 * made a second time.
 */
export interface ClaimStore extends ClaimView {
  /**
   * Makes a claim, and answers undefined; or answers with the one that stands in its way. A claim gives way when its lease
   * has ended, and an outcome when it was kept for as long as the terms say. Of several at once, one is made.
   */
  take(claim: Pick<Claim, 'id' | 'fingerprint' | 'owner'>, terms: ClaimTerms): Promise<Claim | undefined>
  /** Holds it for so long from now on. False, and nothing changed, where the claim is no longer the owner's. */
  renew(id: string, owner: string, leaseMs: number): Promise<boolean>
  /** Keeps what the owner's run came to. False, and nothing changed, where the claim is no longer the owner's. */
  keep(id: string, owner: string, outcome: string): Promise<boolean>
  /** Frees the key, where the claim is still the owner's and has no outcome. */
  release(id: string, owner: string): Promise<void>
  /** Removes what was claimed, renewed or kept before that instant, the oldest first, at most `limit`, and tells how many. */
  purge(before: number, limit: number): Promise<number>
}
