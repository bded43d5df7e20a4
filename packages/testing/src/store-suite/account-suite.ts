import { createIds } from '@fairlead/core/adapter'
import { type TestClock, addTestCaller } from '@fairlead/core/fakes'
import {
  type KeyFilters,
  type Session,
  type Stores,
  type Transaction,
  hashToken,
  maxClockSkewMs,
} from '@fairlead/core/stores'
import { describe, expect, test } from 'vitest'

/** The part of the store suite for users, keys, sessions, throttles and settings. */
export function accountSuite(clock: TestClock, current: () => Stores): void {
  const newId = createIds(clock.now)
  const transact = <Result>(work: (tx: Transaction) => Promise<Result>) => current().transact(work)
  const addCaller = (facts: Parameters<typeof addTestCaller>[2] = {}) => addTestCaller(current(), clock, facts)
  const newest = { first: 'newest', limit: 10 } as const

  function sessionOf(userId: string, facts: Partial<Session> = {}): Session {
    const at = clock.now()
    return { id: newId('ses'), userId, generation: 1, createdAt: at, refreshedAt: at, expiresAt: at + 1000, ...facts }
  }

  describe('users', () => {
    test('are found by their e-mail address', async () => {
      const { userId } = await addCaller({ user: { email: 'ada@example.com' } })
      expect(await transact((tx) => tx.users.findByEmail('ada@example.com'))).toMatchObject({ id: userId })
      expect(await transact((tx) => tx.users.findByEmail('bob@example.com'))).toBeUndefined()
    })

    test('have unique e-mail addresses, even under concurrency', async () => {
      const { userId } = await addCaller()
      const someone = await transact((tx) => tx.users.find(userId))
      const add = () =>
        transact(async (tx) => someone && tx.users.add({ ...someone, id: newId('usr'), email: 'same@example.com' }))
      const added = await Promise.all(Array.from({ length: 10 }, add))
      expect(added.filter(Boolean)).toHaveLength(1)
    })

    test('can be replaced, but not with the e-mail address of another user', async () => {
      const { userId } = await addCaller()
      await addCaller({ user: { email: 'taken@example.com' } })
      const user = await transact((tx) => tx.users.take(userId))
      if (!user) throw new Error('the user is gone')
      const changed = { ...user, name: 'Grace', email: 'grace@example.com', version: 2 }
      expect(await transact((tx) => tx.users.replace(changed))).toBe(true)
      expect(await transact((tx) => tx.users.find(userId))).toEqual(changed)
      expect(await transact((tx) => tx.users.replace({ ...changed, email: 'taken@example.com' }))).toBe(false)
      expect(await transact((tx) => tx.users.find(userId))).toEqual(changed)
    })

    test('are found in batches, without duplicates', async () => {
      const [one, other] = [await addCaller(), await addCaller()]
      const find = (ids: readonly string[]) => transact((tx) => tx.users.findMany(ids))
      const found = await find([one.userId, other.userId, 'usr_1', one.userId])
      expect(found.map(({ id }) => id).toSorted()).toEqual([one.userId, other.userId].toSorted())
      expect(await find([])).toEqual([])
      const keys = await transact((tx) => tx.keys.findMany([one.keyId, other.keyId, 'key_1', one.keyId]))
      expect(keys.map(({ id }) => id).toSorted()).toEqual([one.keyId, other.keyId].toSorted())
      expect(await transact((tx) => tx.keys.findMany([]))).toEqual([])
    })

    test('are listed in pages, with filters', async () => {
      const ids: string[] = []
      for (const tier of ['free', 'pro', 'pro', 'pro'] as const) {
        clock.advance(1)
        ids.push((await addCaller({ user: { tier } })).userId)
      }
      const list = (filters: object, slice: object) =>
        transact(async (tx) => (await tx.users.list(filters, { ...newest, ...slice })).map(({ id }) => id))
      expect(await list({ tier: 'pro' }, { first: 'oldest', limit: 2 })).toEqual(ids.slice(1, 3))
      expect(await list({}, { after: { createdAt: clock.now(), id: ids[3] } })).toEqual(ids.slice(0, 3).toReversed())
      expect(await list({ id: ids[0], role: 'admin' }, {})).toEqual([])
    })

    test('keep one admin when two admins lose the role concurrently', async () => {
      const admins = [await addCaller({ user: { role: 'admin' } }), await addCaller({ user: { role: 'admin' } })]
      await addCaller({ user: { role: 'admin', status: 'suspended' } })
      const resign = ({ userId }: { readonly userId: string }) =>
        transact(async (tx) => {
          const user = await tx.users.take(userId)
          if (!user || (await tx.users.otherAdmins(userId)) === 0) return false
          return tx.users.replace({ ...user, role: 'member' })
        })
      expect((await Promise.all(admins.map(resign))).filter(Boolean)).toHaveLength(1)
    })

    test('are removed with their password, keys and sessions', async () => {
      const { userId, keyId, credentials } = await addCaller()
      const session = sessionOf(userId)
      await transact(async (tx) => {
        await tx.users.setPassword(userId, 'a hash')
        await tx.sessions.add(session)
        await tx.sessions.addAccess('an access', session.id, { from: clock.now(), until: clock.now() + 5 })
      })
      await transact((tx) => tx.users.remove(userId))
      const left = await transact(async (tx) => [
        await tx.users.find(userId),
        await tx.users.passwordHash(userId),
        await tx.keys.find(keyId),
        await tx.keys.findBySecretHash(hashToken(credentials.token)),
        await tx.sessions.find(session.id),
        await tx.sessions.findByAccessHash('an access'),
      ])
      expect(left).toEqual(left.map(() => undefined))
    })

    test('have the password that was set last', async () => {
      const { userId } = await addCaller()
      await transact((tx) => tx.users.setPassword(userId, 'first'))
      await transact((tx) => tx.users.setPassword(userId, 'second'))
      expect(await transact((tx) => tx.users.passwordHash(userId))).toBe('second')
    })
  })

  describe('keys', () => {
    const found = (hash: string) => transact((tx) => tx.keys.findBySecretHash(hash))
    const secret = (hash: string, previousUntil: number | null) => ({ hash, prefix: 'fl_another', previousUntil })

    test('accept the previous secret until it expires, and never an older one', async () => {
      const { keyId, credentials } = await addCaller()
      const first = hashToken(credentials.token)
      await transact((tx) => tx.keys.rotate(keyId, secret('second', clock.now() + 60)))
      expect(await found(first)).toMatchObject({ key: { id: keyId }, secretExpiresAt: clock.now() + 60 })
      expect(await found('second')).toMatchObject({ key: { prefix: 'fl_another' }, secretExpiresAt: null })
      await transact((tx) => tx.keys.rotate(keyId, secret('third', clock.now() + 90)))
      expect(await found(first)).toBeUndefined()
      expect(await found('second')).toMatchObject({ secretExpiresAt: clock.now() + 90 })
      await transact((tx) => tx.keys.rotate(keyId, secret('fourth', null)))
      expect([await found('second'), await found('third')]).toEqual([undefined, undefined])
    })

    test('record their last use at intervals', async () => {
      const { keyId } = await addCaller({ key: { lastUsedAt: null } })
      const touch = (at: number) => transact((tx) => tx.keys.touch(keyId, at, at - 60))
      const lastUsedAt = async () => (await transact((tx) => tx.keys.find(keyId)))?.lastUsedAt
      await touch(1_000)
      await touch(1_059)
      expect(await lastUsedAt()).toBe(1_000)
      await touch(1_060)
      await touch(1_060 + 400 * 86_400_000)
      await touch(1_060)
      expect(await lastUsedAt()).toBe(1_060)
    })

    test('are counted and listed by whether they were usable since an instant', async () => {
      const { userId } = await addCaller()
      const { credentials } = await addCaller()
      const template = (await found(hashToken(credentials.token)))?.key
      const now = clock.now()
      const lives = [{}, { revokedAt: now - 1 }, { revokedAt: now }, { expiresAt: now - 1 }, { expiresAt: now }]
      await transact(async (tx) => {
        for (const life of lives) {
          if (template) await tx.keys.add({ ...template, id: newId('key'), userId, ...life }, newId('key'))
        }
      })
      expect(await transact((tx) => tx.keys.countAliveSince(userId, now))).toBe(4)
      expect(await transact((tx) => tx.keys.list({ userId, aliveSince: now }, newest))).toHaveLength(4)
      expect(await transact((tx) => tx.keys.list({ userId }, newest))).toHaveLength(6)
    })

    test('are listed by status, and by a part of their name or prefix', async () => {
      const { userId, credentials } = await addCaller()
      const template = (await found(hashToken(credentials.token)))?.key
      const now = clock.now()
      const keys = [
        { id: 'key_1', name: 'Website É' },
        { id: 'key_2', name: '100% of_it', prefix: 'fl_Website', expiresAt: now + 1 },
        { id: 'key_3', name: 'old', expiresAt: now },
        { id: 'key_4', name: 'gone', expiresAt: now, revokedAt: now - 1 },
      ]
      await transact(async (tx) => {
        for (const key of keys) if (template) await tx.keys.add({ ...template, prefix: 'fl_x', ...key }, newId('key'))
      })
      const list = async (filters: Partial<KeyFilters>) => {
        const listed = await transact((tx) => tx.keys.list({ userId, ...filters }, newest))
        return keys.map(({ id }) => id).filter((id) => listed.some((key) => key.id === id))
      }
      expect(await list({ status: { is: 'active', at: now } })).toEqual(['key_1', 'key_2'])
      expect(await list({ status: { is: 'expired', at: now } })).toEqual(['key_3'])
      expect(await list({ status: { is: 'revoked', at: now } })).toEqual(['key_4'])
      expect(await list({ search: 'wEBSITE' })).toEqual(['key_1', 'key_2'])
      expect(await list({ search: 'website', status: { is: 'active', at: now + 1 } })).toEqual(['key_1'])
      expect(await list({ search: 'É' })).toEqual(['key_1'])
      expect(await list({ search: 'é' })).toEqual([])
      expect(await list({ search: '0%' })).toEqual(['key_2'])
      expect(await list({ search: '_' })).toEqual(['key_1', 'key_2', 'key_3', 'key_4'])
      expect(await list({ search: 'fl_x%' })).toEqual([])
    })

    test('keep their secret when their name, scopes, and expiry change', async () => {
      const { credentials, keyId } = await addCaller()
      const fields = { name: 'renamed', scopes: ['models'], expiresAt: clock.now() + 1_000 } as const
      await transact((tx) => tx.keys.update(keyId, fields))
      expect(await found(hashToken(credentials.token))).toMatchObject({ key: { id: keyId, ...fields } })
      await transact((tx) => tx.keys.update(keyId, { ...fields, expiresAt: null }))
      expect(await transact((tx) => tx.keys.find(keyId))).toMatchObject({ expiresAt: null })
    })

    test('are found by the key or session that created them', async () => {
      const { keyId, userId } = await addCaller()
      const ids = [newId('key'), newId('key'), newId('key')]
      await transact(async (tx) => {
        const template = await tx.keys.find(keyId)
        const creators = [keyId, keyId, 'ses_1']
        for (const [index, id] of ids.entries()) {
          if (template) await tx.keys.add({ ...template, id, userId, createdBy: creators[index] ?? null }, newId('key'))
        }
      })
      const createdBy = async (...creators: readonly string[]) =>
        (await transact((tx) => tx.keys.findCreatedBy(creators))).map(({ id }) => id).toSorted()
      expect(await createdBy(keyId)).toEqual(ids.slice(0, 2).toSorted())
      expect(await createdBy(keyId, 'ses_1', 'key_none')).toEqual(ids.toSorted())
      expect(await createdBy()).toEqual([])
      expect(await transact((tx) => tx.keys.find(ids[2] ?? ''))).toMatchObject({ createdBy: 'ses_1' })
    })

    test('get the next version by a change, a new secret, and a revocation, but not by use', async () => {
      const { keyId } = await addCaller()
      const version = async () => (await transact((tx) => tx.keys.find(keyId)))?.version
      const versions = [await version()]
      await transact((tx) => tx.keys.update(keyId, { name: 'renamed', scopes: ['models'], expiresAt: null }))
      versions.push(await version())
      await transact((tx) => tx.keys.rotate(keyId, secret('second', null)))
      versions.push(await version())
      await transact((tx) => tx.keys.touch(keyId, clock.now() + 60_000, clock.now() + 60_000))
      await transact((tx) => tx.keys.revoke(keyId, 7))
      versions.push(await version())
      expect(versions).toEqual([1, 2, 3, 4])
    })

    test('remain stored after they are revoked', async () => {
      const { keyId, credentials } = await addCaller()
      await transact((tx) => tx.keys.revoke(keyId, 7))
      expect(await found(hashToken(credentials.token))).toMatchObject({ key: { id: keyId, revokedAt: 7 } })
    })
  })

  describe('sessions', () => {
    test('are found by their access tokens, with their user', async () => {
      const { userId } = await addCaller()
      const session = sessionOf(userId)
      await transact(async (tx) => {
        await tx.sessions.add(session)
        await tx.sessions.addAccess('one', session.id, { from: 0, until: 50 })
        await tx.sessions.addAccess('one', session.id, { from: 0, until: 60 })
        await tx.sessions.addAccess('two', session.id, { from: 50, until: 70 })
      })
      expect(await transact((tx) => tx.sessions.findByAccessHash('two'))).toMatchObject({
        session,
        user: { id: userId },
        expiresAt: 70,
      })
      expect(await transact((tx) => tx.sessions.findByAccessHash('one'))).toBeUndefined()
    })

    test('can be replaced, listed and removed', async () => {
      const { userId } = await addCaller()
      const older = sessionOf(userId)
      const newer = sessionOf(userId, { createdAt: older.createdAt + 1 })
      await transact(async (tx) => {
        await tx.sessions.add(older)
        await tx.sessions.add(newer)
        await tx.sessions.replace({ ...older, generation: 2 })
      })
      expect(await transact((tx) => tx.sessions.take(older.id))).toEqual({ ...older, generation: 2 })
      expect((await transact((tx) => tx.sessions.ofUser(userId))).map(({ id }) => id)).toEqual([newer.id, older.id])
      await transact((tx) => tx.sessions.remove([older.id, newer.id]))
      expect(await transact((tx) => tx.sessions.ofUser(userId))).toEqual([])
    })

    test('are refreshed once under concurrency', async () => {
      const { userId } = await addCaller()
      const { id } = sessionOf(userId)
      await transact((tx) => tx.sessions.add(sessionOf(userId, { id })))
      const turn = () =>
        transact(async (tx) => {
          const session = await tx.sessions.take(id)
          if (session?.generation !== 1) return false
          await tx.sessions.replace({ ...session, generation: 2 })
          return true
        })
      const turned = await Promise.all(Array.from({ length: 20 }, turn))
      expect(turned.filter(Boolean)).toHaveLength(1)
    })
  })

  describe('throttles', () => {
    const rule = { windowMs: 100, max: 3 }
    const hit = (bucket: string, at: number) => transact((tx) => tx.throttles.hit(bucket, { at, ...rule }))

    test('grant exactly the limit of a window, even under concurrency', async () => {
      const hits = await Promise.all(Array.from({ length: 20 }, () => hit('a', 1_000)))
      expect(hits.filter(({ granted }) => granted)).toHaveLength(3)
      expect(await hit('b', 1_000)).toEqual({ granted: true, hits: [] })
    })

    test('count each hit for the length of the sliding window', async () => {
      for (const at of [1_000, 1_050, 1_060]) await hit('a', at)
      expect(await hit('a', 1_099)).toEqual({ granted: false, hits: [1_000, 1_050, 1_060] })
      expect(await hit('a', 1_100)).toEqual({ granted: true, hits: [1_050, 1_060] })
    })

    test('ignore hits that were recorded while the clock was 400 days ahead', async () => {
      const wrong = 1_000 + 400 * 86_400_000
      for (const after of [0, 1, 2]) await hit('a', wrong + after)
      expect(await hit('a', 1_000)).toEqual({ granted: true, hits: [] })
      expect(await hit('a', 1_001)).toEqual({ granted: true, hits: [1_000] })
    })

    test('count hits of a node whose clock is ahead by at most the maximum clock skew', async () => {
      for (const after of [0, 1, 2]) await hit('a', 1_000 + maxClockSkewMs - after)
      expect(await hit('a', 1_000)).toMatchObject({ granted: false })
    })

    test('remove all hits of a bucket', async () => {
      for (const at of [1_000, 1_001, 1_002]) await hit('a', at)
      await transact((tx) => tx.throttles.clear('a'))
      expect(await hit('a', 1_004)).toEqual({ granted: true, hits: [] })
    })

    test('return the hits of a window without adding one', async () => {
      const read = (at: number) => current().read((view) => view.throttles.read('a', { at, ...rule }))
      expect(await read(1_000)).toEqual({ granted: true, hits: [] })
      for (const at of [1_000, 1_001, 1_002]) await hit('a', at)
      expect(await read(1_003)).toEqual({ granted: false, hits: [1_000, 1_001, 1_002] })
      expect(await read(1_100)).toEqual({ granted: true, hits: [1_001, 1_002] })
      expect(await transact((tx) => tx.throttles.read('a', { at: 1_101, ...rule }))).toEqual({
        granted: true,
        hits: [1_002],
      })
    })
  })

  describe('unused throttles', () => {
    test('are purged in batches', async () => {
      const hit = (bucket: string, at: number) =>
        transact((tx) => tx.throttles.hit(bucket, { at, windowMs: 100, max: 1 }))
      for (const bucket of ['a', 'b', 'c']) await hit(bucket, 1_000)
      await hit('d', 1_001)
      const purge = (before: number, limit: number) => transact((tx) => tx.throttles.purge(before, limit))
      expect([await purge(1_100, 10), await purge(1_101, 2), await purge(1_101, 2), await purge(1_101, 2)]).toEqual([
        0, 2, 1, 0,
      ])
      expect(await hit('d', 1_099)).toMatchObject({ granted: false })
    })
  })

  describe('settings', () => {
    test('have the value that was set last', async () => {
      const get = () => transact((tx) => tx.settings.get('color'))
      expect(await get()).toBeUndefined()
      await transact((tx) => tx.settings.set('color', 'red'))
      await transact((tx) => tx.settings.set('color', 'blue'))
      expect(await get()).toBe('blue')
    })
  })

  describe('write checks', () => {
    test('are kept for each node until they are old', async () => {
      const purge = (before: number) => transact((tx) => tx.writeChecks.purge(before, 9))
      await transact((tx) => tx.writeChecks.set('node_1', 100))
      await transact((tx) => tx.writeChecks.set('node_2', 100))
      await transact((tx) => tx.writeChecks.set('node_1', 200))
      expect(await purge(200)).toBe(1)
      expect(await purge(201)).toBe(1)
    })
  })

  describe('images', () => {
    test('of a user are removed together', async () => {
      const mine = ['usr_1', 'usr_1', 'usr_2'].map((userId) => ({
        id: newId('img'),
        userId,
        model: 'vista',
        createdAt: clock.now(),
      }))
      await transact(async (tx) => {
        for (const image of mine) await tx.images.add(image)
      })
      const removed = await transact((tx) => tx.images.removeOfUser('usr_1'))
      expect(removed.toSorted()).toEqual([mine[0]?.id, mine[1]?.id].toSorted())
      expect(await transact((tx) => tx.images.find(mine[0]?.id ?? ''))).toBeUndefined()
      expect(await transact((tx) => tx.images.find(mine[2]?.id ?? ''))).toEqual(mine[2])
    })
  })
}
