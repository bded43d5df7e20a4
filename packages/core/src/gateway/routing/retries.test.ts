import { describe, expect, test } from 'vitest'
import type { RoutingOptions } from '../../index.ts'
import { operations } from '@fairlead/testing/workspace'
import { ProviderError, type Provider, type TextEvent } from '../../provider.ts'
import { begun, failing, scripted, sequenced, testCore, whileTimePasses } from '@fairlead/testing'
import type { ProviderFailure } from '../provider-error.ts'

const overloaded = new ProviderError('retry', '503')

/** A route `smart` over all of the providers. `generate` advances the clock until the call ends. */
async function setup(providers: readonly Provider[], options: RoutingOptions = {}) {
  const targets = providers.map(({ id }) => `${id}/any`)
  const world = await testCore({ providers, routes: { smart: { targets } }, retries: { perTarget: 2 }, ...options })
  const generate = (input: object = {}) => {
    const reply = world.core.run(operations.generate, world.caller, { model: 'smart', prompt: 'x', ...input })
    return whileTimePasses(world.clock, reply)
  }
  return { ...world, generate }
}

describe('failover', () => {
  test('failover retries the same target', async () => {
    const provider = sequenced('shaky', overloaded, 'hello')
    const { generate } = await setup([provider])
    expect(await generate()).toMatchObject({ data: { content: 'hello' }, meta: { provider: 'shaky', attempts: 2 } })
  })

  test('failover tries the next target after two retries', async () => {
    const broken = sequenced('broken', overloaded)
    const { generate } = await setup([broken, scripted('ok', 'hello')])
    expect(await generate()).toMatchObject({ data: { content: 'hello' }, meta: { provider: 'ok', attempts: 4 } })
    expect(broken.asked).toBe(3)
  })

  test('failover waits a random time before a retry, up to a bound that doubles', async () => {
    const calledAt: number[] = []
    let now = () => 0
    const provider: Provider = {
      ...scripted('broken', 'x'),
      generateText: async () => {
        calledAt.push(now())
        throw overloaded
      },
    }
    const { generate, clock } = await setup([provider], { random: () => 0.5 } as RoutingOptions)
    now = clock.now
    await generate()
    const [first = 0, second = 0, third = 0] = calledAt
    expect(second - first).toBe(50)
    expect(third - second).toBe(100)
  })

  test('failover limits the number of retries when the random waits are 0', async () => {
    const broken = sequenced('broken', overloaded)
    const { generate } = await setup([broken], { circuit: { failures: 1_000_000 }, random: () => 0 } as RoutingOptions)
    await generate()
    expect(broken.asked).toBe(3)
  })

  test.each<ProviderFailure>(['timeout', 'credential', 'give_up'])(
    'failover tries the next target immediately after %s',
    async (failure) => {
      const { generate } = await setup([failing('broken', failure), scripted('ok', 'hello')])
      expect(await generate()).toMatchObject({ data: { content: 'hello' }, meta: { provider: 'ok', attempts: 2 } })
    },
  )

  test('failover tries the next target after an unexpected error', async () => {
    const buggy = sequenced('buggy', new Error('a bug'))
    const { generate } = await setup([buggy, scripted('ok', 'hello')])
    expect(await generate()).toMatchObject({ data: { content: 'hello' }, meta: { attempts: 2 } })
  })

  test('failover tries the next target when streamText returns no iterable', async () => {
    const buggy = { ...scripted('buggy', 'x'), streamText: () => ({}) as AsyncIterable<TextEvent> }
    const { generate } = await setup([buggy, scripted('ok', 'hello')])
    expect(await generate({ stream: true })).toMatchObject({ success: true, meta: { provider: 'ok', attempts: 2 } })
  })

  test.each<[ProviderFailure, string]>([
    ['invalid_request', 'INVALID_REQUEST'],
    ['content_refused', 'CONTENT_REFUSED'],
  ])('failover ends the call after %s', async (failure, code) => {
    const { generate } = await setup([failing('strict', failure), scripted('ok', 'hello')])
    expect(await generate()).toMatchObject({ error: { code, details: { provider: 'strict', attempts: 1 } } })
  })

  test('failover returns the error of the last target when all have failed', async () => {
    const { generate } = await setup([failing('one', 'give_up'), failing('two', 'timeout')])
    expect(await generate()).toMatchObject({
      error: { code: 'PROVIDER_TIMEOUT', details: { provider: 'two', attempts: 2 } },
      limits: { remaining: 1000 },
    })
  })

  test('failover tries other targets before the first item of a stream, but not after it', async () => {
    const broken = sequenced('broken', new ProviderError('give_up', 'no'))
    const torn: Provider = {
      ...scripted('torn', 'x'),
      async *streamText() {
        yield* begun('half')
        throw overloaded
      },
    }
    const { generate } = await setup([broken, torn, scripted('ok', 'hello')])
    const reply = await generate({ stream: true })
    const events = []
    for await (const event of (reply as unknown as { events: AsyncIterable<unknown> }).events) events.push(event)
    expect(events).toMatchObject([
      { type: 'chunk', chunk: { content: 'half' } },
      { type: 'error', reply: { error: { code: 'PROVIDER_ERROR', details: { provider: 'torn', attempts: 2 } } } },
    ])
  })
})

