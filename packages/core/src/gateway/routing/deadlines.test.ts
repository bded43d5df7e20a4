import { describe, expect, test } from 'vitest'
import type { FairleadOptions } from '../../fairlead-options.ts'
import { operations } from '../../operations.ts'
import { ProviderError, type Provider } from '../../provider.ts'
import { held, scripted, sequenced, textModel } from '../../testing/fake-providers.ts'
import { type TestCore, testCore } from '../../testing/test-core.ts'
import { whileTimePasses } from '../../testing/while-time-passes.ts'
import type { StreamEvent } from '../../runtime/envelope.ts'

/** A model `smart` over all of the providers. */
async function setup(providers: readonly Provider[], options: Partial<FairleadOptions> = {}) {
  const targets = providers.map(({ id }) => `${id}/any`)
  return testCore({ providers, routes: { smart: { targets } }, ...options })
}

function generate({ core, caller }: TestCore, input: object = {}, signal?: AbortSignal) {
  const options = signal ? { signal } : {}
  return core.run(operations.generate, caller, { model: 'smart', prompt: 'x', ...input }, options)
}

/** How many calls a provider works on, as the house sees it. */
async function inFlight({ core }: TestCore): Promise<number> {
  const providers = await core.providers.list({})
  return providers.flatMap(({ targets }) => targets).reduce((sum, target) => sum + target.inFlight + target.queued, 0)
}

/** Yields a word for each time that it was told to, and is deaf to its signal. */
function dripping(id: string): Provider & { drip(): void; readonly signals: readonly AbortSignal[] } {
  let drops = 0
  let wake = () => {}
  const signals: AbortSignal[] = []
  return {
    contract: 1,
    id,
    models: [textModel()],
    signals,
    drip() {
      drops++
      wake()
    },
    async *streamText(_request, { signal }) {
      signals.push(signal)
      while (true) {
        if (drops === 0) await new Promise<void>((resolve) => (wake = resolve))
        drops--
        yield { type: 'text', text: 'word ' }
      }
    },
  }
}

type Events = AsyncIterableIterator<StreamEvent<unknown, unknown>>
function eventsOf(reply: unknown): Events {
  return (reply as { events: Events }).events
}

describe('a target that hangs', () => {
  test('leaves time for the next', async () => {
    const deaf = held('deaf')
    const world = await setup([deaf, scripted('well', 'hello')])
    const askedAt = world.clock.now()
    const reply = await whileTimePasses(world.clock, generate(world), 1_000)
    expect(reply).toMatchObject({ data: { content: 'hello' }, meta: { provider: 'well', attempts: 2 } })
    expect(world.clock.now() - askedAt).toBe(60_000)
    expect(deaf.calls[0]?.signal.aborted).toBe(true)
  })

  test('has the whole time where it is alone, and no more', async () => {
    const world = await setup([held('deaf')], { timeouts: { totalMs: 5_000 } })
    const askedAt = world.clock.now()
    expect(await whileTimePasses(world.clock, generate(world), 100)).toMatchObject({
      error: { code: 'PROVIDER_TIMEOUT', details: { provider: 'deaf', attempts: 1 } },
      limits: { remaining: 1000 },
    })
    expect(world.clock.now() - askedAt).toBe(5_000)
  })

  test('has until its first item where it streams', async () => {
    const world = await setup([held('deaf'), scripted('well', 'hello')], { timeouts: { firstItemMs: 2_000 } })
    const askedAt = world.clock.now()
    const reply = await whileTimePasses(world.clock, generate(world, { stream: true }), 100)
    expect(reply).toMatchObject({ success: true, meta: { provider: 'well', attempts: 2 } })
    expect(world.clock.now() - askedAt).toBe(2_000)
  })

  test('has the time that its route gives', async () => {
    const world = await testCore({
      providers: [held('deaf')],
      timeouts: { totalMs: 1_000 },
      routes: { patient: { targets: ['deaf/any'], timeouts: { totalMs: 600_000 } } },
    })
    const timed = async (model: string) => {
      const askedAt = world.clock.now()
      await whileTimePasses(world.clock, world.core.run(operations.generate, world.caller, { model, prompt: 'x' }), 500)
      return world.clock.now() - askedAt
    }
    expect([await timed('any'), await timed('patient')]).toEqual([1_000, 600_000])
  })

  test('tells the provider when its answer stops being wanted', async () => {
    const [first, second] = [held('first'), held('second')]
    const world = await setup([first, second])
    const startedAt = world.clock.now()
    await whileTimePasses(world.clock, generate(world), 1_000)
    expect(first.calls[0]?.deadline).toBe(startedAt + 60_000)
    expect(second.calls[0]?.deadline).toBe(startedAt + 120_000)
  })
})

