import {
  isFuture,
  MemoryTable,
  type UndoLog,
  type RuntimeTransaction,
  recordView,
  takeSlice,
} from '@fairlead/core/stores'
import type { ApiKeyRow, KeyStatus } from './keys/key.ts'
import {
  type AccountTransaction,
  type IdentityRow,
  type KeyFilters,
  type SessionRow,
  type ThrottleRule,
  type ThrottleStore,
  readThrottle,
} from './account-stores.ts'
import { memoryProjects } from './projects/memory-projects.ts'
import type { PasskeyRow } from './passkeys/passkey.ts'
import type { UserRow } from './users/user.ts'

interface StoredKey {
  readonly key: ApiKeyRow
  readonly secretHash: string
  readonly previous: { readonly secretHash: string; readonly expiresAt: number } | undefined
}

export function memoryAccounts(undo: UndoLog): Omit<AccountTransaction, keyof RuntimeTransaction | 'throttles'> {
  const users = new MemoryTable<UserRow>(undo)
  const passwords = new MemoryTable<string>(undo)
  const stored = new MemoryTable<StoredKey>(undo)
  /** Key ids by the hash of a secret. */
  const keyIds = new MemoryTable<string>(undo)
  const sessions = new MemoryTable<SessionRow>(undo)
  const identities = new MemoryTable<IdentityRow>(undo)
  const passkeys = new MemoryTable<PasskeyRow>(undo)
  const accesses = new MemoryTable<{ readonly sessionId: string; readonly expiresAt: number }>(undo)

  const byEmail = (email: string) => users.filter((user) => user.email === email)[0]
  const keysThat = (matches: (key: ApiKeyRow) => boolean) => [...stored.values()].map(({ key }) => key).filter(matches)

  function changeKey(id: string, changes: Partial<ApiKeyRow>): StoredKey | undefined {
    const found = stored.get(id)
    if (!found) return undefined
    const key = { ...found.key, ...changes, version: found.key.version + 1 }
    stored.set(id, { ...found, key })
    return { ...found, key }
  }

  function removeSessions(ids: readonly string[]): void {
    for (const [hash, { sessionId }] of accesses) if (ids.includes(sessionId)) accesses.delete(hash)
    for (const id of ids) sessions.delete(id)
  }

  function removeKeys(ownerId: string): void {
    for (const key of keysThat(({ userId }) => userId === ownerId)) stored.delete(key.id)
  }

  const { removeMember, ...projects } = memoryProjects(undo, users, removeKeys)

  return {
    ...projects,
    users: {
      ...recordView(users),
      take: async (id) => users.get(id),
      findByEmail: async (email) => byEmail(email),
      passwordHash: async (id) => passwords.get(id),
      count: async () => users.size,
      otherAdmins: async (id) =>
        users.filter((user) => user.id !== id && user.role === 'admin' && user.status === 'active').length,
      async add(user) {
        if (byEmail(user.email)) return false
        users.set(user.id, user)
        return true
      },
      async replace(user) {
        const holder = byEmail(user.email)
        if (holder && holder.id !== user.id) return false
        if (users.has(user.id)) users.set(user.id, user)
        return true
      },
      setPassword: async (userId, hash) => void passwords.set(userId, hash),
      async remove(id) {
        removeKeys(id)
        removeMember(id)
        removeSessions(sessions.filter(({ userId }) => userId === id).map((session) => session.id))
        for (const [key, { userId }] of identities) if (userId === id) identities.delete(key)
        for (const passkey of passkeys.filter(({ userId }) => userId === id)) passkeys.delete(passkey.id)
        passwords.delete(id)
        users.delete(id)
      },
    },
    keys: {
      async findBySecretHash(hash) {
        const { key, secretHash, previous } = stored.get(keyIds.get(hash) ?? '') ?? {}
        const isPrevious = previous?.secretHash === hash
        const owner = key && (secretHash === hash || isPrevious) ? await projects.owners.find(key.userId) : undefined
        return key && owner && { key, owner, secretExpiresAt: isPrevious ? previous.expiresAt : null }
      },
      find: async (id) => stored.get(id)?.key,
      findMany: async (ids) => stored.findMany(ids).map(({ key }) => key),
      findCreatedBy: async (ids) => keysThat(({ createdBy }) => createdBy !== null && ids.includes(createdBy)),
      list: async (filters, slice) =>
        takeSlice(
          keysThat((key) => isMatch(key, filters)),
          slice,
        ),
      countAliveSince: async (userId, aliveSince) => keysThat((key) => isMatch(key, { userId, aliveSince })).length,
      async add(key, secretHash) {
        stored.set(key.id, { key, secretHash, previous: undefined })
        keyIds.set(secretHash, key.id)
      },
      update: async (id, { name, scopes, expiresAt, limits }) =>
        void changeKey(id, { name, scopes, expiresAt, limits }),
      revoke: async (id, at) => void changeKey(id, { revokedAt: at }),
      async rotate(id, { hash, prefix, previousUntil }) {
        const found = changeKey(id, { prefix })
        if (!found) return
        const previous = previousUntil === null ? undefined : { ...found, expiresAt: previousUntil }
        stored.set(id, { ...found, secretHash: hash, previous })
        keyIds.set(hash, id)
      },
      async touch(id, at, unlessSince) {
        const found = stored.get(id)
        if (!found || !isBefore(found.key.lastUsedAt, at, unlessSince)) return
        stored.set(id, { ...found, key: { ...found.key, lastUsedAt: at } })
      },
    },
    sessions: {
      find: async (id) => sessions.get(id),
      take: async (id) => sessions.get(id),
      ofUser: async (userId) =>
        takeSlice(
          sessions.filter((session) => session.userId === userId),
          { first: 'newest', limit: Infinity },
        ),
      async findByAccessHash(hash) {
        const access = accesses.get(hash)
        const session = access && sessions.get(access.sessionId)
        const user = session && users.get(session.userId)
        return session && user && { session, user, expiresAt: access.expiresAt }
      },
      ofIssuerSession: async (issuerSession) => sessions.filter((session) => session.issuerSession === issuerSession),
      add: async (session) => void sessions.set(session.id, session),
      async replace(session) {
        if (sessions.has(session.id)) sessions.set(session.id, session)
      },
      async addAccess(hash, sessionId, { from, until }) {
        for (const [old, access] of accesses) {
          if (access.sessionId === sessionId && access.expiresAt <= from) accesses.delete(old)
        }
        if (!accesses.has(hash)) accesses.set(hash, { sessionId, expiresAt: until })
      },
      async touch(id, at, unlessSince) {
        const session = sessions.get(id)
        if (session && isBefore(session.lastUsedAt, at, unlessSince)) sessions.set(id, { ...session, lastUsedAt: at })
      },
      remove: async (ids) => removeSessions(ids),
      async purge(before, limit) {
        const ended = sessions.purge(before, limit, ({ expiresAt }) => expiresAt)
        removeSessions(ended)
        return ended.length
      },
    },
    identities: {
      find: async (issuer, subject) => identities.get(identityKey(issuer, subject)),
      ofUser: async (userId) => identities.filter((identity) => identity.userId === userId),
      add: async (identity) => void identities.set(identityKey(identity.issuer, identity.subject), identity),
    },
    passkeys: {
      find: async (id) => passkeys.get(id),
      findByCredential: async (credentialId) => passkeys.filter((passkey) => passkey.credentialId === credentialId)[0],
      ofUser: async (userId) =>
        takeSlice(
          passkeys.filter((passkey) => passkey.userId === userId),
          { first: 'oldest', limit: Infinity },
        ),
      async add(passkey) {
        const isKnown = passkeys.filter(({ credentialId }) => credentialId === passkey.credentialId).length > 0
        if (!isKnown) passkeys.set(passkey.id, passkey)
        return !isKnown
      },
      async replace(passkey) {
        if (passkeys.has(passkey.id)) passkeys.set(passkey.id, passkey)
      },
      remove: async (ids) => ids.forEach((id) => passkeys.delete(id)),
    },
  }
}

