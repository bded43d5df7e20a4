import { describe, expect, test, vi } from 'vitest'
import { testCore } from '@fairlead/testing'
import { operations } from '@fairlead/testing/workspace'
import type { Credentials } from '@fairlead/core'
import type { ConfirmIdentity } from './issuer-tokens.ts'

const ada = { issuer: 'https://id.example.com', subject: 'ada', email: 'ada@example.com', name: 'Ada Lovelace' }
const hourMs = 3_600_000
const dayMs = 24 * hourMs
const password = 'correct horse battery'

async function setup({ sessionDays, ...facts }: { readonly sessionDays?: number; readonly issuerToken?: string } = {}) {
  const confirmIdentity = vi.fn<ConfirmIdentity>(async () => ({ token: 'next' }))
  const tested = await testCore({ confirmIdentity, sessionDays })
  const { fairlead, core, clock, signInToken } = tested
  await tested.addCaller({ user: { role: 'admin' } })
  let refreshToken = ''
  let session: Credentials = { kind: 'none' }
  /** Takes the tokens of a response. */
  const adopt = (reply: { readonly accessToken: string; readonly refreshToken: string }) => {
    refreshToken = reply.refreshToken
    session = { kind: 'bearer', token: reply.accessToken }
  }
  const signIn = async (identity: Partial<Parameters<typeof fairlead.sessions.signIn>[0]> = {}) => {
    const { token, user } = await fairlead.sessions.signIn({ ...ada, ...facts, ...identity })
    adopt(await fairlead.sessions.exchange({ token }))
    return user
  }
  const refresh = async () => {
    const reply = await fairlead.sessions.refresh({ refreshToken })
    adopt(reply)
    return reply
  }
  const refreshAfter = (ms: number) => {
    clock.advance(ms)
    return refresh()
  }
  const run = <Name extends 'users' | 'patchUser' | 'createApiKey' | 'user'>(name: Name, input: object) =>
    core.run(operations[name], session, input as never)
  const byLink = async (userId: string) => adopt(await fairlead.sessions.exchange({ token: signInToken(userId) }))
  return { ...tested, confirmIdentity, signIn, refresh, refreshAfter, run, byLink }
}

const unauthorized = { code: 'UNAUTHORIZED' }

describe('a session that began with an identity', () => {
  test('a session that began with an identity ends after 24 hours if the issuer gave no token', async () => {
    const { signIn, refreshAfter, confirmIdentity } = await setup()
    await signIn()
    await refreshAfter(dayMs - 10 * 60_000)
    await expect(refreshAfter(10 * 60_000)).rejects.toMatchObject(unauthorized)
    expect(confirmIdentity).not.toHaveBeenCalled()
  })

  test('a session that began with an identity has no access token that outlasts it', async () => {
    const { signIn, refreshAfter } = await setup()
    await signIn()
    expect((await refreshAfter(dayMs - 60_000)).expiresIn).toBe(60)
  })

  test('a session that began with an identity is confirmed by its issuer every twelve hours, with the token of the last time', async () => {
    const { signIn, refreshAfter, confirmIdentity, stores } = await setup({ issuerToken: 'CANARY-first' })
    const { id } = await signIn()
    await refreshAfter(11 * hourMs)
    expect(confirmIdentity).not.toHaveBeenCalled()
    await refreshAfter(hourMs)
    await refreshAfter(11 * hourMs)
    await refreshAfter(hourMs)
    const { issuer, subject } = ada
    expect(confirmIdentity.mock.calls.map(([identity]) => identity)).toEqual([
      { issuer, subject, token: 'CANARY-first' },
      { issuer, subject, token: 'next' },
    ])
    const [session] = await stores.read((view) => view.sessions.ofUser(id))
    expect(session?.issuerToken).toMatch(/^[\w+/=]{40,}$/)
  })

  test('a session that began with an identity ends when the issuer does not confirm it', async () => {
    const { signIn, refresh, refreshAfter, confirmIdentity } = await setup({ issuerToken: 'first' })
    await signIn()
    confirmIdentity.mockResolvedValue(undefined)
    await expect(refreshAfter(12 * hourMs)).rejects.toMatchObject(unauthorized)
    await expect(refresh()).rejects.toMatchObject(unauthorized)
    expect(confirmIdentity).toHaveBeenCalledTimes(1)
  })

  test('a session that began with an identity outlasts an outage of its issuer until it has not been confirmed for 24 hours', async () => {
    const { signIn, refreshAfter, confirmIdentity } = await setup({ issuerToken: 'first' })
    await signIn()
    confirmIdentity.mockRejectedValue(new Error('unreachable'))
    await refreshAfter(dayMs - 1)
    await expect(refreshAfter(1)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfterMs: 5_000 })
    confirmIdentity.mockResolvedValue({})
    await refreshAfter(2 * dayMs)
  })

  test('a session that began with an identity is confirmed once for two requests at the same time', async () => {
    const { signIn, refresh, clock, confirmIdentity } = await setup({ issuerToken: 'first' })
    await signIn()
    clock.advance(12 * hourMs)
    const replies = await Promise.all([refresh(), refresh()])
    expect(replies.map(({ accessToken }) => accessToken)).toEqual(Array(2).fill(replies[0].accessToken))
    expect(confirmIdentity).toHaveBeenCalledTimes(1)
  })

  test('a session that began with an identity loses the role when the issuer confirms it without', async () => {
    const { signIn, refreshAfter, confirmIdentity, run } = await setup({ issuerToken: 'first' })
    await signIn({ role: 'admin' })
    expect(await run('users', {})).toMatchObject({ success: true })
    confirmIdentity.mockResolvedValue({ role: 'member' })
    expect((await refreshAfter(12 * hourMs)).user.role).toBe('member')
  })
})

