import { availableParallelism } from 'node:os'
import type { PasswordHasher } from '@fairlead/core'
import { hash, verify } from '@node-rs/argon2'
import { createFairQueue } from './fair-queue.ts'

export interface Argon2PasswordsOptions {
  /** How many are hashed at once. Default: two, or one on a single core, so that other work finds threads. */
  readonly concurrency?: number
  /**
   * How many more may wait; beyond that one is rejected with `SERVICE_UNAVAILABLE`, of the share that has the most waiting.
   * Default: 20.
   */
  readonly queue?: number
}

/** What OWASP's password storage cheat sheet asks of argon2id, which is what the library makes by itself. */
const strength = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const
const parameters = `$argon2id$v=19$m=${strength.memoryCost},t=${strength.timeCost},p=${strength.parallelism}$`

/** A hash of no password, made with the same strength: verifying against it takes as long as against any other. */
const nobody = `${parameters}bm9ib2R5IGtub3dzIGl0$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA`

/** Hashes passwords with argon2id (RFC 9106) on the thread pool that names are looked up and files are read on. */
export function argon2Passwords({
  concurrency = Math.min(2, availableParallelism()),
  queue = 20,
}: Argon2PasswordsOptions = {}): PasswordHasher {
  const inTurn = createFairQueue({ concurrency, maxWaiting: queue })
  return {
    hash: (password, share = '') => inTurn(share, () => hash(password, strength)),
    verify: (password, kept, share = '') =>
      inTurn(share, async () => (await verify(kept ?? nobody, password)) && kept !== undefined),
    isOutdated: (kept) => !kept.startsWith(parameters),
  }
}
