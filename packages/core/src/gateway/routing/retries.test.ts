import { describe, expect, test } from 'vitest'
import type { RoutingOptions } from '../../index.ts'
import { operations } from '../../operations.ts'
import { ProviderError, type Provider, type TextEvent } from '../../provider.ts'
import { failing, scripted, sequenced } from '../../testing/fake-providers.ts'
import { testCore } from '../../testing/test-core.ts'
import { whileTimePasses } from '../../testing/while-time-passes.ts'
import type { ProviderFailure } from '../provider-error.ts'

const overloaded = new ProviderError('retry', '503')

/** A model `smart` over all of the providers, asked while time passes. */
async function setup(providers: readonly Provider[], options: RoutingOptions = {}) {
  const targets = providers.map(({ id }) => `${id}/any`)
  const world = await testCore({ providers, routes: { smart: { targets } }, retries: { perTarget: 2 }, ...options })
  const ask = (input: object = {}) => {
    const asked = world.core.run(operations.generate, world.caller, { model: 'smart', prompt: 'x', ...input })
    return whileTimePasses(world.clock, asked)
  }
  return { ...world, ask }
}

describe('a call whose target fails', () => {
  test('is put to the same target again', async () => {
    const provider = sequenced('shaky', overloaded, 'hello')
    const { ask } = await setup([provider])
    expect(await ask()).toMatchObject({ data: { content: 'hello' }, meta: { provider: 'shaky', attempts: 2 } })
  })

  test('goes on to the next target when repeating does not help', async () => {
    const broken = sequenced('broken', overloaded)
    const { ask } = await setup([broken, scripted('well', 'hello')])
    expect(await ask()).toMatchObject({ data: { content: 'hello' }, meta: { provider: 'well', attempts: 4 } })
    expect(broken.asked).toBe(3)
  })

  test('waits any time up to a bound that doubles before it asks again', async () => {
    const asked: number[] = []
    let now = () => 0
    const provider: Provider = {
      ...scripted('broken', 'x'),
      generateText: async () => {
        asked.push(now())
        throw overloaded
      },
    }
    const { ask, clock } = await setup([provider], { random: () => 0.5 } as RoutingOptions)
    now = clock.now
    await ask()
    const [first = 0, second = 0, third = 0] = asked
    expect(second - first).toBe(50)
    expect(third - second).toBe(100)
  })

  test('is repeated no more often where chance makes the waits no time at all', async () => {
    const broken = sequenced('broken', overloaded)
    const { ask } = await setup([broken], { circuit: { failures: 1_000_000 }, random: () => 0 } as RoutingOptions)
    await ask()
    expect(broken.asked).toBe(3)
  })

  test.each<ProviderFailure>(['timeout', 'credential', 'give_up'])(
    'goes on to the next target at once after %s',
    async (failure) => {
      const { ask } = await setup([failing('broken', failure), scripted('well', 'hello')])
      expect(await ask()).toMatchObject({ data: { content: 'hello' }, meta: { provider: 'well', attempts: 2 } })
    },
  )

  test('goes on to the next target after an error that no provider should throw', async () => {
    const buggy = sequenced('buggy', new Error('a bug'))
    const { ask } = await setup([buggy, scripted('well', 'hello')])
    expect(await ask()).toMatchObject({ data: { content: 'hello' }, meta: { attempts: 2 } })
  })

  test('goes on to the next target after a stream that is none', async () => {
    const buggy = { ...scripted('buggy', 'x'), streamText: () => ({}) as AsyncIterable<TextEvent> }
    const { ask } = await setup([buggy, scripted('well', 'hello')])
    expect(await ask({ stream: true })).toMatchObject({ success: true, meta: { provider: 'well', attempts: 2 } })
  })

  test.each<[ProviderFailure, string]>([
    ['invalid_request', 'INVALID_REQUEST'],
    ['content_refused', 'CONTENT_REFUSED'],
  ])('is over after %s', async (failure, code) => {
    const { ask } = await setup([failing('strict', failure), scripted('well', 'hello')])
    expect(await ask()).toMatchObject({ error: { code, details: { provider: 'strict', attempts: 1 } } })
  })

  test('tells of the last target when all have failed', async () => {
    const { ask } = await setup([failing('one', 'give_up'), failing('two', 'timeout')])
    expect(await ask()).toMatchObject({
      error: { code: 'PROVIDER_TIMEOUT', details: { provider: 'two', attempts: 2 } },
      limits: { remaining: 1000 },
    })
  })

  test('takes another target before the first item of a stream, and none after', async () => {
    const broken = sequenced('broken', new ProviderError('give_up', 'no'))
    const torn: Provider = {
      ...scripted('torn', 'x'),
      async *streamText() {
        yield { type: 'text', text: 'half' }
        throw overloaded
      },
    }
    const { ask } = await setup([broken, torn, scripted('well', 'hello')])
    const reply = await ask({ stream: true })
    const events = []
    for await (const event of (reply as unknown as { events: AsyncIterable<unknown> }).events) events.push(event)
    expect(events).toMatchObject([
      { type: 'chunk', chunk: { content: 'half' } },
      { type: 'error', reply: { error: { code: 'PROVIDER_ERROR', details: { provider: 'torn', attempts: 2 } } } },
    ])
  })
})

