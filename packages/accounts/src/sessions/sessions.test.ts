import { describe, expect, test, vi } from 'vitest'
import type { Credentials } from '@fairlead/core'
import { testCore, plainPasswords } from '@fairlead/testing'
import { operations } from '@fairlead/testing/workspace'

const anonymous: Credentials = { kind: 'none' }
const ada = { email: 'ada@example.com', password: 'correct horse battery', name: 'Ada' }
const minute = 60_000
const day = 24 * 60 * minute

const bearer = (token: string): Credentials => ({ kind: 'bearer', token })
const rejected = (code: string) => ({ success: false, error: { code } })

/** A core where Ada has signed up. */
async function setupAda(options: Parameters<typeof testCore>[0] = {}) {
  const setup = await testCore(options)
  const run = setup.core.run
  const login = (facts: object = {}, address = '192.0.2.1') =>
    run(operations.login, anonymous, { email: ada.email, password: ada.password, ...facts }, { address })
  const refresh = (refreshToken: string) => run(operations.refresh, anonymous, { refreshToken })
  const models = (token: string) => run(operations.models, bearer(token), {})
  const reply = await run(operations.signup, anonymous, ada)
  if (!reply.success) throw new Error(reply.error.message)
  return { ...setup, run, login, refresh, models, session: reply.data }
}

function errorCode(reply: { success: true } | { success: false; error: { code: string } }): string {
  return reply.success ? 'ok' : reply.error.code
}

function requireData<Data>(
  reply: { success: true; data: Data } | { success: false; error: { message: string } },
): Data {
  if (!reply.success) throw new Error(reply.error.message)
  return reply.data
}

