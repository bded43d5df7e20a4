import { describe, expect, test } from 'vitest'
import { operations } from '@fairlead/testing/workspace'
import { ProviderError, type ProviderErrorOptions, type ProviderFailure, type Provider } from '../../provider.ts'
import { held, scripted, testCore, whileTimePasses } from '@fairlead/testing'
import type { RateLimitOptions } from './rate-limit.ts'

function failingWith(failure: ProviderFailure, options?: ProviderErrorOptions) {
  const provider = {
    ...scripted('cut', 'x'),
    asked: 0,
    async generateText(): Promise<never> {
      provider.asked++
      throw new ProviderError(failure, 'failed', options)
    },
  }
  return provider
}

const cutOff = { upstream: { status: 200 } }

async function setup(provider: Provider, rateLimits?: RateLimitOptions) {
  const retries = { perTarget: 0 }
  const world = await testCore({ providers: [provider], retries, circuit: { failures: 1_000_000 }, rateLimits })
  const generate = (caller = world.caller) => {
    return world.core.run(operations.generate, caller, { model: 'any', prompt: 'x' })
  }
  return { ...world, generate }
}

describe('the failure budget of an account', () => {
  test('the failure budget of an account rejects calls after 60 answers that were cut off, before a provider is asked', async () => {
    const provider = failingWith('retry', cutOff)
    const { generate } = await setup(provider)
    for (let call = 0; call < 60; call++) {
      expect(await generate()).toMatchObject({ error: { code: 'PROVIDER_ERROR' }, limits: { remaining: 1000 } })
    }
    expect(await generate()).toMatchObject({
      error: { code: 'RATE_LIMIT_EXCEEDED' },
      retryAfterMs: 60_000,
      limits: { remaining: 1000 },
    })
    expect(provider.asked).toBe(60)
  })

  test('the failure budget of an account regains one failure a minute', async () => {
    const provider = failingWith('retry', cutOff)
    const { generate, clock } = await setup(provider, { failures: 3 })
    for (let call = 0; call < 5; call++) await generate()
    expect(provider.asked).toBe(3)
    clock.advance(60_000)
    await generate()
    await generate()
    expect(provider.asked).toBe(4)
  })

  test('the failure budget of an account is used by calls that exceed the time limit', async () => {
    const provider = held('slow')
    const { core, caller, clock } = await testCore({
      providers: [provider],
      timeouts: { totalMs: 1_000 },
      rateLimits: { failures: 1 },
    })
    const generate = () => {
      const reply = core.run(operations.generate, caller, { model: 'any', prompt: 'x' })
      return whileTimePasses(clock, reply)
    }
    expect(await generate()).toMatchObject({ error: { code: 'PROVIDER_TIMEOUT' } })
    expect(await generate()).toMatchObject({ error: { code: 'RATE_LIMIT_EXCEEDED' } })
    expect(provider.calls).toHaveLength(1)
  })

  test.each<[string, ProviderFailure, ProviderErrorOptions]>([
    ['a lost connection', 'retry', {}],
    ['a connection that timed out', 'timeout', { mayBill: false }],
    ['a 503', 'retry', { upstream: { status: 503 } }],
    ['a 504', 'timeout', { upstream: { status: 504 } }],
    ['a 429', 'rate_limited', { upstream: { status: 429 } }],
    ['a rejected request', 'invalid_request', { upstream: { status: 400 } }],
  ])('the failure budget of an account is not used by %s', async (_case, failure, options) => {
    const provider = failingWith(failure, options)
    const { generate } = await setup(provider, { failures: 1 })
    for (let call = 0; call < 5; call++) await generate()
    expect(provider.asked).toBe(5)
  })

  test('the failure budget of an account does not affect other accounts', async () => {
    const provider = failingWith('retry', cutOff)
    const { generate, addCaller } = await setup(provider, { failures: 1 })
    await generate()
    expect(await generate()).toMatchObject({ error: { code: 'RATE_LIMIT_EXCEEDED' } })
    const { credentials } = await addCaller({ user: {} })
    expect(await generate(credentials as never)).toMatchObject({ error: { code: 'PROVIDER_ERROR' } })
  })

  test('the failure budget of an account has no limit if it is null', async () => {
    const provider = failingWith('retry', cutOff)
    const { generate } = await setup(provider, { failures: null })
    for (let call = 0; call < 70; call++) await generate()
    expect(provider.asked).toBe(70)
  })
})