/** Whether a credential was last used before the instant, or while the clock was wrong. */
function isBefore(lastUsedAt: number | null, at: number, unlessSince: number): boolean {
  return lastUsedAt === null || lastUsedAt <= unlessSince || isFuture(lastUsedAt, at)
}

function identityKey(issuer: string, subject: string): string {
  return JSON.stringify([issuer, subject])
}

function isMatch(key: ApiKeyRow, { userId, aliveSince = -Infinity, status, search = '' }: KeyFilters): boolean {
  const text = lowerAscii(search)
  return (
    key.userId === userId &&
    (key.revokedAt ?? Infinity) >= aliveSince &&
    (key.expiresAt ?? Infinity) >= aliveSince &&
    (!status || statusAt(key, status.at) === status.is) &&
    [key.name, key.prefix].some((field) => lowerAscii(field).includes(text))
  )
}

function statusAt({ revokedAt, expiresAt }: ApiKeyRow, at: number): KeyStatus {
  if (revokedAt !== null) return 'revoked'
  return expiresAt !== null && expiresAt <= at ? 'expired' : 'active'
}

function lowerAscii(text: string): string {
  return text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
}

export function memoryThrottles(undo: UndoLog): ThrottleStore {
  const buckets = new MemoryTable<{ readonly hits: readonly number[]; readonly expiresAt: number }>(undo)

  const read = (bucket: string, rule: ThrottleRule) => readThrottle(buckets.get(bucket)?.hits ?? [], rule)

  return {
    read: async (bucket, rule) => read(bucket, rule),
    async hit(bucket, rule) {
      const { at, windowMs } = rule
      const reading = read(bucket, rule)
      if (reading.granted) buckets.set(bucket, { hits: [...reading.hits, at], expiresAt: at + windowMs })
      return reading
    },
    clear: async (bucket) => void buckets.delete(bucket),
    purge: async (before, limit) => buckets.purge(before, limit, ({ expiresAt }) => expiresAt).length,
  }
}
