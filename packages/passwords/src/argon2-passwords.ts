import { availableParallelism } from 'node:os'
import { FairleadError } from '@fairlead/core'
import type { PasswordHasher } from '@fairlead/accounts'
import { createBulkhead } from '@fairlead/core/stores'
import { hash, verify } from '@node-rs/argon2'

export interface Argon2PasswordsOptions {
  /** Concurrent hashes. Default: two, or one on a single core, which leaves threads for other work. */
  readonly concurrency?: number | undefined
  /**
   * Maximum number of waiting hashes. Beyond it, one of the largest share is rejected with `SERVICE_UNAVAILABLE`.
   * Default: 20.
   */
  readonly queue?: number | undefined
}

/** The minimum for argon2id of OWASP's Password Storage Cheat Sheet, and the library's default. */
const strength = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const
const parameters = `$argon2id$v=19$m=${strength.memoryCost},t=${strength.timeCost},p=${strength.parallelism}$`

/** A hash that no password matches. Verifying it takes as long as any other, which hides whether a user exists. */
const unmatchable = `${parameters}bm9ib2R5IGtub3dzIGl0$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA`

/** Hashes passwords with argon2id (RFC 9106) on libuv's thread pool, which DNS and files use too. */
export function argon2Passwords({
  concurrency = Math.min(2, availableParallelism()),
  queue = 20,
}: Argon2PasswordsOptions = {}): PasswordHasher {
  const inTurn = fairQueue(concurrency, queue)
  return {
    hash: (password, share = '') => inTurn(share, () => hash(password, strength)),
    verify: (password, kept, share = '') =>
      inTurn(share, async () => (await verify(kept ?? unmatchable, password)) && kept !== undefined),
    isOutdated: (kept) => !kept.startsWith(parameters),
  }
}

/**
 * Runs work when a slot is free. The shares, such as networks, take turns. When the queue is full, the share that waits with
 * the most work loses its newest, so that a client that fills the queue delays others by one turn at most.
 */
export function fairQueue(concurrency: number, maxWaiting: number) {
  const slots = createBulkhead({ slots: concurrency, queueSize: maxWaiting, accountShare: 1 })
  return async <Result>(share: string, work: () => Promise<Result>): Promise<Result> => {
    if (!slots.tryAcquire(share)) {
      const { promise, resolve } = Promise.withResolvers<boolean>()
      slots.enqueue(share, resolve)
      if (!(await promise)) throw tooBusy()
    }
    try {
      return await work()
    } finally {
      slots.release(share)
    }
  }
}

function tooBusy(): FairleadError {
  return new FairleadError('SERVICE_UNAVAILABLE', 'Too many passwords are being checked right now.', {
    retryAfterMs: 1_000,
  })
}
