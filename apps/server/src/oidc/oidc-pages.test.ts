import { describe, expect, onTestFinished, test } from 'vitest'
import { browser } from '../testing/browser.ts'
import { clientSettings, oidcProvider, type Person } from '../testing/oidc-provider.ts'
import { pathProxy } from '../testing/path-proxy.ts'
import { runServer } from '../testing/run-server.ts'

const ada: Person = { sub: 'ada', email: 'ada@example.com', email_verified: true, name: 'Ada Lovelace' }
const password = 'correct horse battery'

async function setup(environment: Readonly<Record<string, string>> = {}) {
  const provider = await oidcProvider()
  const server = await runServer({ FAIRLEAD_OIDC_ISSUER: provider.issuer, ...clientSettings, ...environment })
  const url = environment['FAIRLEAD_BASE_URL'] ?? server.baseUrl
  provider.open(url)
  const dashboard = `${url}/dashboard`
  const start = `${url}/auth/oidc/start`
  /** Signs in, and returns the address of the dashboard that it ends at. */
  const signIn = async (person: Person | 'nobody' = ada, { query = '', own = browser() } = {}) => {
    provider.signInAs(person)
    const address = await own.follow(start + query, dashboard)
    browsers.set(address, own)
    return address
  }
  const browsers = new Map<string, ReturnType<typeof browser>>()
  /** Exchanges the token at the end of an address, in the browser that got there. */
  const exchange = async (address: string, own = browsers.get(address) ?? browser()) => {
    const [, token = ''] = address.split('#sign-in=')
    const response = await own.post(`${url}/auth/exchange`, { token })
    return { status: response.status, data: ((await response.json()) as Awaited<ReturnType<typeof server.ask>>).data }
  }
  const { apiKey = '' } = server.firstAdmin ?? {}
  const setUser = (id: string, fields: object) => server.ask('PATCH', `/api/v1/users/${id}`, fields, apiKey)
  return { ...server, provider, url, dashboard, start, signIn, exchange, apiKey, setUser }
}

describe('the OpenAPI document', () => {
  test('the OpenAPI document describes where a sign-in begins and ends', async () => {
    const { url } = await setup()
    const { paths } = (await (await fetch(`${url}/openapi.json`)).json()) as { paths: object }
    expect(paths).toMatchObject({
      '/auth/oidc/start': { get: { operationId: 'oidcStart' } },
      '/auth/oidc/callback': { get: { operationId: 'oidcCallback' } },
    })
  })
})

