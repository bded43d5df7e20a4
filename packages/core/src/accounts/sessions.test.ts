import { describe, expect, test, vi } from 'vitest'
import type { Credentials } from '../runtime/access.ts'
import { testCore } from '../testing/test-core.ts'
import { plainPasswords } from '../testing/plain-passwords.ts'
import { operations } from '../operations.ts'

const nobody: Credentials = { kind: 'none' }
const ada = { email: 'ada@example.com', password: 'correct horse battery', name: 'Ada' }
const minute = 60_000
const day = 24 * 60 * minute

const bearer = (token: string): Credentials => ({ kind: 'bearer', token })
const refused = (code: string) => ({ success: false, error: { code } })

/** A house where Ada has signed up. */
async function houseOfAda(options: Parameters<typeof testCore>[0] = {}) {
  const setup = await testCore(options)
  const run = setup.core.run
  const login = (facts: object = {}, address = '192.0.2.1') =>
    run(operations.login, nobody, { email: ada.email, password: ada.password, ...facts }, { address })
  const refresh = (refreshToken: string) => run(operations.refresh, nobody, { refreshToken })
  const models = (token: string) => run(operations.models, bearer(token), {})
  const reply = await run(operations.signup, nobody, ada)
  if (!reply.success) throw new Error(reply.error.message)
  return { ...setup, run, login, refresh, models, session: reply.data }
}

function codeOf(reply: { success: true } | { success: false; error: { code: string } }): string {
  return reply.success ? 'ok' : reply.error.code
}

function dataOf<Data>(reply: { success: true; data: Data } | { success: false; error: { message: string } }): Data {
  if (!reply.success) throw new Error(reply.error.message)
  return reply.data
}

describe('signup', () => {
  test('makes a member of the free tier, and opens a session', async () => {
    const { session, models } = await houseOfAda()
    expect(session).toMatchObject({
      user: { email: ada.email, name: 'Ada', role: 'member', tier: 'free', quotaLimit: null, status: 'active' },
      tokenType: 'Bearer',
      expiresIn: 900,
    })
    expect(session.accessToken).toMatch(/^fls_[0-9A-Za-z]{49}$/)
    expect(await models(session.accessToken)).toMatchObject({ success: true })
  })

  test('keeps e-mail addresses apart by nothing but what people see', async () => {
    const { run } = await houseOfAda()
    const again = await run(operations.signup, nobody, { ...ada, email: ' ＡＤＡ@Example.com' })
    expect(again).toMatchObject({ error: { code: 'CONFLICT', details: { field: 'email' } } })
  })

  test.each([
    ['too short', 'eleven char', 'must have 12 to 128 characters'],
    ['too long', 'x'.repeat(129), 'must have 12 to 128 characters'],
    ['of megabytes', 'x'.repeat(900_000), 'is too long'],
    ['blank', ' '.repeat(20), 'must not be blank'],
    ['common', 'qwerty123456', 'is one of the most common passwords: choose another'],
    ['the e-mail address', 'Ada@example.com', 'must not be the e-mail address'],
  ])('refuses a password that is %s', async (_case, password, issue) => {
    const { core } = await testCore({
      passwords: { ...plainPasswords(), hash: () => Promise.reject(new Error('it was hashed')) },
    })
    const reply = await core.run(operations.signup, nobody, { ...ada, password })
    expect(reply).toMatchObject({ error: { code: 'INVALID_REQUEST', details: { field: 'password', issue } } })
  })

  test('can be closed', async () => {
    const { core } = await testCore({ signup: false })
    expect(await core.run(operations.signup, nobody, ada)).toMatchObject(refused('FORBIDDEN'))
  })

  test('is open to twenty an hour from one address', async () => {
    const { core, clock } = await testCore()
    const signup = (n: number, address: string) =>
      core.run(operations.signup, nobody, { ...ada, email: `${n}@example.com` }, { address })
    const replies = await Promise.all(Array.from({ length: 25 }, (_, n) => signup(n, '2001:db8::1')))
    expect(replies.filter(({ success }) => success)).toHaveLength(20)
    expect(await signup(30, '2001:db8::ffff')).toMatchObject({
      error: { code: 'RATE_LIMIT_EXCEEDED' },
      retryAfterMs: 3_600_000,
    })
    expect(await signup(31, '2001:db8:0:1::1')).toMatchObject({ success: true })
    clock.advance(60 * minute)
    expect(await signup(32, '2001:db8::1')).toMatchObject({ success: true })
  })

  test('does not reach the store again for an address that was refused', async () => {
    const { core, stores, clock } = await testCore()
    const signup = (n: number) => core.run(operations.signup, nobody, { ...ada, email: `${n}@example.com` })
    for (let n = 0; n < 21; n++) await signup(n)
    clock.advance(1_000)
    const asked = [vi.spyOn(stores, 'read'), vi.spyOn(stores, 'transact')]
    expect(await signup(21)).toMatchObject({ error: { code: 'RATE_LIMIT_EXCEEDED' }, retryAfterMs: 3_599_000 })
    for (const spy of asked) expect(spy).not.toHaveBeenCalled()
  })
})

