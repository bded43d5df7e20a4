import { createIds } from '@fairlead/core/adapter'
import { addTestCaller } from '../fakes/test-core.ts'
import type { TestClock } from '../fakes/test-clock.ts'
import { type AccountStores, type KeyFilters, hashToken } from '@fairlead/accounts/stores'
import { describe, expect, test } from 'vitest'

/** The part of the store suite for API keys. */
export function keySuite(stores: () => AccountStores, clock: TestClock): void {
  const newId = createIds(clock.now)
  const transact: AccountStores['transact'] = (work) => stores().transact(work)
  const newest = { first: 'newest', limit: 10 } as const
  const addCaller = (facts: Parameters<typeof addTestCaller>[2] = {}) => addTestCaller(stores(), clock, facts)

  describe('keys', () => {
    const found = (hash: string) => transact((tx) => tx.keys.findBySecretHash(hash))
    const secret = (hash: string, previousUntil: number | null) => ({ hash, prefix: 'fl_another', previousUntil })

    test('keys accept the previous secret until it expires, and never an older one', async () => {
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

    test('keys record their last use at intervals', async () => {
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

    test('keys are counted and listed by whether they were usable since an instant', async () => {
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

    test('keys are listed by status, and by a part of their name or prefix', async () => {
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

    test('keys keep their secret when their name, scopes, expiry, and limits change', async () => {
      const { credentials, keyId } = await addCaller()
      const limits = { models: ['gpt-*'], requestsPerMinute: 60, metadata: { team: 'sörch' } }
      const fields = { name: 'renamed', scopes: ['models'], expiresAt: clock.now() + 1_000, limits } as const
      await transact((tx) => tx.keys.update(keyId, fields))
      expect(await found(hashToken(credentials.token))).toMatchObject({ key: { id: keyId, ...fields } })
      await transact((tx) => tx.keys.update(keyId, { ...fields, expiresAt: null, limits: null }))
      expect(await transact((tx) => tx.keys.find(keyId))).toMatchObject({ expiresAt: null, limits: null })
    })

    test('keys are found by the key or session that created them', async () => {
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

    test('keys get the next version by a change, a new secret, and a revocation, but not by use', async () => {
      const { keyId } = await addCaller()
      const version = async () => (await transact((tx) => tx.keys.find(keyId)))?.version
      const versions = [await version()]
      const fields = { name: 'renamed', scopes: ['models'], expiresAt: null, limits: null }
      await transact((tx) => tx.keys.update(keyId, fields))
      versions.push(await version())
      await transact((tx) => tx.keys.rotate(keyId, secret('second', null)))
      versions.push(await version())
      await transact((tx) => tx.keys.touch(keyId, clock.now() + 60_000, clock.now() + 60_000))
      await transact((tx) => tx.keys.revoke(keyId, 7))
      versions.push(await version())
      expect(versions).toEqual([1, 2, 3, 4])
    })

    test('keys remain stored after they are revoked', async () => {
      const { keyId, credentials } = await addCaller()
      await transact((tx) => tx.keys.revoke(keyId, 7))
      expect(await found(hashToken(credentials.token))).toMatchObject({ key: { id: keyId, revokedAt: 7 } })
    })

    test('keys are found by the hash of their secret, with their user', async () => {
      const { keyId, userId } = await addCaller({ key: { scopes: ['models', 'generate'] } })
      const { credentials } = await addCaller({ key: { expiresAt: clock.now() + 5 } })
      const grant = await found(hashToken(credentials.token))
      expect(grant).toMatchObject({ key: { expiresAt: clock.now() + 5, revokedAt: null }, owner: { name: 'Ada' } })
      expect(grant?.key.id).not.toBe(keyId)
      expect(grant?.owner.id).not.toBe(userId)
    })

    test('keys are not found by another hash', async () => {
      expect(await found('0'.repeat(64))).toBeUndefined()
    })
  })
}
