import { describe, expect, test } from 'vitest'
import { operations } from '@fairlead/testing/workspace'
import { ProviderError, textAnswer, type Provider } from '../../provider.ts'
import {
  begun,
  failing,
  held,
  scripted,
  sequenced,
  fakeTextModel,
  testCore,
  type TestCoreOptions,
} from '@fairlead/testing'
import type { ProviderFailure } from '../provider-error.ts'

const down = new ProviderError('give_up', 'down')

async function setup(providers: readonly Provider[], options: TestCoreOptions = {}) {
  const world = await testCore({ providers, ...options })
  const { fairlead, core, caller } = world
  const generate = (model = 'any') => core.run(operations.generate, caller, { model, prompt: 'x' })
  const repeat = async (count: number) => {
    for (let call = 0; call < count; call++) await generate()
  }
  const circuit = async () => (await fairlead.providers.list({}))[0]?.targets[0]?.circuit
  return { ...world, generate, repeat, circuit }
}

describe('circuit breaker', () => {
  test('a circuit breaker opens after five failures in a row', async () => {
    const broken = sequenced('broken', down)
    const { generate, repeat, circuit } = await setup([broken])
    await repeat(5)
    expect(await circuit()).toBe('open')
    expect(await generate()).toMatchObject({
      error: { code: 'PROVIDER_UNAVAILABLE', details: { provider: 'broken', attempts: 0 } },
      retryAfterMs: 1_000,
      limits: { remaining: 1000 },
    })
    expect(broken.asked).toBe(5)
  })

  test('a circuit breaker stays closed while some calls succeed', async () => {
    const outcomes = Array.from({ length: 6 }, (): (Error | string)[] => [down, down, down, down, 'fine']).flat()
    const shaky = sequenced('shaky', 'fine', ...outcomes)
    const { repeat, circuit } = await setup([shaky])
    await repeat(31)
    expect(await circuit()).toBe('closed')
    expect(shaky.asked).toBe(31)
  })

  test.each<ProviderFailure>(['invalid_request', 'too_long', 'content_refused'])(
    'a circuit breaker does not count %s',
    async (failure) => {
      const { repeat, circuit } = await setup([failing('strict', failure)])
      await repeat(20)
      expect(await circuit()).toBe('closed')
    },
  )

  test('a circuit breaker does not reset the count after a rejected request', async () => {
    const rejected = new ProviderError('invalid_request', 'bad prompt')
    const { repeat, circuit } = await setup([sequenced('broken', down, down, rejected, down, rejected, down, down)])
    await repeat(7)
    expect(await circuit()).toBe('open')
  })

  test.each<[string, Provider['generateText']]>([
    ['throws an unexpected error', () => Promise.reject(new TypeError('Cannot read properties of undefined'))],
    ['violates the contract', async () => textAnswer(42 as unknown as string)],
    [
      'returns more than 100 warnings',
      async () => textAnswer('x', { warnings: Array.from({ length: 101 }, () => ({ field: null, issue: 'y' })) }),
    ],
  ])('a circuit breaker does not count a provider that %s', async (_how, generateText) => {
    const { repeat, circuit, fairlead } = await setup([{ ...scripted('buggy', 'x'), generateText: generateText! }])
    await repeat(20)
    expect(await circuit()).toBe('closed')
    expect(await fairlead.providers.list({})).toMatchObject([{ targets: [{ failures: 20, lastFailure: 'defect' }] }])
  })

  test('a circuit breaker does not count a timeout after a long wait in the queue', async () => {
    const busy = held('busy')
    const options = { concurrency: { perTarget: 1 }, timeouts: { totalMs: 1_000 }, circuit: { failures: 1 } }
    const { generate, circuit, clock, fairlead } = await setup([busy], options)
    const first = generate()
    await expect.poll(() => busy.calls.length).toBe(1)
    const second = generate()
    await expect.poll(async () => (await fairlead.providers.list({}))[0]?.targets[0]).toMatchObject({ queued: 1 })
    clock.advance(900)
    busy.release('hello')
    await first
    await expect.poll(() => busy.calls.length).toBe(2)
    clock.advance(100)
    expect(await second).toMatchObject({ error: { code: 'PROVIDER_TIMEOUT' } })
    expect(await circuit()).toBe('closed')
  })

  test('a circuit breaker never opens for a test double', async () => {
    const double: Provider = {
      ...failing('double', 'rate_limited', { retryAfterMs: 60_000 }),
      models: [fakeTextModel({ testDouble: true })],
    }
    const { generate, repeat, circuit } = await setup([double])
    await repeat(20)
    expect(await generate()).toMatchObject({ error: { details: { attempts: 1 } } })
    expect(await circuit()).toBe('closed')
  })

  test.each<ProviderFailure>(['retry', 'timeout', 'credential', 'rate_limited', 'give_up'])(
    'a circuit breaker counts %s',
    async (failure) => {
      const { repeat, circuit } = await setup([failing('broken', failure)])
      await repeat(5)
      expect(await circuit()).toBe('open')
    },
  )

  test('a circuit breaker counts streams that fail after their first item', async () => {
    const torn: Provider = {
      ...scripted('torn', 'x'),
      async *streamText() {
        yield* begun('half')
        throw down
      },
    }
    const { fairlead, circuit } = await setup([torn])
    for (let call = 0; call < 5; call++) await drained(fairlead.generate.stream({ model: 'any', prompt: 'x' }))
    expect(await circuit()).toBe('open')
  })

  test('a circuit breaker does not count a busy target that sends Retry-After', async () => {
    const full = new ProviderError('retry', 'the queue is full', { retryAfterMs: 30_000 })
    const busy = sequenced('busy', full, full, full, full, full, full, 'hello')
    const { generate, circuit, clock } = await setup([busy])
    for (let call = 0; call < 6; call++) {
      expect(await generate()).toMatchObject({ error: { code: 'PROVIDER_UNAVAILABLE' }, retryAfterMs: 30_000 })
      expect(await generate()).toMatchObject({ error: { code: 'PROVIDER_UNAVAILABLE' }, retryAfterMs: 1_000 })
      clock.advance(1_000)
    }
    expect(await circuit()).toBe('closed')
    expect(await generate()).toMatchObject({ data: { content: 'hello' } })
  })

  test('a circuit breaker treats the failure classes of later contracts as give_up', async () => {
    const { generate, fairlead } = await setup([failing('later', 'moved' as ProviderFailure)])
    expect(await generate()).toMatchObject({ error: { code: 'PROVIDER_ERROR' } })
    expect(await fairlead.providers.list({})).toMatchObject([{ targets: [{ lastFailure: 'give_up' }] }])
  })

  test('a circuit breaker does not affect other targets', async () => {
    const { generate, repeat } = await setup([failing('broken', 'give_up'), scripted('ok', 'hello')])
    await repeat(5)
    expect(await generate('ok/any')).toMatchObject({ data: { content: 'hello' } })
  })

  test('a circuit breaker makes routes skip the target while it is open', async () => {
    const broken = sequenced('broken', down)
    const { generate } = await setup([broken, scripted('ok', 'hello')], {
      routes: { smart: { targets: ['broken/any', 'ok/any'] } },
    })
    for (let call = 0; call < 20; call++) expect(await generate('smart')).toMatchObject({ meta: { provider: 'ok' } })
    expect(await generate('smart')).toMatchObject({ meta: { attempts: 1 } })
    expect(broken.asked).toBe(5)
  })

  test('a circuit breaker logs no failures while it is open', async () => {
    const shaky = sequenced('shaky', down, down, down, down, down, down, down, 'recovered')
    const { repeat, clock, logged } = await setup([shaky])
    await repeat(1_000)
    clock.advance(10_000)
    await repeat(1_000)
    clock.advance(20_000)
    await repeat(1_000)
    clock.advance(40_000)
    await repeat(1)
    expect(logged.map(({ message }) => message)).toEqual([
      'provider call failed',
      'provider call failed',
      'provider call failed',
      'provider call failed',
      'circuit breaker opened',
      'provider call failed',
      'circuit breaker closed',
    ])
  })
})

/** Reads a stream to its end or its error. */
async function drained(pieces: AsyncIterable<unknown>): Promise<void> {
  try {
    for await (const piece of pieces) void piece
  } catch {
    // The stream fails by design.
  }
}
