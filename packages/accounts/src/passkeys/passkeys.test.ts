import { describe, expect, test } from 'vitest'
import { type Credentials, createFairlead } from '@fairlead/core'
import { audit } from '../audit/audit.ts'
import { plainPasswords, testClock, testCore, type TestCore } from '@fairlead/testing'
import { operations } from '@fairlead/testing/workspace'
import { accounts } from '../accounts.ts'

const anonymous: Credentials = { kind: 'none' }
const ada = { email: 'ada@example.com', password: 'correct horse battery', name: 'Ada' }
const grace = { email: 'grace@example.com', password: 'battery horse correct', name: 'Grace' }
const minute = 60_000

const secretKeys = { current: 'x'.repeat(32) }

const bearer = (token: string): Credentials => ({ kind: 'bearer', token })
const rejected = (code: string) => ({ success: false, error: { code } })

/** A service without passkeys, on the stores of one that had them. */
function withoutPasskeys(stores: TestCore['stores']) {
  const features = [accounts({ passwords: plainPasswords() }), audit()] as const
  return createFairlead({ providers: [], features, stores, secretKeys, testing: { clock: testClock() } })
}

type Setup = Awaited<ReturnType<typeof setup>>

/** A core where Ada and Grace have signed up. */
async function setup(options: Parameters<typeof testCore>[0] = {}) {
  const given = await testCore(options)
  const { fairlead, core } = given
  const run = core.run
  const [{ user, accessToken }, other] = [await fairlead.sessions.signup(ada), await fairlead.sessions.signup(grace)]
  const session = bearer(accessToken)

  const login = (facts: Partial<typeof ada> = {}, address = '192.0.2.1') =>
    run(operations.login, anonymous, { email: ada.email, password: ada.password, ...facts }, { address })
  const beginToAdd = (credentials = session, currentPassword = ada.password) =>
    run(operations.passkeyOptions, credentials, { currentPassword })
  /** Adds a passkey with that credential. */
  async function add(id = 'phone', credentials = session, password = ada.password) {
    const reply = await beginToAdd(credentials, password)
    if (!reply.success) throw new Error(reply.error.message)
    const { token, options: asked } = reply.data
    const response = { id, challenge: asked['challenge'] }
    return run(operations.addPasskey, credentials, { token, response, name: id })
  }
  const setRole = (role: 'admin' | 'member', id = user.id) => fairlead.users.patch({ id, role })
  return { ...given, run, user, session, other, login, options: beginToAdd, add, setRole }
}

/** The token for a passkey, in the response to a correct password. */
async function loginToken({ login }: Setup): Promise<string> {
  const reply = await login()
  if (reply.success) throw new Error('no passkey was required')
  expect(reply.error).toMatchObject({ code: 'UNAUTHORIZED', details: { reason: 'second_factor_required' } })
  return String(reply.error.details['token'])
}

/** Begins to use a passkey. @param token the token from a login with a password. Default: without one */
async function begin({ run }: Setup, token?: string) {
  const reply = await run(operations.passkeyLoginOptions, anonymous, { token })
  if (!reply.success) throw new Error(reply.error.message)
  return { token: reply.data.token, options: reply.data.options, challenge: reply.data.options['challenge'] }
}

function complete({ run }: Setup, token: string, response: object, address = '192.0.2.1') {
  return run(operations.loginWithPasskey, anonymous, { token, response: { ...response } }, { address })
}