describe('Retry-After', () => {
  const busy = (retryAfterMs: number) => new ProviderError('rate_limited', '429', { retryAfterMs })

  test('Retry-After blocks the target until the time has passed, while another target responds', async () => {
    const limited = sequenced('limited', busy(5_000), 'hello again')
    const { generate, clock } = await setup([limited, scripted('ok', 'hello')])
    expect(await generate()).toMatchObject({ meta: { provider: 'ok', attempts: 2 } })
    clock.advance(4_900)
    expect(await generate()).toMatchObject({ meta: { provider: 'ok', attempts: 1 } })
    clock.advance(100)
    expect(await generate()).toMatchObject({
      data: { content: 'hello again' },
      meta: { provider: 'limited', attempts: 1 },
    })
  })

  test('Retry-After of two seconds is waited for when the route has no other target', async () => {
    const limited = sequenced('limited', busy(2_000), 'hello')
    const { generate, clock } = await setup([limited])
    const startedAt = clock.now()
    expect(await generate()).toMatchObject({ data: { content: 'hello' }, meta: { attempts: 2 } })
    expect(clock.now() - startedAt).toBeGreaterThanOrEqual(2_000)
  })

  test('Retry-After of 40 seconds is returned at once when the route has no other target', async () => {
    const limited = sequenced('limited', busy(40_000))
    const { generate, clock } = await setup([limited])
    const startedAt = clock.now()
    expect(await generate()).toMatchObject({ error: { code: 'RATE_LIMIT_EXCEEDED' }, retryAfterMs: 40_000 })
    expect(clock.now()).toBe(startedAt)
    clock.advance(30_000)
    expect(await generate()).toMatchObject({
      error: { code: 'RATE_LIMIT_EXCEEDED', details: { provider: 'limited', attempts: 0 } },
      retryAfterMs: 10_000,
    })
    expect(limited.asked).toBe(1)
  })

  test('Retry-After of an hour rests the target for a minute, because one account may have provoked it', async () => {
    const limited = sequenced('limited', busy(3_600_000), 'hello again')
    const { generate, clock } = await setup([limited])
    expect(await generate()).toMatchObject({ error: { code: 'RATE_LIMIT_EXCEEDED' } })
    clock.advance(59_999)
    expect(await generate()).toMatchObject({ error: { code: 'RATE_LIMIT_EXCEEDED' } })
    clock.advance(1)
    expect(await generate()).toMatchObject({ data: { content: 'hello again' } })
  })

  test('Retry-After of 0 retries immediately with another credential', async () => {
    const pool = sequenced('pool', busy(0), new ProviderError('credential', '401', { retryAfterMs: 0 }), 'hello')
    const { generate, clock } = await setup([pool], { retries: { perTarget: 0 } })
    const startedAt = clock.now()
    expect(await generate()).toMatchObject({ data: { content: 'hello' }, meta: { attempts: 3 } })
    expect(clock.now()).toBe(startedAt)
  })

  test('Retry-After of 0 stops after eight credentials', async () => {
    const pool = sequenced('pool', busy(0))
    const { generate } = await setup([pool, scripted('ok', 'hello')], { retries: { perTarget: 0 } })
    expect(await generate()).toMatchObject({ data: { content: 'hello' } })
    expect(pool.asked).toBeLessThan(12)
  })

  test.each([NaN, -5, Infinity])('Retry-After of %s is ignored', async (retryAfterMs) => {
    const limited = sequenced('limited', busy(retryAfterMs))
    const { generate } = await setup([limited], { retries: { perTarget: 0 } })
    expect(await generate()).toMatchObject({ error: { code: 'RATE_LIMIT_EXCEEDED' }, retryAfterMs: 1_000 })
  })
})

describe('retries', () => {
  test('retries are limited by the budget, however many calls fail', async () => {
    const broken = sequenced('broken', overloaded)
    const { generate } = await setup([broken], { circuit: { failures: 1_000_000 }, random: () => 0 } as RoutingOptions)
    for (let call = 0; call < 200; call++) await generate()
    expect(broken.asked).toBeLessThanOrEqual(200 + 10 + 0.1 * 200)
    expect(broken.asked).toBeGreaterThan(200)
  })

  test('retries are at most a tenth of the calls, and ten more, when calls arrive once a second', async () => {
    const broken = sequenced('broken', overloaded)
    const { generate, clock } = await setup([broken], {
      circuit: { failures: 1_000_000 },
      random: () => 0,
    } as RoutingOptions)
    for (let call = 0; call < 100; call++) {
      await generate()
      clock.advance(1_000)
    }
    expect(broken.asked).toBeLessThanOrEqual(100 + 10 + 0.1 * 100)
  })

  test('retries are turned off by a budget of 0', async () => {
    const broken = sequenced('broken', overloaded)
    const { generate } = await setup([broken], { retries: { budget: 0 } })
    await generate()
    expect(broken.asked).toBe(1)
  })
})
