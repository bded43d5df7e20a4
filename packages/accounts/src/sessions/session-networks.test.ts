import { describe, expect, test } from 'vitest'
import { testCore } from '@fairlead/testing'
import { operations } from '@fairlead/testing/workspace'
import type { Credentials } from '@fairlead/core'

const anonymous: Credentials = { kind: 'none' }
const ada = { email: 'ada@example.com', password: 'correct horse battery' }
const office = { address: '10.1.2.3' }
const home = { address: '203.0.113.5' }
const embedded: Credentials = { kind: 'embedded' }

function requireData<Data>(
  reply: { success: true; data: Data } | { success: false; error: { message: string } },
): Data {
  if (!reply.success) throw new Error(reply.error.message)
  return reply.data
}

const forbidden = { success: false, error: { code: 'FORBIDDEN' } }

/** Ada is logged in at home before her sessions are limited to the networks of the office. */
async function world(role: 'admin' | 'member' = 'member') {
  const given = await testCore()
  const { run } = given.core
  const user = requireData(await run(operations.createUser, embedded, { ...ada, name: 'Ada', role }))
  const login = (origin: object) => run(operations.login, anonymous, ada, origin)
  const atHome = requireData(await login(home))
  const restrict = (allowedNetworks: readonly string[] | null, by: Credentials = embedded, origin = home) =>
    run(operations.patchUser, by, { id: user.id, allowedNetworks: allowedNetworks && [...allowedNetworks] }, origin)
  return { ...given, run, user, login, atHome, restrict }
}

const bearer = (token: string): Credentials => ({ kind: 'bearer', token })

describe('the allowed networks of a user', () => {
  test('the allowed networks of a user end the use of their sessions elsewhere at once, also for refreshes', async () => {
    const { run, atHome, restrict } = await world()
    const list = (origin: object) => run(operations.sessions, bearer(atHome.accessToken), {}, origin)
    expect(await list(home)).toMatchObject({ success: true })
    await restrict(['10.0.0.0/8', '2001:db8::/32'])
    expect(await list(home)).toMatchObject({
      error: { code: 'FORBIDDEN', message: expect.stringContaining('The session may not be used from 203.0.113.5') },
    })
    const { refreshToken } = atHome
    expect(await run(operations.refresh, anonymous, { refreshToken }, home)).toMatchObject(forbidden)
    expect(await run(operations.refresh, anonymous, { refreshToken }, {})).toMatchObject(forbidden)
    expect(await list(office)).toMatchObject({ success: true })
    expect(await list({ address: '2001:db8::9' })).toMatchObject({ success: true })
    expect(await run(operations.refresh, anonymous, { refreshToken }, office)).toMatchObject({ success: true })
  })

  test('the allowed networks of a user hold for log-ins and sign-in links, and say so only to the right password', async () => {
    const { run, user, login, restrict, signInToken } = await world()
    await restrict(['10.0.0.0/8'])
    expect(await login(home)).toMatchObject(forbidden)
    expect(await run(operations.login, anonymous, { ...ada, password: 'a wrong password' }, home)).toMatchObject({
      error: { code: 'UNAUTHORIZED' },
    })
    const token = signInToken(user.id)
    expect(await run(operations.exchangeSignInToken, anonymous, { token }, home)).toMatchObject(forbidden)
    // The link is not used up by the refusal.
    expect(await run(operations.exchangeSignInToken, anonymous, { token }, office)).toMatchObject({ success: true })
    expect(await login(office)).toMatchObject({ success: true })
  })

  test('the allowed networks of a user hold for sessions of single sign-on, whose browser exchanges the token', async () => {
    const { run } = await world()
    const identity = { issuer: 'https://id.example.com', subject: 'eve', email: 'eve@example.com', name: 'Eve' }
    const first = requireData(await run(operations.signInWithIdentity, embedded, identity))
    await run(operations.patchUser, embedded, { id: first.user.id, allowedNetworks: ['10.0.0.0/8'] })
    const { token } = requireData(await run(operations.signInWithIdentity, embedded, identity))
    expect(await run(operations.exchangeSignInToken, anonymous, { token }, home)).toMatchObject(forbidden)
    expect(await run(operations.exchangeSignInToken, anonymous, { token }, office)).toMatchObject({ success: true })
  })

  test('the allowed networks of a user hold for sessions that act for a project, and not for API keys', async () => {
    const { run, atHome, restrict } = await world()
    const by = bearer(atHome.accessToken)
    const project = requireData(await run(operations.createProject, by, { name: 'Search' }, home))
    const key = requireData(await run(operations.createApiKey, by, { name: 'program', scopes: ['models'] }, home))
    await restrict(['10.0.0.0/8'])
    const inProject: Credentials = { kind: 'bearer', token: atHome.accessToken, project: project.id }
    expect(await run(operations.models, inProject, {}, home)).toMatchObject(forbidden)
    expect(await run(operations.models, inProject, {}, office)).toMatchObject({ success: true })
    expect(await run(operations.models, bearer(key.secret), {}, home)).toMatchObject({ success: true })
  })

  test('the allowed networks of a user are set only by admins, and members may send them unchanged', async () => {
    const { run, atHome, restrict } = await world()
    const by = bearer(atHome.accessToken)
    await restrict([home.address])
    for (const wish of [null, ['0.0.0.0/0']]) {
      expect(await restrict(wish, by)).toMatchObject({
        error: { code: 'FORBIDDEN', details: { field: 'allowedNetworks' } },
      })
    }
    expect(await restrict([home.address], by)).toMatchObject({ success: true })
    expect(requireData(await run(operations.user, by, { id: 'me' }, home)).allowedNetworks).toEqual([home.address])
  })

  test('an admin cannot set networks that exclude the session in which they do it', async () => {
    const { atHome, restrict } = await world('admin')
    const by = bearer(atHome.accessToken)
    expect(await restrict(['10.0.0.0/8'], by)).toMatchObject({
      error: { code: 'INVALID_REQUEST', details: { field: 'allowedNetworks' } },
    })
    expect(await restrict(['203.0.113.0/24'], by)).toMatchObject({ success: true })
  })

  test.each([[['10.0.0.0/33']], [['office']], [[]]])(
    'the allowed networks of a user cannot be %j',
    async (networks) => {
      const { restrict } = await world()
      expect(await restrict(networks)).toMatchObject({ error: { code: 'INVALID_REQUEST' } })
    },
  )
})