describe('passkeys', () => {
  test('a passkey is added, listed, renamed and removed in a session, without its key', async () => {
    const { run, session, add, clock } = await setup()
    const added = await add('phone')
    const createdAt = new Date(clock.now()).toISOString()
    const record = {
      id: expect.stringMatching(/^pky_\d+$/),
      name: 'phone',
      isBackedUp: false,
      createdAt,
      lastUsedAt: null,
    }
    expect(added).toMatchObject({ success: true, data: record })
    if (!added.success) return
    const { id } = added.data
    expect(await run(operations.passkeys, session, {})).toMatchObject({ data: [record] })
    expect(await run(operations.updatePasskey, session, { id, name: 'Key' })).toMatchObject({ data: { name: 'Key' } })
    expect(await run(operations.removePasskey, session, { id })).toMatchObject({ data: { id, deleted: true } })
    expect(await run(operations.passkeys, session, {})).toMatchObject({ data: [] })
  })

  test('the options of a new passkey need the password of the user, and name the passkeys that the user has', async () => {
    const { options, add, session } = await setup()
    expect(await options(session, grace.password)).toMatchObject({
      ...rejected('INVALID_REQUEST'),
      error: { details: { field: 'currentPassword', issue: 'is wrong' } },
    })
    await add('phone')
    expect(await options()).toMatchObject({ data: { options: { excludeCredentials: [{ id: 'phone' }] } } })
  })

  test('wrong passwords for a passkey are limited as those of logins', async () => {
    const { options, session } = await setup()
    for (let n = 0; n < 10; n++) await options(session, 'a wrong password')
    expect(await options()).toMatchObject(rejected('RATE_LIMIT_EXCEEDED'))
  })

  test('an API key cannot change passkeys', async () => {
    const { run, addCaller, user, add } = await setup()
    const added = await add()
    const { credentials } = await addCaller({ user: { id: user.id } })
    const id = added.success ? added.data.id : ''
    const input = { currentPassword: ada.password }
    expect(await run(operations.passkeyOptions, credentials, input)).toMatchObject(rejected('FORBIDDEN'))
    expect(await run(operations.updatePasskey, credentials, { id, name: 'Mine' })).toMatchObject(rejected('FORBIDDEN'))
    expect(await run(operations.removePasskey, credentials, { id })).toMatchObject(rejected('FORBIDDEN'))
  })

  test('the token of a new passkey works once, within five minutes, and only in the session that began', async () => {
    const { run, session, options, other, fairlead, clock } = await setup()
    const begun = async () => {
      const reply = await options()
      if (!reply.success) throw new Error(reply.error.message)
      return { token: reply.data.token, response: { id: 'phone', challenge: reply.data.options['challenge'] } }
    }
    const input = await begun()
    const invalid = { ...rejected('INVALID_REQUEST'), error: { details: { field: 'response' } } }
    expect(await run(operations.addPasskey, bearer(other.accessToken), input)).toMatchObject(invalid)
    const { accessToken } = await fairlead.sessions.login({ email: ada.email, password: ada.password })
    expect(await run(operations.addPasskey, bearer(accessToken), input)).toMatchObject(invalid)
    const late = await begun()
    expect(await run(operations.addPasskey, session, input)).toMatchObject({ success: true })
    const again = { ...input, response: { ...input.response, id: 'tablet' } }
    expect(await run(operations.addPasskey, session, again)).toMatchObject(rejected('UNAUTHORIZED'))
    clock.advance(5 * minute)
    expect(await run(operations.addPasskey, session, late)).toMatchObject(invalid)
  })

  test('a credential is added once, also by another user', async () => {
    const { add, other } = await setup()
    await add('phone')
    const stolen = await add('phone', bearer(other.accessToken), grace.password)
    expect(stolen).toMatchObject(rejected('CONFLICT'))
  })

  test('a user has at most 20 passkeys', async () => {
    const { add, options } = await setup()
    for (let n = 0; n < 20; n++) expect(await add(`key ${n}`)).toMatchObject({ success: true })
    expect(await options()).toMatchObject(rejected('CONFLICT'))
  })

  test('the first passkey ends the other sessions of the user, and another one does not', async () => {
    const { add, fairlead, run, session } = await setup()
    const before = await fairlead.sessions.login({ email: ada.email, password: ada.password })
    await add('phone')
    expect(await run(operations.sessions, bearer(before.accessToken), {})).toMatchObject(rejected('UNAUTHORIZED'))
    await add('tablet')
    expect(await run(operations.sessions, session, {})).toMatchObject({ data: [{ current: true }] })
  })

  test('a user sees and changes only their own passkeys, and an admin sees those of others', async () => {
    const { add, run, user, other, setRole } = await setup()
    const added = await add('phone')
    const id = added.success ? added.data.id : ''
    const graces = bearer(other.accessToken)
    expect(await run(operations.passkeys, graces, { userId: user.id })).toMatchObject(rejected('NOT_FOUND'))
    expect(await run(operations.updatePasskey, graces, { id, name: 'Mine' })).toMatchObject(rejected('NOT_FOUND'))
    expect(await run(operations.removePasskey, graces, { id })).toMatchObject(rejected('NOT_FOUND'))
    await setRole('admin', other.user.id)
    expect(await run(operations.passkeys, graces, { userId: user.id })).toMatchObject({ data: [{ name: 'phone' }] })
    expect(await run(operations.removePasskey, graces, { id })).toMatchObject(rejected('NOT_FOUND'))
  })

  test('an admin removes all passkeys of a user who has lost them, which ends their sessions', async () => {
    const { add, run, user, session, other, login, setRole } = await setup()
    await add('phone')
    const graces = bearer(other.accessToken)
    expect(await run(operations.removePasskeys, graces, { id: user.id })).toMatchObject(rejected('FORBIDDEN'))
    await setRole('admin', other.user.id)
    expect(await run(operations.removePasskeys, graces, { id: user.id })).toMatchObject({ data: { removed: 1 } })
    expect(await run(operations.sessions, session, {})).toMatchObject(rejected('UNAUTHORIZED'))
    expect(await login()).toMatchObject({ success: true })
    expect(await run(operations.removePasskeys, graces, { id: other.user.id })).toMatchObject(rejected('FORBIDDEN'))
  })

  test('the password is required of users who have one', async () => {
    const { run, session } = await setup()
    expect(await run(operations.passkeyOptions, session, {})).toMatchObject({
      ...rejected('INVALID_REQUEST'),
      error: { details: { field: 'currentPassword', issue: 'is required' } },
    })
  })

  test('a user without a password, as the first admin, adds a passkey, and logs in with it alone', async () => {
    const given = await setup({ adminSecondFactor: 'required' })
    const { run, addCaller, fairlead, signInToken } = given
    const { userId } = await addCaller({ user: { role: 'admin' } })
    const { accessToken, passkeyRequired } = await fairlead.sessions.exchange({ token: signInToken(userId) })
    expect(passkeyRequired).toBe(true)
    const credentials = bearer(accessToken)
    const reply = await run(operations.passkeyOptions, credentials, {})
    if (!reply.success) throw new Error(reply.error.message)
    const { token, options } = reply.data
    const response = { id: 'phone', challenge: options['challenge'] }
    expect(await run(operations.addPasskey, credentials, { token, response })).toMatchObject({ success: true })
    const begun = await begin(given)
    const used = { id: 'phone', challenge: begun.challenge, counter: 1, isVerified: true }
    expect(await complete(given, begun.token, used)).toMatchObject({ data: { passkeyRequired: false } })
    // From now on, an issuer decides about the access of the user.
    const { email, name } = await fairlead.users.get({ id: userId })
    const linked = { email, name, emailVerified: true }
    await fairlead.sessions.signIn({ issuer: 'https://id.example.com', subject: 'admin', ...linked })
    const again = await begin(given)
    const later = { id: 'phone', challenge: again.challenge, counter: 2, isVerified: true }
    expect(await complete(given, again.token, later)).toMatchObject(rejected('UNAUTHORIZED'))
    expect(await run(operations.passkeyOptions, credentials, {})).toMatchObject(rejected('FORBIDDEN'))
  })

  test('a user of an identity without a password cannot add a passkey, which would outlast what the issuer allows', async () => {
    const { fairlead, run } = await setup()
    const { token } = await fairlead.sessions.signIn({
      issuer: 'https://id.example.com',
      subject: 'mary',
      email: 'mary@example.com',
      name: 'Mary',
    })
    const { accessToken } = await fairlead.sessions.exchange({ token })
    const reply = await run(operations.passkeyOptions, bearer(accessToken), { currentPassword: ada.password })
    expect(reply).toMatchObject(rejected('FORBIDDEN'))
  })

  test('passkeys are not available without ceremonies', async () => {
    const { stores, session } = await setup({ secretKeys })
    const { run } = withoutPasskeys(stores).core
    const begun = run(operations.passkeyOptions, session, { currentPassword: ada.password })
    expect(await begun).toMatchObject(rejected('FORBIDDEN'))
    expect(await run(operations.passkeyLoginOptions, anonymous, {})).toMatchObject(rejected('FORBIDDEN'))
  })
})

