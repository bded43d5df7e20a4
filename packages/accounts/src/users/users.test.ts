import { describe, expect, test, vi } from 'vitest'
import { type Credentials, createFairlead } from '@fairlead/core'
import { memoryBlobs } from '@fairlead/core/stores'
import { fakePainter, scripted, someShipment, testCore } from '@fairlead/testing'
import { createIds } from '@fairlead/core/adapter'
import { accounts } from '../accounts.ts'
import type { UserRow } from './user.ts'
import { operations } from '@fairlead/testing/workspace'

const bearer = (token: string): Credentials => ({ kind: 'bearer', token })
const rejected = (code: string, field?: string) => ({
  success: false,
  error: { code, ...(field && { details: { field } }) },
})
const bob = { email: 'bob@example.com', name: 'Bob', password: 'a password of Bob' }

function requireData<Data>(
  reply: { success: true; data: Data } | { success: false; error: { message: string } },
): Data {
  if (!reply.success) throw new Error(reply.error.message)
  return reply.data
}

/** A core with an admin and a member. */
async function setup() {
  const blobs = memoryBlobs()
  const context = await testCore({ providers: [scripted('calm', 'hello there'), fakePainter('brush')], blobs })
  const { run } = context.core
  const admin = await context.addCaller({ user: { role: 'admin', tier: 'enterprise', email: 'admin@example.com' } })
  const member = await context.addCaller({ user: { email: 'member@example.com', name: 'Mem' } })
  const login = (email: string, password: string) => run(operations.login, { kind: 'none' }, { email, password })
  return {
    ...context,
    run,
    admin,
    member,
    login,
    blobs,
    create: (input: object = {}) => run(operations.createUser, admin.credentials, { ...bob, ...input }),
    update: (as: { credentials: Credentials }, id: string, input: object) =>
      run(operations.updateUser, as.credentials, { id, email: 'member@example.com', name: 'Mem', ...input }),
    get: (as: { credentials: Credentials }, id: string) => run(operations.user, as.credentials, { id }),
    list: (as: { credentials: Credentials }, input: object = {}) => run(operations.users, as.credentials, input),
    remove: (id: string) => run(operations.deleteUser, admin.credentials, { id }),
  }
}

describe('createUser', () => {
  test('createUser names the missing option if the accounts have no password hasher', async () => {
    const fairlead = createFairlead({ providers: [], features: [accounts()] })
    await expect(fairlead.users.create(bob)).rejects.toThrow(
      'Passwords are disabled. To enable them, pass `passwords` to `accounts()`.',
    )
  })

  test('createUser creates an active member of the free tier who can log in', async () => {
    const { create, login } = await setup()
    const { password: _password, ...facts } = bob
    const created = { ...facts, role: 'member', tier: 'free', quotaLimit: null, status: 'active' }
    expect(await create()).toMatchObject({ success: true, data: created, version: 1 })
    expect(await login(bob.email, bob.password)).toMatchObject({ success: true })
  })

  test('createUser accepts a role, a tier, a quota limit, and a status', async () => {
    const { create, login } = await setup()
    const facts = { role: 'admin', tier: 'enterprise', quotaLimit: 5, status: 'suspended' }
    expect(await create(facts)).toMatchObject({ data: facts })
    expect(await login(bob.email, bob.password)).toMatchObject(rejected('FORBIDDEN'))
  })

  test.each([
    ['without an email address', { email: undefined }, 'email'],
    ['with an email address without an at sign', { email: 'bob' }, 'email'],
    ['with two at signs', { email: 'b@o@b' }, 'email'],
    ['with an email address that is too long', { email: `${'b'.repeat(60)}@${'x'.repeat(200)}.com` }, 'email'],
    ['without a name', { name: ' ' }, 'name'],
    ['with a name that is too long', { name: 'x'.repeat(101) }, 'name'],
    ['without a password', { password: undefined }, 'password'],
    ['with a short password', { password: 'short' }, 'password'],
    ['with a blank password', { password: ' '.repeat(12) }, 'password'],
    ['with a common password', { password: 'password1234' }, 'password'],
    ['with the email address as password', { password: 'bob@example.com' }, 'password'],
    ['with an unknown role', { role: 'king' }, 'role'],
    ['with a quota limit in the pro tier', { tier: 'pro', quotaLimit: 5 }, 'quotaLimit'],
    ['with a negative quota limit', { tier: 'enterprise', quotaLimit: -1 }, 'quotaLimit'],
    ['with an id', { id: 'usr_1' }, 'id'],
  ])('createUser rejects a user %s', async (_case, input, field) => {
    const { create } = await setup()
    expect(await create(input)).toMatchObject(rejected('INVALID_REQUEST', field))
  })

  test('createUser rejects the email address of another user in any spelling', async () => {
    const { create } = await setup()
    await create()
    for (const email of ['bob@example.com', 'BOB@Example.COM', 'ｂｏｂ@example.com']) {
      expect(await create({ email })).toMatchObject(rejected('CONFLICT', 'email'))
    }
  })
})

