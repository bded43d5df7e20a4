import { type AuditSink, type Clock, systemClock, type SecretKeys } from '@fairlead/core'
import { auditEntry } from '@fairlead/core/feature'
import { createIds } from '@fairlead/core/adapter'
import { issueSignInToken } from '../sessions/sign-in-token.ts'
import { newKey, toKeyRecord } from '../keys/key.ts'
import { hashToken, newApiKeyToken } from '../sessions/tokens.ts'
import { newUser, toUserRecord } from './user.ts'
import type { AccountStores } from '../account-stores.ts'
import { normalizeEmail } from './email.ts'

export interface FirstAdmin {
  readonly email: string
  /** The secret of the API key: the store keeps only its hash. */
  readonly apiKey: string
  /** Exchanged once, within 15 minutes, for a session of the admin. Undefined without `secretKeys`. */
  readonly signInToken: string | undefined
}

export interface FirstAdminOptions {
  readonly email: string
  /** Default: the admin has no password and can use only the API key. */
  readonly passwordHash?: string | undefined
  /** The secret key of the service, which signs the sign-in token. */
  readonly secretKeys?: SecretKeys | undefined
  /** Default: the system clock. */
  readonly clock?: Clock | undefined
}

/** Creates the admin of an empty store, with one API key for all scopes of a core. Resolves to undefined if the store has users. */
export function makeFirstAdmin(
  core: { readonly scopes: Readonly<Record<string, string>>; readonly auditSink?: AuditSink | undefined },
  stores: AccountStores,
  { email, passwordHash, secretKeys, clock = systemClock }: FirstAdminOptions,
): Promise<FirstAdmin | undefined> {
  const apiKey = newApiKeyToken()
  const now = clock.now()
  const newId = createIds(clock.now)
  const userId = newId('usr')
  return stores.transact(async (tx) => {
    // Two nodes can start at the same time.
    await tx.lock('first admin')
    if ((await tx.users.count()) > 0) return undefined
    const facts = {
      id: userId,
      email: normalizeEmail(email),
      // The operator names it.
      emailVerified: true,
      name: 'Admin',
      role: 'admin',
      tier: 'enterprise',
    } as const
    const user = newUser(facts, now)
    await tx.users.add(user)
    if (passwordHash !== undefined) await tx.users.setPassword(userId, passwordHash)
    const keyFacts = {
      id: newId('key'),
      userId,
      name: 'first key',
      scopes: Object.keys(core.scopes),
      createdBy: null,
      createdAt: now,
    }
    const key = newKey(keyFacts, apiKey)
    await tx.keys.add(key, hashToken(apiKey))
    const program = { kind: 'embedded', role: 'admin' } as const
    const call = { newId, operation: { name: 'makeFirstAdmin' }, caller: program, requestId: null, options: {} }
    await core.auditSink?.add(tx, [
      auditEntry(call, { target: { type: 'user', id: userId }, after: toUserRecord(user) }, now),
      auditEntry(call, { target: { type: 'api_key', id: key.id }, after: toKeyRecord(key, user) }, now),
    ])
    const signInToken = secretKeys && issueSignInToken(secretKeys, userId, now)
    return { email, apiKey, signInToken }
  })
}
