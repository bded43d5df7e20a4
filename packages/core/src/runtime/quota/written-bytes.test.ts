import { describe, expect, test } from 'vitest'
import { operations } from '@fairlead/testing/workspace'
import { shipmentInput, testCore, type TestCoreOptions } from '@fairlead/testing'
import type { Credentials } from '../access.ts'

const day = 86_400_000
const writtenBytesPerDay = 100_000
const unlimited = { writesPerMinute: 100_000 }

async function world(options: TestCoreOptions = {}) {
  const made = await testCore({ rateLimits: { ...unlimited, writtenBytesPerDay }, ...options })
  const { core, caller, keyId, clock } = made
  clock.jumpTo('2026-03-12T18:00:00Z')
  let names = 0
  const rename = (credentials: Credentials = caller, id = keyId) =>
    core.run(operations.updateApiKey, credentials, { id, name: `name ${names++}` })
  /** How many renames pass before one is rejected; at most `max`. */
  const renames = async (credentials?: Credentials, id?: string, max = 200) => {
    for (let n = 0; n < max; n++) if (!(await rename(credentials, id)).success) return n
    return max
  }
  const signIn = async () => {
    const input = { email: 'a@example.com', password: 'a long password' }
    return core.run(operations.login, { kind: 'none' }, input)
  }
  return { ...made, rename, renames, signIn }
}

const limited = { error: { code: 'RATE_LIMIT_EXCEEDED' } }

describe('the bytes that changes without a unit store', () => {
  test('the bytes that changes without a unit store are limited per account and day (UTC), and the error says until when', async () => {
    const { renames, rename, clock } = await world()
    const passed = await renames()
    expect(passed).toBeGreaterThan(20)
    expect(passed).toBeLessThan(100)
    expect(await rename()).toMatchObject({
      error: {
        code: 'RATE_LIMIT_EXCEEDED',
        message:
          'The changes of this account have stored 100000 bytes today, which is the limit. It resets at 2026-03-13T00:00:00.000Z.',
      },
      retryAfterMs: day / 4,
    })
    clock.jumpTo('2026-03-13T00:00:00Z')
    expect(await renames()).toBe(passed)
  })

  test('the bytes that changes without a unit store are about those that the stores get', async () => {
    const { core, caller, stores, renames } = await world()
    await renames()
    const stored = await stores.read(async (view) => {
      const page = { first: 'oldest', limit: 1_000 } as const
      return [...(await view.audit.list({}, page)), ...(await view.events.list({}, page))]
    })
    const bytes = stored.reduce((sum, each) => sum + JSON.stringify(each).length, 0)
    expect(bytes).toBeGreaterThan(writtenBytesPerDay / 4)
    expect(bytes).toBeLessThan(writtenBytesPerDay)
    expect(await core.run(operations.apiKeys, caller, {})).toMatchObject({ success: true })
  })

  test('the bytes that changes without a unit store include deliveries to webhooks, and stored responses', async () => {
    const plain = await (await world()).renames()
    const { core, caller, renames } = await world()
    for (let n = 0; n < 4; n++) {
      await core.run(operations.createWebhook, caller, { url: `https://example.com/${n}`, events: ['*'] })
    }
    expect(await renames()).toBeLessThan(plain / 1.5)
    const other = await world()
    let kept = 0
    const replay = (n: number) =>
      other.core.run(
        operations.updateApiKey,
        other.caller,
        { id: other.keyId, name: `${n}` },
        { idempotencyKey: `${n}` },
      )
    while ((await replay(kept)).success) kept++
    expect(kept).toBeLessThan(plain / 1.2)
  })

  test('the bytes that changes without a unit store do not keep an account from removing what it has', async () => {
    const { core, caller, renames } = await world()
    const create = () => core.run(operations.createApiKey, caller, { name: 'second', scopes: ['keys'] })
    const created = await create()
    await renames()
    expect(await create()).toMatchObject(limited)
    const id = created.success ? created.data.id : ''
    expect(await core.run(operations.revokeApiKey, caller, { id })).toMatchObject({ success: true })
  })

  test('the bytes that changes without a unit store limit neither metered changes nor admins nor other accounts', async () => {
    const { core, caller, renames, addCaller } = await world()
    await renames()
    expect(await core.run(operations.createShipment, caller, shipmentInput('order-1'))).toMatchObject({ success: true })
    const admin = await addCaller({ user: { role: 'admin' } })
    expect(await renames(admin.credentials, admin.keyId)).toBe(200)
    const other = await addCaller()
    expect(await renames(other.credentials, other.keyId, 5)).toBe(5)
  })

  test('the bytes that changes without a unit store count toward the user who pays for a project', async () => {
    const { fairlead, core, renames, signIn } = await world()
    const { accessToken } = await fairlead.sessions.signup({
      email: 'a@example.com',
      password: 'a long password',
      name: 'A',
    })
    const session: Credentials = { kind: 'bearer', token: accessToken }
    const project = await core.run(operations.createProject, session, { name: 'P' })
    const acting = { ...session, project: project.success ? project.data.id : '' }
    const key = await core.run(operations.createApiKey, acting, { name: 'k', scopes: ['keys'] })
    if (!key.success) throw new Error(key.error.message)
    await renames({ kind: 'bearer', token: key.data.secret }, key.data.id)
    const webhook = { url: 'https://example.com/', events: ['*'] }
    for (const credentials of [session, acting]) {
      expect(await core.run(operations.createWebhook, credentials, webhook)).toMatchObject(limited)
    }
    expect(await signIn()).toMatchObject({ success: true })
  })

  test('the bytes that sign-ins store have a limit of their own', async () => {
    const { fairlead, signIn, clock, keyId, rename } = await world()
    await fairlead.sessions.signup({ email: 'a@example.com', password: 'a long password', name: 'A' })
    let passed = 0
    while ((await signIn()).success) passed++
    expect(passed).toBeGreaterThan(20)
    expect(passed).toBeLessThan(200)
    expect(await signIn()).toMatchObject({ ...limited, retryAfterMs: day / 4 })
    expect(await rename(undefined, keyId)).toMatchObject({ success: true })
    clock.jumpTo('2026-03-13T00:00:00Z')
    expect(await signIn()).toMatchObject({ success: true })
  })

  test('the bytes that changes without a unit store have no limit where it is null, and one of 20 MB by default', async () => {
    const none = await world({ rateLimits: { ...unlimited, writtenBytesPerDay: null } })
    expect(await none.renames()).toBe(200)
    const { stores, caller, rename, addCaller } = await world({ rateLimits: unlimited })
    const { userId, credentials, keyId } = await addCaller()
    await stores.transact((tx) => tx.counters.add(`bytes of ${userId} 2026-03-12`, 19_999_000))
    expect(await rename(credentials, keyId)).toMatchObject(limited)
    expect(await rename(caller)).toMatchObject({ success: true })
  })
})
