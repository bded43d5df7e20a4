import type { PasswordHasher } from '../ports/password-hasher.ts'
import type { Stores } from '../ports/stores.ts'
import { normalizeEmail } from '../values/email.ts'
import { invalidRequest } from '../values/invalid-request.ts'
import { isPassword, normalizePassword, passwordRule } from '../values/password-rule.ts'

/**
 * Gives a user a new password, and ends the sessions that the old one opened. For whoever has the machine: nothing is
 * asked. False where nobody has that e-mail address.
 *
 * @param password refused with `INVALID_REQUEST` where no user could choose it
 */
export async function setPassword(
  stores: Stores,
  passwords: PasswordHasher,
  { email, password }: { readonly email: string; readonly password: string },
): Promise<boolean> {
  const normal = normalizePassword(password)
  if (normal === undefined || !isPassword(normal)) throw invalidRequest({ field: 'password', issue: passwordRule })
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