describe('login', () => {
  test('opens another session', async () => {
    const { login, session, models, run } = await houseOfAda()
    const { accessToken } = dataOf(await login())
    expect(accessToken).not.toBe(session.accessToken)
    expect(await models(accessToken)).toMatchObject({ success: true })
    expect(dataOf(await run(operations.sessions, bearer(accessToken), {}))).toHaveLength(2)
  })

  test('takes the e-mail address and the password as they were meant', async () => {
    const { run, login } = await houseOfAda()
    await run(operations.signup, nobody, { email: 'zoé@example.com', password: 'une clé très longue', name: 'Zoé' })
    const typed = { email: 'ZOÉ@example.com'.normalize('NFD'), password: 'une clé très longue'.normalize('NFD') }
    expect(await login(typed)).toMatchObject({ success: true })
  })

  test('rejects an e-mail address or a password by its length before normalizing it', async () => {
    const { login } = await houseOfAda()
    // Normalizing it takes time quadratic in its length: its marks must be put in order.
    const marks = '\u0301\u0323'.repeat(20_000)
    expect(await login({ email: marks })).toMatchObject({
      error: { code: 'INVALID_REQUEST', details: { field: 'email', issue: 'must have at most 254 characters' } },
    })
    expect(await login({ password: marks })).toMatchObject({
      error: { code: 'INVALID_REQUEST', details: { field: 'password', issue: 'is too long' } },
    })
  })

  test('answers alike, after the same work, for an unknown user and a wrong password', async () => {
    const passwords = plainPasswords()
    const { login } = await houseOfAda({ passwords })
    const wrong = await login({ password: 'not the password' })
    const unknown = await login({ email: 'eve@example.com' })
    const { requestId: _one, ...metaOfWrong } = wrong.meta
    const { requestId: _other, ...metaOfUnknown } = unknown.meta
    expect({ ...wrong, meta: metaOfWrong }).toEqual({ ...unknown, meta: metaOfUnknown })
    expect(wrong).toMatchObject(refused('UNAUTHORIZED'))
    expect(passwords.compared).toEqual([expect.any(String), undefined])
  })

  test('refuses the eleventh try in a quarter of an hour from one address, also with the right password', async () => {
    const { login, clock } = await houseOfAda()
    const tries = await Promise.all(Array.from({ length: 15 }, () => login({ password: 'not the password' })))
    expect(tries.filter((reply) => !reply.success && reply.error.code === 'UNAUTHORIZED')).toHaveLength(10)
    expect(await login()).toMatchObject({ error: { code: 'RATE_LIMIT_EXCEEDED' }, retryAfterMs: 15 * minute })
    clock.advance(15 * minute - 1)
    expect(await login()).toMatchObject({ retryAfterMs: 1000 })
    clock.advance(1)
    expect(await login()).toMatchObject({ success: true })
  })

  test('counts tries against an unknown user just the same', async () => {
    const { login } = await houseOfAda()
    const tries = await Promise.all(Array.from({ length: 11 }, () => login({ email: 'eve@example.com' })))
    expect(tries.filter((reply) => !reply.success && reply.error.code === 'RATE_LIMIT_EXCEEDED')).toHaveLength(1)
  })

  test('forgets the failures of whoever gets in', async () => {
    const { login } = await houseOfAda()
    for (let n = 0; n < 9; n++) await login({ password: 'not the password' })
    expect(await login()).toMatchObject({ success: true })
    for (let n = 0; n < 9; n++) await login({ password: 'not the password' })
    expect(await login()).toMatchObject({ success: true })
  })

  test('stays possible, more slowly, while others attack the account from many addresses', async () => {
    const { login, clock } = await houseOfAda()
    for (let n = 0; n < 40; n++) {
      const attack = login({ password: 'not the password' }, `198.51.100.${n}`)
      await ring(clock, attack)
    }
    let settled = false
    const own = login({}, '192.0.2.1').finally(() => (settled = true))
    await new Promise(setImmediate)
    expect(settled).toBe(false)
    clock.advance(5_000)
    expect(await own).toMatchObject({ success: true })
  })

  test('refuses a network that guesses once at each of many accounts, before the store and the hash are reached', async () => {
    const passwords = plainPasswords()
    const { login, stores, clock } = await houseOfAda({ passwords })
    const guess = (n: number) => login({ email: `user${n}@example.com` }, `198.51.100.${n % 256}`)
    const codes: string[] = []
    for (let n = 0; n < 400; n++) codes.push(codeOf(await guess(n)))
    expect(codes.slice(0, 100)).toEqual(Array.from({ length: 100 }, () => 'UNAUTHORIZED'))
    expect(new Set(codes.slice(100))).toEqual(new Set(['RATE_LIMIT_EXCEEDED']))
    expect(passwords.compared).toHaveLength(100)
    const asked = [vi.spyOn(stores, 'read'), vi.spyOn(stores, 'transact')]
    expect(await guess(400)).toMatchObject({ error: { code: 'RATE_LIMIT_EXCEEDED' }, retryAfterMs: 9_000 })
    for (const spy of asked) expect(spy).not.toHaveBeenCalled()
    expect(codeOf(await login({}, '198.51.101.1'))).toBe('ok')
    clock.advance(9_000)
    expect(codeOf(await login({}, '198.51.100.9'))).toBe('ok')
    expect(codeOf(await guess(401))).toBe('UNAUTHORIZED')
    expect(codeOf(await guess(402))).toBe('RATE_LIMIT_EXCEEDED')
  })

  test('lets no more than a hundred guesses of a network through when they come at once', async () => {
    const passwords = plainPasswords()
    const { login } = await houseOfAda({ passwords })
    const guesses = Array.from({ length: 300 }, (_, n) =>
      login({ email: `user${n}@example.com` }, `2001:db8:0:${n.toString(16).padStart(2, '0')}::1`),
    )
    const codes = (await Promise.all(guesses)).map(codeOf)
    // The /56 of the first 256 addresses, and the 44 of the next one.
    expect(codes.filter((code) => code === 'UNAUTHORIZED')).toHaveLength(144)
    expect(passwords.compared).toHaveLength(144)
  })

  test('does not count logins that succeed towards the limit of their network', async () => {
    const { login } = await houseOfAda()
    for (let n = 0; n < 150; n++) expect(codeOf(await login())).toBe('ok')
  })

  test('does not let a success reset the failures of its network', async () => {
    const { login } = await houseOfAda()
    for (let n = 0; n < 100; n++) {
      if (n % 9 === 0) await login()
      await login({ email: `user${n}@example.com` })
    }
    expect(codeOf(await login())).toBe('RATE_LIMIT_EXCEEDED')
  })

  test('writes nothing for an attempt that is refused, and nothing but two counts for a wrong password', async () => {
    const { login, stores } = await houseOfAda()
    const transact = vi.spyOn(stores, 'transact')
    const read = vi.spyOn(stores, 'read')
    for (let n = 0; n < 10; n++) await login({ password: 'not the password' })
    expect([transact.mock.calls.length, read.mock.calls.length]).toEqual([10, 10])
    for (let n = 0; n < 50; n++) expect(codeOf(await login())).toBe('RATE_LIMIT_EXCEEDED')
    // The first of them learns from the store that it is refused.
    expect([transact.mock.calls.length, read.mock.calls.length]).toEqual([10, 11])
  })

  test('tells nobody the right password in an attempt that runs beside ten that fail', async () => {
    const passwords = plainPasswords()
    let release = () => {}
    const failed = new Promise<void>((resolve) => (release = resolve))
    const { login } = await houseOfAda({
      passwords: {
        ...passwords,
        async verify(password, hash) {
          const isRight = await passwords.verify(password, hash)
          if (isRight) await failed
          return isRight
        },
      },
    })
    const right = login()
    for (let n = 0; n < 10; n++) await login({ password: 'not the password' })
    release()
    expect(codeOf(await right)).toBe('RATE_LIMIT_EXCEEDED')
  })

  test('hashes a password in the share of the network that the attempt comes from', async () => {
    const passwords = plainPasswords()
    const shares: (string | undefined)[] = []
    const { login } = await houseOfAda({
      passwords: {
        ...passwords,
        verify: (password, hash, share) => (shares.push(share), passwords.verify(password, hash)),
      },
    })
    await login({}, '192.0.2.200')
    await login({ email: 'eve@example.com' }, '2001:db8:1:12ab::1')
    expect(shares).toEqual(['192.0.2.0/24', '2001:db8:1:1200::/56'])
  })

  test('refuses a suspended user, who is told so only with the right password', async () => {
    const { login, stores, session } = await houseOfAda()
    await stores.transact(async (tx) => {
      const user = await tx.users.take(session.user.id)
      if (user) await tx.users.replace({ ...user, status: 'suspended' })
    })
    expect(await login()).toMatchObject(refused('FORBIDDEN'))
    expect(await login({ password: 'not the password' })).toMatchObject(refused('UNAUTHORIZED'))
  })

  test('does not count what failed for a reason of ours', async () => {
    const passwords = plainPasswords()
    let broken = false
    const { login } = await houseOfAda({
      passwords: {
        ...passwords,
        verify: (...args) => (broken ? Promise.reject(new Error('no memory')) : passwords.verify(...args)),
      },
    })
    broken = true
    for (let n = 0; n < 12; n++) expect(await login()).toMatchObject(refused('INTERNAL_ERROR'))
    broken = false
    expect(await login()).toMatchObject({ success: true })
  })

  test('ignores a token that has ended', async () => {
    const { run, session, clock } = await houseOfAda()
    clock.advance(16 * minute)
    const { email, password } = ada
    expect(await run(operations.login, bearer(session.accessToken), { email, password })).toMatchObject({
      success: true,
    })
  })

  test('makes an outdated hash anew', async () => {
    const { login, stores, session } = await houseOfAda({
      passwords: {
        hash: async (text) => `strong ${text}`,
        verify: async (text, hash) => hash?.endsWith(text) ?? false,
        isOutdated: (hash) => !hash.startsWith('strong'),
      },
    })
    await stores.transact((tx) => tx.users.setPassword(session.user.id, `weak ${ada.password}`))
    expect(await login()).toMatchObject({ success: true })
    expect(await stores.read((view) => view.users.passwordHash(session.user.id))).toBe(`strong ${ada.password}`)
  })

  test('keeps a hundred sessions of a user, the newest', async () => {
    const { login, run, models, session, clock } = await houseOfAda()
    let last = session
    for (let n = 0; n < 100; n++) {
      clock.advance(1)
      last = dataOf(await login())
    }
    expect(dataOf(await run(operations.sessions, bearer(last.accessToken), {}))).toHaveLength(100)
    expect(await models(session.accessToken)).toMatchObject(refused('UNAUTHORIZED'))
  })
})

