import { createIds } from '@fairlead/core/adapter'
import { addTestCaller } from '../fakes/test-core.ts'
import type { TestClock } from '../fakes/test-clock.ts'
import { type AccountStores, type SessionRow, hashToken } from '@fairlead/accounts/stores'
import { maxClockSkewMs } from '@fairlead/core/stores'
import { describe, expect, test } from 'vitest'

/** The part of the store suite for sessions and throttles. */
export function sessionSuite(stores: () => AccountStores, clock: TestClock): void {
  const newId = createIds(clock.now)
  const transact: AccountStores['transact'] = (work) => stores().transact(work)
  const addCaller = (facts: Parameters<typeof addTestCaller>[2] = {}) => addTestCaller(stores(), clock, facts)

  const unconfirmed = { issuerSession: null, confirmedAt: null, issuerToken: null }

  function createSession(userId: string, facts: Partial<SessionRow> = {}): SessionRow {
    const at = clock.now()
    const times = { createdAt: at, refreshedAt: at, expiresAt: at + 1000 }
    const origin = { userAgent: null, address: null, lastUsedAt: null }
    return { id: newId('ses'), userId, generation: 1, ...times, ...unconfirmed, ...origin, ...facts }
  }

  describe('sessions', () => {
    test('sessions are found by their access tokens, with their user', async () => {
      const { userId } = await addCaller()
      const session = createSession(userId)
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

    test('sessions can be replaced, listed and removed', async () => {
      const { userId } = await addCaller()
      const older = createSession(userId)
      const newer = createSession(userId, { createdAt: older.createdAt + 1 })
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

    test('sessions keep when their issuer confirmed them, and the token for it', async () => {
      const { userId } = await addCaller()
      const session = createSession(userId, { confirmedAt: clock.now(), issuerToken: 'sealed' })
      await transact((tx) => tx.sessions.add(session))
      expect(await transact((tx) => tx.sessions.take(session.id))).toEqual(session)
      const later = { ...session, confirmedAt: clock.now() + 1, issuerToken: null }
      await transact((tx) => tx.sessions.replace(later))
      expect(await transact((tx) => tx.sessions.find(session.id))).toEqual(later)
    })

    test('sessions keep the browser and the address of the sign-in, and are touched once a minute', async () => {
      const { userId } = await addCaller()
      const session = createSession(userId, { userAgent: 'Firefox on Linux', address: '2001:db8::7' })
      await transact((tx) => tx.sessions.add(session))
      const lastUse = async (at: number) => {
        await transact((tx) => tx.sessions.touch(session.id, at, at - 60_000))
        return (await stores().read((view) => view.sessions.find(session.id)))?.lastUsedAt
      }
      expect(await stores().read((view) => view.sessions.find(session.id))).toEqual(session)
      expect([await lastUse(100_000), await lastUse(159_999), await lastUse(160_000)]).toEqual([
        100_000, 100_000, 160_000,
      ])
    })

    test('a session that was last used while the clock was ahead is touched again', async () => {
      const { userId } = await addCaller()
      const session = createSession(userId, { lastUsedAt: 100_000 + maxClockSkewMs + 1 })
      await transact((tx) => tx.sessions.add(session))
      await transact((tx) => tx.sessions.touch(session.id, 100_000, 40_000))
      expect(await stores().read((view) => view.sessions.find(session.id))).toMatchObject({ lastUsedAt: 100_000 })
    })

    test('sessions are found by the session at the issuer of the identity', async () => {
      const { userId } = await addCaller()
      const [one, other] = [
        createSession(userId, { issuerSession: 'a' }),
        createSession(userId, { issuerSession: 'b' }),
      ]
      await transact(async (tx) => {
        for (const session of [one, other, createSession(userId)]) await tx.sessions.add(session)
      })
      expect(await stores().read((view) => view.sessions.ofIssuerSession('a'))).toEqual([one])
      expect(await stores().read((view) => view.sessions.ofIssuerSession('c'))).toEqual([])
    })

    test('sessions are refreshed once under concurrency', async () => {
      const { userId } = await addCaller()
      const { id } = createSession(userId)
      await transact((tx) => tx.sessions.add(createSession(userId, { id })))
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

    test('sessions are purged in batches when they have expired', async () => {
      const { userId } = await addCaller()
      const sessions = [1, 2, 3, 4].map((hours) =>
        createSession(userId, { expiresAt: clock.now() + hours * 3_600_000 }),
      )
      await stores().transact(async (tx) => {
        for (const session of sessions) {
          await tx.sessions.add(session)
          await tx.sessions.addAccess(hashToken(session.id), session.id, { from: 0, until: session.expiresAt })
        }
      })
      const purge = () => stores().transact((tx) => tx.sessions.purge(sessions[3]!.expiresAt, 2))
      expect([await purge(), await purge(), await purge()]).toEqual([2, 1, 0])
      expect(await stores().read((view) => view.sessions.ofUser(userId))).toEqual([sessions[3]])
    })
  })

  describe('throttles', () => {
    const rule = { windowMs: 100, max: 3 }
    const hit = (bucket: string, at: number) => transact((tx) => tx.throttles.hit(bucket, { at, ...rule }))

    test('throttles grant exactly the limit of a window, even under concurrency', async () => {
      const hits = await Promise.all(Array.from({ length: 20 }, () => hit('a', 1_000)))
      expect(hits.filter(({ granted }) => granted)).toHaveLength(3)
      expect(await hit('b', 1_000)).toEqual({ granted: true, hits: [] })
    })

    test('throttles count each hit for the length of the sliding window', async () => {
      for (const at of [1_000, 1_050, 1_060]) await hit('a', at)
      expect(await hit('a', 1_099)).toEqual({ granted: false, hits: [1_000, 1_050, 1_060] })
      expect(await hit('a', 1_100)).toEqual({ granted: true, hits: [1_050, 1_060] })
    })

    test('throttles ignore hits that were recorded while the clock was 400 days ahead', async () => {
      const wrong = 1_000 + 400 * 86_400_000
      for (const after of [0, 1, 2]) await hit('a', wrong + after)
      expect(await hit('a', 1_000)).toEqual({ granted: true, hits: [] })
      expect(await hit('a', 1_001)).toEqual({ granted: true, hits: [1_000] })
    })

    test('throttles count hits of a node whose clock is ahead by at most the maximum clock skew', async () => {
      for (const after of [0, 1, 2]) await hit('a', 1_000 + maxClockSkewMs - after)
      expect(await hit('a', 1_000)).toMatchObject({ granted: false })
    })

    test('throttles remove all hits of a bucket', async () => {
      for (const at of [1_000, 1_001, 1_002]) await hit('a', at)
      await transact((tx) => tx.throttles.clear('a'))
      expect(await hit('a', 1_004)).toEqual({ granted: true, hits: [] })
    })

    test('throttles return the hits of a window without adding one', async () => {
      const read = (at: number) => stores().read((view) => view.throttles.read('a', { at, ...rule }))
      expect(await read(1_000)).toEqual({ granted: true, hits: [] })
      for (const at of [1_000, 1_001, 1_002]) await hit('a', at)
      expect(await read(1_003)).toEqual({ granted: false, hits: [1_000, 1_001, 1_002] })
      expect(await read(1_100)).toEqual({ granted: true, hits: [1_001, 1_002] })
      expect(await transact((tx) => tx.throttles.read('a', { at: 1_101, ...rule }))).toEqual({
        granted: true,
        hits: [1_002],
      })
    })

    test('throttles are purged in batches when they are unused', async () => {
      for (const bucket of ['a', 'b', 'c']) await hit(bucket, 1_000)
      await hit('d', 1_001)
      const purge = (before: number, limit: number) => transact((tx) => tx.throttles.purge(before, limit))
      expect([await purge(1_100, 10), await purge(1_101, 2), await purge(1_101, 2), await purge(1_101, 2)]).toEqual([
        0, 2, 1, 0,
      ])
      expect(await hit('d', 1_099)).toMatchObject({ hits: [1_001] })
    })
  })
}
