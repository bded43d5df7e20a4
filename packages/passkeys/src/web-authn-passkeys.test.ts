import { operations } from '@fairlead/testing/workspace'
import { testCore } from '@fairlead/testing'
import { describe, expect, test } from 'vitest'
import { Authenticator, type Faults } from './testing/authenticator.ts'
import { webAuthnPasskeys } from './web-authn-passkeys.ts'

const anonymous = { kind: 'none' } as const
const ada = { email: 'ada@example.com', password: 'correct horse battery', name: 'Ada' }
const grace = { email: 'grace@example.com', password: 'battery horse correct', name: 'Grace' }

const passkeys = () =>
  webAuthnPasskeys({ name: 'Example', origins: ['https://ai.example.com', 'https://www.ai.example.com'] })

/** A core where Ada and Grace have signed up, and each has an authenticator. */
async function setup() {
  const { fairlead, core, clock, stores } = await testCore({ passkeys: passkeys() })
  async function signup(person: typeof ada) {
    const { accessToken } = await fairlead.sessions.signup(person)
    const credentials = { kind: 'bearer', token: accessToken } as const
    const authenticator = new Authenticator()
    async function begin() {
      const reply = await core.run(operations.passkeyOptions, credentials, { currentPassword: person.password })
      if (!reply.success) throw new Error(reply.error.message)
      return reply.data
    }
    async function add(faults: Faults = {}) {
      const { token, options } = await begin()
      return core.run(operations.addPasskey, credentials, { token, response: authenticator.create(options, faults) })
    }
    return { credentials, authenticator, begin, add }
  }
  /** Begins to log in. @param person whose password is entered first. Default: nobody */
  async function beginLogin(person?: typeof ada) {
    const { email = '', password = '' } = person ?? {}
    const login = person && (await core.run(operations.login, anonymous, { email, password }))
    const token = login && !login.success ? String(login.error.details['token']) : undefined
    return fairlead.passkeys.loginOptions({ token })
  }
  const finish = (token: string, response: object) =>
    core.run(operations.loginWithPasskey, anonymous, { token, response: { ...response } })
  return { fairlead, core, clock, stores, ada: await signup(ada), grace: await signup(grace), beginLogin, finish }
}

const refused = { success: false, error: { code: 'UNAUTHORIZED' } }

