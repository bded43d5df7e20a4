import { describe, expect, test } from 'vitest'
import { operations } from '@fairlead/testing/workspace'
import type { Credentials } from '../access.ts'
import { shipmentInput, testCore, type TestCoreOptions } from '@fairlead/testing'

async function world(options: TestCoreOptions = { rateLimits: { writesPerMinute: 3 } }) {
  const made = await testCore(options)
  const { core, caller, keyId } = made
  const rename = (credentials: Credentials = caller) =>
    core.run(operations.updateApiKey, credentials, { id: keyId, name: 'new' })
  return { ...made, rename }
}

const limited = { error: { code: 'RATE_LIMIT_EXCEEDED' } }

describe('changes that cost no unit', () => {
  test('changes that cost no unit are limited per account, and the error says when to retry', async () => {
    const { rename, clock } = await world()
    for (let n = 0; n < 3; n++) expect(await rename()).toMatchObject({ success: true })
    expect(await rename()).toMatchObject({
      error: {
        code: 'RATE_LIMIT_EXCEEDED',
        message: 'The limit of 3 changes per minute is exceeded. Try again in 20 s.',
      },
      retryAfterMs: 20_000,
    })
    clock.advance(20_000)
    expect(await rename()).toMatchObject({ success: true })
  })

  test('changes that cost no unit have a limit of 120 a minute by default', async () => {
    const { rename } = await world({})
    for (let n = 0; n < 120; n++) expect(await rename()).toMatchObject({ success: true })
    expect(await rename()).toMatchObject(limited)
  })

  test('changes that cost no unit count together for all operations and credentials of an account, and apart from other accounts', async () => {
    const { core, caller, rename, addCaller } = await world()
    const created = await core.run(operations.createApiKey, caller, { name: 'second', scopes: ['keys'] })
    const second = { kind: 'bearer', token: created.success ? created.data.secret : '' } as const
    const url = 'https://example.com/hooks'
    expect(await core.run(operations.createWebhook, caller, { url, events: ['*'] })).toMatchObject({ success: true })
    expect(await rename(second)).toMatchObject({ success: true })
    expect(await rename()).toMatchObject(limited)
    const other = await addCaller()
    const reply = await core.run(operations.updateApiKey, other.credentials, { id: other.keyId, name: 'x' })
    expect(reply).toMatchObject({ success: true })
  })

  test('changes that cost no unit include those of a session, but neither metered changes nor reads', async () => {
    const { fairlead, core, caller, rename } = await world()
    const { accessToken } = await fairlead.sessions.signup({
      email: 'a@example.com',
      password: 'a long password',
      name: 'A',
    })
    const session: Credentials = { kind: 'bearer', token: accessToken }
    const ship = (credentials: Credentials, n: number) =>
      core.run(operations.createShipment, credentials, shipmentInput(`order-${n}`))
    for (let n = 0; n < 3; n++) expect(await ship(session, n)).toMatchObject({ success: true })
    expect(await ship(session, 3)).toMatchObject(limited)
    for (let n = 0; n < 5; n++) expect(await ship(caller, n)).toMatchObject({ success: true })
    for (let n = 0; n < 5; n++) {
      expect(await core.run(operations.apiKeys, caller, {})).toMatchObject({ success: true })
    }
    expect(await rename()).toMatchObject({ success: true })
  })

  test('changes that cost no unit beyond the limit resolve no host name', async () => {
    let checks = 0
    const outbound = {
      check: async () => void checks++,
      request: () => Promise.reject(new Error('unused')),
      close: () => {},
    }
    const { core, caller } = await testCore({ rateLimits: { writesPerMinute: 1 }, outbound })
    const input = { url: 'https://example.com/hooks', events: ['*'] }
    await core.run(operations.createWebhook, caller, input)
    expect(await core.run(operations.createWebhook, caller, input)).toMatchObject(limited)
    expect(checks).toBe(1)
  })
})
