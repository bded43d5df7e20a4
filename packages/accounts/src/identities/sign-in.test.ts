import { describe, expect, test } from 'vitest'
import { testCore } from '@fairlead/testing'
import { operations } from '@fairlead/testing/workspace'
import type { Credentials } from '@fairlead/core'
import type { UserRow } from '../users/user.ts'
import { signInTokenLifeMs } from '../sessions/sign-in-token.ts'

const issuer = 'https://id.example.com'
const ada = { issuer, subject: 'ada', email: 'ada@example.com', name: 'Ada Lovelace' }
const password = 'correct horse battery'

async function setup() {
  const tested = await testCore()
  const { fairlead, core, stores } = tested
  /** Signs in, and exchanges the token as a browser does. */
  const begin = async (identity: Partial<Parameters<typeof fairlead.sessions.signIn>[0]> = {}) => {
    const { user, token } = await fairlead.sessions.signIn({ ...ada, ...identity })
    const { accessToken } = await fairlead.sessions.exchange({ token })
    return { user, credentials: { kind: 'bearer', token: accessToken } satisfies Credentials }
  }
  const addUser = async (facts: Partial<UserRow>) => (await tested.addCaller({ user: facts })).userId
  const setUser = (id: string, facts: Partial<UserRow>) =>
    stores.transact(async (tx) => {
      const user = await tx.users.take(id)
      if (user) await tx.users.replace({ ...user, ...facts })
    })
  const isOpen = async (credentials: Credentials) => (await core.run(operations.sessions, credentials, {})).success
  return { ...tested, begin, addUser, setUser, isOpen }
}

async function anotherUser(fairlead: Awaited<ReturnType<typeof testCore>>['fairlead']): Promise<string> {
  return (await fairlead.users.create({ email: 'grace@example.com', name: 'Grace', password })).id
}

