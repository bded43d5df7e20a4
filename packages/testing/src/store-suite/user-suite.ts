import { createIds } from '@fairlead/core/adapter'
import { addTestCaller } from '../fakes/test-core.ts'
import type { TestClock } from '../fakes/test-clock.ts'
import { type AccountStores, hashToken } from '@fairlead/accounts/stores'
import { describe, expect, test } from 'vitest'

/** The part of the store suite for users. */
export function userSuite(stores: () => AccountStores, clock: TestClock): void {
  const newId = createIds(clock.now)
  const transact: AccountStores['transact'] = (work) => stores().transact(work)
  const addCaller = (facts: Parameters<typeof addTestCaller>[2] = {}) => addTestCaller(stores(), clock, facts)

  describe('users', () => {
    test('users are found by their e-mail address', async () => {
      const { userId } = await addCaller({ user: { email: 'ada@example.com' } })
      expect(await transact((tx) => tx.users.findByEmail('ada@example.com'))).toMatchObject({ id: userId })
      expect(await transact((tx) => tx.users.findByEmail('bob@example.com'))).toBeUndefined()
    })

    test('users have unique e-mail addresses, even under concurrency', async () => {
      const { userId } = await addCaller()
      const someone = await transact((tx) => tx.users.find(userId))
      const add = () =>
        transact(async (tx) => someone && tx.users.add({ ...someone, id: newId('usr'), email: 'same@example.com' }))
      const added = await Promise.all(Array.from({ length: 10 }, add))
      expect(added.filter(Boolean)).toHaveLength(1)
    })

    test('users can be replaced, but not with the e-mail address of another user', async () => {
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

    test('users are found in batches, without duplicates', async () => {
      const [one, other] = [await addCaller(), await addCaller()]
      const find = (ids: readonly string[]) => transact((tx) => tx.users.findMany(ids))
      const found = await find([one.userId, other.userId, 'usr_1', one.userId])
      expect(found.map(({ id }) => id).toSorted()).toEqual([one.userId, other.userId].toSorted())
      expect(await find([])).toEqual([])
      const keys = await transact((tx) => tx.keys.findMany([one.keyId, other.keyId, 'key_1', one.keyId]))
      expect(keys.map(({ id }) => id).toSorted()).toEqual([one.keyId, other.keyId].toSorted())
      expect(await transact((tx) => tx.keys.findMany([]))).toEqual([])
    })

    test('users are listed in pages, with filters', async () => {
      const ids: string[] = []
      for (const tier of ['free', 'pro', 'pro', 'pro'] as const) {
        clock.advance(1)
        ids.push((await addCaller({ user: { tier } })).userId)
      }
      const list = (filters: object, slice: object) =>
        transact(async (tx) =>
          (await tx.users.list(filters, { first: 'newest', limit: 10, ...slice })).map(({ id }) => id),
        )
      expect(await list({ tier: 'pro' }, { first: 'oldest', limit: 2 })).toEqual(ids.slice(1, 3))
      expect(await list({}, { after: { createdAt: clock.now(), id: ids[3] } })).toEqual(ids.slice(0, 3).toReversed())
      expect(await list({ id: ids[0], role: 'admin' }, {})).toEqual([])
    })

    test('users keep one admin when two admins lose the role concurrently', async () => {
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

    test('users are removed with their password, keys and sessions', async () => {
      const { userId, keyId, credentials } = await addCaller()
      const at = clock.now()
      const session = {
        id: newId('ses'),
        userId,
        generation: 1,
        createdAt: at,
        refreshedAt: at,
        expiresAt: at + 1000,
        issuerSession: null,
        confirmedAt: null,
        issuerToken: null,
        userAgent: null,
        address: null,
        lastUsedAt: null,
      }
      await transact(async (tx) => {
        await tx.users.setPassword(userId, 'a hash')
        await tx.sessions.add(session)
        await tx.sessions.addAccess('an access', session.id, { from: at, until: at + 5 })
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

    test('users are found by their identities, which are removed with them', async () => {
      const { userId } = await addCaller()
      const identity = { issuer: 'https://id.example.com', subject: 'ada', userId, createdAt: clock.now() }
      await transact((tx) => tx.identities.add(identity))
      await transact((tx) => tx.identities.add({ ...identity, issuer: 'https://other.example.com' }))
      const find = (subject: string) => stores().read((view) => view.identities.find(identity.issuer, subject))
      expect([await find('ada'), await find('Ada')]).toEqual([identity, undefined])
      const ofUser = () => stores().read((view) => view.identities.ofUser(userId))
      expect((await ofUser()).map(({ issuer }) => issuer).toSorted()).toEqual([
        'https://id.example.com',
        'https://other.example.com',
      ])
      await transact((tx) => tx.users.remove(userId))
      expect([await find('ada'), await ofUser()]).toEqual([undefined, []])
    })

    test('users have passkeys, each with a credential of its own, which are removed with them', async () => {
      const { userId } = await addCaller()
      const { userId: otherId } = await addCaller()
      const passkey = {
        id: newId('pky'),
        userId,
        credentialId: 'phone',
        publicKey: 'a key',
        counter: 2 ** 32 - 1,
        transports: ['internal', 'hybrid'],
        name: 'Phone',
        isBackedUp: true,
        createdAt: clock.now(),
        lastUsedAt: null,
      }
      const later = { ...passkey, id: newId('pky'), credentialId: 'key', createdAt: clock.now() + 1, isBackedUp: false }
      const add = (given: typeof passkey) => transact((tx) => tx.passkeys.add(given))
      expect([await add(later), await add(passkey)]).toEqual([true, true])
      expect(await add({ ...passkey, id: newId('pky'), userId: otherId })).toBe(false)
      const changed = { ...passkey, name: 'Work phone', counter: 0, lastUsedAt: clock.now() }
      await transact((tx) => tx.passkeys.replace(changed))
      const find = (id: string, credentialId: string) =>
        stores().read(async (view) => [
          await view.passkeys.find(id),
          await view.passkeys.findByCredential(credentialId),
        ])
      const ofUser = (id: string) => stores().read((view) => view.passkeys.ofUser(id))
      expect(await find(passkey.id, 'phone')).toEqual([changed, changed])
      expect([await ofUser(userId), await ofUser(otherId)]).toEqual([[changed, later], []])
      await transact((tx) => tx.passkeys.remove([later.id]))
      await transact((tx) => tx.passkeys.remove([]))
      expect(await ofUser(userId)).toEqual([changed])
      await transact((tx) => tx.users.remove(userId))
      expect([...(await find(passkey.id, 'phone')), ...(await ofUser(userId))]).toEqual([undefined, undefined])
    })

    test('users have the password that was set last', async () => {
      const { userId } = await addCaller()
      await transact((tx) => tx.users.setPassword(userId, 'first'))
      await transact((tx) => tx.users.setPassword(userId, 'second'))
      expect(await transact((tx) => tx.users.passwordHash(userId))).toBe('second')
    })

    test('users are returned as they were added', async () => {
      const { userId } = await addCaller({ user: { tier: 'enterprise', quotaLimit: 12 } })
      expect(await transact((tx) => tx.users.find(userId))).toMatchObject({
        id: userId,
        tier: 'enterprise',
        quotaLimit: 12,
        status: 'active',
        createdAt: clock.now(),
      })
      expect(await transact((tx) => tx.users.count())).toBe(1)
    })
  })
}