describe('a stream', () => {
  test('that falls silent ends, charged, with the idle time', async () => {
    const provider = dripping('drip')
    const world = await setup([provider], { timeouts: { idleMs: 3_000 } })
    const reply = generate(world, { stream: true })
    await expect.poll(() => provider.signals.length).toBe(1)
    provider.drip()
    const events = eventsOf(await reply)
    await events.next()
    const last = await whileTimePasses(world.clock, events.next(), 100)
    expect(last.value).toMatchObject({ type: 'error', reply: { error: { code: 'PROVIDER_TIMEOUT' } } })
    expect(provider.signals[0]?.aborted).toBe(true)
    expect(await inFlight(world)).toBe(0)
  })

  test('that drips slowly ends with the time of the call', async () => {
    const provider = dripping('drip')
    const world = await setup([provider], { timeouts: { idleMs: 3_000, totalMs: 10_000 } })
    const reply = generate(world, { stream: true })
    await expect.poll(() => provider.signals.length).toBe(1)
    provider.drip()
    const events = eventsOf(await reply)
    let words = 0
    let last: IteratorResult<StreamEvent<unknown, unknown>, unknown> = await events.next()
    while (!last.done && last.value.type === 'chunk') {
      words++
      const next = events.next()
      world.clock.advance(2_000)
      provider.drip()
      last = await next
    }
    expect(last.value).toMatchObject({ type: 'error', reply: { error: { code: 'PROVIDER_TIMEOUT' } } })
    expect(words).toBe(5)
  })

  test('may be read slowly', async () => {
    const world = await setup([scripted('well', 'one two three')], { timeouts: { idleMs: 1_000 } })
    const types = []
    for await (const event of eventsOf(await generate(world, { stream: true }))) {
      types.push(event.type)
      world.clock.advance(5_000)
    }
    expect(types).toEqual(['chunk', 'chunk', 'chunk', 'done'])
    expect(await inFlight(world)).toBe(0)
  })

  test('that nobody reads gives its place back when its time is up', async () => {
    const provider = dripping('drip')
    const world = await setup([provider])
    const reply = generate(world, { stream: true })
    await expect.poll(() => provider.signals.length).toBe(1)
    provider.drip()
    await reply
    expect(await inFlight(world)).toBe(1)
    world.clock.advance(120_000)
    expect(await inFlight(world)).toBe(0)
  })
})

describe('a caller that leaves', () => {
  const left = { success: false, error: { code: 'SERVICE_UNAVAILABLE' }, limits: { remaining: 999 } }

  test('before the first item ends the upstream call at once', async () => {
    const deaf = held('deaf')
    const world = await setup([deaf])
    const caller = new AbortController()
    const reply = generate(world, {}, caller.signal)
    await expect.poll(() => deaf.calls.length).toBe(1)
    caller.abort()
    expect(deaf.calls[0]?.signal.aborted).toBe(true)
    expect(await reply).toMatchObject(left)
    expect(await inFlight(world)).toBe(0)
  })

  test('during the wait before a retry has no retry', async () => {
    const broken = sequenced('broken', new ProviderError('retry', '503'))
    const world = await setup([broken], { retries: { perTarget: 2 } })
    const caller = new AbortController()
    const reply = generate(world, {}, caller.signal)
    await expect.poll(() => broken.asked).toBe(1)
    caller.abort()
    expect(await reply).toMatchObject(left)
    world.clock.advance(120_000)
    expect(broken.asked).toBe(1)
  })

  test('while it waits for a place never takes one', async () => {
    const busy = held('busy')
    const world = await setup([busy], { concurrency: { perTarget: 1 } })
    const first = generate(world)
    await expect.poll(() => busy.calls.length).toBe(1)
    const caller = new AbortController()
    const second = generate(world, {}, caller.signal)
    await expect.poll(() => inFlight(world)).toBe(2)
    caller.abort()
    expect(await second).toMatchObject({ error: { code: 'SERVICE_UNAVAILABLE' } })
    expect(await inFlight(world)).toBe(1)
    busy.release('hello')
    expect(await first).toMatchObject({ success: true })
    expect(busy.calls).toHaveLength(1)
  })

  test('in the middle of a stream ends the upstream call at once', async () => {
    const provider = dripping('drip')
    const world = await setup([provider])
    const caller = new AbortController()
    const reply = generate(world, { stream: true }, caller.signal)
    await expect.poll(() => provider.signals.length).toBe(1)
    provider.drip()
    const events = eventsOf(await reply)
    await events.next()
    const next = events.next()
    caller.abort()
    expect(provider.signals[0]?.aborted).toBe(true)
    expect((await next).value).toMatchObject({ type: 'error' })
    expect(await inFlight(world)).toBe(0)
  })

  test('as the first piece of a stream comes gives its place back, and the stream is let go', async () => {
    let leave = () => {}
    let streaming = 0
    const provider: Provider = {
      contract: 1,
      id: 'prompt',
      models: [textModel()],
      async *streamText() {
        streaming++
        try {
          leave()
          yield { type: 'text', text: 'word ' }
        } finally {
          streaming--
        }
      },
    }
    const world = await setup([provider])
    // It takes some turns for the piece to get through: at each of them the caller may be gone.
    for (let turns = 0; turns < 30; turns++) {
      const caller = new AbortController()
      leave = async () => {
        for (let turn = 0; turn < turns; turn++) await Promise.resolve()
        caller.abort()
      }
      const reply = await generate(world, { stream: true }, caller.signal)
      if ('events' in reply) for await (const event of eventsOf(reply)) void event
    }
    expect({ streaming, inFlight: await inFlight(world) }).toEqual({ streaming: 0, inFlight: 0 })
  })

  test('is no failure of the target', async () => {
    const deaf = held('deaf')
    const world = await setup([deaf])
    for (let call = 0; call < 8; call++) {
      const caller = new AbortController()
      const reply = generate(world, {}, caller.signal)
      await expect.poll(() => deaf.calls.length).toBe(call + 1)
      caller.abort()
      await reply
    }
    expect(await world.core.providers.list({})).toMatchObject([{ targets: [{ circuit: 'closed', failures: 0 }] }])
    expect(world.logged).toEqual([])
  })
})

test('an answer that comes too late changes nothing', async () => {
  const late = held('late')
  const world = await setup([late, scripted('well', 'hello')])
  const reply = await whileTimePasses(world.clock, generate(world), 1_000)
  late.release('too late')
  await new Promise((resolve) => setImmediate(resolve))
  expect(reply).toMatchObject({ data: { content: 'hello' }, limits: { remaining: 999 } })
  expect(await world.core.providers.list({})).toMatchObject([
    { targets: [{ failures: 1 }] },
    { targets: [{ failures: 0 }] },
  ])
})