describe('a login with a passkey after the password', () => {
  test('a correct password is not enough for a user with a passkey', async () => {
    const given = await setup()
    await given.add('phone')
    const { token, options, challenge } = await begin(given, await loginToken(given))
    expect(options).toMatchObject({ userVerification: 'preferred', allowCredentials: [{ id: 'phone' }] })
    const reply = await complete(given, token, { id: 'phone', challenge, counter: 1 })
    expect(reply).toMatchObject({ success: true, data: { user: { id: given.user.id }, tokenType: 'Bearer' } })
    const at = new Date(given.clock.now()).toISOString()
    const listed = await given.run(operations.passkeys, given.session, {})
    expect(listed).toMatchObject({ data: [{ name: 'phone', lastUsedAt: at }] })
  })

  test('a wrong password gets the same response, whether or not the account exists or has passkeys', async () => {
    const given = await setup()
    await given.add('phone')
    const replies = [
      await given.login({ password: 'a wrong password' }),
      await given.login({ email: grace.email, password: 'a wrong password' }),
      await given.login({ email: 'nobody@example.com', password: 'a wrong password' }),
    ].map((reply) => (reply.success ? undefined : reply.error))
    expect(replies[0]).toMatchObject({ code: 'UNAUTHORIZED' })
    expect(replies).toEqual(replies.map(() => replies[0]))
  })

  test('the passkey of another user is not accepted after the password', async () => {
    const given = await setup()
    await given.add('phone')
    await given.add('hers', bearer(given.other.accessToken), grace.password)
    const { token, challenge } = await begin(given, await loginToken(given))
    const reply = await complete(given, token, { id: 'hers', challenge, counter: 1 })
    expect(reply).toMatchObject(rejected('UNAUTHORIZED'))
  })

  test('a response is accepted once, within five minutes', async () => {
    const given = await setup()
    await given.add('phone')
    const late = await begin(given, await loginToken(given))
    const { token, challenge } = await begin(given, await loginToken(given))
    expect(await complete(given, token, { id: 'phone', challenge, counter: 1 })).toMatchObject({ success: true })
    expect(await complete(given, token, { id: 'phone', challenge, counter: 2 })).toMatchObject(rejected('UNAUTHORIZED'))
    given.clock.advance(5 * minute)
    const reply = await complete(given, late.token, { id: 'phone', challenge: late.challenge, counter: 3 })
    expect(reply).toMatchObject(rejected('UNAUTHORIZED'))
  })

  test('a response that is sent twice at the same time begins one session', async () => {
    const given = await setup()
    await given.add('phone')
    const { token, challenge } = await begin(given, await loginToken(given))
    const replies = await Promise.all(
      Array.from({ length: 5 }, () => complete(given, token, { id: 'phone', challenge, counter: 1 })),
    )
    expect(replies.filter(({ success }) => success)).toHaveLength(1)
  })

  test('a token for the passkey is void after five minutes, and after a change of the password', async () => {
    const given = await setup()
    await given.add('phone')
    const { run, clock, session, user } = given
    const optionsFor = (token: string) => run(operations.passkeyLoginOptions, anonymous, { token })
    const old = await loginToken(given)
    expect(await optionsFor(old)).toMatchObject({ success: true })
    const begun = await begin(given, old)
    await run(operations.patchUser, session, { id: user.id, password: 'a new password', currentPassword: ada.password })
    expect(await optionsFor(old)).toMatchObject(rejected('UNAUTHORIZED'))
    const reply = await complete(given, begun.token, { id: 'phone', challenge: begun.challenge, counter: 1 })
    expect(reply).toMatchObject(rejected('UNAUTHORIZED'))
    const fresh = await given.login({ password: 'a new password' })
    clock.advance(5 * minute)
    const token = fresh.success ? '' : String(fresh.error.details['token'])
    expect(await optionsFor(token)).toMatchObject(rejected('UNAUTHORIZED'))
    expect(await optionsFor(`${token.slice(0, -1)}x`)).toMatchObject(rejected('UNAUTHORIZED'))
  })

  test('wrong passkeys are limited as wrong passwords are', async () => {
    const given = await setup()
    await given.add('phone')
    const { token, challenge } = await begin(given, await loginToken(given))
    for (let n = 0; n < 10; n++) {
      const reply = await complete(given, token, { id: 'phone', challenge: 'another' })
      expect(reply).toMatchObject(rejected('UNAUTHORIZED'))
    }
    const right = { id: 'phone', challenge, counter: 1 }
    expect(await complete(given, token, right)).toMatchObject(rejected('RATE_LIMIT_EXCEEDED'))
    expect(await complete(given, token, right, '198.51.100.1')).toMatchObject({ success: true })
  })

  test('a user with a passkey cannot log in with the password alone where the service has no passkeys', async () => {
    const given = await setup()
    await given.add('phone')
    const { run } = withoutPasskeys(given.stores).core
    const reply = await run(operations.login, anonymous, { email: ada.email, password: ada.password })
    expect(reply).toMatchObject(rejected('FORBIDDEN'))
  })

  test('a suspended user learns so after the password', async () => {
    const given = await setup()
    await given.add('phone')
    await given.fairlead.users.patch({ id: given.user.id, status: 'suspended' })
    expect(await given.login()).toMatchObject(rejected('FORBIDDEN'))
  })
})

