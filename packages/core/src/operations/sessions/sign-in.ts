import type { z } from 'zod'
import { beginSession } from '../../access/session-life.ts'
import type { SessionTokens } from '../../access/session-tokens.ts'
import type { Transaction } from '../../ports/stores.ts'
import type { Call } from '../../runtime/call.ts'
import type { User } from '../../values/user.ts'
import { toUserRecord } from '../users/user-record.ts'
import type { signedIn } from './token-pair.ts'
import type { AccountServices } from '../../accounts/account-services.ts'

/** Begins a session of a user who is known by now. */
export async function signIn(
  tx: Transaction,
  call: Call,
  user: User,
  tokens: SessionTokens,
): Promise<z.output<typeof signedIn>> {
  const { pair, ended } = await beginSession(tx, tokens, { id: call.newId('ses'), userId: user.id, at: call.at })
  call.afterCommit(({ authenticator }: AccountServices) =>
    ended.forEach((id) => authenticator.forget({ credentialId: id })),
  )
  return { user: toUserRecord(user), ...pair }
}