describe('an upstream that says when to come back', () => {
  const busy = (retryAfterMs: number) => new ProviderError('rate_limited', '429', { retryAfterMs })

  test('is left alone until then, while another answers', async () => {
    const limited = sequenced('limited', busy(5_000), 'hello again')
    const { ask, clock } = await setup([limited, scripted('well', 'hello')])
    expect(await ask()).toMatchObject({ meta: { provider: 'well', attempts: 2 } })
    clock.advance(4_900)
    expect(await ask()).toMatchObject({ meta: { provider: 'well', attempts: 1 } })
    clock.advance(100)
    expect(await ask()).toMatchObject({ data: { content: 'hello again' }, meta: { provider: 'limited', attempts: 1 } })
  })

  test('is waited for where there is no other', async () => {
    const limited = sequenced('limited', busy(5_000), 'hello')
    const { ask, clock } = await setup([limited])
    const askedAt = clock.now()
    expect(await ask()).toMatchObject({ data: { content: 'hello' }, meta: { attempts: 2 } })
    expect(clock.now() - askedAt).toBeGreaterThanOrEqual(5_000)
  })

  test('is not waited for beyond the deadline', async () => {
    const limited = sequenced('limited', busy(130_000))
    const { ask, clock } = await setup([limited])
    const askedAt = clock.now()
    expect(await ask()).toMatchObject({ error: { code: 'PROVIDER_UNAVAILABLE' }, retryAfterMs: 130_000 })
    expect(clock.now()).toBe(askedAt)
    clock.advance(30_000)
    expect(await ask()).toMatchObject({
      error: { code: 'PROVIDER_UNAVAILABLE', details: { provider: 'limited', attempts: 0 } },
      retryAfterMs: 100_000,
    })
    expect(limited.asked).toBe(1)
  })

  test('with another credential free is asked again at once', async () => {
    const pool = sequenced('pool', busy(0), new ProviderError('credential', '401', { retryAfterMs: 0 }), 'hello')
    const { ask, clock } = await setup([pool], { retries: { perTarget: 0 } })
    const askedAt = clock.now()
    expect(await ask()).toMatchObject({ data: { content: 'hello' }, meta: { attempts: 3 } })
    expect(clock.now()).toBe(askedAt)
  })

  test('with credentials without end is not asked for ever', async () => {
    const pool = sequenced('pool', busy(0))
    const { ask } = await setup([pool, scripted('well', 'hello')], { retries: { perTarget: 0 } })
    expect(await ask()).toMatchObject({ data: { content: 'hello' } })
    expect(pool.asked).toBeLessThan(12)
  })

  test.each([NaN, -5, Infinity])('in %s milliseconds did not say it', async (retryAfterMs) => {
    const limited = sequenced('limited', busy(retryAfterMs))
    const { ask } = await setup([limited], { retries: { perTarget: 0 } })
    expect(await ask()).toMatchObject({ error: { code: 'PROVIDER_UNAVAILABLE' }, retryAfterMs: 1_000 })
  })
})

describe('retries', () => {
  test('end with their budget, however many calls fail', async () => {
    const broken = sequenced('broken', overloaded)
    const { ask } = await setup([broken], { circuit: { failures: 1_000_000 }, random: () => 0 } as RoutingOptions)
    for (let call = 0; call < 200; call++) await ask()
    expect(broken.asked).toBeLessThanOrEqual(200 + 10 + 0.1 * 200)
    expect(broken.asked).toBeGreaterThan(200)
  })

  test('come back with time, so that few calls are not left without', async () => {
    const broken = sequenced('broken', overloaded)
    const { ask, clock } = await setup([broken], { circuit: { failures: 1_000_000 }, retries: { budget: 0.01 } })
    for (let call = 0; call < 10; call++) await ask()
    const before = broken.asked
    clock.advance(5_000)
    await ask()
    expect(broken.asked - before).toBe(3)
  })

  test('can be switched off', async () => {
    const broken = sequenced('broken', overloaded)
    const { ask } = await setup([broken], { retries: { budget: 0 } })
    await ask()
    expect(broken.asked).toBe(1)
  })
})
