import { checkLogin } from '../../access/check-login.ts'
import { passLogin } from '../../access/throttles.ts'
import type { Transaction } from '../../ports/stores.ts'
import type { Call } from '../../runtime/call.ts'
import type { AccountServices } from '../../accounts/account-services.ts'
import { FairleadError } from '../../values/fairlead-error.ts'
import { invalidRequest } from '../../values/invalid-request.ts'
import type { User } from '../../values/user.ts'

/** A new password of a user. */
export interface PasswordChange {
  readonly hash: string
  /** What the password hashed to when the user proved to know it. */
  readonly proven: string | undefined
}

/** Makes the new hash, which takes its time, once the user has proven to know the old password. */
export async function preparePassword(
  services: AccountServices,
  call: Call,
  { id, email }: User,
  { wanted, current }: { readonly wanted: string | undefined; readonly current: string | undefined },
): Promise<PasswordChange | undefined> {
  if (wanted === undefined && current === undefined) return undefined
  if (wanted === undefined)
    throw invalidRequest({ field: 'currentPassword', issue: 'is for a change of password alone' })
  const own = call.caller.kind === 'account' && call.caller.userId === id
  const kept = own ? await services.stores.read((view) => view.users.passwordHash(id)) : undefined
  if (kept === undefined) return { hash: await services.passwords.hash(wanted), proven: undefined }
  if (current === undefined)
    throw invalidRequest({ field: 'currentPassword', issue: 'is required to change the password' })
  const attempt = { email, address: call.address, at: call.at }
  const known = await checkLogin(services, attempt, current, call.signal)
  if (!known) throw invalidRequest({ field: 'currentPassword', issue: 'is wrong' })
  await services.stores.transact((tx) => passLogin(tx, attempt))
  return { hash: await services.passwords.hash(wanted), proven: known.hash }
}

/** A new password ends the sessions that the old one opened, save the one that asks for it. */
export async function keepPassword(
  tx: Transaction,
  { caller }: Call,
  { id }: User,
  change: PasswordChange,
): Promise<void> {
  if (change.proven !== undefined && (await tx.users.passwordHash(id)) !== change.proven) {
    throw new FairleadError('CONFLICT', 'The password was changed meanwhile.')
  }
  await tx.users.setPassword(id, change.hash)
  const own = caller.kind === 'account' ? caller.credential.id : undefined
  const sessions = await tx.sessions.ofUser(id)
  await tx.sessions.remove(sessions.map((session) => session.id).filter((session) => session !== own))
}
