import { describe, expect, test } from 'vitest'
import { operations } from '@fairlead/testing/workspace'
import { failing, scripted, testCore, type TestCoreOptions } from '@fairlead/testing'

const prompt = { model: 'any', prompt: 'x' }

async function world(options: TestCoreOptions = {}) {
  const made = await testCore({ rateLimits: { requestsPerMinute: { free: 3 } }, ...options })
  const { core, caller } = made
  const ask = (credentials = caller) => core.run(operations.generate, credentials, prompt)
  const times = async (count: number) => {
    for (let n = 0; n < count; n++) await ask()
  }
  return { ...made, ask, times }
}

describe('a burst limit', () => {
  test('a burst limit rejects a request beyond the limit free of charge and returns when to retry', async () => {
    const { ask, times, clock } = await world()
    const at = clock.now()
    expect(await ask()).toMatchObject({
      success: true,
      burst: { limit: 3, windowMs: 60_000, remaining: 2, resetAt: at + 20_000 },
    })
    await times(2)
    expect(await ask()).toMatchObject({
      error: {
        code: 'RATE_LIMIT_EXCEEDED',
        message: 'The limit of 3 requests per minute is exceeded. Try again in 20 s.',
      },
      retryAfterMs: 20_000,
      burst: { remaining: 0, resetAt: at + 20_000 },
      limits: { remaining: 997 },
    })
    clock.advance(20_000)
    expect(await ask()).toMatchObject({ success: true, limits: { remaining: 996 } })
    expect(await ask()).toMatchObject({ error: { code: 'RATE_LIMIT_EXCEEDED' } })
  })

  test('a burst limit is shared by all keys of an account and separate for each account', async () => {
    const { ask, times, caller, addCaller, core } = await world()
    const created = await core.run(operations.createApiKey, caller, { name: 'second' })
    const secondKey = { kind: 'bearer', token: created.success ? created.data.secret : '' } as const
    const { credentials: another } = await addCaller()
    await times(2)
    expect(await ask(secondKey)).toMatchObject({ success: true, burst: { remaining: 0 } })
    expect(await ask(secondKey)).toMatchObject({ error: { code: 'RATE_LIMIT_EXCEEDED' } })
    expect(await ask(another)).toMatchObject({ success: true, burst: { remaining: 2 } })
  })

  test('a burst limit does not apply to other tiers or to embedding programs', async () => {
    const { fairlead, addCaller, ask } = await world()
    const { credentials: pro } = await addCaller({ user: { tier: 'pro' } })
    for (let n = 0; n < 5; n++) expect(await ask(pro)).toMatchObject({ success: true })
    for (let n = 0; n < 5; n++) await fairlead.generate(prompt)
    expect(await ask(pro)).not.toHaveProperty('burst')
  })

  test('a burst limit counts failed requests but not invalid or replayed ones', async () => {
    const { core, caller, ask } = await world({ providers: [failing('broken', 'give_up'), scripted('well', 'hi')] })
    const invalid = () => core.run(operations.generate, caller, { model: 'none', prompt: 'x' })
    for (let n = 0; n < 5; n++) expect(await invalid()).toMatchObject({ error: { code: 'INVALID_REQUEST' } })
    expect(await ask()).toMatchObject({ error: { code: 'PROVIDER_ERROR' }, burst: { remaining: 2 } })
    const once = { idempotencyKey: 'k' }
    const kept = () => core.run(operations.generate, caller, { ...prompt, model: 'well/any' }, once)
    expect(await kept()).toMatchObject({ success: true, burst: { remaining: 1 } })
    for (let n = 0; n < 5; n++) expect(await kept()).toMatchObject({ replayed: true })
    expect(await ask()).toMatchObject({ burst: { remaining: 0 } })
  })

  test('a burst limit counts metered reads and writes but not unmetered operations', async () => {
    const { core, caller, times, ask } = await world()
    await times(2)
    expect(await core.run(operations.models, caller, {})).toMatchObject({ burst: { remaining: 0 } })
    expect(await core.run(operations.models, caller, {})).toMatchObject({ error: { code: 'RATE_LIMIT_EXCEEDED' } })
    expect(await core.run(operations.apiKeys, caller, {})).toMatchObject({ success: true })
    expect(await ask()).toMatchObject({ error: { code: 'RATE_LIMIT_EXCEEDED' } })
  })

  test('a burst limit rejects a stream before it begins', async () => {
    const { core, caller, times } = await world()
    const stream = () => core.run(operations.generate, caller, { ...prompt, stream: true })
    expect(await stream()).toMatchObject({ success: true, burst: { remaining: 2 } })
    await times(2)
    expect(await stream()).toMatchObject({ error: { code: 'RATE_LIMIT_EXCEEDED' } })
  })

  test.each([
    ['limits.requestsPerMinute.free', { requestsPerMinute: { free: 0 } }],
    ['limits.requestsPerMinute.gold', { requestsPerMinute: { gold: 5 } }],
    ['limits.perSecond', { perSecond: 5 }],
  ])('a burst limit is rejected at startup if %s is invalid', async (field, rateLimits) => {
    await expect(testCore({ rateLimits } as TestCoreOptions)).rejects.toThrow(field)
  })
})
