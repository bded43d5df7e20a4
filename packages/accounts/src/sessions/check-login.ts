import { pause, readNetwork } from '@fairlead/core/feature'
import { type OperationRun, FairleadError } from '@fairlead/core'
import type { UserRow } from '../users/user.ts'
import { failLogin, type LoginAttempt, loginDelay, pairBucket } from './throttles.ts'
import type { AccountServices } from '../services.ts'

export interface VerifiedUser {
  readonly user: UserRow
  readonly hash: string
}

type LoginServices = Pick<AccountServices, 'stores' | 'passwords' | 'clock' | 'attempts'>

/**
 * Returns the user with that email address and password; undefined if there is none, after the same amount of work.
 * Rejects with `RATE_LIMIT_EXCEEDED` after too many failed attempts.
 *
 * The limits are checked in the order of their cost: the network's limit in memory, a cached rejection, the counts in the
 * store, the queue of the password hasher. Only a wrong password causes a write, and is in the audit log. A correct one takes effect with
 * `passLogin`, in the transaction that acts on it.
 */
export async function checkLogin(
  services: LoginServices,
  attempt: LoginAttempt,
  password: string,
  call: OperationRun,
): Promise<VerifiedUser | undefined> {
  const { attempts, stores } = services
  const network = readNetwork(attempt.address)
  // Counted first, so that concurrent attempts cannot all pass before the first of them fails.
  const takeBack = attempts.countFailure(network)
  let failed = false
  try {
    return await attempts.unlessRejected(pairBucket(attempt), async () => {
      const { user, hash, isCorrect } = await verifyUser(services, attempt, { password, network }, call.signal)
      if (isCorrect && user && hash !== undefined) return { user, hash }
      failed = true
      await stores.transact((tx) => failLogin(tx, attempt))
      call.auditFailure({ type: 'user', id: user?.id ?? null })
      return undefined
    })
  } finally {
    if (!failed) takeBack()
  }
}

async function verifyUser(
  { stores, passwords, clock }: LoginServices,
  attempt: LoginAttempt,
  { password, network }: { readonly password: string; readonly network: string },
  signal: AbortSignal,
): Promise<Partial<VerifiedUser> & { readonly isCorrect: boolean }> {
  const { delayMs, user, hash } = await stores.read(async (view) => {
    const delay = await loginDelay(view, attempt)
    const found = await view.users.findByEmail(attempt.email)
    return { delayMs: delay, user: found, hash: found && (await view.users.passwordHash(found.id)) }
  })
  if (delayMs > 0) await pause(clock, delayMs)
  signal.throwIfAborted()
  const isCorrect = await passwords.verify(password, hash, network)
  return { ...(user && { user }), ...(hash !== undefined && { hash }), isCorrect }
}

/** The error for an unknown email address as well as a wrong password. */
export function wrongLogin(): FairleadError {
  return new FairleadError('UNAUTHORIZED', 'The email address or the password is wrong.')
}