/** Rings what a login waits for until it is answered. */
async function ring(clock: { advance(ms: number): void }, reply: Promise<unknown>): Promise<void> {
  const answered = reply.then(() => true)
  const notYet = () => new Promise<boolean>((resolve) => setImmediate(resolve, false))
  while (!(await Promise.race([answered, notYet()]))) clock.advance(100)
}

describe('an access token', () => {
  test('is good for a quarter of an hour', async () => {
    const { session, models, clock } = await houseOfAda()
    clock.advance(15 * minute - 1)
    expect(await models(session.accessToken)).toMatchObject({ success: true })
    clock.advance(1)
    expect(await models(session.accessToken)).toMatchObject(refused('UNAUTHORIZED'))
  })

  test('counts with those of all sessions of its user, under the user’s limit', async () => {
    const { session, login, models } = await houseOfAda()
    const other = dataOf(await login())
    expect(await models(session.accessToken)).toMatchObject({ limits: { limit: 1000, remaining: 999 } })
    expect(await models(other.accessToken)).toMatchObject({ limits: { limit: 1000, remaining: 998 } })
  })

  test.each([
    [
      'with another letter',
      (token: string) => token.slice(0, -10) + (token.at(-10) === 'a' ? 'b' : 'a') + token.slice(-9),
    ],
    ['as if it were an API key', (token: string) => token.replace('fls_', 'fl_')],
    ['as a JWT without a signature', () => 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJ1c3JfMSJ9.'],
    ['with a refresh token’s prefix', (token: string) => token.replace('fls_', 'flr_')],
    ['twice', (token: string) => token + token],
    ['in capitals', (token: string) => token.toUpperCase()],
  ])('is refused %s', async (_case, forge) => {
    const { session, models } = await houseOfAda()
    expect(await models(forge(session.accessToken))).toMatchObject(refused('UNAUTHORIZED'))
  })

  test('is no refresh token, nor the other way round', async () => {
    const { session, models, refresh } = await houseOfAda()
    expect(await models(session.refreshToken)).toMatchObject(refused('UNAUTHORIZED'))
    expect(await refresh(session.accessToken)).toMatchObject(refused('UNAUTHORIZED'))
  })
})

describe('refresh', () => {
  test('gives a new pair; the access token before stays good until its end', async () => {
    const { session, refresh, models, clock } = await houseOfAda()
    clock.advance(10 * minute)
    const next = dataOf(await refresh(session.refreshToken))
    expect(next).toMatchObject({ tokenType: 'Bearer', expiresIn: 900 })
    expect(next.refreshToken).not.toBe(session.refreshToken)
    expect(await models(session.accessToken)).toMatchObject({ success: true })
    clock.advance(5 * minute)
    expect(await models(session.accessToken)).toMatchObject(refused('UNAUTHORIZED'))
    expect(await models(next.accessToken)).toMatchObject({ success: true })
  })

  test('answers twenty at once alike, and leaves one living session', async () => {
    const { session, refresh, run } = await houseOfAda()
    const replies = await Promise.all(Array.from({ length: 20 }, () => refresh(session.refreshToken)))
    const pairs = new Set(replies.map((reply) => JSON.stringify(dataOf(reply))))
    expect(pairs.size).toBe(1)
    const [pair] = pairs
    const { accessToken } = JSON.parse(pair ?? '')
    expect(dataOf(await run(operations.sessions, bearer(accessToken), {}))).toHaveLength(1)
  })

  test('answers the same token alike for ten seconds; later it ends the session', async () => {
    const { session, refresh, models, clock } = await houseOfAda()
    const next = dataOf(await refresh(session.refreshToken))
    clock.advance(9_999)
    expect(dataOf(await refresh(session.refreshToken))).toMatchObject({
      accessToken: next.accessToken,
      refreshToken: next.refreshToken,
    })
    clock.advance(1)
    expect(await refresh(session.refreshToken)).toMatchObject(refused('UNAUTHORIZED'))
    expect(await models(next.accessToken)).toMatchObject(refused('UNAUTHORIZED'))
    expect(await refresh(next.refreshToken)).toMatchObject(refused('UNAUTHORIZED'))
  })

  test('ends the session for a token of two turns ago at once', async () => {
    const { session, refresh } = await houseOfAda()
    const second = dataOf(await refresh(session.refreshToken))
    const third = dataOf(await refresh(second.refreshToken))
    expect(await refresh(session.refreshToken)).toMatchObject(refused('UNAUTHORIZED'))
    expect(await refresh(third.refreshToken)).toMatchObject(refused('UNAUTHORIZED'))
  })

  test('is one across nodes: the same pair from each, and a replay on one ends it on all', async () => {
    const secretKeys = { current: 'the secret key that both nodes have' }
    const one = await houseOfAda({ secretKeys })
    const other = await testCore({ stores: one.stores, secretKeys })
    const refreshThere = (refreshToken: string) => other.core.run(operations.refresh, nobody, { refreshToken })
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, n) => (n % 2 ? one.refresh : refreshThere)(one.session.refreshToken)),
    )
    expect(new Set(replies.map((reply) => JSON.stringify(dataOf(reply)))).size).toBe(1)
    const { accessToken, refreshToken } = dataOf(await refreshThere(one.session.refreshToken))
    for (const { clock } of [one, other]) clock.advance(10_000)
    expect(await refreshThere(one.session.refreshToken)).toMatchObject(refused('UNAUTHORIZED'))
    expect(await one.refresh(refreshToken)).toMatchObject(refused('UNAUTHORIZED'))
    expect(await one.models(accessToken)).toMatchObject(refused('UNAUTHORIZED'))
  })

  test('is possible for thirty days after the last one', async () => {
    const { session, refresh, clock } = await houseOfAda()
    clock.advance(30 * day - 1)
    const next = dataOf(await refresh(session.refreshToken))
    clock.advance(30 * day - 1)
    const last = dataOf(await refresh(next.refreshToken))
    clock.advance(30 * day)
    expect(await refresh(last.refreshToken)).toMatchObject(refused('UNAUTHORIZED'))
  })

  test('does not reach the store for a token that was never issued', async () => {
    const { refresh, session, stores } = await houseOfAda()
    const asked = [vi.spyOn(stores, 'read'), vi.spyOn(stores, 'transact')]
    const forged = session.refreshToken.slice(0, -8) + 'AAAAAAAA'
    for (const token of ['', 'x', forged, session.accessToken]) {
      expect(codeOf(await refresh(token))).toBe('UNAUTHORIZED')
    }
    for (const spy of asked) expect(spy).not.toHaveBeenCalled()
  })

  test('refuses a token of another house', async () => {
    const { refresh } = await houseOfAda()
    const { session: stranger } = await houseOfAda()
    expect(await refresh(stranger.refreshToken)).toMatchObject(refused('UNAUTHORIZED'))
  })

  test('goes on across a change of the secret key that names the previous one', async () => {
    const old = 'the first secret key of this house'
    const { session, stores, clock } = await houseOfAda({ secretKeys: { current: old } })
    const changed = await testCore({
      stores,
      secretKeys: { current: 'the second key of this setup, newer', previous: old },
    })
    changed.clock.jumpTo(clock.now())
    const next = dataOf(await changed.core.run(operations.refresh, nobody, { refreshToken: session.refreshToken }))
    const without = await testCore({ stores, secretKeys: { current: old } })
    expect(await without.core.run(operations.refresh, nobody, { refreshToken: next.refreshToken })).toMatchObject(
      refused('UNAUTHORIZED'),
    )
  })
})

