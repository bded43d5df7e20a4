import { systemClock } from '@fairlead/core'
import { describe, expect, test } from 'vitest'
import { readConfig } from '../config.ts'
import { browser } from '../testing/browser.ts'
import { clientSettings, oidcProvider, type Person } from '../testing/oidc-provider.ts'
import { identityConfirmer } from './confirm-identity.ts'
import { issuerFinder } from './find-issuer.ts'
import { oidcSettings } from './settings.ts'

const ada: Person = { sub: 'ada', email: 'ada@example.com', groups: ['ops'] }
const baseUrl = 'http://127.0.0.1:8080'
const signal = new AbortController().signal

async function setup() {
  const provider = await oidcProvider()
  provider.open(baseUrl)
  const config = readConfig({
    ...clientSettings,
    FAIRLEAD_BASE_URL: baseUrl,
    FAIRLEAD_OIDC_ISSUER: provider.issuer,
    FAIRLEAD_OIDC_GROUPS: 'ops=admin,staff=member',
  })
  const settings = oidcSettings(config)!
  const findIssuer = issuerFinder(settings, baseUrl, systemClock)
  const confirm = identityConfirmer(settings, findIssuer)
  const signIn = async () => {
    provider.signInAs(ada)
    const issuer = await findIssuer()
    const { url, checks } = await issuer.begin()
    const callback = new URL(await browser().follow(url, `${baseUrl}/auth/oidc/callback`))
    return issuer.finish(callback.search.slice(1), checks)
  }
  const identity = async () => {
    const { refreshToken: token = '' } = await signIn()
    return { issuer: provider.issuer, subject: 'ada', token }
  }
  return { provider, confirm, signIn, identity }
}

describe('identityConfirmer', () => {
  test('identityConfirmer returns what the groups give now, and the next refresh token', async () => {
    const { provider, confirm, identity } = await setup()
    const first = await identity()
    const confirmed = await confirm(first, signal)
    expect(confirmed).toEqual({ role: 'admin', token: expect.stringMatching(/./) })
    expect(confirmed?.token).not.toBe(first.token)
    provider.signInAs({ ...ada, groups: ['staff'] })
    expect(await confirm({ ...first, token: confirmed?.token ?? '' }, signal)).toMatchObject({ role: 'member' })
  })

  test('identityConfirmer confirms no person without a group, and none whose refresh token the provider rejects', async () => {
    const { provider, confirm, identity } = await setup()
    const known = await identity()
    provider.signInAs({ ...ada, groups: ['others'] })
    expect(await confirm(known, signal)).toBeUndefined()
    expect(await confirm({ ...known, token: 'unknown' }, signal)).toBeUndefined()
    expect(await confirm({ ...(await identity()), issuer: 'https://another.example.com' }, signal)).toBeUndefined()
    expect(await confirm({ ...(await identity()), subject: 'grace' }, signal)).toBeUndefined()
  })

  test('identityConfirmer rejects while the provider is unreachable', async () => {
    const { provider, confirm, identity } = await setup()
    const known = await identity()
    provider.close()
    await expect(confirm(known, signal)).rejects.toThrow('unexpected HTTP response')
  })

  test('a sign-in has no refresh token if the provider gives none', async () => {
    const { provider, signIn } = await setup()
    provider.issued.refreshTokens = false
    expect((await signIn()).refreshToken).toBeUndefined()
  })
})