describe('patchUser', () => {
  test('patchUser changes the given fields and keeps the others', async () => {
    const { run, admin, member, get } = await setup()
    const { budget: _budget, ...before } = requireData(await get(member, member.userId))
    const reply = await run(operations.patchUser, admin.credentials, { id: member.userId, status: 'suspended' })
    expect(reply).toMatchObject({ version: 2, data: { ...before, status: 'suspended' } })
  })

  test('patchUser returns FORBIDDEN if a member changes the role', async () => {
    const { run, member } = await setup()
    const reply = await run(operations.patchUser, member.credentials, { id: member.userId, role: 'admin' })
    expect(reply).toMatchObject(rejected('FORBIDDEN', 'role'))
  })

  test('patchUser requires the current password for a new one', async () => {
    const { run, create, login } = await setup()
    const { id } = requireData(await create())
    const { accessToken } = requireData(await login(bob.email, bob.password))
    const patch = (input: object) => run(operations.patchUser, bearer(accessToken), { id, ...input })
    const password = 'another password of Bob'
    expect(await patch({ password })).toMatchObject(rejected('INVALID_REQUEST', 'currentPassword'))
    expect(await patch({ password, currentPassword: bob.password })).toMatchObject({ success: true })
    expect(await login(bob.email, password)).toMatchObject({ success: true })
  })

  test('patchUser returns PRECONDITION_FAILED for an outdated version', async () => {
    const { run, member } = await setup()
    const options = { ifMatch: [2] }
    const reply = await run(operations.patchUser, member.credentials, { id: member.userId, name: 'Grace' }, options)
    expect(reply).toMatchObject(rejected('PRECONDITION_FAILED'))
  })
})

describe('a member', () => {
  test('a member can get and list only itself', async () => {
    const { get, list, member, admin } = await setup()
    expect(await get(member, member.userId)).toMatchObject({ data: { id: member.userId, name: 'Mem' } })
    expect(await get(member, admin.userId)).toMatchObject(rejected('NOT_FOUND'))
    expect(await get(member, 'usr_nobody')).toMatchObject(rejected('NOT_FOUND'))
    expect(requireData(await list(member)).map(({ id }) => id)).toEqual([member.userId])
    expect(requireData(await list(member, { role: 'admin' }))).toEqual([])
  })

  test('a member can change its own name', async () => {
    const { update, member } = await setup()
    expect(await update(member, member.userId, { name: 'Grace' })).toMatchObject({
      data: { name: 'Grace' },
      version: 2,
    })
  })

  test('a member can send its own record back unchanged', async () => {
    const { get, update, member } = await setup()
    const record = requireData(await get(member, member.userId))
    expect(await update(member, member.userId, record)).toMatchObject({ success: true })
  })

  test.each([
    ['role', { role: 'admin' }],
    ['tier', { tier: 'pro' }],
    ['quotaLimit', { quotaLimit: 1_000_000 }],
    ['status', { status: 'suspended' }],
  ])('a member cannot change its %s', async (field, input) => {
    const { update, get, member } = await setup()
    const before = requireData(await get(member, member.userId))
    expect(await update(member, member.userId, input)).toMatchObject(rejected('FORBIDDEN', field))
    expect(requireData(await get(member, member.userId))).toEqual(before)
  })

  test('a member gets NOT_FOUND when updating another user', async () => {
    const { update, member, admin } = await setup()
    expect(await update(member, admin.userId, {})).toMatchObject(rejected('NOT_FOUND'))
  })
})

