import type { AccountView, SessionRow } from '../account-stores.ts'
import { actingAs, type UserRow } from '../users/user.ts'

/** Which admins need a passkey: those whose session did not begin with an identity, because its issuer has a second factor. */
export type AdminSecondFactor = 'optional' | 'required'

/** Whether it is a session of an admin who needs a passkey, and has none. */
export async function lacksPasskey(
  { passkeys }: Pick<AccountView, 'passkeys'>,
  adminSecondFactor: AdminSecondFactor,
  user: UserRow,
  session: Pick<SessionRow, 'confirmedAt'>,
): Promise<boolean> {
  if (adminSecondFactor === 'optional' || session.confirmedAt !== null) return false
  return actingAs(user, session).role === 'admin' && (await passkeys.ofUser(user.id)).length === 0
}