describe('webAuthnPasskeys', () => {
  test('a passkey is added, and then needed after the password', async () => {
    const { ada: hers, beginLogin, finish, fairlead, stores } = await setup()
    const added = await hers.add()
    expect(added).toMatchObject({ success: true, data: { isBackedUp: true } })
    const { token, options } = await beginLogin(ada)
    const id = hers.authenticator.id.toString('base64url')
    expect(options).toMatchObject({
      rpId: 'ai.example.com',
      userVerification: 'preferred',
      allowCredentials: [{ id, type: 'public-key', transports: ['internal'] }],
    })
    const reply = await finish(token, hers.authenticator.get(options, { isVerified: false }))
    expect(reply).toMatchObject({ success: true, data: { user: { email: ada.email } } })
    const [user] = await fairlead.users.list({ email: ada.email })
    expect(await stores.read((view) => view.passkeys.ofUser(user?.id ?? ''))).toMatchObject([{ counter: 1 }])
  })

  test('a passkey that verifies the user is enough without a password', async () => {
    const { ada: hers, beginLogin, finish } = await setup()
    await hers.add()
    const { token, options } = await beginLogin()
    expect(options).toMatchObject({ userVerification: 'required' })
    expect(options['allowCredentials']).toBeUndefined()
    const reply = await finish(token, hers.authenticator.get(options))
    expect(reply).toMatchObject({ success: true, data: { user: { email: ada.email } } })
  })

  test('the options of a new passkey ask for a discoverable one, without attestation, of an authenticator that has none yet', async () => {
    const { ada: hers } = await setup()
    await hers.add()
    const { options } = await hers.begin()
    expect(options).toMatchObject({
      rp: { name: 'Example', id: 'ai.example.com' },
      user: { name: ada.email, displayName: ada.name },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
      excludeCredentials: [{ id: hers.authenticator.id.toString('base64url') }],
    })
  })

  test.each<[string, Faults]>([
    ['another origin', { origin: 'https://ai.example.com.evil.example' }],
    ['http', { origin: 'http://ai.example.com' }],
    ['another relying party', { rpId: 'evil.example' }],
    ['a sign-in', { type: 'webauthn.get' }],
    ['nobody present', { isPresent: false }],
    ['an unknown attestation', { format: 'made-up' }],
    [
      'an attestation with certificates',
      { format: 'packed', statement: { alg: -7, sig: Buffer.alloc(70), x5c: [Buffer.alloc(300)] } },
    ],
    ['a wrong self-attestation', { format: 'packed', statement: { alg: -7, sig: Buffer.alloc(70) } }],
  ])('a new passkey with %s is rejected', async (_name, faults) => {
    const { ada: hers } = await setup()
    expect(await hers.add(faults)).toMatchObject({ success: false, error: { code: 'INVALID_REQUEST' } })
  })

  test('a page of another origin that is allowed can add a passkey', async () => {
    const { ada: hers } = await setup()
    expect(await hers.add({ origin: 'https://www.ai.example.com' })).toMatchObject({ success: true })
  })

  test('a new passkey for the challenge of another user, or for an earlier one, is rejected', async () => {
    const { core, ada: hers, grace: other } = await setup()
    const [mine, theirs, second] = [await hers.begin(), await other.begin(), await hers.begin()]
    const add = (token: string, options: Record<string, unknown>) =>
      core.run(operations.addPasskey, hers.credentials, { token, response: hers.authenticator.create(options) })
    for (const [token, options] of [
      [theirs.token, theirs.options],
      [mine.token, theirs.options],
      [mine.token, second.options],
    ] as const) {
      expect(await add(token, options)).toMatchObject({ success: false, error: { code: 'INVALID_REQUEST' } })
    }
    expect(await add(mine.token, mine.options)).toMatchObject({ success: true })
    const { success } = await add(mine.token, mine.options)
    expect(success).toBe(false)
  })

  test.each<[string, Faults]>([
    ['another origin', { origin: 'https://evil.example' }],
    ['another relying party', { rpId: 'evil.example' }],
    ['the type of a new passkey', { type: 'webauthn.create' }],
    ['nobody present', { isPresent: false }],
    ['the signature of another key', { signedBy: new Authenticator() }],
    ['the handle of another user', { userHandle: Buffer.from('usr_1').toString('base64url') }],
  ])('a login with %s is rejected', async (_name, faults) => {
    const { ada: hers, beginLogin, finish } = await setup()
    await hers.add()
    for (const person of [ada, undefined]) {
      const { token, options } = await beginLogin(person)
      expect(await finish(token, hers.authenticator.get(options, faults))).toMatchObject(refused)
    }
  })

  test('a login without a password is rejected unless the authenticator verified the user, and names them', async () => {
    const { ada: hers, beginLogin, finish } = await setup()
    await hers.add()
    for (const faults of [{ isVerified: false }, { userHandle: null }]) {
      const { token, options } = await beginLogin()
      expect(await finish(token, hers.authenticator.get(options, faults))).toMatchObject(refused)
    }
  })

  test('a response is accepted once, and not for another challenge', async () => {
    const { ada: hers, beginLogin, finish } = await setup()
    await hers.add()
    const [first, second] = [await beginLogin(ada), await beginLogin(ada)]
    const response = hers.authenticator.get(first.options)
    expect(await finish(second.token, response)).toMatchObject(refused)
    expect(await finish(first.token, response)).toMatchObject({ success: true })
    expect(await finish(first.token, response)).toMatchObject(refused)
  })

  test('a response for a challenge that has expired is rejected', async () => {
    const { ada: hers, beginLogin, finish, clock } = await setup()
    await hers.add()
    const { token, options } = await beginLogin(ada)
    clock.advance(5 * 60_000)
    expect(await finish(token, hers.authenticator.get(options))).toMatchObject(refused)
  })

  test('a counter that does not grow is rejected, as of a copied authenticator', async () => {
    const { ada: hers, beginLogin, finish } = await setup()
    await hers.add()
    const login = async (counter: number) => {
      const { token, options } = await beginLogin(ada)
      return finish(token, hers.authenticator.get(options, { counter }))
    }
    expect(await login(7)).toMatchObject({ success: true })
    expect(await login(7)).toMatchObject(refused)
    expect(await login(6)).toMatchObject(refused)
    expect(await login(0)).toMatchObject(refused)
    expect(await login(8)).toMatchObject({ success: true })
  })

  test('an authenticator that does not count is accepted again and again', async () => {
    const { ada: hers, beginLogin, finish } = await setup()
    await hers.add()
    for (let n = 0; n < 2; n++) {
      const { token, options } = await beginLogin(ada)
      expect(await finish(token, hers.authenticator.get(options, { counter: 0 }))).toMatchObject({ success: true })
    }
  })

  test('the passkey of another user is rejected after the password', async () => {
    const { ada: hers, grace: other, beginLogin, finish } = await setup()
    await hers.add()
    await other.add()
    const { token, options } = await beginLogin(ada)
    expect(await finish(token, other.authenticator.get(options))).toMatchObject(refused)
  })

  test.each([
    ['nothing', {}],
    ['no response', { id: 'x', rawId: 'x', type: 'public-key' }],
    ['numbers', { id: 1, rawId: 1, type: 'public-key', response: { clientDataJSON: 1, attestationObject: 2 } }],
    [
      'no CBOR',
      { id: 'x', rawId: 'x', type: 'public-key', response: { clientDataJSON: 'x', attestationObject: '!!' } },
    ],
    [
      'long texts',
      {
        id: 'x',
        rawId: 'x',
        type: 'public-key',
        response: { clientDataJSON: 'x', attestationObject: 'x'.repeat(8_001) },
      },
    ],
  ])('a response with %s is rejected', async (_name, response) => {
    const ceremonies = passkeys()
    expect(await ceremonies.checkRegistration(response, 'challenge')).toBeUndefined()
  })

  test.each([
    ['http://ai.example.com', 'must begin with https'],
    ['https://192.0.2.1', 'must be a host name'],
    ['https://ai.example.com/', 'is no origin'],
    ['ai.example.com', 'is no origin'],
  ])('webAuthnPasskeys refuses the origin %s', (origin, message) => {
    expect(() => webAuthnPasskeys({ origins: [origin] })).toThrow(message)
  })

  test('webAuthnPasskeys takes localhost without https, and refuses origins of two host names', () => {
    expect(() => webAuthnPasskeys({ origins: ['http://localhost:8080'] })).not.toThrow()
    expect(() => webAuthnPasskeys({ origins: ['https://a.example', 'https://b.example'] })).toThrow('a.example')
  })
})
