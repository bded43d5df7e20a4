import { describe, expect, test } from 'vitest'
import { hashToken } from '@fairlead/accounts/stores'
import { operations } from '@fairlead/testing/workspace'
import { listModels } from '../gateway/models.ts'
import { type TestCore, testCore, whileTimePasses } from '@fairlead/testing'

const { signup, login, refresh, sessions, rotateApiKey } = operations
const anonymous = { kind: 'none' } as const
const ada = { email: 'ada@example.com', password: 'correct horse battery' }
const dayMs = 86_400_000
const aheadMs = 400 * dayMs

/** Runs the work with the clock set 400 days ahead, and then sets the clock back. */
async function ahead<Result>({ clock }: TestCore, work: () => Promise<Result>): Promise<Result> {
  const now = clock.now()
  clock.jumpTo(now + aheadMs)
  const result = await work()
  clock.jumpTo(now)
  return result
}

async function signedUp(world: TestCore) {
  const reply = await world.core.run(signup, anonymous, { ...ada, name: 'Ada' })
  if (!reply.success) throw new Error(reply.error.message)
  return reply.data
}

const bearer = (token: string) => ({ kind: 'bearer', token }) as const

describe('after the clock was 400 days ahead and is correct again', () => {
  test('failed logins from a clock 400 days ahead do not block logins after it is correct again', async () => {
    const world = await testCore()
    const { core, clock } = world
    await signedUp(world)
    await ahead(world, async () => {
      for (let attempt = 0; attempt < 12; attempt++) {
        await whileTimePasses(clock, core.run(login, anonymous, { ...ada, password: 'not the password' }), 300)
      }
      expect(await core.run(login, anonymous, ada)).toMatchObject({ error: { code: 'RATE_LIMIT_EXCEEDED' } })
    })
    expect(await core.run(login, anonymous, ada)).toMatchObject({ success: true })
  })

  test('a session that seemed expired at that time is valid again', async () => {
    const world = await testCore()
    const { core } = world
    const { accessToken, refreshToken } = await signedUp(world)
    await ahead(world, async () => {
      expect(await core.run(sessions, bearer(accessToken), {})).toMatchObject({ error: { code: 'UNAUTHORIZED' } })
      expect(await core.run(refresh, anonymous, { refreshToken })).toMatchObject({ error: { code: 'UNAUTHORIZED' } })
    })
    expect(await core.run(sessions, bearer(accessToken), {})).toMatchObject({ success: true })
    expect(await core.run(refresh, anonymous, { refreshToken })).toMatchObject({ success: true })
  })

  test('the tokens of a session started at that time are rejected', async () => {
    const world = await testCore()
    const { core } = world
    await signedUp(world)
    const reply = await ahead(world, () => core.run(login, anonymous, ada))
    if (!reply.success) throw new Error(reply.error.message)
    const { accessToken, refreshToken } = reply.data
    expect(await core.run(sessions, bearer(accessToken), {})).toMatchObject({ error: { code: 'UNAUTHORIZED' } })
    expect(await core.run(refresh, anonymous, { refreshToken })).toMatchObject({ error: { code: 'UNAUTHORIZED' } })
  })

  test('a secret replaced at that time is rejected', async () => {
    const world = await testCore()
    const { core, caller, keyId } = world
    const rotated = await ahead(world, () => core.run(rotateApiKey, caller, { id: keyId, graceSeconds: 60 }))
    if (!rotated.success) throw new Error(rotated.error.message)
    expect(await core.run(listModels, caller, {})).toMatchObject({ error: { code: 'UNAUTHORIZED' } })
    expect(await core.run(listModels, bearer(rotated.data.secret), {})).toMatchObject({ success: true })
  })

  test('a key revoked on another node is rejected within five seconds', async () => {
    const world = await testCore()
    const { core, caller, keyId, stores, clock } = world
    await ahead(world, () => core.run(listModels, caller, {}))
    await stores.transact((tx) => tx.keys.revoke(keyId, clock.now()))
    clock.advance(5_000)
    expect(await core.run(listModels, caller, {})).toMatchObject({ error: { code: 'UNAUTHORIZED' } })
  })

  test('the last use of a key is recorded again', async () => {
    const world = await testCore()
    const { core, caller, stores, clock } = world
    const lastUsedAt = async () =>
      (await stores.read((view) => view.keys.findBySecretHash(hashToken(caller.token))))?.key.lastUsedAt
    await ahead(world, async () => {
      await core.run(listModels, caller, {})
      await expect.poll(lastUsedAt).toBe(clock.now())
    })
    await core.run(listModels, caller, {})
    await expect.poll(lastUsedAt).toBe(clock.now())
  })
})