describe('a change of the email address', () => {
  test('a change of the email address requires the current password from the user in a session', async () => {
    const { change, login } = await setupBob()
    const email = 'robert@example.com'
    expect(await change({ email })).toMatchObject(rejected('INVALID_REQUEST', 'currentPassword'))
    const wrong = { email, currentPassword: 'not the password' }
    expect(await change(wrong)).toMatchObject(rejected('INVALID_REQUEST', 'currentPassword'))
    expect(await login(bob.email, bob.password)).toMatchObject({ success: true })
    expect(await change({ email, currentPassword: bob.password })).toMatchObject({ data: { email } })
    expect(await login(email, bob.password)).toMatchObject({ success: true })
  })

  test('a change of the email address requires no password if the address differs only in case and spaces', async () => {
    const { change } = await setupBob()
    expect(await change({ email: ' BOB@example.com', name: 'Robert' })).toMatchObject({ data: { email: bob.email } })
  })

  test.each([
    ['email', { email: 'thief@example.com', currentPassword: bob.password }],
    ['email', { email: 'thief@example.com' }],
    ['password', { password: 'another password', currentPassword: bob.password }],
  ])(
    'a change of the email address is rejected with an API key of the user, as is a change of the password: %s',
    async (field, input) => {
      const { key, changeAs, login } = await setupBob()
      expect(await changeAs(key, input)).toMatchObject(rejected('FORBIDDEN', field))
      expect(await login(bob.email, bob.password)).toMatchObject({ success: true })
    },
  )

  test('a change of the email address is rejected with an API key of an admin who changes their own', async () => {
    const { update, admin } = await setup()
    expect(await update(admin, admin.userId, { email: 'new@example.com' })).toMatchObject(
      rejected('FORBIDDEN', 'email'),
    )
    expect(
      await update(admin, admin.userId, { email: 'admin@example.com', password: 'another password' }),
    ).toMatchObject(rejected('FORBIDDEN', 'password'))
  })

  test('a change of the email address is possible for an admin with an API key if the user is another one', async () => {
    const { update, admin, member } = await setup()
    const email = 'moved@example.com'
    expect(await update(admin, member.userId, { email })).toMatchObject({ data: { email } })
  })

  test('a change of the email address returns CONFLICT if an admin changed the address concurrently', async () => {
    const { id, change, update, admin, stores } = await setupBob()
    const read = stores.read.bind(stores)
    let once = true
    vi.spyOn(stores, 'read').mockImplementation(async (work) => {
      const seen = await read(work)
      // The read of the user in `prepare`, not the token's.
      const isUser = typeof seen === 'object' && seen !== null && 'email' in seen
      if (!once || !isUser) return seen
      once = false
      await update(admin, id, { ...bob, password: undefined, email: 'moved@example.com' })
      return seen
    })
    expect(await change({ name: 'Robert' })).toMatchObject(rejected('CONFLICT'))
  })
})

/** A core where Bob has a session and an API key with the scope `users`. */
async function setupBob() {
  const context = await setup()
  const { create, login, run } = context
  const { id } = requireData(await create())
  const session = bearer(requireData(await login(bob.email, bob.password)).accessToken)
  const key = bearer(
    requireData(await run(operations.createApiKey, session, { name: 'robot', scopes: ['users'] })).secret,
  )
  const changeAs = (credentials: Credentials, input: object) =>
    run(operations.updateUser, credentials, { id, email: bob.email, name: 'Bob', ...input })
  await changeAs(session, {})
  return { ...context, id, key, changeAs, change: (input: object) => changeAs(session, input) }
}