describe('the role of an identity', () => {
  test('the role of an identity does not hold in a session that began with a link, and not for an API key', async () => {
    const { signIn, byLink, run, core } = await setup()
    const user = await signIn({ role: 'admin' })
    const key = await run('createApiKey', { name: 'all', scopes: ['users'] })
    if (!key.success) throw new Error('no key')
    const withKey = { kind: 'bearer', token: key.data.secret } as const
    expect(await run('user', { id: 'me' })).toMatchObject({ data: { role: 'admin' } })
    const others = await core.run(operations.users, withKey, {})
    expect(others).toMatchObject({ data: [{ id: user.id }] })
    await byLink(user.id)
    expect(await run('user', { id: 'me' })).toMatchObject({ data: { role: 'member' } })
    expect(await run('users', {})).toMatchObject({ data: [{ id: user.id }] })
  })

  test('the role of an identity holds everywhere once another admin sets it', async () => {
    const { signIn, byLink, run, fairlead } = await setup()
    const user = await signIn({ role: 'admin' })
    await run('patchUser', { id: user.id, role: 'admin' })
    await byLink(user.id)
    expect(await run('user', { id: 'me' })).toMatchObject({ data: { role: 'member' } })
    await fairlead.users.patch({ id: user.id, role: 'admin' })
    expect(await run('user', { id: 'me' })).toMatchObject({ data: { role: 'admin' } })
  })

  test('the role of an identity leaves an admin, whom another admin made one, with the role everywhere', async () => {
    const { signIn, byLink, run, fairlead } = await setup()
    const { id } = await signIn()
    await fairlead.users.patch({ id, role: 'admin' })
    await signIn({ role: 'admin' })
    await byLink(id)
    expect(await run('user', { id: 'me' })).toMatchObject({ data: { role: 'admin' } })
  })
})

describe('the first password of a user with an identity', () => {
  test('the first password of a user with an identity cannot be set by that user, but by an admin', async () => {
    const { signIn, run, fairlead } = await setup()
    const { id } = await signIn({ role: 'admin' })
    expect(await run('patchUser', { id, password })).toMatchObject({ error: { code: 'FORBIDDEN' } })
    await fairlead.users.patch({ id, password })
    expect((await fairlead.sessions.login({ email: ada.email, password })).user).toMatchObject({ id, role: 'member' })
  })
})

describe('the lifetime of a session', () => {
  test('the lifetime of a session is 30 days, however often it is refreshed', async () => {
    const { addCaller, byLink, refreshAfter } = await setup()
    await byLink((await addCaller()).userId)
    await refreshAfter(20 * dayMs)
    await refreshAfter(10 * dayMs - 1)
    await expect(refreshAfter(1)).rejects.toMatchObject(unauthorized)
  })

  test('the lifetime of a session can be set, also to none', async () => {
    const { addCaller, byLink, refreshAfter } = await setup({ sessionDays: 2 })
    await byLink((await addCaller()).userId)
    await expect(refreshAfter(2 * dayMs)).rejects.toMatchObject(unauthorized)
    const endless = await setup({ sessionDays: Infinity })
    await endless.byLink((await endless.addCaller()).userId)
    await endless.refreshAfter(29 * dayMs)
    await endless.refreshAfter(29 * dayMs)
  })
})
