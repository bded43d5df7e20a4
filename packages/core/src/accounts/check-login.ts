import type { Clock } from '../runtime/clock.ts'
import { type PasswordHasher, normalizePassword, checkPassword } from './passwords.ts'
import { FairleadError } from '../runtime/errors.ts'
import { type User } from './user.ts'
import type { AttemptLimits } from './attempt-limits.ts'
import { networkOf } from './attempt-limits.ts'
import { failLogin, type LoginAttempt, loginDelay, pairBucket } from './throttles.ts'
import type { AccountStores } from './stores.ts'
import { normalizeEmail } from './email.ts'

/** A user who knows the password, and what the password hashes to. */
export interface KnownUser {
  readonly user: User
  readonly hash: string
}

interface LoginServices {
  readonly stores: AccountStores
  readonly passwords: PasswordHasher
  readonly clock: Clock
  readonly attempts: AttemptLimits
}

/**
 * The user with that e-mail address and password; undefined where there is none, after the same work. Rejected with
 * `RATE_LIMIT_EXCEEDED` where too many attempts failed before.
 *
 * The limits come in the order of their cost: the network's in memory, a refusal that is remembered, the store's count,
 * the queue of the password hash. Only a wrong password writes anything. A right one counts only with `passLogin`, in the
 * transaction that acts on it.
 */
export async function checkLogin(
  services: LoginServices,
  attempt: LoginAttempt,
  password: string,
  signal: AbortSignal,
): Promise<KnownUser | undefined> {
  const { attempts, stores } = services
  const network = networkOf(attempt.address)
  // Counted first, so that attempts side by side can't all pass before the first of them fails.
  const takeBack = attempts.countFailure(network)
  let failed = false
  try {
    return await attempts.unlessRefused(pairBucket(attempt), async () => {
      const known = await findKnown(services, attempt, { password, network }, signal)
      if (known) return known
      failed = true
      await stores.transact((tx) => failLogin(tx, attempt))
      return undefined
    })
  } finally {
    if (!failed) takeBack()
  }
}

async function findKnown(
  { stores, passwords, clock }: LoginServices,
  attempt: LoginAttempt,
  { password, network }: { readonly password: string; readonly network: string },
  signal: AbortSignal,
): Promise<KnownUser | undefined> {
  const { delayMs, user, hash } = await stores.read(async (view) => {
    const delay = await loginDelay(view, attempt)
    const found = await view.users.findByEmail(attempt.email)
    return { delayMs: delay, user: found, hash: found && (await view.users.passwordHash(found.id)) }
  })
  if (delayMs > 0) await new Promise<void>((resolve) => void clock.schedule(delayMs, resolve))
  signal.throwIfAborted()
  const isRight = await passwords.verify(password, hash, network)
  return isRight && user && hash !== undefined ? { user, hash } : undefined
}

/** The same words for an unknown e-mail address and a wrong password. */
export function wrongLogin(): FairleadError {
  return new FairleadError('UNAUTHORIZED', 'The e-mail address or the password is wrong.')
}

/**
 * Gives a user a new password, and ends the sessions that the old one opened. For whoever has the machine: nothing is
 * asked. False where nobody has that e-mail address.
 *
 * @param password refused with `INVALID_REQUEST` where no user could choose it
 */
export async function setPassword(
  stores: AccountStores,
  passwords: PasswordHasher,
  { email, password }: { readonly email: string; readonly password: string },
): Promise<boolean> {
  // One that is too long to be normalized is too long to be a password, too.
  const normal = normalizePassword(password) ?? password
  checkPassword(normal, [email])
  const hash = await passwords.hash(normal)
  return stores.transact(async (tx) => {
    const user = await tx.users.findByEmail(normalizeEmail(email))
    if (!user) return false
    await tx.users.setPassword(user.id, hash)
    const sessions = await tx.sessions.ofUser(user.id)
    await tx.sessions.remove(sessions.map(({ id }) => id))
    return true
  })
}
