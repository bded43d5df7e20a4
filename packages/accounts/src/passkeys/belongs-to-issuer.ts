import type { AccountView } from '../account-stores.ts'

/** Whether a user signs in only with an identity. A passkey would outlast what the issuer allows. */
export async function belongsToIssuer(
  { users, identities }: Pick<AccountView, 'users' | 'identities'>,
  userId: string,
): Promise<boolean> {
  return (await users.passwordHash(userId)) === undefined && (await identities.ofUser(userId)).length > 0
}