describe('signing in with a provider', () => {
  test('signing in with a provider creates the user, whose dashboard exchanges the token in the address for a session', async () => {
    const { signIn, exchange, ask } = await setup()
    const address = await signIn()
    expect(address).toMatch(/\/dashboard#sign-in=fli_\w+$/)
    const { status, data } = await exchange(address)
    expect([status, data.user]).toMatchObject([200, { email: 'ada@example.com', name: 'Ada Lovelace', role: 'member' }])
    expect((await ask('GET', '/models', undefined, data.access_token)).status).toBe(200)
    expect((await exchange(address)).status).toBe(401)
    expect((await exchange(await signIn({ ...ada, email: 'new@example.com' }))).data.user.id).toBe(data.user.id)
  })

  test('signing in with a provider returns a token that only the browser that began can exchange', async () => {
    const { signIn, exchange, url } = await setup()
    const own = browser()
    const address = await signIn(ada, { own })
    const attacker = browser()
    expect((await exchange(address, attacker)).status).toBe(401)
    await signIn({ sub: 'mallory', email: 'mallory@example.com' }, { own: attacker })
    expect((await exchange(address, attacker)).status).toBe(401)
    const response = await own.visit(`${url}/auth/oidc/start`)
    expect(response.headers.getSetCookie()).toHaveLength(1)
    expect((await exchange(await signIn(ada, { own }))).status).toBe(200)
  })

  test('signing in with a provider keeps the secret of the browser from scripts and other sites', async () => {
    const { start, provider, url } = await setup()
    const own = browser()
    provider.signInAs(ada)
    const callback = await own.follow(start, `${url}/auth/oidc/callback`)
    const [cookie] = (await own.visit(callback)).headers.getSetCookie()
    expect(cookie).toMatch(/^fairlead_oidc=[\w-]{43}; Max-Age=900; Path=\/; HttpOnly; SameSite=Lax$/)
  })

  test('a sign-in link for any browser works in one that has signed in elsewhere', async () => {
    const { signIn, exchange, dashboard, firstAdmin } = await setup()
    const own = browser()
    await signIn(ada, { own })
    const link = `${dashboard}#sign-in=${firstAdmin?.signInToken}`
    expect(await exchange(link, own)).toMatchObject({ status: 200, data: { user: { role: 'admin' } } })
  })

  test('signing in with a provider protects the flow with PKCE, a state and a nonce, and its cookie from scripts and other sites', async () => {
    const { start } = await setup()
    const response = await browser().visit(start)
    const { searchParams } = new URL(response.headers.get('location') ?? '')
    expect(searchParams.get('code_challenge_method')).toBe('S256')
    for (const name of ['code_challenge', 'state', 'nonce']) expect(searchParams.get(name)).toMatch(/^[\w-]{43}$/)
    const [cookie = ''] = response.headers.getSetCookie()
    expect(cookie).toMatch(/^fairlead_oidc=[\w+/=]+; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/)
    expect(cookie).not.toContain(searchParams.get('state'))
    expect(response.headers.get('cache-control')).toBe('no-store')
  })

  test.for(['nonce', 'code_challenge'])(
    'signing in with a provider fails if the %s was changed on the way to the provider',
    async (name) => {
      const { start, dashboard, provider, logged } = await setup()
      const own = browser()
      const toProvider = new URL(await own.follow(start, provider.issuer))
      toProvider.searchParams.set(name, 'A'.repeat(43))
      provider.signInAs(ada)
      expect(await own.follow(toProvider.href, dashboard)).toBe(`${dashboard}/login?sso=failed`)
      expect(logged()).toContain('sign-in refused')
    },
  )

  test.for(['another state', 'another browser', 'a forged cookie'])(
    'signing in with a provider does not accept %s',
    async (kind) => {
      const { start, dashboard, provider, url } = await setup()
      const own = browser()
      provider.signInAs(ada)
      const callback = new URL(await own.follow(start, `${url}/auth/oidc/callback`))
      if (kind === 'another state') callback.searchParams.set('state', 'A'.repeat(43))
      if (kind === 'another browser') own.forget()
      const cookie = `fairlead_oidc=${Buffer.from('{"state":"x"}').toString('base64')}`
      const response =
        kind === 'a forged cookie'
          ? await fetch(callback, { headers: { cookie }, redirect: 'manual' })
          : await own.visit(callback.href)
      expect(response.headers.get('location')).toBe(`${dashboard}/login?sso=expired`)
    },
  )

  test('signing in with a provider ends at the page that was asked for, which must be one of the dashboard', async () => {
    const { signIn, dashboard } = await setup()
    const end = async (next: string) => {
      const [address] = (await signIn(ada, { query: `?next=${encodeURIComponent(next)}` })).split('#')
      return address
    }
    expect(await end('/requests?model=calm#top')).toBe(`${dashboard}/requests?model=calm`)
    for (const next of ['/', 'https://evil.example.com', '@evil.example.com', '/../../evil', '.evil.example.com']) {
      expect(await end(next)).toBe(dashboard)
    }
    expect(await end('//evil.example.com')).toBe(`${dashboard}//evil.example.com`)
  })

  test('signing in with a provider tells people who cancel, and keeps the page that they asked for', async () => {
    const { signIn, dashboard } = await setup()
    const address = await signIn('nobody', { query: '?next=/models' })
    expect(address).toBe(`${dashboard}/login?sso=cancelled&next=%2Fmodels`)
  })

  test('signing in with a provider refuses a suspended user, and a person without an email address', async () => {
    const { signIn, exchange, setUser, dashboard } = await setup()
    const { data } = await exchange(await signIn())
    await setUser(data.user.id, { status: 'suspended' })
    expect(await signIn()).toBe(`${dashboard}/login?sso=suspended`)
    expect(await signIn({ sub: 'nobody' })).toBe(`${dashboard}/login?sso=no-email`)
  })

  test('signing in with a provider sends no secret if the client has none', async () => {
    const { signIn, dashboard, logged } = await setup({ FAIRLEAD_OIDC_CLIENT_SECRET: '' })
    // The provider of the tests requires the secret.
    expect(await signIn()).toBe(`${dashboard}/login?sso=failed`)
    expect(logged()).toContain('invalid_client')
  })

  test('signing in with a provider writes no secret into the log', async () => {
    const { signIn, logged } = await setup({ LOG_LEVEL: 'trace' })
    const [, token = ''] = (await signIn()).split('#sign-in=')
    expect(logged()).toContain('/auth/oidc/callback')
    for (const secret of [token, 'CANARY-', 'code=', 'state=']) expect(logged()).not.toContain(secret)
  })
})

describe('an account with the same email address', () => {
  const signUp = { email: 'ada@example.com', name: 'Ada', password }

  test('an account with the same email address is not linked if the provider has not verified the address', async () => {
    const { signIn, dashboard, ask } = await setup({ FAIRLEAD_OIDC_LINK_BY_EMAIL: 'on' })
    await ask('POST', '/auth/signup', signUp)
    expect(await signIn({ ...ada, email_verified: false })).toBe(`${dashboard}/login?sso=email-unverified`)
  })

  test('an account with the same email address is not linked if it has a password, unless FAIRLEAD_OIDC_LINK_BY_EMAIL allows it', async () => {
    const { signIn, dashboard, ask, logged } = await setup()
    await ask('POST', '/auth/signup', signUp)
    expect(await signIn()).toBe(`${dashboard}/login?sso=email-taken`)
    expect(logged()).toContain('FAIRLEAD_OIDC_LINK_BY_EMAIL=on')
    const linking = await setup({ FAIRLEAD_OIDC_LINK_BY_EMAIL: 'on' })
    const { data } = await linking.ask('POST', '/auth/signup', signUp)
    expect((await linking.exchange(await linking.signIn())).data.user.id).toBe(data.user.id)
  })

  test('an account with the same email address is linked if it is the first admin, who has no password', async () => {
    const { signIn, exchange } = await setup({ FAIRLEAD_ADMIN_EMAIL: 'ada@example.com' })
    expect((await exchange(await signIn())).data.user).toMatchObject({ role: 'admin', tier: 'enterprise' })
  })
})

describe('FAIRLEAD_OIDC_GROUPS', () => {
  test('FAIRLEAD_OIDC_GROUPS decides the role and the tier at each sign-in', async () => {
    const { signIn, exchange } = await setup({ FAIRLEAD_OIDC_GROUPS: 'ops=admin,staff=pro' })
    const userOf = async (groups: unknown) => (await exchange(await signIn({ ...ada, groups }))).data.user
    expect(await userOf(['ops', 'staff', 'others'])).toMatchObject({ role: 'admin', tier: 'pro' })
    expect(await userOf('staff')).toMatchObject({ role: 'member', tier: 'pro' })
    expect(await userOf(undefined)).toMatchObject({ role: 'member', tier: 'free' })
  })

  test('FAIRLEAD_OIDC_GROUPS refuses people in none of the groups if it says who is a member', async () => {
    const { signIn, exchange, dashboard } = await setup({ FAIRLEAD_OIDC_GROUPS: 'staff=member,ops=admin' })
    expect(await signIn({ ...ada, groups: ['others'] })).toBe(`${dashboard}/login?sso=no-group`)
    expect((await exchange(await signIn({ ...ada, groups: ['ops'] }))).data.user.role).toBe('admin')
  })

  test('FAIRLEAD_OIDC_GROUPS does not take the role from the last admin', async () => {
    const environment = { FAIRLEAD_ADMIN_EMAIL: 'ada@example.com', FAIRLEAD_OIDC_GROUPS: 'ops=admin' }
    const { signIn, exchange } = await setup(environment)
    expect((await exchange(await signIn())).data.user.role).toBe('admin')
  })
})

describe('back-channel logout', () => {
  async function twoSessions() {
    const service = await setup()
    const sessions = [await service.exchange(await service.signIn()), await service.exchange(await service.signIn())]
    const areOpen = () =>
      Promise.all(
        sessions.map(async ({ data }) => (await service.ask('GET', '/models', undefined, data.access_token)).status),
      )
    const post = (body: string) =>
      fetch(`${service.url}/auth/oidc/backchannel-logout`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body,
      })
    return { ...service, sessions, areOpen, post }
  }

  test('back-channel logout ends the session that the provider names, at once', async () => {
    const { provider, areOpen, sessions, ask } = await twoSessions()
    await provider.logOut('ada', provider.sessions[0])
    expect(await areOpen()).toEqual([401, 200])
    const refresh = { refresh_token: sessions[0]?.data.refresh_token }
    expect((await ask('POST', '/auth/refresh', refresh)).status).toBe(401)
  })

  test('back-channel logout ends all sessions of the person if the provider names none', async () => {
    const { provider, areOpen } = await twoSessions()
    await provider.logOut('ada')
    expect(await areOpen()).toEqual([401, 401])
  })

  test('back-channel logout accepts a logout token once', async () => {
    const { provider, post } = await twoSessions()
    const token = await provider.logOut('ada', provider.sessions[0])
    const response = await post(new URLSearchParams({ logout_token: token }).toString())
    expect([response.status, (await response.json()).error.message]).toEqual([400, 'The logout token was used before.'])
  })

  test('back-channel logout ends no session for a token of another service, a forged one, or none', async () => {
    const { provider, areOpen, post } = await twoSessions()
    await expect(provider.logOut('ada', undefined, 'another service')).rejects.toThrow('400 Bad Request')
    const token = await provider.logOut('nobody')
    const [header = '', , signature = ''] = token.split('.')
    const claims = { iss: provider.issuer, aud: 'fairlead', iat: Math.floor(Date.now() / 1000), jti: '1', sub: 'ada' }
    const events = { 'http://schemas.openid.net/event/backchannel-logout': {} }
    const forged = Buffer.from(JSON.stringify({ ...claims, events })).toString('base64url')
    for (const body of [`logout_token=${header}.${forged}.${signature}`, 'logout_token=x', '']) {
      expect((await post(body)).status).toBe(400)
    }
    expect(await areOpen()).toEqual([200, 200])
  })

  const event = 'http://schemas.openid.net/event/backchannel-logout'

  test.each([
    ['no events', { events: undefined }],
    ['null for the event', { events: { [event]: null } }],
    ['a list for the event', { events: { [event]: [] } }],
    ['a text for the event', { events: { [event]: 'logout' } }],
    ['another event beside it', { events: { [event]: {}, 'https://example.com/other': {} } }],
    ['a list of events', { events: [event] }],
    ['a text for the events', { events: event }],
    ['a nonce', { nonce: 'n' }],
    ['neither a subject nor a session', { sub: undefined }],
    ['no id', { jti: undefined }],
    ['an empty id', { jti: '' }],
    ['no time', { iat: undefined }],
  ])('back-channel logout rejects a token with %s', async (_case, claims) => {
    const { provider, areOpen, post } = await twoSessions()
    const response = await post(`logout_token=${await provider.logoutToken(claims)}`)
    expect(response.status).toBe(400)
    expect(await areOpen()).toEqual([200, 200])
  })

  test('back-channel logout accepts a token with the event alone', async () => {
    const { provider, areOpen, post } = await twoSessions()
    expect(
      (await post(`logout_token=${await provider.logoutToken({ events: { [event]: { more: 1 } } })}`)).status,
    ).toBe(200)
    expect(await areOpen()).toEqual([401, 401])
  })

  test('back-channel logout answers 503 while the provider is unreachable', async () => {
    const { provider, url } = await setup()
    provider.close()
    const response = await fetch(`${url}/auth/oidc/backchannel-logout`, {
      method: 'POST',
      body: new URLSearchParams({ logout_token: 'x' }),
    })
    expect(response.status).toBe(503)
  })
})

describe('a provider that is unreachable', () => {
  test('a provider that is unreachable does not keep the service from starting, and is asked again at the next sign-in', async () => {
    const { provider, signIn, dashboard, url, logged } = await setup()
    provider.close()
    expect(await signIn()).toBe(`${dashboard}/login?sso=unavailable`)
    expect(logged()).toContain(`the provider ${provider.issuer} cannot be used`)
    provider.open(url)
    expect(await signIn()).toContain('#sign-in=')
  })
})

describe('under a path', () => {
  test.for(['keeps', 'removes'] as const)('under a path that the proxy %s, people sign in', async (mode) => {
    const proxy = await pathProxy(mode)
    onTestFinished(proxy.close)
    const { signIn, exchange, start, port } = await setup({ FAIRLEAD_BASE_URL: proxy.home })
    proxy.passTo(port)
    const [cookie = ''] = (await browser().visit(start)).headers.getSetCookie()
    expect(cookie).toContain('; Path=/ai;')
    const address = await signIn(ada, { query: '?next=/models' })
    expect(address).toContain(`${proxy.home}/dashboard/models#sign-in=`)
    expect((await exchange(address)).status).toBe(200)
  })
})