describe('a login with a passkey alone', () => {
  test('a passkey that verified the user is enough', async () => {
    const given = await setup()
    await given.add('phone')
    const { token, options, challenge } = await begin(given)
    expect(options).toEqual({ challenge, userVerification: 'required' })
    const reply = await complete(given, token, { id: 'phone', challenge, counter: 1, isVerified: true })
    expect(reply).toMatchObject({ success: true, data: { user: { id: given.user.id } } })
  })

  test('a passkey that did not verify the user, and an unknown one, get the same response', async () => {
    const given = await setup()
    await given.add('phone')
    const { token, challenge } = await begin(given)
    const [one, other] = [
      await complete(given, token, { id: 'phone', challenge, counter: 1 }),
      await complete(given, token, { id: 'unknown', challenge, counter: 1, isVerified: true }),
    ].map((reply) => (reply.success ? undefined : reply.error))
    expect(one).toMatchObject({ code: 'UNAUTHORIZED' })
    expect(other).toEqual(one)
  })

  test('a passkey does not work from a network that the user may not use', async () => {
    const given = await setup()
    await given.add('phone')
    await given.fairlead.users.patch({ id: given.user.id, allowedNetworks: ['198.51.100.0/24'] })
    const { token, challenge } = await begin(given)
    const response = { id: 'phone', challenge, counter: 1, isVerified: true }
    expect(await complete(given, token, response)).toMatchObject(rejected('FORBIDDEN'))
    expect(await complete(given, token, response, '198.51.100.7')).toMatchObject({ success: true })
  })
})

