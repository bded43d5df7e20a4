import { describe, expect, test } from 'vitest'
import { operations } from '@fairlead/testing/workspace'
import { failing, scripted, sequenced, testCore, whileTimePasses } from '@fairlead/testing'
import { ProviderError, type ProviderErrorOptions, type ProviderFailure } from '../provider-error.ts'
import type { Provider } from '../provider.ts'

async function setup(...providers: readonly Provider[]) {
  const targets = providers.map(({ id }) => `${id}/any`)
  const world = await testCore({ providers, routes: { smart: { targets } }, retries: { perTarget: 2 } })
  const generate = (model = 'any') => {
    const reply = world.core.run(operations.generate, world.caller, { model, prompt: 'x' })
    return whileTimePasses(world.clock, reply)
  }
  return { ...world, generate }
}

/** A provider that fails every call, and the number of calls. */
function counting(failure: ProviderFailure, options: ProviderErrorOptions) {
  const provider = {
    ...scripted('one', 'x'),
    asked: 0,
    async generateText(): Promise<never> {
      provider.asked++
      throw new ProviderError(failure, 'failed', options)
    },
  }
  return provider
}

describe('a model that the upstream does not have', () => {
  const missing = { field: 'model', upstream: { status: 404, code: 'model_not_found' } }

  test('a model that the upstream does not have is an unknown model of the request, and is not retried', async () => {
    const provider = counting('give_up', missing)
    const { generate } = await setup(provider)
    expect(await generate()).toMatchObject({
      error: {
        code: 'INVALID_REQUEST',
        details: { field: 'model', reason: 'model_not_found', provider: 'one', attempts: 1 },
      },
      upstream: { status: 404, code: 'model_not_found' },
    })
    expect(provider.asked).toBe(1)
  })

  test('a model that the upstream does not have does not count toward the circuit breaker', async () => {
    const provider = counting('give_up', missing)
    const { generate } = await setup(provider)
    for (let call = 0; call < 20; call++) await generate()
    expect(provider.asked).toBe(20)
  })

  test('a model that the upstream does not have is an error of the operator’s route if that has other targets', async () => {
    const { generate } = await setup(failing('two', 'give_up'), failing('one', 'give_up', missing))
    expect(await generate('smart')).toMatchObject({ error: { code: 'PROVIDER_ERROR' } })
  })
})

describe('an overloaded upstream', () => {
  test('an overloaded upstream with status 529 is PROVIDER_UNAVAILABLE', async () => {
    const { generate } = await setup(failing('one', 'retry', { upstream: { status: 529 } }))
    expect(await generate()).toMatchObject({ error: { code: 'PROVIDER_UNAVAILABLE' }, retryAfterMs: 1_000 })
  })

  test.each([500, 502, 503])('an overloaded upstream with status %i is PROVIDER_ERROR', async (status) => {
    const { generate } = await setup(failing('one', 'retry', { upstream: { status } }))
    expect(await generate()).toMatchObject({ error: { code: 'PROVIDER_ERROR' } })
  })
})

describe('a rate limit of the upstream', () => {
  const limited = { retryAfterMs: 40_000, upstream: { status: 429 } }

  test('a rate limit of the upstream is RATE_LIMIT_EXCEEDED with its Retry-After when no other target is left', async () => {
    const { generate, clock } = await setup(failing('one', 'rate_limited', limited))
    const startedAt = clock.now()
    expect(await generate()).toMatchObject({ error: { code: 'RATE_LIMIT_EXCEEDED' }, retryAfterMs: 40_000 })
    expect(clock.now()).toBe(startedAt)
  })

  test('a rate limit of the upstream is reported with the message of the upstream', async () => {
    const { generate } = await setup(failing('one', 'rate_limited', { ...limited, detail: 'Limit 30, Used 30.' }))
    expect(await generate()).toMatchObject({
      error: {
        message: 'The provider limits the rate of requests. Try again in 40 s. It says: Limit 30, Used 30.',
      },
    })
  })

  test('a rate limit of the upstream blocks a single target for the requested time, and no longer', async () => {
    const { generate, clock } = await setup(sequenced('one', new ProviderError('rate_limited', 'x', limited), 'hello'))
    expect(await generate()).toMatchObject({ error: { code: 'RATE_LIMIT_EXCEEDED' } })
    clock.advance(39_999)
    expect(await generate()).toMatchObject({ error: { code: 'RATE_LIMIT_EXCEEDED' } })
    clock.advance(1)
    expect(await generate()).toMatchObject({ success: true })
  })

  test('a rate limit of the upstream is reported by the target that responds last', async () => {
    const { generate } = await setup(failing('one', 'rate_limited', limited), failing('two', 'give_up'))
    expect(await generate('smart')).toMatchObject({ error: { code: 'PROVIDER_ERROR' } })
  })
})

describe('the facts of the upstream', () => {
  test('the facts of the upstream lose what is not a plain word', async () => {
    const upstream = { status: 400, code: 'a\r\nb', param: 'x'.repeat(200), requestId: 7 as unknown as string }
    const { generate } = await setup(failing('one', 'invalid_request', { upstream }))
    expect(await generate()).toMatchObject({ upstream: { status: 400 } })
    expect(Object.keys(((await generate()) as { upstream: object }).upstream)).toEqual(['status'])
  })

  test.each([null, 7, { status: 'high' }])('the facts of the upstream are ignored if they are %j', async (upstream) => {
    const { generate } = await setup(failing('one', 'give_up', { upstream } as unknown as ProviderErrorOptions))
    expect(await generate()).not.toHaveProperty('upstream')
  })
})
