import { isFuture } from '../runtime/clock.ts'
import type { SettingStore, WriteCheckStore } from '../runtime/stores.ts'
import type { ApiKey, KeyStatus } from './key.ts'
import {
  type AccessGrant,
  type SessionStore,
  type ThrottleRule,
  type ThrottleStore,
  readThrottle,
  type KeyFilters,
  type KeyStore,
  type UserStore,
  type Session,
} from './stores.ts'
import type { User } from './user.ts'
import { type UndoLog, purgeOldest, sliceOf } from '../runtime/memory-stores.ts'

/** A key with the hashes of its secrets. */
interface StoredKey {
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
  const stored = new Map<string, StoredKey>()
  /** Key ids by the hash of a secret. */
  const keyIds = new Map<string, string>()
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
        const criteria = Object.entries(filters).filter(([, value]) => value !== undefined)
        const found = [...users.values()].filter((user) =>
          criteria.every(([name, value]) => user[name as keyof User] === value),
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
        for (const { key } of stored.values()) if (key.userId === id) undo.delete(stored, key.id)
        sessions.removeOfUser(id)
        undo.delete(passwords, id)
        undo.delete(users, id)
      },
    },
    keys: {
      async findBySecretHash(hash) {
        const { key, secretHash, previous } = stored.get(keyIds.get(hash) ?? '') ?? {}
        const isPrevious = previous?.secretHash === hash
        const user = key && (secretHash === hash || isPrevious) ? users.get(key.userId) : undefined
        return key && user && { key, user, secretExpiresAt: isPrevious ? previous.expiresAt : null }
      },
      find: async (id) => stored.get(id)?.key,
      findMany: async (ids) => [...new Set(ids)].map((id) => stored.get(id)?.key).filter((key) => key !== undefined),
      findCreatedBy: async (ids) =>
        [...stored.values()]
          .map(({ key }) => key)
          .filter(({ createdBy }) => createdBy !== null && ids.includes(createdBy)),
      list: async (filters, slice) =>
        sliceOf(
          [...stored.values()].map(({ key }) => key).filter((key) => matches(key, filters)),
          slice,
        ),
      countAliveSince: async (userId, aliveSince) =>
        [...stored.values()].filter(({ key }) => matches(key, { userId, aliveSince })).length,
      async add(key, secretHash) {
        undo.set(stored, key.id, { key, secretHash, previous: undefined })
        undo.set(keyIds, secretHash, key.id)
      },
      async update(id, { name, scopes, expiresAt }) {
        const found = stored.get(id)
        if (found) undo.set(stored, id, { ...found, key: nextVersion(found.key, { name, scopes, expiresAt }) })
      },
      async revoke(id, at) {
        const found = stored.get(id)
        if (found) undo.set(stored, id, { ...found, key: nextVersion(found.key, { revokedAt: at }) })
      },
      async rotate(id, { hash, prefix, previousUntil }) {
        const found = stored.get(id)
        if (!found) return
        const previous = previousUntil === null ? undefined : { ...found, expiresAt: previousUntil }
        undo.set(stored, id, { key: nextVersion(found.key, { prefix }), secretHash: hash, previous })
        undo.set(keyIds, hash, id)
      },
      async touch(id, at, unlessSince) {
        const found = stored.get(id)
        const lastUsedAt = found?.key.lastUsedAt ?? -Infinity
        if (!found || (lastUsedAt > unlessSince && !isFuture(lastUsedAt, at))) return
        undo.set(stored, id, { ...found, key: { ...found.key, lastUsedAt: at } })
      },
    },
  }
}

function nextVersion(key: ApiKey, changes: Partial<ApiKey>): ApiKey {
  return { ...key, ...changes, version: key.version + 1 }
}

function matches(key: ApiKey, { userId, aliveSince = -Infinity, status, search = '' }: KeyFilters): boolean {
  const text = lowerAscii(search)
  return (
    key.userId === userId &&
    (key.revokedAt ?? Infinity) >= aliveSince &&
    (key.expiresAt ?? Infinity) >= aliveSince &&
    (!status || statusAt(key, status.at) === status.is) &&
    [key.name, key.prefix].some((field) => lowerAscii(field).includes(text))
  )
}