describe('a change of the password', () => {
  test('a change of the password requires the current password', async () => {
    const { create, login, run } = await setup()
    const { id } = requireData(await create())
    const { accessToken } = requireData(await login(bob.email, bob.password))
    const change = (input: object) =>
      run(operations.updateUser, bearer(accessToken), { id, email: bob.email, name: 'Bob', ...input })
    const password = 'another password'
    expect(await change({ password })).toMatchObject(rejected('INVALID_REQUEST', 'currentPassword'))
    expect(await change({ password, currentPassword: 'not the password' })).toMatchObject(
      rejected('INVALID_REQUEST', 'currentPassword'),
    )
    expect(await change({ currentPassword: bob.password })).toMatchObject(
      rejected('INVALID_REQUEST', 'currentPassword'),
    )
    for (const weak of [' '.repeat(12), 'password1234', bob.email]) {
      const reply = await change({ password: weak, currentPassword: bob.password })
      expect(reply).toMatchObject(rejected('INVALID_REQUEST', 'password'))
    }
    expect(await change({ password, currentPassword: bob.password })).toMatchObject({ success: true })
    expect(await login(bob.email, bob.password)).toMatchObject(rejected('UNAUTHORIZED'))
    expect(await login(bob.email, password)).toMatchObject({ success: true })
  })

  test('a change of the password ends all other sessions', async () => {
    const { create, login, run } = await setup()
    const { id } = requireData(await create())
    const other = requireData(await login(bob.email, bob.password))
    const own = requireData(await login(bob.email, bob.password))
    const models = (token: string) => run(operations.models, bearer(token), {})
    await models(other.accessToken)
    const input = { id, email: bob.email, name: 'Bob', password: 'another password', currentPassword: bob.password }
    await run(operations.updateUser, bearer(own.accessToken), input)
    expect(await models(other.accessToken)).toMatchObject(rejected('UNAUTHORIZED'))
    expect(await models(own.accessToken)).toMatchObject({ success: true })
  })

  test('a change of the password is possible for an admin without the current password', async () => {
    const { create, login, update, admin } = await setup()
    const { id } = requireData(await create())
    expect(await update(admin, id, { ...bob, password: 'given by an admin' })).toMatchObject({ success: true })
    expect(await login(bob.email, 'given by an admin')).toMatchObject({ success: true })
  })

  test('a change of the password counts wrong current passwords as failed logins', async () => {
    const { create, login, run } = await setup()
    const { id } = requireData(await create())
    const { accessToken } = requireData(await login(bob.email, bob.password))
    const guess = (currentPassword: string) =>
      run(operations.updateUser, bearer(accessToken), {
        id,
        email: bob.email,
        name: 'Bob',
        password: 'another password',
        currentPassword,
      })
    for (let n = 0; n < 10; n++) await guess('not the password')
    expect(await guess(bob.password)).toMatchObject(rejected('RATE_LIMIT_EXCEEDED'))
  })
})

describe('an admin', () => {
  test('an admin lists users page by page, newest first, with filters', async () => {
    const { create, list, admin, member, clock } = await setup()
    for (const [n, tier] of ['pro', 'free', 'pro'].entries()) {
      clock.advance(1)
      await create({ email: `${n}@example.com`, name: `${n}`, tier })
    }
    const first = await list(admin, { limit: 2 })
    expect(requireData(first).map(({ name }) => name)).toEqual(['2', '1'])
    const second = await list(admin, { limit: 2, cursor: first.meta.page?.nextCursor ?? '' })
    expect(requireData(second)[0]?.name).toBe('0')
    expect(requireData(await list(admin, { tier: 'pro', sort: 'created_at' })).map(({ name }) => name)).toEqual([
      '0',
      '2',
    ])
    expect(requireData(await list(admin, { role: 'admin' })).map(({ id }) => id)).toEqual([admin.userId])
    expect(requireData(await list(admin, { email: 'MEMBER@example.com' })).map(({ id }) => id)).toEqual([member.userId])
  })

  test('an admin can change role, tier, quota limit, and status; leaving the enterprise tier clears the quota limit', async () => {
    const { update, admin, member } = await setup()
    const facts = { role: 'admin', tier: 'enterprise', quotaLimit: 7, status: 'suspended' }
    expect(await update(admin, member.userId, facts)).toMatchObject({ data: facts })
    expect(await update(admin, member.userId, {})).toMatchObject({ data: facts })
    expect(await update(admin, member.userId, { tier: 'pro' })).toMatchObject({
      data: { tier: 'pro', quotaLimit: null },
    })
  })

  test('an admin suspends a user with immediate effect', async () => {
    const { update, admin, member, run } = await setup()
    const models = () => run(operations.models, member.credentials, {})
    expect(await models()).toMatchObject({ success: true })
    await update(admin, member.userId, { status: 'suspended' })
    expect(await models()).toMatchObject(rejected('FORBIDDEN'))
    await update(admin, member.userId, { status: 'active' })
    expect(await models()).toMatchObject({ success: true })
  })

  test('an admin raises a limit with immediate effect', async () => {
    const { update, admin, member, run } = await setup()
    const models = () => run(operations.models, member.credentials, {})
    expect(await models()).toMatchObject({ limits: { limit: 1000 } })
    await update(admin, member.userId, { tier: 'pro' })
    expect(await models()).toMatchObject({ limits: { limit: 10_000, remaining: 9_998 } })
  })

  test('an admin cannot update or delete a user with an outdated version', async () => {
    const { admin, member, run } = await setup()
    const input = { id: member.userId, email: 'member@example.com', name: 'Mem' }
    const change = () => run(operations.updateUser, admin.credentials, input, { ifMatch: [1] })
    const replies = await Promise.all([change(), change()])
    expect(replies.filter(({ success }) => success)).toHaveLength(1)
    expect(replies.find(({ success }) => !success)).toMatchObject(rejected('PRECONDITION_FAILED'))
    const remove = run(operations.deleteUser, admin.credentials, { id: member.userId }, { ifMatch: [1] })
    expect(await remove).toMatchObject(rejected('PRECONDITION_FAILED'))
  })
})

