import { describe, expect, test } from 'vitest'
import { type AskOptions, forms, type ServeOptions } from './testing/serve.ts'

describe.each(forms)('%s', (_form, serve) => {
  const ada = { email: 'ada@example.com', password: 'correct horse battery', name: 'Ada' }
  const { name: _name, ...adasLogin } = ada
  const anonymous = { authorization: undefined }
  const sameOrigin = { 'sec-fetch-site': 'same-origin' }

  /** A service with the user Ada. */
  async function serviceOfAda(options: ServeOptions = {}) {
    const service = await serve(options)
    const post = (path: string, body: unknown, headers: AskOptions['headers'] = {}) =>
      service.ask('POST', path, { body, headers: { ...anonymous, ...headers } })
    const signup = await post('/auth/signup', ada)
    const as = (token: string) => ({ authorization: `Bearer ${token}` })
    return { ...service, post, signup, as }
  }

  describe('POST /auth/signup', () => {
    test('POST /auth/signup returns 201 with the user, the tokens, and a Location header', async () => {
      const { signup } = await serviceOfAda()
      expect(signup.status).toBe(201)
      expect(signup.json).toEqual({
        success: true,
        data: {
          user: expect.objectContaining({ email: ada.email, quota_limit: null }),
          access_token: expect.stringMatching(/^fls_/),
          token_type: 'Bearer',
          expires_in: 900,
          passkey_required: false,
          refresh_token: expect.stringMatching(/^flr_/),
        },
        meta: expect.anything(),
      })
      expect(signup.headers.get('location')).toBe(`/users/${signup.json.data.user.id}`)
      expect(signup.headers.get('cache-control')).toBe('no-store')
      expect(signup.headers.get('set-cookie')).toBeNull()
    })

    test('POST /auth/signup uses the prefix of the request in the Location header', async () => {
      const { post } = await serviceOfAda()
      const { headers, json } = await post('/api/v1/auth/signup', { ...ada, email: 'eve@example.com' })
      expect(headers.get('location')).toBe(`/api/v1/users/${json.data.user.id}`)
    })

    test('POST /auth/signup returns 409 if the email address is taken', async () => {
      const { post } = await serviceOfAda()
      const { status, json } = await post('/auth/signup', ada)
      expect([status, json.error.code, json.error.details.field]).toEqual([409, 'CONFLICT', 'email'])
    })
  })

  describe('POST /auth/login', () => {
    test.each(['', '/v1', '/api/v1'])('POST /auth/login works under the prefix "%s"', async (prefix) => {
      const { post, ask, as } = await serviceOfAda()
      const { status, json } = await post(`${prefix}/auth/login`, adasLogin)
      expect(status).toBe(200)
      expect((await ask('GET', '/models', { headers: as(json.data.access_token) })).status).toBe(200)
    })

    test('POST /auth/login returns 401 for a wrong password, and 429 with Retry-After after ten', async () => {
      const { post } = await serviceOfAda()
      const guess = { ...adasLogin, password: 'not the password' }
      const first = await post('/auth/login', guess)
      expect([first.status, first.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
      for (let n = 1; n < 10; n++) await post('/auth/login', guess)
      const refused = await post('/auth/login', adasLogin)
      expect([refused.status, refused.json.error.code]).toEqual([429, 'RATE_LIMIT_EXCEEDED'])
      expect(refused.headers.get('retry-after')).toBe('900')
    })

    test('POST /auth/login counts attempts by the client address of a trusted proxy, and ignores other headers', async () => {
      const guess = { ...adasLogin, password: 'not the password' }
      const behindProxy = await serviceOfAda({ trustedProxies: 1 })
      const guessFrom = (address: string) => behindProxy.post('/auth/login', guess, { 'x-forwarded-for': address })
      for (let n = 0; n < 10; n++) await guessFrom('203.0.113.5')
      expect((await guessFrom('1.2.3.4, 203.0.113.5')).status).toBe(429)
      expect((await guessFrom('203.0.113.6')).status).toBe(401)

      const direct = await serviceOfAda()
      for (let n = 0; n < 10; n++) await direct.post('/auth/login', guess, { 'x-forwarded-for': `203.0.113.${n}` })
      expect((await direct.post('/auth/login', guess, { 'x-forwarded-for': '203.0.113.99' })).status).toBe(429)
    })
  })

  test('POST /auth/exchange returns 401 for a token that was never issued', async () => {
    const { post } = await serviceOfAda()
    expect((await post('/auth/exchange', { token: `fli_${'0'.repeat(60)}` })).status).toBe(401)
  })

  describe('POST /auth/refresh', () => {
    test('POST /auth/refresh returns the user and a new pair of tokens', async () => {
      const { post, signup } = await serviceOfAda()
      const { status, json } = await post('/auth/refresh', { refresh_token: signup.json.data.refresh_token })
      expect(status).toBe(200)
      const { user, ...pair } = json.data
      expect(user).toEqual(signup.json.data.user)
      expect(Object.keys(pair).toSorted()).toEqual([
        'access_token',
        'expires_in',
        'passkey_required',
        'refresh_token',
        'token_type',
      ])
    })

    test('POST /auth/refresh names the missing field', async () => {
      const { post } = await serviceOfAda()
      const { status, json } = await post('/auth/refresh', {})
      expect([status, json.error.details]).toEqual([400, expect.objectContaining({ field: 'refresh_token' })])
    })
  })

  describe('POST /auth/logout', () => {
    test('POST /auth/logout ends the session of the access token', async () => {
      const { ask, as, signup } = await serviceOfAda()
      const headers = as(signup.json.data.access_token)
      expect((await ask('POST', '/auth/logout', { headers })).status).toBe(200)
      expect((await ask('GET', '/models', { headers })).status).toBe(401)
    })
  })

  describe('GET and DELETE /sessions', () => {
    test('GET and DELETE /sessions list and end the sessions of the user', async () => {
      const { ask, as, signup } = await serviceOfAda()
      const headers = as(signup.json.data.access_token)
      const { json } = await ask('GET', '/sessions', { headers })
      expect(json.data).toEqual([
        {
          id: expect.stringMatching(/^ses_\d+$/),
          user_agent: 'node',
          address: '127.0.0.1',
          last_used_at: expect.any(String),
          current: true,
          created_at: '2026-03-14T09:26:53.589Z',
          refreshed_at: '2026-03-14T09:26:53.589Z',
          expires_at: '2026-04-13T09:26:53.589Z',
        },
      ])
      expect(json.meta.page).toEqual({ next_cursor: null, has_more: false, limit: 100 })
      const ended = await ask('DELETE', `/sessions/${json.data[0].id}`, { headers })
      expect([ended.status, ended.json.data]).toEqual([200, { id: json.data[0].id, deleted: true }])
      expect((await ask('GET', '/sessions', { headers })).status).toBe(401)
    })
  })

  describe('cookie mode', () => {
    const readCookie = (reply: { headers: Headers }) => reply.headers.get('set-cookie')?.split(';')[0] ?? ''

    async function loggedIn(options: ServeOptions = { baseUrl: 'https://ai.example.com' }) {
      const service = await serviceOfAda(options)
      const login = await service.post('/auth/login', { ...adasLogin, session: 'cookie' })
      return { ...service, login, cookie: readCookie(login) }
    }

    test('cookie mode sets the refresh token in a cookie that scripts and other sites cannot use', async () => {
      const { login } = await loggedIn()
      expect(login.status).toBe(200)
      expect(login.json.data).not.toHaveProperty('refresh_token')
      expect(login.headers.get('set-cookie')).toMatch(
        /^__Host-fairlead_session=flr_\w+; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Strict; Secure$/,
      )
    })

    test('cookie mode sets the cookie on signup too', async () => {
      const { post } = await serviceOfAda()
      const reply = await post('/auth/signup', { ...ada, email: 'eve@example.com', session: 'cookie' })
      expect(reply.status).toBe(201)
      expect(reply.json.data).not.toHaveProperty('refresh_token')
      expect(readCookie(reply)).toMatch(/^__Host-fairlead_session=flr_/)
    })

    test('cookie mode sets a cookie without Secure over http on loopback, because browsers reject others', async () => {
      const { login } = await loggedIn({ baseUrl: 'http://127.0.0.1:8080' })
      expect(login.headers.get('set-cookie')).toMatch(
        /^fairlead_session=flr_\w+; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Strict$/,
      )
    })

    test('cookie mode sets Secure for every other address', async () => {
      const { login } = await loggedIn({ baseUrl: 'http://ai.example.com' })
      expect(login.headers.get('set-cookie')).toContain('Secure')
    })

    test('cookie mode reads the refresh token from the cookie and sets the new one', async () => {
      const { post, ask, as, cookie } = await loggedIn()
      const reply = await post('/auth/refresh', {}, { cookie: `theme=dark; ${cookie}`, ...sameOrigin })
      expect(reply.status).toBe(200)
      expect(reply.json.data).not.toHaveProperty('refresh_token')
      expect(readCookie(reply)).toMatch(/^__Host-fairlead_session=flr_/)
      expect(readCookie(reply)).not.toBe(cookie)
      expect((await ask('GET', '/models', { headers: as(reply.json.data.access_token) })).status).toBe(200)
    })

    test.each<[string, Record<string, string>]>([
      ['another site', { 'sec-fetch-site': 'cross-site' }],
      ['another host of the same domain', { 'sec-fetch-site': 'same-site' }],
      ['another origin', { origin: 'https://evil.example.com' }],
      ['an unknown origin', {}],
    ])('cookie mode rejects requests from %s with 403', async (_case, headers) => {
      const { post, cookie } = await loggedIn()
      for (const path of ['/auth/refresh', '/auth/logout']) {
        const { status, json } = await post(path, {}, { cookie, ...headers })
        expect([status, json.error.code]).toEqual([403, 'FORBIDDEN'])
      }
      expect((await post('/auth/refresh', {}, { cookie, ...sameOrigin })).status).toBe(200)
    })

    test('cookie mode checks Origin if Sec-Fetch-Site is missing', async () => {
      const { post, cookie } = await loggedIn()
      expect((await post('/auth/refresh', {}, { cookie, origin: 'https://ai.example.com' })).status).toBe(200)
    })

    test('cookie mode removes the cookie on logout', async () => {
      const { post, cookie } = await loggedIn()
      const reply = await post('/auth/logout', {}, { cookie, ...sameOrigin })
      expect([reply.status, reply.headers.get('set-cookie')]).toEqual([
        200,
        '__Host-fairlead_session=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict; Secure',
      ])
      const again = await post('/auth/refresh', {}, { cookie, ...sameOrigin })
      expect([again.status, again.headers.get('set-cookie')]).toEqual([401, expect.stringContaining('Max-Age=0')])
    })

    test.each([
      ['login', { ...adasLogin, session: 'sticky' }],
      ['logout', { session: 'cookie' }],
    ])('cookie mode returns 400 for another value of `session` in %s', async (name, body) => {
      const { post } = await serviceOfAda()
      const { status, json } = await post(`/auth/${name}`, body)
      expect([status, json.error.details.field]).toEqual([400, 'session'])
    })
  })

  describe('/api-keys', () => {
    test('API keys are created, listed, rotated, and revoked', async () => {
      const { ask, clock, keyId } = await serve()
      clock.advance(1)
      const made = await ask('POST', '/api-keys', { body: { name: 'robot', expires_at: '2027-01-01T00:00:00Z' } })
      const { id, secret } = made.json.data
      expect([made.status, made.headers.get('location')]).toEqual([201, `/api-keys/${id}`])
      expect(made.json.data).toEqual({
        id,
        secret,
        name: 'robot',
        prefix: secret.slice(0, 10),
        scopes: ['generate', 'analyze', 'models'],
        tier: 'free',
        quota_limit: 1000,
        models: null,
        requests_per_minute: null,
        tokens_per_minute: null,
        max_concurrency: null,
        allowed_networks: null,
        budget_usd: null,
        budget_period: null,
        metadata: null,
        tags_from_metadata: false,
        created_at: '2026-03-14T09:26:53.590Z',
        created_by: keyId,
        last_used_at: null,
        expires_at: '2027-01-01T00:00:00.000Z',
        revoked_at: null,
      })
      const rotated = await ask('POST', `/api-keys/${id}/rotate`, { body: { grace_seconds: 60 } })
      expect([rotated.status, rotated.json.data.id]).toEqual([200, id])
      expect((await ask('DELETE', `/api-keys/${id}`)).json.data).toEqual({ id, deleted: true })
      const list = await ask('GET', '/api-keys?limit=1')
      expect(list.json.data[0]).toMatchObject({ id, revoked_at: '2026-03-14T09:26:53.590Z' })
      expect(list.json.meta.page).toMatchObject({ limit: 1, has_more: true })
      expect((await ask('GET', `/api-keys/${id}`)).json.data).not.toHaveProperty('secret')
    })
  })

  describe('/users', () => {
    test('users are created, listed, updated with If-Match, and deleted', async () => {
      const { ask, addCaller } = await serve()
      const { credentials } = await addCaller({ user: { role: 'admin' } })
      const headers = { authorization: `Bearer ${credentials.token}` }
      const made = await ask('POST', '/users', { headers, body: ada })
      const { id } = made.json.data
      expect([made.status, made.headers.get('location'), made.headers.get('etag')]).toEqual([
        201,
        `/users/${id}`,
        '"1"',
      ])
      const shown = await ask('GET', `/users/${id}`, { headers })
      const body = { ...shown.json.data, tier: 'enterprise', quota_limit: 5 }
      const changed = await ask('PUT', `/users/${id}`, { headers: { ...headers, 'if-match': '"1"' }, body })
      expect([changed.status, changed.headers.get('etag'), changed.json.data.quota_limit]).toEqual([200, '"2"', 5])
      const stale = await ask('PUT', `/users/${id}`, { headers: { ...headers, 'if-match': '"1"' }, body })
      expect(stale.status).toBe(412)
      expect((await ask('GET', '/users?tier=enterprise', { headers })).json.data).toHaveLength(1)
      expect((await ask('DELETE', `/users/${id}`, { headers })).json.data).toEqual({ id, deleted: true })
      expect((await ask('GET', `/users/${id}`, { headers })).status).toBe(404)
    })

    test('a user can change the email address in a session, with `current_password` alone', async () => {
      const { ask } = await serve()
      const { user, access_token: token } = (await ask('POST', '/auth/signup', { body: ada })).json.data
      const session = { authorization: `Bearer ${token}` }
      const made = await ask('POST', '/api-keys', { headers: session, body: { name: 'robot', scopes: ['users'] } })
      const key = { authorization: `Bearer ${made.json.data.secret}` }
      const change = (headers: Record<string, string>, facts: object) =>
        ask('PUT', `/users/${user.id}`, { headers, body: { email: 'new@example.com', name: 'Ada', ...facts } })
      const outcomes = [
        await change(key, { current_password: ada.password }),
        await change(session, {}),
        await change(session, { current_password: ada.password }),
      ]
      expect(outcomes.map(({ status, json }) => [status, json.error?.code, json.error?.details.field])).toEqual([
        [403, 'FORBIDDEN', 'email'],
        [400, 'INVALID_REQUEST', 'current_password'],
        [200, undefined, undefined],
      ])
    })
  })

  describe('/usage', () => {
    test('/usage returns the usage of this month and its sums', async () => {
      const { ask } = await serve()
      await ask('GET', '/models')
      const { json } = await ask('GET', '/usage')
      expect(json.data).toMatchObject({ period: '2026-03', resets_at: '2026-04-01T00:00:00.000Z', tier: 'free' })
      expect(json.data.credentials[1]).toMatchObject({ kind: 'key', used: 1, remaining: 999 })
      const series = await ask('GET', '/usage/timeseries?group_by=operation&from=2026-03-01T00:00:00Z')
      expect(series.json.data.groups).toEqual([
        {
          group: 'models',
          requests: 1,
          errors: 0,
          latency_p50_ms: 1,
          latency_p95_ms: 1,
          first_token_p50_ms: null,
          first_token_p95_ms: null,
          prompt_tokens: 0,
          completion_tokens: 0,
          total_tokens: 0,
          cost_usd: 0,
        },
      ])
      const refused = await ask('GET', '/usage/timeseries?group_by=week')
      expect([refused.status, refused.json.error.details.field]).toEqual([400, 'group_by'])
    })
  })
})
