import type { KeyFilters, KeyStore, UserStore } from '../ports/stores.ts'
import type { ApiKey } from '../values/api-key.ts'
import { isFuture } from '../values/clock-skew.ts'
import type { User } from '../values/user.ts'
import type { MemorySessions } from './memory-sessions.ts'
import { sliceOf } from './slice-of.ts'
import type { UndoLog } from './undo-log.ts'

/** A key, with the hashes of its secrets. */
interface KeptKey {
  readonly key: ApiKey
  readonly secretHash: string
  readonly previous: { readonly secretHash: string; readonly expiresAt: number } | undefined
}

export function memoryAccounts(
  undo: UndoLog,
  sessions: MemorySessions,
): { readonly users: UserStore; readonly keys: KeyStore } {
  const users = new Map<string, User>()
  const passwords = new Map<string, string>()
  const kept = new Map<string, KeptKey>()
  /** Which key a secret's hash was given to. */
  const holders = new Map<string, string>()
  const byEmail = (email: string) => [...users.values()].find((user) => user.email === email)

  return {
    users: {
      find: async (id) => users.get(id),
      findMany: async (ids) => [...new Set(ids)].map((id) => users.get(id)).filter((user) => user !== undefined),
      take: async (id) => users.get(id),
      findByEmail: async (email) => byEmail(email),
      passwordHash: async (id) => passwords.get(id),
      count: async () => users.size,
      async list(filters, slice) {
        const wanted = Object.entries(filters).filter(([, value]) => value !== undefined)
        const found = [...users.values()].filter((user) =>
          wanted.every(([name, value]) => user[name as keyof User] === value),
        )
        return sliceOf(found, slice)
      },
      otherAdmins: async (id) =>
        [...users.values()].filter((user) => user.id !== id && user.role === 'admin' && user.status === 'active')
          .length,
      async add(user) {
        if (byEmail(user.email)) return false
        undo.set(users, user.id, user)
        return true
      },
      async replace(user) {
        const holder = byEmail(user.email)
        if (holder && holder.id !== user.id) return false
        if (users.has(user.id)) undo.set(users, user.id, user)
        return true
      },
      setPassword: async (userId, hash) => undo.set(passwords, userId, hash),
      async remove(id) {
        for (const { key } of kept.values()) if (key.userId === id) undo.delete(kept, key.id)
        sessions.removeOfUser(id)
        undo.delete(passwords, id)
        undo.delete(users, id)
      },
    },
    keys: {
      async findBySecretHash(hash) {
        const { key, secretHash, previous } = kept.get(holders.get(hash) ?? '') ?? {}
        const older = previous?.secretHash === hash
        const user = key && (secretHash === hash || older) ? users.get(key.userId) : undefined
        return key && user && { key, user, secretExpiresAt: older ? previous.expiresAt : null }
      },
      find: async (id) => kept.get(id)?.key,
      findMany: async (ids) => [...new Set(ids)].map((id) => kept.get(id)?.key).filter((key) => key !== undefined),
      list: async (filters, slice) =>
        sliceOf(
          [...kept.values()].map(({ key }) => key).filter((key) => fits(key, filters)),
          slice,
        ),
      countAliveSince: async (userId, aliveSince) =>
        [...kept.values()].filter(({ key }) => fits(key, { userId, aliveSince })).length,
      async add(key, secretHash) {
        undo.set(kept, key.id, { key, secretHash, previous: undefined })
        undo.set(holders, secretHash, key.id)
      },
      async revoke(id, at) {
        const found = kept.get(id)
        if (found) undo.set(kept, id, { ...found, key: { ...found.key, revokedAt: at } })
      },
      async rotate(id, { hash, prefix, previousUntil }) {
        const found = kept.get(id)
        if (!found) return
        const previous = previousUntil === null ? undefined : { ...found, expiresAt: previousUntil }
        undo.set(kept, id, { key: { ...found.key, prefix }, secretHash: hash, previous })
        undo.set(holders, hash, id)
      },
      async touch(id, at, unlessSince) {
        const found = kept.get(id)
        const noted = found?.key.lastUsedAt ?? -Infinity
        if (!found || (noted > unlessSince && !isFuture(noted, at))) return
        undo.set(kept, id, { ...found, key: { ...found.key, lastUsedAt: at } })
      },
    },
  }
}

function fits(
  { userId, revokedAt, expiresAt }: ApiKey,
  { userId: owner, aliveSince = -Infinity }: KeyFilters,
): boolean {
  return userId === owner && (revokedAt ?? Infinity) >= aliveSince && (expiresAt ?? Infinity) >= aliveSince
}
