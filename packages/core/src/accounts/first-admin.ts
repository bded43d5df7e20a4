import type { Clock } from '../runtime/clock.ts'
import type { NewId } from '../runtime/id.ts'
import { displayPrefix, newApiKeyToken } from './tokens.ts'
import { hashToken } from './tokens.ts'
import type { AccountStores } from './stores.ts'
import { scopes } from '../runtime/access.ts'
import { normalizeEmail } from './email.ts'

/**
 * Makes the admin of an empty store, and one API key with all scopes. The key's secret is returned, this once; only its
 * hash is kept. Undefined where the store has users already.
 */
export function makeFirstAdmin(
  stores: AccountStores,
  {
    email,
    passwordHash,
    clock,
    newId,
  }: {
    readonly email: string
    /** Default: the admin has no password, and signs in with the key alone. */
    readonly passwordHash?: string | undefined
    readonly clock: Clock
    readonly newId: NewId
  },
): Promise<{ readonly email: string; readonly apiKey: string } | undefined> {
  const apiKey = newApiKeyToken()
  const now = clock.now()
  const userId = newId('usr')
  return stores.transact(async (tx) => {
    // Two nodes may start at once.
    await tx.lock('first admin')
    if ((await tx.users.count()) > 0) return undefined
    await tx.users.add({
      id: userId,
      email: normalizeEmail(email),
      name: 'Admin',
      role: 'admin',
      tier: 'enterprise',
      quotaLimit: null,
      status: 'active',
      createdAt: now,
      updatedAt: now,
      version: 1,
    })
    if (passwordHash !== undefined) await tx.users.setPassword(userId, passwordHash)
    await tx.keys.add(
      {
        id: newId('key'),
        userId,
        name: 'first key',
        prefix: displayPrefix(apiKey),
        scopes,
        createdAt: now,
        lastUsedAt: null,
        expiresAt: null,
        revokedAt: null,
      },
      hashToken(apiKey),
    )
    return { email, apiKey }
  })
}