describe('signup', () => {
  test('signup creates a member of the free tier and starts a session', async () => {
    const { session, models } = await setupAda()
    expect(session).toMatchObject({
      user: { email: ada.email, name: 'Ada', role: 'member', tier: 'free', quotaLimit: null, status: 'active' },
      tokenType: 'Bearer',
      expiresIn: 900,
    })
    expect(session.accessToken).toMatch(/^fls_[0-9A-Za-z]{49}$/)
    expect(await models(session.accessToken)).toMatchObject({ success: true })
  })

  test('signup rejects a taken email address in another Unicode form or case', async () => {
    const { run } = await setupAda()
    const again = await run(operations.signup, anonymous, { ...ada, email: ' ＡＤＡ@Example.com' })
    expect(again).toMatchObject({ error: { code: 'CONFLICT', details: { field: 'email' } } })
  })

  test.each([
    ['too short', 'eleven char', 'must have 12 to 128 characters'],
    ['too long', 'x'.repeat(129), 'must have 12 to 128 characters'],
    ['of megabytes', 'x'.repeat(900_000), 'is too long'],
    ['blank', ' '.repeat(20), 'must not be blank'],
    ['common', 'qwerty123456', 'is one of the most common passwords: choose another one'],
    ['the email address', 'Ada@example.com', 'must not be the email address'],
  ])('signup rejects a password that is %s', async (_case, password, issue) => {
    const { core } = await testCore({
      passwords: { ...plainPasswords(), hash: () => Promise.reject(new Error('it was hashed')) },
    })
    const reply = await core.run(operations.signup, anonymous, { ...ada, password })
    expect(reply).toMatchObject({ error: { code: 'INVALID_REQUEST', details: { field: 'password', issue } } })
  })

  test('signup returns FORBIDDEN if sign-up is disabled', async () => {
    const { core } = await testCore({ signup: false })
    expect(await core.run(operations.signup, anonymous, ada)).toMatchObject(rejected('FORBIDDEN'))
  })

  test('signup accepts twenty sign-ups per hour from one IPv6 /64', async () => {
    const { core, clock } = await testCore()
    const signup = (n: number, address: string) =>
      core.run(operations.signup, anonymous, { ...ada, email: `${n}@example.com` }, { address })
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

  test('signup rejects an address that reached the limit without a store query', async () => {
    const { core, stores, clock } = await testCore()
    const signup = (n: number) => core.run(operations.signup, anonymous, { ...ada, email: `${n}@example.com` })
    for (let n = 0; n < 21; n++) await signup(n)
    clock.advance(1_000)
    const spies = [vi.spyOn(stores, 'read'), vi.spyOn(stores, 'transact')]
    expect(await signup(21)).toMatchObject({ error: { code: 'RATE_LIMIT_EXCEEDED' }, retryAfterMs: 3_599_000 })
    for (const spy of spies) expect(spy).not.toHaveBeenCalled()
  })
})

describe('login', () => {
  test('login starts another session', async () => {
    const { login, session, models, run } = await setupAda()
    const { accessToken } = requireData(await login())
    expect(accessToken).not.toBe(session.accessToken)
    expect(await models(accessToken)).toMatchObject({ success: true })
    expect(requireData(await run(operations.sessions, bearer(accessToken), {}))).toHaveLength(2)
  })

  test('login accepts the email address and the password in another Unicode form', async () => {
    const { run, login } = await setupAda()
    await run(operations.signup, anonymous, { email: 'zoé@example.com', password: 'une clé très longue', name: 'Zoé' })
    const decomposed = { email: 'ZOÉ@example.com'.normalize('NFD'), password: 'une clé très longue'.normalize('NFD') }
    expect(await login(decomposed)).toMatchObject({ success: true })
  })

  test('login rejects an email address or a password that is too long without normalizing it', async () => {
    const { login } = await setupAda()
    // Normalization sorts combining marks in quadratic time.
    const marks = '\u0301\u0323'.repeat(20_000)
    expect(await login({ email: marks })).toMatchObject({
      error: { code: 'INVALID_REQUEST', details: { field: 'email', issue: 'must have at most 254 characters' } },
    })
    expect(await login({ password: marks })).toMatchObject({
      error: { code: 'INVALID_REQUEST', details: { field: 'password', issue: 'is too long' } },
    })
  })

  test('login returns the same error, after the same work, for an unknown user and a wrong password', async () => {
    const passwords = plainPasswords()
    const { login } = await setupAda({ passwords })
    const wrong = await login({ password: 'not the password' })
    const unknown = await login({ email: 'eve@example.com' })
    const { requestId: _one, ...metaOfWrong } = wrong.meta
    const { requestId: _other, ...metaOfUnknown } = unknown.meta
    expect({ ...wrong, meta: metaOfWrong }).toEqual({ ...unknown, meta: metaOfUnknown })
    expect(wrong).toMatchObject(rejected('UNAUTHORIZED'))
    expect(passwords.compared).toEqual([expect.any(String), undefined])
  })

  test('login rejects the eleventh attempt in 15 minutes from one address, even with the correct password', async () => {
    const { login, clock } = await setupAda()
    const attempts = await Promise.all(Array.from({ length: 15 }, () => login({ password: 'not the password' })))
    expect(attempts.filter((reply) => !reply.success && reply.error.code === 'UNAUTHORIZED')).toHaveLength(10)
    expect(await login()).toMatchObject({ error: { code: 'RATE_LIMIT_EXCEEDED' }, retryAfterMs: 15 * minute })
    clock.advance(15 * minute - 1)
    expect(await login()).toMatchObject({ retryAfterMs: 1000 })
    clock.advance(1)
    expect(await login()).toMatchObject({ success: true })
  })

  test('login limits attempts on an unknown user too', async () => {
    const { login } = await setupAda()
    const attempts = await Promise.all(Array.from({ length: 11 }, () => login({ email: 'eve@example.com' })))
    expect(attempts.filter((reply) => !reply.success && reply.error.code === 'RATE_LIMIT_EXCEEDED')).toHaveLength(1)
  })

  test('login resets the failed attempts of an account and address after a successful login', async () => {
    const { login } = await setupAda()
    for (let n = 0; n < 9; n++) await login({ password: 'not the password' })
    expect(await login()).toMatchObject({ success: true })
    for (let n = 0; n < 9; n++) await login({ password: 'not the password' })
    expect(await login()).toMatchObject({ success: true })
  })

  test('login succeeds after a delay while the account is attacked from many addresses', async () => {
    const { login, clock } = await setupAda()
    for (let n = 0; n < 40; n++) {
      const attack = login({ password: 'not the password' }, `198.51.100.${n}`)
      await advanceUntil(clock, attack)
    }
    let settled = false
    const own = login({}, '192.0.2.1').finally(() => (settled = true))
    await new Promise(setImmediate)
    expect(settled).toBe(false)
    clock.advance(5_000)
    expect(await own).toMatchObject({ success: true })
  })

  test('login rejects a network that tries many accounts once each, without a store query or a hash', async () => {
    const passwords = plainPasswords()
    const { login, stores, clock } = await setupAda({ passwords })
    const guess = (n: number) => login({ email: `user${n}@example.com` }, `198.51.100.${n % 256}`)
    const codes: string[] = []
    for (let n = 0; n < 400; n++) codes.push(errorCode(await guess(n)))
    expect(codes.slice(0, 100)).toEqual(Array.from({ length: 100 }, () => 'UNAUTHORIZED'))
    expect(new Set(codes.slice(100))).toEqual(new Set(['RATE_LIMIT_EXCEEDED']))
    expect(passwords.compared).toHaveLength(100)
    const spies = [vi.spyOn(stores, 'read'), vi.spyOn(stores, 'transact')]
    expect(await guess(400)).toMatchObject({ error: { code: 'RATE_LIMIT_EXCEEDED' }, retryAfterMs: 9_000 })
    for (const spy of spies) expect(spy).not.toHaveBeenCalled()
    expect(errorCode(await login({}, '198.51.101.1'))).toBe('ok')
    clock.advance(9_000)
    expect(errorCode(await login({}, '198.51.100.9'))).toBe('ok')
    expect(errorCode(await guess(401))).toBe('UNAUTHORIZED')
    expect(errorCode(await guess(402))).toBe('RATE_LIMIT_EXCEEDED')
  })

  test('login accepts at most 100 concurrent attempts of a network', async () => {
    const passwords = plainPasswords()
    const { login } = await setupAda({ passwords })
    const guesses = Array.from({ length: 300 }, (_, n) =>
      login({ email: `user${n}@example.com` }, `2001:db8:0:${n.toString(16).padStart(2, '0')}::1`),
    )
    const codes = (await Promise.all(guesses)).map(errorCode)
    // 100 of the 256 attempts from the first /56, and all 44 from the second.
    expect(codes.filter((code) => code === 'UNAUTHORIZED')).toHaveLength(144)
    expect(passwords.compared).toHaveLength(144)
  })

  test('login does not count successful logins against the limit of the network', async () => {
    const { login } = await setupAda()
    for (let n = 0; n < 150; n++) expect(errorCode(await login())).toBe('ok')
  })

  test('login does not reset the failed attempts of a network after a successful login', async () => {
    const { login } = await setupAda()
    for (let n = 0; n < 100; n++) {
      if (n % 9 === 0) await login()
      await login({ email: `user${n}@example.com` })
    }
    expect(errorCode(await login())).toBe('RATE_LIMIT_EXCEEDED')
  })

  test('login needs two transactions for a wrong password and none for a rejected attempt', async () => {
    const { login, stores } = await setupAda()
    const transact = vi.spyOn(stores, 'transact')
    const read = vi.spyOn(stores, 'read')
    for (let n = 0; n < 10; n++) await login({ password: 'not the password' })
    expect([transact.mock.calls.length, read.mock.calls.length]).toEqual([20, 10])
    for (let n = 0; n < 50; n++) expect(errorCode(await login())).toBe('RATE_LIMIT_EXCEEDED')
    // Only the first of them reads the store; its rejection is cached.
    expect([transact.mock.calls.length, read.mock.calls.length]).toEqual([20, 11])
  })

  test('login returns RATE_LIMIT_EXCEEDED for a correct password if ten concurrent attempts failed', async () => {
    const passwords = plainPasswords()
    let release = () => {}
    const failed = new Promise<void>((resolve) => (release = resolve))
    const { login } = await setupAda({
      passwords: {
        ...passwords,
        async verify(password, hash) {
          const isCorrect = await passwords.verify(password, hash)
          if (isCorrect) await failed
          return isCorrect
        },
      },
    })
    const correct = login()
    for (let n = 0; n < 10; n++) await login({ password: 'not the password' })
    release()
    expect(errorCode(await correct)).toBe('RATE_LIMIT_EXCEEDED')
  })

  test('login verifies a password in the share of the client’s network', async () => {
    const passwords = plainPasswords()
    const shares: (string | undefined)[] = []
    const { login } = await setupAda({
      passwords: {
        ...passwords,
        verify: (password, hash, share) => (shares.push(share), passwords.verify(password, hash)),
      },
    })
    await login({}, '192.0.2.200')
    await login({ email: 'eve@example.com' }, '2001:db8:1:12ab::1')
    expect(shares).toEqual(['192.0.2.0/24', '2001:db8:1:1200::/56'])
  })

  test('login returns FORBIDDEN to a suspended user only with the correct password', async () => {
    const { login, stores, session } = await setupAda()
    await stores.transact(async (tx) => {
      const user = await tx.users.take(session.user.id)
      if (user) await tx.users.replace({ ...user, status: 'suspended' })
    })
    expect(await login()).toMatchObject(rejected('FORBIDDEN'))
    expect(await login({ password: 'not the password' })).toMatchObject(rejected('UNAUTHORIZED'))
  })

  test('login does not count attempts that ended with an internal error', async () => {
    const passwords = plainPasswords()
    let broken = false
    const { login } = await setupAda({
      passwords: {
        ...passwords,
        verify: (...args) => (broken ? Promise.reject(new Error('no memory')) : passwords.verify(...args)),
      },
    })
    broken = true
    for (let n = 0; n < 12; n++) expect(await login()).toMatchObject(rejected('INTERNAL_ERROR'))
    broken = false
    expect(await login()).toMatchObject({ success: true })
  })

  test('login ignores an expired access token', async () => {
    const { run, session, clock } = await setupAda()
    clock.advance(16 * minute)
    const { email, password } = ada
    expect(await run(operations.login, bearer(session.accessToken), { email, password })).toMatchObject({
      success: true,
    })
  })

  test('login replaces an outdated hash', async () => {
    const { login, stores, session } = await setupAda({
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

  test('login keeps the newest 100 sessions of a user', async () => {
    const { login, run, models, session, clock } = await setupAda()
    let last = session
    for (let n = 0; n < 100; n++) {
      clock.advance(1)
      last = requireData(await login())
    }
    expect(requireData(await run(operations.sessions, bearer(last.accessToken), {}))).toHaveLength(100)
    expect(await models(session.accessToken)).toMatchObject(rejected('UNAUTHORIZED'))
  })
})

/** Advances the clock until the reply resolves. */
async function advanceUntil(clock: { advance(ms: number): void }, reply: Promise<unknown>): Promise<void> {
  const resolved = reply.then(() => true)
  const pending = () => new Promise<boolean>((resolve) => setImmediate(resolve, false))
  while (!(await Promise.race([resolved, pending()]))) clock.advance(100)
}

describe('an access token', () => {
  test('an access token is valid for 15 minutes', async () => {
    const { session, models, clock } = await setupAda()
    clock.advance(15 * minute - 1)
    expect(await models(session.accessToken)).toMatchObject({ success: true })
    clock.advance(1)
    expect(await models(session.accessToken)).toMatchObject(rejected('UNAUTHORIZED'))
  })

  test('an access token shares one counter and limit with all sessions of the user', async () => {
    const { session, login, run } = await setupAda()
    const other = requireData(await login())
    const generate = (token: string) => run(operations.generate, bearer(token), { model: 'any', prompt: 'hello' })
    expect(await generate(session.accessToken)).toMatchObject({ limits: { limit: 1000, remaining: 999 } })
    expect(await generate(other.accessToken)).toMatchObject({ limits: { limit: 1000, remaining: 998 } })
  })

  test('an access token pays for model calls only, so that browsing costs no quota', async () => {
    const { session, models, run } = await setupAda()
    expect(await models(session.accessToken)).not.toHaveProperty('limits')
    const usage = requireData(await run(operations.usage, bearer(session.accessToken), {}))
    expect(usage.credentials).toMatchObject([{ kind: 'session', used: 0 }])
  })

  test.each([
    [
      'with a changed letter',
      (token: string) => token.slice(0, -10) + (token.at(-10) === 'a' ? 'b' : 'a') + token.slice(-9),
    ],
    ['with the prefix of an API key', (token: string) => token.replace('fls_', 'fl_')],
    ['replaced by an unsigned JWT', () => 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJ1c3JfMSJ9.'],
    ['with the prefix of a refresh token', (token: string) => token.replace('fls_', 'flr_')],
    ['repeated twice', (token: string) => token + token],
    ['in upper case', (token: string) => token.toUpperCase()],
  ])('an access token is rejected %s', async (_case, forge) => {
    const { session, models } = await setupAda()
    expect(await models(forge(session.accessToken))).toMatchObject(rejected('UNAUTHORIZED'))
  })

  test('an access token is not accepted as a refresh token, nor a refresh token as an access token', async () => {
    const { session, models, refresh } = await setupAda()
    expect(await models(session.refreshToken)).toMatchObject(rejected('UNAUTHORIZED'))
    expect(await refresh(session.accessToken)).toMatchObject(rejected('UNAUTHORIZED'))
  })
})

describe('refresh', () => {
  test('refresh returns a new pair of tokens and keeps the previous access token valid until it expires', async () => {
    const { session, refresh, models, clock } = await setupAda()
    clock.advance(10 * minute)
    const next = requireData(await refresh(session.refreshToken))
    expect(next).toMatchObject({ tokenType: 'Bearer', expiresIn: 900 })
    expect(next.refreshToken).not.toBe(session.refreshToken)
    expect(await models(session.accessToken)).toMatchObject({ success: true })
    clock.advance(5 * minute)
    expect(await models(session.accessToken)).toMatchObject(rejected('UNAUTHORIZED'))
    expect(await models(next.accessToken)).toMatchObject({ success: true })
  })

  test('refresh returns the same pair to twenty concurrent requests', async () => {
    const { session, refresh, run } = await setupAda()
    const replies = await Promise.all(Array.from({ length: 20 }, () => refresh(session.refreshToken)))
    const pairs = new Set(replies.map((reply) => JSON.stringify(requireData(reply))))
    expect(pairs.size).toBe(1)
    const [pair] = pairs
    const { accessToken } = JSON.parse(pair ?? '')
    expect(requireData(await run(operations.sessions, bearer(accessToken), {}))).toHaveLength(1)
  })

  test('refresh returns the same pair for a token sent again within ten seconds, and ends the session after that', async () => {
    const { session, refresh, models, clock } = await setupAda()
    const next = requireData(await refresh(session.refreshToken))
    clock.advance(9_999)
    expect(requireData(await refresh(session.refreshToken))).toMatchObject({
      accessToken: next.accessToken,
      refreshToken: next.refreshToken,
    })
    clock.advance(1)
    expect(await refresh(session.refreshToken)).toMatchObject(rejected('UNAUTHORIZED'))
    expect(await models(next.accessToken)).toMatchObject(rejected('UNAUTHORIZED'))
    expect(await refresh(next.refreshToken)).toMatchObject(rejected('UNAUTHORIZED'))
  })

  test('refresh ends the session immediately for a token older than the previous one', async () => {
    const { session, refresh } = await setupAda()
    const second = requireData(await refresh(session.refreshToken))
    const third = requireData(await refresh(second.refreshToken))
    expect(await refresh(session.refreshToken)).toMatchObject(rejected('UNAUTHORIZED'))
    expect(await refresh(third.refreshToken)).toMatchObject(rejected('UNAUTHORIZED'))
  })

  test('refresh returns the same pair on every node, and a replay on one node ends the session on all', async () => {
    const secretKeys = { current: 'the secret key that both nodes have' }
    const one = await setupAda({ secretKeys })
    const other = await testCore({ stores: one.stores, secretKeys })
    const refreshThere = (refreshToken: string) => other.core.run(operations.refresh, anonymous, { refreshToken })
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, n) => (n % 2 ? one.refresh : refreshThere)(one.session.refreshToken)),
    )
    expect(new Set(replies.map((reply) => JSON.stringify(requireData(reply)))).size).toBe(1)
    const { accessToken, refreshToken } = requireData(await refreshThere(one.session.refreshToken))
    for (const { clock } of [one, other]) clock.advance(10_000)
    expect(await refreshThere(one.session.refreshToken)).toMatchObject(rejected('UNAUTHORIZED'))
    expect(await one.refresh(refreshToken)).toMatchObject(rejected('UNAUTHORIZED'))
    expect(await one.models(accessToken)).toMatchObject(rejected('UNAUTHORIZED'))
  })

  test('refresh is accepted for 30 days after the last refresh', async () => {
    const { session, refresh, clock } = await setupAda({ sessionDays: Infinity })
    clock.advance(30 * day - 1)
    const next = requireData(await refresh(session.refreshToken))
    clock.advance(30 * day - 1)
    const last = requireData(await refresh(next.refreshToken))
    clock.advance(30 * day)
    expect(await refresh(last.refreshToken)).toMatchObject(rejected('UNAUTHORIZED'))
  })

  test('refresh rejects a token that was never issued without a store query', async () => {
    const { refresh, session, stores } = await setupAda()
    const spies = [vi.spyOn(stores, 'read'), vi.spyOn(stores, 'transact')]
    const forged = session.refreshToken.slice(0, -8) + 'AAAAAAAA'
    for (const token of ['', 'x', forged, session.accessToken]) {
      expect(errorCode(await refresh(token))).toBe('UNAUTHORIZED')
    }
    for (const spy of spies) expect(spy).not.toHaveBeenCalled()
  })

  test('refresh rejects a token signed with another secret key', async () => {
    const { refresh } = await setupAda()
    const { session: foreign } = await setupAda()
    expect(await refresh(foreign.refreshToken)).toMatchObject(rejected('UNAUTHORIZED'))
  })

  test('refresh accepts tokens signed with the previous secret key after a rotation', async () => {
    const old = 'the first secret key of this setup'
    const { session, stores, clock } = await setupAda({ secretKeys: { current: old } })
    const changed = await testCore({
      stores,
      secretKeys: { current: 'the second key of this setup, newer', previous: old },
    })
    changed.clock.jumpTo(clock.now())
    const next = requireData(
      await changed.core.run(operations.refresh, anonymous, { refreshToken: session.refreshToken }),
    )
    const without = await testCore({ stores, secretKeys: { current: old } })
    expect(await without.core.run(operations.refresh, anonymous, { refreshToken: next.refreshToken })).toMatchObject(
      rejected('UNAUTHORIZED'),
    )
  })
})

describe('logout', () => {
  test('logout ends the session of the access token immediately', async () => {
    const { session, run, models, refresh } = await setupAda()
    await models(session.accessToken)
    expect(await run(operations.logout, bearer(session.accessToken), {})).toMatchObject({ success: true })
    expect(await models(session.accessToken)).toMatchObject(rejected('UNAUTHORIZED'))
    expect(await refresh(session.refreshToken)).toMatchObject(rejected('UNAUTHORIZED'))
  })

  test('logout ends the session of a refresh token even if the access token has expired', async () => {
    const { session, run, refresh, clock } = await setupAda()
    clock.advance(20 * minute)
    const { accessToken, refreshToken } = session
    expect(await run(operations.logout, bearer(accessToken), { refreshToken })).toMatchObject({ success: true })
    expect(await refresh(refreshToken)).toMatchObject(rejected('UNAUTHORIZED'))
  })

  test('logout requires a token', async () => {
    const { run } = await setupAda()
    expect(await run(operations.logout, anonymous, {})).toMatchObject({
      error: { code: 'INVALID_REQUEST', details: { field: 'refreshToken' } },
    })
  })
})

describe('sessions', () => {
  test('sessions are listed only for their user, with the current one marked', async () => {
    const { session, login, run, caller } = await setupAda()
    await login()
    const listed = requireData(await run(operations.sessions, bearer(session.accessToken), {}))
    expect(listed.filter(({ current }) => current)).toHaveLength(1)
    expect(requireData(await run(operations.sessions, caller, {}))).toEqual([])
  })

  test('sessions show the browser and the address of the sign-in, also after a refresh from elsewhere', async () => {
    const { login, run } = await setupAda()
    const userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:142.0) Gecko/20100101 Firefox/142.0'
    const credentials = { email: ada.email, password: ada.password }
    const first = requireData(await run(operations.login, anonymous, credentials, { address: '192.0.2.9', userAgent }))
    await run(operations.refresh, anonymous, { refreshToken: first.refreshToken }, { address: '198.51.100.1' })
    const current = async (token: string) =>
      requireData(await run(operations.sessions, bearer(token), {})).find((each) => each.current)
    expect(await current(first.accessToken)).toMatchObject({ userAgent: 'Firefox on Linux', address: '192.0.2.9' })
    const second = requireData(await login())
    expect(await current(second.accessToken)).toMatchObject({ userAgent: null, address: '192.0.2.1' })
  })

  test('sessions show their last use to the minute, which costs one write a minute', async () => {
    const { session, models, run, clock, stores } = await setupAda()
    const begun = clock.now()
    const transact = vi.spyOn(stores, 'transact')
    const lastUse = async () => {
      await models(session.accessToken)
      const [listed] = requireData(await run(operations.sessions, bearer(session.accessToken), {}))
      return Date.parse(listed?.lastUsedAt ?? '') - begun
    }
    expect(await lastUse()).toBe(0)
    clock.advance(minute - 1)
    expect([await lastUse(), transact.mock.calls.length]).toEqual([0, 0])
    clock.advance(1)
    expect([await lastUse(), await lastUse(), transact.mock.calls.length]).toEqual([minute, minute, 1])
  })

  test('a session that begins with a sign-in link shows the browser that opened it', async () => {
    const { session, run, signInToken } = await setupAda()
    const token = signInToken(session.user.id)
    const origin = { address: '192.0.2.33', userAgent: 'curl/8.14.1' }
    const begun = requireData(await run(operations.exchangeSignInToken, anonymous, { token }, origin))
    const listed = requireData(await run(operations.sessions, bearer(begun.accessToken), {}))
    expect(listed.find(({ current }) => current)).toMatchObject({ userAgent: 'curl/8.14.1', address: '192.0.2.33' })
  })

  test('sessions can be ended only by their user', async () => {
    const { session, run, caller, models } = await setupAda()
    const [listed] = requireData(await run(operations.sessions, bearer(session.accessToken), {}))
    const id = listed?.id ?? ''
    expect(await run(operations.endSession, caller, { id })).toMatchObject(rejected('NOT_FOUND'))
    expect(await run(operations.endSession, bearer(session.accessToken), { id })).toMatchObject({
      data: { id, deleted: true },
    })
    expect(await models(session.accessToken)).toMatchObject(rejected('UNAUTHORIZED'))
  })
})