function statusAt({ revokedAt, expiresAt }: ApiKey, at: number): KeyStatus {
  if (revokedAt !== null) return 'revoked'
  return expiresAt !== null && expiresAt <= at ? 'expired' : 'active'
}

function lowerAscii(text: string): string {
  return text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
}

interface Access {
  readonly sessionId: string
  readonly expiresAt: number
}

/** Sessions. The store that operations use needs the users too, which are created after the sessions. */
export interface MemorySessions {
  removeOfUser(userId: string): void
  store(findUser: (id: string) => Promise<User | undefined>): SessionStore
}

export function memorySessions(undo: UndoLog): MemorySessions {
  const sessions = new Map<string, Session>()
  const accesses = new Map<string, Access>()

  function remove(id: string): void {
    for (const [hash, { sessionId }] of accesses) if (sessionId === id) undo.delete(accesses, hash)
    undo.delete(sessions, id)
  }

  const ofUser = (userId: string) => [...sessions.values()].filter((session) => session.userId === userId)

  return {
    removeOfUser: (userId) => ofUser(userId).forEach(({ id }) => remove(id)),
    store: (findUser) => ({
      find: async (id) => sessions.get(id),
      take: async (id) => sessions.get(id),
      ofUser: async (userId) =>
        ofUser(userId).sort((one, other) => other.createdAt - one.createdAt || (one.id < other.id ? 1 : -1)),
      async findByAccessHash(hash): Promise<AccessGrant | undefined> {
        const access = accesses.get(hash)
        const session = access && sessions.get(access.sessionId)
        const user = session && (await findUser(session.userId))
        return session && user && { session, user, expiresAt: access.expiresAt }
      },
      add: async (session) => undo.set(sessions, session.id, session),
      async replace(session) {
        if (sessions.has(session.id)) undo.set(sessions, session.id, session)
      },
      async addAccess(hash, sessionId, { from, until }) {
        for (const [old, access] of accesses) {
          if (access.sessionId === sessionId && access.expiresAt <= from) undo.delete(accesses, old)
        }
        if (!accesses.has(hash)) undo.set(accesses, hash, { sessionId, expiresAt: until })
      },
      remove: async (ids) => ids.forEach(remove),
      async purge(before, limit) {
        const ended = [...sessions.values()].filter(({ expiresAt }) => expiresAt < before).slice(0, limit)
        for (const { id } of ended) remove(id)
        return ended.length
      },
    }),
  }
}

interface Bucket {
  readonly hits: readonly number[]
  readonly expiresAt: number
}

export function memoryThrottles(undo: UndoLog): ThrottleStore {
  const buckets = new Map<string, Bucket>()

  const read = (bucket: string, rule: ThrottleRule) => readThrottle(buckets.get(bucket)?.hits ?? [], rule)

  return {
    read: async (bucket, rule) => read(bucket, rule),
    async hit(bucket, rule) {
      const { at, windowMs } = rule
      const reading = read(bucket, rule)
      if (reading.granted) undo.set(buckets, bucket, { hits: [...reading.hits, at], expiresAt: at + windowMs })
      return reading
    },
    clear: async (bucket) => undo.delete(buckets, bucket),
    async purge(before, limit) {
      const ended = [...buckets].filter(([, { expiresAt }]) => expiresAt < before).slice(0, limit)
      for (const [bucket] of ended) undo.delete(buckets, bucket)
      return ended.length
    },
  }
}

export function memoryWriteChecks(undo: UndoLog): WriteCheckStore {
  const checks = new Map<string, number>()
  return {
    set: async (node, at) => undo.set(checks, node, at),
    purge: async (before, limit) => purgeOldest(undo, checks, { before, limit, timeOf: (at) => at }).length,
  }
}

export function memorySettings(undo: UndoLog): SettingStore {
  const settings = new Map<string, string>()
  return {
    get: async (name) => settings.get(name),
    set: async (name, value) => undo.set(settings, name, value),
  }
}
