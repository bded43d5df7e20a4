import { describe, expect, test, vi } from 'vitest'
import type { FairleadOptions } from '../../fairlead-options.ts'
import { operations } from '../../operations.ts'
import { ProviderError, type Provider } from '../../provider.ts'
import { failing, held, scripted, sequenced, textModel } from '../../testing/fake-providers.ts'
import { testCore } from '../../testing/test-core.ts'
import { whileTimePasses } from '../../testing/while-time-passes.ts'
import type { ProviderFailure } from '../provider-error.ts'

const down = new ProviderError('give_up', 'down')

async function setup(providers: readonly Provider[], options: Partial<FairleadOptions> = {}) {
  const world = await testCore({ providers, ...options })
  const { core, caller } = world
  const ask = (model = 'any') => core.run(operations.generate, caller, { model, prompt: 'x' })
  const times = async (count: number) => {
    for (let call = 0; call < count; call++) await ask()
  }
  const circuit = async () => (await core.providers.list({}))[0]?.targets[0]?.circuit
  return { ...world, ask, times, circuit }
}

/** Fails until `recover` is called. */
function brokenFirst(provider: Provider): { readonly recovering: Provider; recover(): void } {
  const fail = sequenced(provider.id, down)
  let current: Provider = fail
  const generateText: Provider['generateText'] = (request, call) => current.generateText!(request, call)
  return { recovering: { ...provider, generateText: generateText! }, recover: () => void (current = provider) }
}

