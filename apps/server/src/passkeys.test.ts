import { webAuthnPasskeys } from '@fairlead/passkeys'
import { Authenticator } from '@fairlead/passkeys/testing'
import { describe, expect, test } from 'vitest'
import { passkeyOrigin } from './passkey-origin.ts'
import { serveApp } from './testing/serve-app.ts'

const ada = { email: 'ada@example.com', password: 'correct horse battery', name: 'Ada' }

/** A service where Ada has an account, and sends requests without a credential or with her access token. */
async function setup() {
  const { fairlead, url, lines } = await serveApp({
    core: { passkeys: webAuthnPasskeys({ origins: [Authenticator.origin] }) },
  })
  const { accessToken } = await fairlead.sessions.signup(ada)
  async function post(path: string, body: object, token?: string) {
    const response = await fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(token !== undefined && { authorization: `Bearer ${token}` }) },
      body: JSON.stringify(body),
    })
    const { data, error } = JSON.parse(await response.text())
    return { status: response.status, data, error, cookie: response.headers.get('set-cookie') }
  }
  const phone = new Authenticator()
  const { data } = await post('/auth/passkeys/options', { current_password: ada.password }, accessToken)
  const body = { token: data.token, response: phone.create(data.options) }
  expect(await post('/auth/passkeys', body, accessToken)).toMatchObject({ status: 201 })
  return { url, lines, post, phone, accessToken }
}

describe('a login with a passkey over REST', () => {
  test('a login with a passkey over REST begins with a 401 for the password, and can keep the refresh token in a cookie', async () => {
    const { post, phone, lines } = await setup()
    const { email, password } = ada
    const entered = await post('/auth/login', { email, password, session: 'cookie' })
    expect(entered).toMatchObject({
      status: 401,
      cookie: null,
      error: { code: 'UNAUTHORIZED', details: { reason: 'second_factor_required', issues: [] } },
    })
    const factor = entered.error.details.token
    const { data: asked } = await post('/auth/passkeys/login/options', { token: factor })
    const response = phone.get(asked.options)
    const done = await post('/auth/passkeys/login', { token: asked.token, response, session: 'cookie' })
    expect(done).toMatchObject({ status: 200, data: { user: { email }, passkey_required: false } })
    expect(done.data.refresh_token).toBeUndefined()
    expect(done.cookie).toMatch(/^__Host-fairlead_session=flr_/)
    // The log is no place for what logs in.
    for (const secret of [factor, asked.token, response.response]) expect(lines.join('')).not.toContain(secret)
  })

  test('a login with a passkey over GraphQL has the same steps', async () => {
    const { url, phone } = await setup()
    async function graphql(query: string, variables: object) {
      const response = await fetch(`${url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query, variables }),
      })
      return JSON.parse(await response.text())
    }
    const { email, password } = ada
    const { errors } = await graphql('mutation ($input: LoginInput!) { login(input: $input) { accessToken } }', {
      input: { email, password },
    })
    const { details } = errors[0].extensions
    expect(details).toMatchObject({ reason: 'second_factor_required' })
    const { data: asked } = await graphql(
      'mutation ($input: PasskeyLoginOptionsInput!) { passkeyLoginOptions(input: $input) { token options } }',
      { input: { token: details.token } },
    )
    const { token, options } = asked.passkeyLoginOptions
    const { data } = await graphql(
      'mutation ($input: LoginWithPasskeyInput!) { loginWithPasskey(input: $input) { user { email } } }',
      { input: { token, response: phone.get(options) } },
    )
    expect(data).toEqual({ loginWithPasskey: { user: { email } } })
  })
})

describe('passkeyOrigin', () => {
  test.each([
    ['https://ai.example.com/fairlead', 'https://ai.example.com'],
    ['https://ai.example.com:8443', 'https://ai.example.com:8443'],
    ['http://localhost:8080', 'http://localhost:8080'],
    ['http://127.0.0.1:8080', 'http://localhost:8080'],
    ['http://[::1]:8080', 'http://localhost:8080'],
    ['http://ai.example.com', undefined],
    ['https://192.0.2.1', undefined],
    ['http://0.0.0.0:8080', undefined],
  ])('passkeyOrigin of %s is %s', (baseUrl, origin) => {
    expect(passkeyOrigin(baseUrl)).toBe(origin)
  })
})