describe('admins who need a passkey', () => {
  const required = { adminSecondFactor: 'required' } as const

  test('a session of an admin without a passkey may only add one, and log out', async () => {
    const { run, session, setRole, add, user, other, login } = await setup(required)
    await setRole('admin')
    const needed = { ...rejected('FORBIDDEN'), error: { details: { reason: 'passkey_required' } } }
    expect(await run(operations.users, session, {})).toMatchObject(needed)
    expect(await run(operations.createApiKey, session, { name: 'robot' })).toMatchObject(needed)
    const inProject = { ...session, project: `prj_${user.id.slice(4)}` } as Credentials
    expect(await run(operations.models, inProject, {})).toMatchObject(needed)
    expect(await run(operations.passkeys, session, {})).toMatchObject({ data: [] })
    expect(await run(operations.passkeys, session, { userId: other.user.id })).toMatchObject(rejected('NOT_FOUND'))
    expect(await login()).toMatchObject({ data: { passkeyRequired: true } })
    await add()
    expect(await run(operations.users, session, {})).toMatchObject({ success: true })
    expect(await run(operations.logout, session, {})).toMatchObject({ success: true })
  })

  test('an admin who removes the last passkey needs one again', async () => {
    const { run, session, setRole, add } = await setup(required)
    await setRole('admin')
    const added = await add()
    expect(await run(operations.users, session, {})).toMatchObject({ success: true })
    await run(operations.removePasskey, session, { id: added.success ? added.data.id : '' })
    expect(await run(operations.users, session, {})).toMatchObject(rejected('FORBIDDEN'))
  })

  test('members, API keys of admins, and sessions of single sign-on need no passkey', async () => {
    const { fairlead, run, session, addCaller } = await setup(required)
    expect(await run(operations.users, session, {})).toMatchObject({ success: true })
    const { credentials } = await addCaller({ user: { role: 'admin' } })
    expect(await run(operations.users, credentials, {})).toMatchObject({ success: true })
    const mary = { email: 'mary@example.com', name: 'Mary', role: 'admin' } as const
    const { token } = await fairlead.sessions.signIn({ issuer: 'https://id.example.com', subject: 'mary', ...mary })
    const { accessToken } = await fairlead.sessions.exchange({ token })
    expect(await run(operations.users, bearer(accessToken), {})).toMatchObject({ success: true })
  })

  test('admins need no passkey by default', async () => {
    const { run, session, setRole } = await setup()
    await setRole('admin')
    expect(await run(operations.users, session, {})).toMatchObject({ success: true })
  })

  test('accounts() refuses to require passkeys without ceremonies', () => {
    expect(() => accounts({ passwords: plainPasswords(), ...required })).toThrow(TypeError)
  })
})

describe('the audit log of passkeys', () => {
  test('the audit log has passkeys that were added, renamed and removed, and logins with them that failed', async () => {
    const given = await setup()
    const added = await given.add('phone')
    const id = added.success ? added.data.id : ''
    const { token, challenge } = await begin(given, await loginToken(given))
    await complete(given, token, { id: 'phone', challenge: 'another' })
    await complete(given, token, { id: 'phone', challenge, counter: 1 })
    await given.run(operations.updatePasskey, given.session, { id, name: 'Key' })
    await given.run(operations.removePasskey, given.session, { id })
    const entries = (await given.fairlead.audit.list({ limit: 100, sort: 'created_at' })).map(
      ({ action, outcome, target }) => [action, outcome, target.type, target.id],
    )
    expect(entries.slice(-6)).toEqual([
      ['addPasskey', 'ok', 'passkey', id],
      ['login', 'UNAUTHORIZED', 'user', given.user.id],
      ['loginWithPasskey', 'UNAUTHORIZED', 'user', given.user.id],
      ['loginWithPasskey', 'ok', 'user', given.user.id],
      ['updatePasskey', 'ok', 'passkey', id],
      ['removePasskey', 'ok', 'passkey', id],
    ])
  })
})