describe('signInWithIdentity', () => {
  test('signInWithIdentity creates a member without a password at the first sign-in, and finds the user by the subject later', async () => {
    const { begin, stores } = await setup()
    const first = await begin()
    expect(first.user).toMatchObject({ email: 'ada@example.com', role: 'member', tier: 'free' })
    expect(await stores.read((view) => view.users.passwordHash(first.user.id))).toBeUndefined()
    const later = await begin({ email: 'renamed@example.com', name: 'Renamed' })
    expect(later.user).toEqual(first.user)
  })

  test('signInWithIdentity creates one user for two sign-ins at the same time', async () => {
    const { fairlead } = await setup()
    const [one, other] = await Promise.all([fairlead.sessions.signIn(ada), fairlead.sessions.signIn(ada)])
    expect(one.user.id).toBe(other.user.id)
  })

  test('signInWithIdentity returns a token that begins the session once, within 15 minutes', async () => {
    const { fairlead, clock } = await setup()
    const { token } = await fairlead.sessions.signIn(ada)
    const replies = await Promise.allSettled([
      fairlead.sessions.exchange({ token }),
      fairlead.sessions.exchange({ token }),
    ])
    expect(replies.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    const { token: late } = await fairlead.sessions.signIn(ada)
    clock.advance(signInTokenLifeMs)
    await expect(fairlead.sessions.exchange({ token: late })).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
  })

  test('signInWithIdentity returns a token for one browser only, if the browser has a secret', async () => {
    const { fairlead, signInToken } = await setup()
    const [browser, other] = ['secret of a browser', 'secret of another']
    const { token, user } = await fairlead.sessions.signIn({ ...ada, browser })
    await expect(fairlead.sessions.exchange({ token })).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
    await expect(fairlead.sessions.exchange({ token, browser: other })).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
    expect((await fairlead.sessions.exchange({ token, browser })).user.id).toBe(user.id)
    expect((await fairlead.sessions.exchange({ token: signInToken(user.id), browser })).user.id).toBe(user.id)
  })

  test('signInWithIdentity gives roles in projects, leaves other projects as they are, and skips one that was deleted', async () => {
    const { fairlead, begin } = await setup()
    const { user } = await begin()
    const [one, other] = [
      await fairlead.projects.create({ name: 'One', ownerId: await anotherUser(fairlead) }),
      await fairlead.projects.create({ name: 'Other', ownerId: user.id }),
    ]
    const roles = async () => {
      const members = [...(await fairlead.projects.members({ projectId: one.id }))]
      return members.filter(({ userId }) => userId === user.id).map(({ role }) => role)
    }
    const gone = { projectId: 'prj_2144006262569533826222110534494264869', role: 'viewer' } as const
    await begin({ projects: [{ projectId: one.id, role: 'developer' }, gone] })
    expect(await roles()).toEqual(['developer'])
    await begin({ projects: [{ projectId: one.id, role: 'viewer' }] })
    expect(await roles()).toEqual(['viewer'])
    await begin()
    expect(await roles()).toEqual(['viewer'])
    await begin({ projects: [{ projectId: one.id, role: null }] })
    expect(await roles()).toEqual([])
    await begin({ projects: [{ projectId: other.id, role: null }] })
    expect(await fairlead.projects.members({ projectId: other.id })).toMatchObject([{ userId: user.id, role: 'owner' }])
  })

  test('signInWithIdentity lists a session only once its token was exchanged', async () => {
    const { fairlead, core, begin } = await setup()
    const { credentials } = await begin()
    await fairlead.sessions.signIn(ada)
    expect(await core.run(operations.sessions, credentials, {})).toMatchObject({ data: [{ current: true }] })
  })

  test('signInWithIdentity refuses a suspended user, also between the sign-in and the exchange', async () => {
    const { fairlead, begin, setUser } = await setup()
    const { token, user } = await fairlead.sessions.signIn(ada)
    await setUser(user.id, { status: 'suspended' })
    await expect(fairlead.sessions.exchange({ token })).rejects.toMatchObject({ code: 'FORBIDDEN' })
    await expect(begin()).rejects.toMatchObject({ code: 'FORBIDDEN', message: 'This account is suspended.' })
  })

  describe('an account with the same email address', () => {
    test('an account with the same email address is linked if the issuer verified the address, and the account has no password', async () => {
      const { begin, addUser } = await setup()
      const id = await addUser({ email: ada.email, role: 'admin' })
      expect((await begin({ emailVerified: true })).user).toMatchObject({ id, role: 'admin' })
      expect((await begin()).user.id).toBe(id)
    })

    test('an account with the same email address is refused if the issuer did not verify the address', async () => {
      const { begin, addUser } = await setup()
      await addUser({ email: ada.email })
      const error = { code: 'CONFLICT', issues: [{ field: 'emailVerified' }] }
      await expect(begin({ linkByEmail: true })).rejects.toMatchObject(error)
    })

    test('an account with the same email address is refused if it has a password, because anyone may have signed up with the address', async () => {
      const { fairlead, begin } = await setup()
      const { user } = await fairlead.sessions.signup({ email: ada.email, name: 'Somebody', password })
      const error = { code: 'CONFLICT', issues: [{ field: 'email' }] }
      await expect(begin({ emailVerified: true })).rejects.toMatchObject(error)
      expect((await begin({ emailVerified: true, linkByEmail: true })).user.id).toBe(user.id)
    })

    test('an account with the same email address is refused if it has another identity of the issuer', async () => {
      const { begin } = await setup()
      await begin({ subject: 'another' })
      const error = { code: 'CONFLICT', issues: [{ field: 'email' }] }
      await expect(begin({ emailVerified: true, linkByEmail: true })).rejects.toMatchObject(error)
    })
  })

  describe('the role and the tier', () => {
    test('the role and the tier of a sign-in are set at each sign-in, and kept if none is given', async () => {
      const { begin, addUser } = await setup()
      await addUser({ role: 'admin' })
      expect((await begin({ role: 'admin', tier: 'enterprise' })).user).toMatchObject({ tier: 'enterprise' })
      expect((await begin()).user).toMatchObject({ role: 'admin', tier: 'enterprise' })
      expect((await begin({ role: 'member', tier: 'pro' })).user).toMatchObject({ role: 'member', tier: 'pro' })
    })

    test('the role and the tier of a sign-in take effect for keys at once', async () => {
      const { core, begin, addUser } = await setup()
      await addUser({ role: 'admin' })
      const { credentials } = await begin({ role: 'admin' })
      const list = async () => (await core.run(operations.providers, credentials, {})).success
      expect(await list()).toBe(true)
      await begin({ role: 'member' })
      expect(await list()).toBe(false)
    })

    test('the role and the tier of a sign-in never leave the service without an admin', async () => {
      const { begin, addUser, setUser } = await setup()
      const other = await addUser({ role: 'admin' })
      await begin({ role: 'admin' })
      await setUser(other, { status: 'suspended' })
      expect((await begin({ role: 'member', tier: 'pro' })).user).toMatchObject({ role: 'admin', tier: 'pro' })
    })
  })
})

describe('endIdentitySessions', () => {
  test('endIdentitySessions ends the session that the issuer names, and no other', async () => {
    const { fairlead, begin, isOpen } = await setup()
    const laptop = await begin({ issuerSession: 'laptop' })
    const phone = await begin({ issuerSession: 'phone' })
    const ended = await fairlead.sessions.endOfIdentity({
      issuer,
      subject: 'ada',
      issuerSession: 'laptop',
      tokenId: '1',
    })
    expect(ended).toEqual({ ended: 1 })
    expect([await isOpen(laptop.credentials), await isOpen(phone.credentials)]).toEqual([false, true])
  })

  test('endIdentitySessions ends all sessions of the user if the issuer names none', async () => {
    const { fairlead, begin, isOpen } = await setup()
    const sessions = [await begin({ issuerSession: 'laptop' }), await begin()]
    const other = await begin({ subject: 'bob', email: 'bob@example.com' })
    expect(await fairlead.sessions.endOfIdentity({ issuer, subject: 'ada', tokenId: '1' })).toEqual({ ended: 2 })
    expect(await Promise.all(sessions.map(({ credentials }) => isOpen(credentials)))).toEqual([false, false])
    expect(await isOpen(other.credentials)).toBe(true)
  })

  test('endIdentitySessions ends no session of another issuer', async () => {
    const { fairlead, begin, isOpen } = await setup()
    const { credentials } = await begin({ issuerSession: 'laptop' })
    const logout = { issuer: 'https://evil.example.com', subject: 'ada', issuerSession: 'laptop', tokenId: '1' }
    expect(await fairlead.sessions.endOfIdentity(logout)).toEqual({ ended: 0 })
    expect(await isOpen(credentials)).toBe(true)
  })

  test('endIdentitySessions accepts a logout token once', async () => {
    const { fairlead } = await setup()
    await fairlead.sessions.endOfIdentity({ issuer, subject: 'ada', tokenId: '1' })
    const again = fairlead.sessions.endOfIdentity({ issuer, subject: 'ada', tokenId: '1' })
    await expect(again).rejects.toMatchObject({ code: 'CONFLICT' })
  })
})