describe('logout', () => {
  test('ends the session of the access token, at once', async () => {
    const { session, run, models, refresh } = await houseOfAda()
    await models(session.accessToken)
    expect(await run(operations.logout, bearer(session.accessToken), {})).toMatchObject({ success: true })
    expect(await models(session.accessToken)).toMatchObject(refused('UNAUTHORIZED'))
    expect(await refresh(session.refreshToken)).toMatchObject(refused('UNAUTHORIZED'))
  })

  test('ends the session of a refresh token, also when the access token has ended', async () => {
    const { session, run, refresh, clock } = await houseOfAda()
    clock.advance(20 * minute)
    const { accessToken, refreshToken } = session
    expect(await run(operations.logout, bearer(accessToken), { refreshToken })).toMatchObject({ success: true })
    expect(await refresh(refreshToken)).toMatchObject(refused('UNAUTHORIZED'))
  })

  test('asks for a token', async () => {
    const { run } = await houseOfAda()
    expect(await run(operations.logout, nobody, {})).toMatchObject({
      error: { code: 'INVALID_REQUEST', details: { field: 'refreshToken' } },
    })
  })
})

describe('sessions', () => {
  test('are listed for their user alone, and tell which one asks', async () => {
    const { session, login, run, caller } = await houseOfAda()
    await login()
    const listed = dataOf(await run(operations.sessions, bearer(session.accessToken), {}))
    expect(listed.filter(({ current }) => current)).toHaveLength(1)
    expect(dataOf(await run(operations.sessions, caller, {}))).toEqual([])
  })

  test('are ended by their user alone', async () => {
    const { session, run, caller, models } = await houseOfAda()
    const [listed] = dataOf(await run(operations.sessions, bearer(session.accessToken), {}))
    const id = listed?.id ?? ''
    expect(await run(operations.endSession, caller, { id })).toMatchObject(refused('NOT_FOUND'))
    expect(await run(operations.endSession, bearer(session.accessToken), { id })).toMatchObject({
      data: { id, deleted: true },
    })
    expect(await models(session.accessToken)).toMatchObject(refused('UNAUTHORIZED'))
  })
})