describe('circuit breaker', () => {
  test('opens after five failures in a row', async () => {
    const broken = sequenced('broken', down)
    const { ask, times, circuit } = await setup([broken])
    await times(5)
    expect(await circuit()).toBe('open')
    expect(await ask()).toMatchObject({
      error: { code: 'PROVIDER_UNAVAILABLE', details: { provider: 'broken', attempts: 0 } },
      retryAfterMs: 1_000,
      limits: { remaining: 1000 },
    })
    expect(broken.asked).toBe(5)
  })

  test('stays closed while some calls succeed', async () => {
    const outcomes = Array.from({ length: 6 }, (): (Error | string)[] => [down, down, down, down, 'fine']).flat()
    const shaky = sequenced('shaky', 'fine', ...outcomes)
    const { times, circuit } = await setup([shaky])
    await times(31)
    expect(await circuit()).toBe('closed')
    expect(shaky.asked).toBe(31)
  })

  test('lets one call through after ten seconds, and closes when it succeeds', async () => {
    const shaky = sequenced('shaky', down, down, down, down, down, 'recovered')
    const { ask, times, circuit, clock } = await setup([shaky])
    await times(5)
    clock.advance(10_000)
    expect(await circuit()).toBe('half-open')
    expect(await ask()).toMatchObject({ data: { content: 'recovered' } })
    expect(await circuit()).toBe('closed')
  })

  test('lets no second call through while a trial is in flight', async () => {
    const provider = held('slow')
    const { recovering, recover } = brokenFirst(provider)
    const { ask, times, clock } = await setup([recovering])
    await times(5)
    recover()
    clock.advance(10_000)
    const trial = ask()
    await expect.poll(() => provider.calls.length).toBe(1)
    expect(await ask()).toMatchObject({ error: { code: 'PROVIDER_UNAVAILABLE' }, retryAfterMs: 1_000 })
    provider.release('recovered')
    expect(await trial).toMatchObject({ success: true })
  })

  test('lets another call through when a trial takes long', async () => {
    const provider = held('slow')
    const { recovering, recover } = brokenFirst(provider)
    const { ask, times, circuit, clock } = await setup([recovering])
    await times(5)
    recover()
    clock.advance(10_000)
    const trials = [ask()]
    await expect.poll(() => provider.calls.length).toBe(1)
    clock.advance(10_000)
    trials.push(ask())
    await expect.poll(() => provider.calls.length).toBe(2)
    provider.release('recovered')
    expect(await Promise.all(trials)).toMatchObject([{ success: true }, { success: true }])
    expect(await circuit()).toBe('closed')
  })

  test('lets another call through when a trial is cancelled', async () => {
    const provider = held('slow')
    const { recovering, recover } = brokenFirst(provider)
    const { core, caller, times, clock } = await setup([recovering])
    await times(5)
    recover()
    clock.advance(10_000)
    for (let trial = 1; trial <= 2; trial++) {
      const leaver = new AbortController()
      const options = { signal: leaver.signal }
      const reply = core.run(operations.generate, caller, { model: 'any', prompt: 'x' }, options)
      await expect.poll(() => provider.calls.length).toBe(trial)
      leaver.abort()
      await reply
    }
    expect(provider.calls).toHaveLength(2)
  })

  test('doubles its delay after each failed trial, up to a minute', async () => {
    const broken = sequenced('broken', down)
    const { ask, core, clock } = await setup([broken, scripted('ok', 'hello')], {
      routes: { smart: { targets: ['broken/any', 'ok/any'] } },
    })
    for (let call = 0; call < 5; call++) await ask('smart')
    const waits = []
    for (let trial = 0; trial < 5; trial++) {
      const waitMs = (await core.providers.list({}))[0]?.targets[0]?.restMs ?? 0
      waits.push(waitMs)
      clock.advance(waitMs - 1)
      await ask('smart')
      expect(broken.asked).toBe(5 + trial)
      clock.advance(1)
      await ask('smart')
    }
    expect(waits).toEqual([10_000, 20_000, 40_000, 60_000, 60_000])
  })

  test('tries a single target ten times as often, one call at a time', async () => {
    const broken = sequenced('broken', down)
    const { ask, times, clock } = await setup([broken])
    await times(5)
    const waits = []
    for (let trial = 0; trial < 5; trial++) {
      const reply = await ask()
      const waitMs = ('retryAfterMs' in reply && reply.retryAfterMs) || 0
      waits.push(waitMs)
      clock.advance(waitMs)
      await times(10)
      expect(broken.asked).toBe(6 + trial)
    }
    expect(waits).toEqual([1_000, 2_000, 4_000, 6_000, 6_000])
  })

  test('closes when one of several trials succeeds, even if another has failed', async () => {
    const provider = held('slow')
    const { recovering, recover } = brokenFirst(provider)
    const { ask, times, circuit, clock } = await setup([recovering])
    await times(5)
    recover()
    clock.advance(1_000)
    const works = ask()
    await expect.poll(() => provider.calls.length).toBe(1)
    recovering.generateText = async () => {
      throw down
    }
    clock.advance(1_000)
    expect(await ask()).toMatchObject({ error: { code: 'PROVIDER_ERROR' } })
    provider.release('recovered')
    expect(await works).toMatchObject({ success: true })
    expect(await circuit()).toBe('closed')
  })

  test('lets a call through after the clock was set back', async () => {
    const shaky = sequenced('shaky', down, down, down, down, down, 'recovered')
    const { ask, times, clock } = await setup([shaky])
    await times(5)
    clock.jumpTo(clock.now() - 3_600_000)
    expect(await ask()).toMatchObject({ data: { content: 'recovered' } })
  })

  test.each<ProviderFailure>(['invalid_request', 'content_refused'])('does not count %s', async (failure) => {
    const { times, circuit } = await setup([failing('strict', failure)])
    await times(20)
    expect(await circuit()).toBe('closed')
  })

  test('does not reset the count after a rejected request', async () => {
    const refused = new ProviderError('invalid_request', 'too long')
    const { times, circuit } = await setup([sequenced('broken', down, down, refused, down, refused, down, down)])
    await times(7)
    expect(await circuit()).toBe('open')
  })

  test.each<[string, Provider['generateText']]>([
    ['throws an unexpected error', () => Promise.reject(new TypeError('Cannot read properties of undefined'))],
    ['violates the contract', async () => ({ content: 42 as unknown as string, finishReason: 'stop' })],
    [
      'returns more than 100 warnings',
      async () => ({
        content: 'x',
        finishReason: 'stop',
        warnings: Array.from({ length: 101 }, () => ({ field: null, issue: 'y' })),
      }),
    ],
  ])('does not count a provider that %s', async (_how, generateText) => {
    const { times, circuit, core } = await setup([{ ...scripted('buggy', 'x'), generateText: generateText! }])
    await times(20)
    expect(await circuit()).toBe('closed')
    expect(await core.providers.list({})).toMatchObject([{ targets: [{ failures: 20, lastFailure: 'defect' }] }])
  })

  test('does not count a timeout after a long wait in the queue', async () => {
    const busy = held('busy')
    const options = { concurrency: { perTarget: 1 }, timeouts: { totalMs: 1_000 }, circuit: { failures: 1 } }
    const { ask, circuit, clock, core } = await setup([busy], options)
    const first = ask()
    await expect.poll(() => busy.calls.length).toBe(1)
    const second = ask()
    await expect.poll(async () => (await core.providers.list({}))[0]?.targets[0]).toMatchObject({ queued: 1 })
    clock.advance(900)
    busy.release('hello')
    await first
    await expect.poll(() => busy.calls.length).toBe(2)
    clock.advance(100)
    expect(await second).toMatchObject({ error: { code: 'PROVIDER_TIMEOUT' } })
    expect(await circuit()).toBe('closed')
  })

  test('never opens for a test double', async () => {
    const double: Provider = {
      ...failing('double', 'rate_limited', { retryAfterMs: 60_000 }),
      models: [textModel({ testDouble: true })],
    }
    const { ask, times, circuit } = await setup([double])
    await times(20)
    expect(await ask()).toMatchObject({ error: { details: { attempts: 1 } } })
    expect(await circuit()).toBe('closed')
  })

  test.each<ProviderFailure>(['retry', 'timeout', 'credential', 'rate_limited', 'give_up'])(
    'counts %s',
    async (failure) => {
      const { times, circuit } = await setup([failing('broken', failure)])
      await times(5)
      expect(await circuit()).toBe('open')
    },
  )

  test('counts streams that fail after their first item', async () => {
    const torn: Provider = {
      ...scripted('torn', 'x'),
      async *streamText() {
        yield { type: 'text', text: 'half' }
        throw down
      },
    }
    const { core, circuit } = await setup([torn])
    for (let call = 0; call < 5; call++) await drained(core.generate.stream({ model: 'any', prompt: 'x' }))
    expect(await circuit()).toBe('open')
  })

  test('does not count a busy target that sends Retry-After', async () => {
    const full = new ProviderError('retry', 'the queue is full', { retryAfterMs: 30_000 })
    const busy = sequenced('busy', full, full, full, full, full, full, 'hello')
    const { ask, circuit, clock } = await setup([busy])
    for (let call = 0; call < 6; call++) {
      expect(await ask()).toMatchObject({ error: { code: 'PROVIDER_UNAVAILABLE' }, retryAfterMs: 30_000 })
      expect(await ask()).toMatchObject({ error: { code: 'PROVIDER_UNAVAILABLE' }, retryAfterMs: 1_000 })
      clock.advance(1_000)
    }
    expect(await circuit()).toBe('closed')
    expect(await ask()).toMatchObject({ data: { content: 'hello' } })
  })

  test('treats the failure classes of later contracts as give_up', async () => {
    const { ask, core } = await setup([failing('later', 'moved' as ProviderFailure)])
    expect(await ask()).toMatchObject({ error: { code: 'PROVIDER_ERROR' } })
    expect(await core.providers.list({})).toMatchObject([{ targets: [{ lastFailure: 'give_up' }] }])
  })

  test('does not affect other targets', async () => {
    const { ask, times } = await setup([failing('broken', 'give_up'), scripted('ok', 'hello')])
    await times(5)
    expect(await ask('ok/any')).toMatchObject({ data: { content: 'hello' } })
  })

  test('makes routes skip the target while it is open', async () => {
    const broken = sequenced('broken', down)
    const { ask } = await setup([broken, scripted('ok', 'hello')], {
      routes: { smart: { targets: ['broken/any', 'ok/any'] } },
    })
    for (let call = 0; call < 20; call++) expect(await ask('smart')).toMatchObject({ meta: { provider: 'ok' } })
    expect(await ask('smart')).toMatchObject({ meta: { attempts: 1 } })
    expect(broken.asked).toBe(5)
  })

  test('logs no failures while it is open', async () => {
    const shaky = sequenced('shaky', down, down, down, down, down, down, down, 'recovered')
    const { times, clock, logged } = await setup([shaky])
    await times(1_000)
    clock.advance(10_000)
    await times(1_000)
    clock.advance(20_000)
    await times(1_000)
    clock.advance(40_000)
    await times(1)
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

describe('circuit breaker with several accounts', () => {
  /** Three accounts, and a target that fails for the prompt "fail". */
  async function twoAccounts(options: Partial<FairleadOptions> = {}) {
    const provider: Provider = {
      ...scripted('shaky', 'hello'),
      async generateText({ prompt }) {
        if (prompt === 'fail') throw new ProviderError('retry', '503')
        return { content: 'hello', finishReason: 'stop' }
      },
    }
    const { core, addCaller, clock, logged } = await testCore({ providers: [provider], ...options })
    const asker = async () => {
      const { credentials, userId } = await addCaller()
      const ask = async (prompt: string) => {
        const reply = await core.run(operations.generate, credentials, { model: 'any', prompt })
        return reply.success ? 'answered' : reply.error.code
      }
      const times = async (count: number, prompt: string) => {
        for (let call = 0; call < count; call++) await ask(prompt)
      }
      return { ask, times, userId }
    }
    const circuit = async () => (await core.providers.list({}))[0]?.targets[0]?.circuit
    return { provider, hostile: await asker(), victim: await asker(), third: await asker(), circuit, clock, logged }
  }

  test('opens for the only account whose calls fail', async () => {
    const { hostile, victim, circuit, logged } = await twoAccounts()
    await hostile.times(5, 'fail')
    expect(await circuit()).toBe('open')
    expect(logged).toContainEqual(
      expect.objectContaining({
        message: 'circuit breaker opened',
        facts: expect.objectContaining({ account: hostile.userId }),
      }),
    )
    expect(await hostile.ask('x')).toBe('PROVIDER_UNAVAILABLE')
    expect(await victim.ask('x')).toBe('answered')
  })

  test('lets every call of another account through, however many calls of the first fail', async () => {
    const { hostile, victim } = await twoAccounts()
    for (let round = 0; round < 50; round++) {
      await hostile.times(20, 'fail')
      expect(await victim.ask('x')).toBe('answered')
    }
  })

  test('lets another account through while a trial of the first is in flight', async () => {
    const { hostile, victim, provider, clock } = await twoAccounts()
    await hostile.times(5, 'fail')
    clock.advance(1_000)
    const { generateText } = provider
    const hanging = vi.fn<NonNullable<Provider['generateText']>>(() => new Promise<never>(() => {}))
    provider.generateText = hanging
    void hostile.ask('x')
    await expect.poll(() => hanging.mock.calls.length).toBe(1)
    provider.generateText = generateText!
    expect(await victim.ask('x')).toBe('answered')
  })

  test('opens for all accounts when others supply half of the failures', async () => {
    const { hostile, victim, third, circuit } = await twoAccounts()
    await hostile.times(5, 'fail')
    await victim.times(2, 'fail')
    expect(await third.ask('x')).toBe('answered')
    await hostile.times(5, 'fail')
    await victim.times(2, 'fail')
    expect(await victim.ask('fail')).toBe('PROVIDER_ERROR')
    expect(await third.ask('x')).toBe('PROVIDER_UNAVAILABLE')
    expect(await circuit()).toBe('open')
  })

  test('opens for all accounts when several supply the failures', async () => {
    const { hostile, victim, third, logged } = await twoAccounts()
    for (const account of [hostile, victim, third, hostile, victim]) await account.ask('fail')
    expect(await third.ask('x')).toBe('PROVIDER_UNAVAILABLE')
    expect(logged.at(-1)?.facts).not.toHaveProperty('account')
  })

  test('retries a call of another account while the circuit is open for the first', async () => {
    const { hostile, victim, provider, clock } = await twoAccounts({ retries: { perTarget: 1 } })
    await whileTimePasses(clock, hostile.times(5, 'fail'))
    const { generateText } = provider
    let failures = 0
    provider.generateText = (request, call) =>
      failures++ === 0 ? Promise.reject(new ProviderError('retry', '503')) : generateText!(request, call)
    expect(await whileTimePasses(clock, victim.ask('x'))).toBe('answered')
  })
})

describe('a target without a free slot', () => {
  const route = { routes: { smart: { targets: ['busy/any', 'ok/any'] } } }

  test('serves waiting calls in their order', async () => {
    const busy = held('busy')
    const { ask, core } = await setup([busy], { concurrency: { perTarget: 1, queue: 2 } })
    const calls = [ask(), ask(), ask()]
    await expect
      .poll(async () => (await core.providers.list({}))[0]?.targets[0])
      .toMatchObject({ inFlight: 1, queued: 2 })
    for (const [index, content] of ['one', 'two', 'three'].entries()) {
      await expect.poll(() => busy.calls.length).toBe(index + 1)
      busy.release(content)
    }
    expect(await Promise.all(calls)).toMatchObject(['one', 'two', 'three'].map((content) => ({ data: { content } })))
  })

  test('is skipped by a route when its queue is full', async () => {
    const busy = held('busy')
    const { ask } = await setup([busy, scripted('ok', 'hello')], {
      ...route,
      concurrency: { perTarget: 1, queue: 0 },
    })
    const first = ask('smart')
    await expect.poll(() => busy.calls.length).toBe(1)
    expect(await ask('smart')).toMatchObject({ meta: { provider: 'ok', attempts: 1 } })
    busy.release('done')
    await first
  })

  test('returns 503 without using quota when its queue is full and there is no other target', async () => {
    const busy = held('busy')
    const { ask } = await setup([busy], { concurrency: { perTarget: 1, queue: 0 } })
    const first = ask()
    await expect.poll(() => busy.calls.length).toBe(1)
    expect(await ask()).toMatchObject({ error: { code: 'PROVIDER_UNAVAILABLE' }, retryAfterMs: 1_000 })
    busy.release('done')
    expect(await first).toMatchObject({ success: true, limits: { remaining: 999 } })
  })

  test('times out calls that wait in its queue', async () => {
    const busy = held('busy')
    const { ask, clock, core } = await setup([busy], { concurrency: { perTarget: 1 }, timeouts: { totalMs: 1_000 } })
    const calls = [ask(), ask()]
    await expect
      .poll(async () => (await core.providers.list({}))[0]?.targets[0])
      .toMatchObject({ inFlight: 1, queued: 1 })
    clock.advance(1_000)
    expect(await Promise.all(calls)).toMatchObject([
      { error: { code: 'PROVIDER_TIMEOUT' } },
      { error: { code: 'PROVIDER_TIMEOUT' } },
    ])
    expect(busy.calls).toHaveLength(1)
  })
})
