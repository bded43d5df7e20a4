import { FairleadError } from '../values/fairlead-error.ts'

/**
 * Hashes passwords, slowly on purpose. It bounds how many at once: beyond that it rejects with `FairleadError`
 * `SERVICE_UNAVAILABLE`. `share` names for whom it works, such as a network: one share must not make it reject the work
 * of others. Default: one share for all calls that name none.
 */
export interface PasswordHasher {
  /** A salted hash that tells by itself how it was made. */
  hash(password: string, share?: string): Promise<string>
  /** Whether the password made the hash. Without a hash: false, after the same work. */
  verify(password: string, hash: string | undefined, share?: string): Promise<boolean>
  /** Whether a hash was made more weakly than this hasher would. */
  isOutdated(hash: string): boolean
}

/** Refuses everything that needs a password: for programs that sign nobody in. */
export const noPasswords: PasswordHasher = {
  hash: refuse,
  verify: refuse,
  isOutdated: () => false,
}

async function refuse(): Promise<never> {
  throw new FairleadError('FORBIDDEN', 'Password login is disabled. Use an API key.')
}

/** The cost of an operation that hashes a password: a GraphQL document may have at most four of them. */
export const passwordHashCost = 1_000
