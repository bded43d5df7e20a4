import type { PasswordHasher } from '../ports/password-hasher.ts'
import type { Stores } from '../ports/stores.ts'
import { normalizeEmail } from '../values/email.ts'
import { checkPassword, normalizePassword } from '../values/password-rule.ts'

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