describe('the last admin', () => {
  test.each([
    ['demoted', { role: 'member' }],
    ['suspended', { status: 'suspended' }],
  ] satisfies [string, Partial<UserRow>][])('the last admin cannot be %s', async (_case, input) => {
    const { update, admin } = await setup()
    expect(await update(admin, admin.userId, { ...input, email: 'admin@example.com' })).toMatchObject(
      rejected('CONFLICT'),
    )
  })

  test('the last admin cannot be deleted', async () => {
    const { remove, admin } = await setup()
    expect(await remove(admin.userId)).toMatchObject(rejected('CONFLICT'))
  })

  test('the last admin can be deleted only if another admin is active', async () => {
    const { remove, create, update, admin } = await setup()
    const other = requireData(await create({ role: 'admin' }))
    await update(admin, other.id, { ...bob, status: 'suspended' })
    expect(await remove(admin.userId)).toMatchObject(rejected('CONFLICT'))
    await update(admin, other.id, { ...bob, status: 'active' })
    expect(await remove(admin.userId)).toMatchObject({ success: true })
  })
})

describe('deleteUser', () => {
  test('deleteUser removes the credentials, images, and shipments of the user', async () => {
    const { create, login, run, remove, stores, blobs, core } = await setup()
    const { id } = requireData(await create())
    const { accessToken, refreshToken } = requireData(await login(bob.email, bob.password))
    const { secret } = requireData(await run(operations.createApiKey, bearer(accessToken), { name: 'robot' }))
    const image = requireData(await run(operations.generateImage, bearer(secret), { model: 'picture', prompt: 'x' }))
    const shipment = someShipment(createIds(Date.now), { userId: id })
    await stores.transact((tx) => tx.shipments.add(shipment))

    expect(await remove(id)).toMatchObject({ data: { id, deleted: true } })
    for (const token of [accessToken, secret]) {
      expect(await run(operations.models, bearer(token), {})).toMatchObject(rejected('UNAUTHORIZED'))
    }
    expect(await run(operations.refresh, { kind: 'none' }, { refreshToken })).toMatchObject(rejected('UNAUTHORIZED'))
    expect(await login(bob.email, bob.password)).toMatchObject(rejected('UNAUTHORIZED'))
    expect(await core.openImage('id' in image ? image.id : '')).toBeUndefined()
    expect(await blobs.get('id' in image ? image.id : '')).toBeUndefined()
    expect(await stores.read((view) => view.shipments.find(shipment.id))).toBeUndefined()
    expect(await create()).toMatchObject({ success: true })
  })

  test('deleteUser returns NOT_FOUND for an unknown user', async () => {
    const { remove } = await setup()
    expect(await remove('usr_nobody')).toMatchObject(rejected('NOT_FOUND'))
  })
})
