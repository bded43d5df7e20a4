import { checkLogin } from '../../access/check-login.ts'
import { networkOf } from '../../access/network-of.ts'
import { type LoginAttempt, passLogin } from '../../access/throttles.ts'
import type { Transaction } from '../../ports/stores.ts'
import type { Call } from '../../runtime/call.ts'
import type { AccountServices } from '../../accounts/account-services.ts'
import { FairleadError } from '../../values/fairlead-error.ts'
import { invalidRequest } from '../../values/invalid-request.ts'
import { checkPassword } from '../../values/password-rule.ts'
import type { User } from '../../values/user.ts'

/** What a caller wants to log in with from now on, beside the password that proves who asks. */
export interface WantedLogin {
  readonly email: string
  readonly password: string | undefined
  readonly currentPassword: string | undefined
}

/** A change of what a user logs in with. */
export interface LoginChange {
  /** The hash of the new password; undefined where it stays. */
  readonly newHash: string | undefined
  /** Set where the user proved to know its password. */
  readonly proof: { readonly attempt: LoginAttempt; readonly hash: string } | undefined
}

/**
 * Checks that the caller may change what a user logs in with, and hashes the new password. Users who change their own
 * e-mail address or password need a session and the current password, so that a leaked key or token cannot take over the
 * account. An admin changes those of others with any credential.
 */
export async function prepareLoginChange(
  services: AccountServices,
  call: Call,
  user: User,
  { email, password, currentPassword }: WantedLogin,
): Promise<LoginChange> {
  if (password !== undefined) checkPassword(password, [email, user.email])
  const field = password === undefined ? 'email' : 'password'
  const isChange = password !== undefined || email !== user.email
  if (!isChange && currentPassword !== undefined) {
    throw invalidRequest({
      field: 'currentPassword',
      issue: 'is for a change of the e-mail address or the password alone',
    })
  }
  const proof =
    isChange && isOwn(call, user) ? await proveOwner(services, call, user, { field, currentPassword }) : undefined
  const newHash = password === undefined ? undefined : await services.passwords.hash(password, networkOf(call.address))
  return { newHash, proof }
}

async function proveOwner(
  services: AccountServices,
  call: Call,
  { email }: User,
  { field, currentPassword }: { readonly field: string; readonly currentPassword: string | undefined },
): Promise<LoginChange['proof']> {
  if (call.caller.kind === 'account' && call.caller.credential.kind === 'key') {
    throw new FairleadError('FORBIDDEN', 'An API key cannot change the e-mail address or the password of its user.', {
      issues: [{ field, issue: 'can be changed in a session only: log in first' }],
    })
  }
  if (currentPassword === undefined) {
    throw invalidRequest({
      field: 'currentPassword',
      issue: `is required to change the ${field === 'email' ? 'e-mail address' : 'password'}`,
    })
  }
  const attempt = { email, address: call.address, at: call.at }
  const known = await checkLogin(services, attempt, currentPassword, call.signal)
  if (!known) throw invalidRequest({ field: 'currentPassword', issue: 'is wrong' })
  return { attempt, hash: known.hash }
}

/** Keeps the change with the user. A new password ends the sessions that the old one opened, save the one that asks. */
export async function keepLoginChange(
  tx: Transaction,
  call: Call,
  { before, after }: { readonly before: User; readonly after: User },
  { newHash, proof }: LoginChange,
): Promise<void> {
  if (proof) {
    if ((await tx.users.passwordHash(before.id)) !== proof.hash) throw changedMeanwhile('password')
    await passLogin(tx, proof.attempt)
  } else if (before.email !== after.email && isOwn(call, before)) {
    // It was still the same when the password would have been asked for.
    throw changedMeanwhile('e-mail address')
  }
  if (newHash === undefined) return
  await tx.users.setPassword(before.id, newHash)
  const { caller } = call
  const own = caller.kind === 'account' ? caller.credential.id : undefined
  const sessions = await tx.sessions.ofUser(before.id)
  await tx.sessions.remove(sessions.map((session) => session.id).filter((session) => session !== own))
}

function isOwn({ caller }: Call, { id }: User): boolean {
  return caller.kind === 'account' && caller.userId === id
}

function changedMeanwhile(what: string): FairleadError {
  return new FairleadError('CONFLICT', `The ${what} was changed meanwhile.`)
}
