import { describe, expect, test } from 'vitest'
import type { FairleadOptions } from '../../fairlead-options.ts'
import { operations } from '../../operations.ts'
import { ProviderError, type Provider } from '../../provider.ts'
import { held, scripted, sequenced, textModel } from '../../testing/fake-providers.ts'
import { type TestCore, testCore } from '../../testing/test-core.ts'
import { whileTimePasses } from '../../testing/while-time-passes.ts'
import type { StreamEvent } from '../../runtime/envelope.ts'

/** A route `smart` over all of the providers. */
async function setup(providers: readonly Provider[], options: Partial<FairleadOptions> = {}) {
  const targets = providers.map(({ id }) => `${id}/any`)
  return testCore({ providers, routes: { smart: { targets } }, ...options })
}

function generate({ core, caller }: TestCore, input: object = {}, signal?: AbortSignal) {
  const options = signal ? { signal } : {}
  return core.run(operations.generate, caller, { model: 'smart', prompt: 'x', ...input }, options)
}

/** Calls in flight and waiting, over all targets. */
async function inFlight({ core }: TestCore): Promise<number> {
  const providers = await core.providers.list({})
  return providers.flatMap(({ targets }) => targets).reduce((sum, target) => sum + target.inFlight + target.queued, 0)
}

/** Streams a word for each call of `drip`, and ignores its signal. */
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

describe('timeouts', () => {
  test('leave half of the time to the second of two targets', async () => {
    const stuck = held('stuck')
    const world = await setup([stuck, scripted('ok', 'hello')])
    const startedAt = world.clock.now()
    const reply = await whileTimePasses(world.clock, generate(world), 1_000)
    expect(reply).toMatchObject({ data: { content: 'hello' }, meta: { provider: 'ok', attempts: 2 } })
    expect(world.clock.now() - startedAt).toBe(60_000)
    expect(stuck.calls[0]?.signal.aborted).toBe(true)
  })

  test('give a single target the whole time', async () => {
    const world = await setup([held('stuck')], { timeouts: { totalMs: 5_000 } })
    const startedAt = world.clock.now()
    expect(await whileTimePasses(world.clock, generate(world), 100)).toMatchObject({
      error: { code: 'PROVIDER_TIMEOUT', details: { provider: 'stuck', attempts: 1 } },
      limits: { remaining: 1000 },
    })
    expect(world.clock.now() - startedAt).toBe(5_000)
  })

  test('move on when the first item of a stream is late', async () => {
    const world = await setup([held('stuck'), scripted('ok', 'hello')], { timeouts: { firstItemMs: 2_000 } })
    const startedAt = world.clock.now()
    const reply = await whileTimePasses(world.clock, generate(world, { stream: true }), 100)
    expect(reply).toMatchObject({ success: true, meta: { provider: 'ok', attempts: 2 } })
    expect(world.clock.now() - startedAt).toBe(2_000)
  })

  test('can be set by the route', async () => {
    const world = await testCore({
      providers: [held('stuck')],
      timeouts: { totalMs: 1_000 },
      routes: { patient: { targets: ['stuck/any'], timeouts: { totalMs: 600_000 } } },
    })
    const timed = async (model: string) => {
      const startedAt = world.clock.now()
      await whileTimePasses(world.clock, world.core.run(operations.generate, world.caller, { model, prompt: 'x' }), 500)
      return world.clock.now() - startedAt
    }
    expect([await timed('any'), await timed('patient')]).toEqual([1_000, 600_000])
  })

  test('are passed to the provider as the deadline', async () => {
    const [first, second] = [held('first'), held('second')]
    const world = await setup([first, second])
    const startedAt = world.clock.now()
    await whileTimePasses(world.clock, generate(world), 1_000)
    expect(first.calls[0]?.deadline).toBe(startedAt + 60_000)
    expect(second.calls[0]?.deadline).toBe(startedAt + 120_000)
  })
})

describe('a started stream', () => {
  test('fails after the idle timeout', async () => {
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

  test('fails after the total timeout, however often items arrive', async () => {
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

  test('does not time out while its reader is slow', async () => {
    const world = await setup([scripted('ok', 'one two three')], { timeouts: { idleMs: 1_000 } })
    const types = []
    for await (const event of eventsOf(await generate(world, { stream: true }))) {
      types.push(event.type)
      world.clock.advance(5_000)
    }
    expect(types).toEqual(['chunk', 'chunk', 'chunk', 'done'])
    expect(await inFlight(world)).toBe(0)
  })

  test('releases its slot after the total timeout if it is never read', async () => {
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

describe('cancelling a call', () => {
  const cancelled = { success: false, error: { code: 'SERVICE_UNAVAILABLE' }, limits: { remaining: 999 } }

  test('aborts the provider call before the response', async () => {
    const stuck = held('stuck')
    const world = await setup([stuck])
    const caller = new AbortController()
    const reply = generate(world, {}, caller.signal)
    await expect.poll(() => stuck.calls.length).toBe(1)
    caller.abort()
    expect(stuck.calls[0]?.signal.aborted).toBe(true)
    expect(await reply).toMatchObject(cancelled)
    expect(await inFlight(world)).toBe(0)
  })

  test('prevents a retry that is waiting', async () => {
    const broken = sequenced('broken', new ProviderError('retry', '503'))
    const world = await setup([broken], { retries: { perTarget: 2 } })
    const caller = new AbortController()
    const reply = generate(world, {}, caller.signal)
    await expect.poll(() => broken.asked).toBe(1)
    caller.abort()
    expect(await reply).toMatchObject(cancelled)
    world.clock.advance(120_000)
    expect(broken.asked).toBe(1)
  })

  test('removes it from the queue', async () => {
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

  test('aborts the provider call in the middle of a stream', async () => {
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

  test('releases the slot and closes the stream while its first item arrives', async () => {
    let cancel = () => {}
    let streaming = 0
    const provider: Provider = {
      contract: 1,
      id: 'prompt',
      models: [textModel()],
      async *streamText() {
        streaming++
        try {
          cancel()
          yield { type: 'text', text: 'word ' }
        } finally {
          streaming--
        }
      },
    }
    const world = await setup([provider])
    // The item passes through several microtasks; the call is cancelled in each of them.
    for (let turns = 0; turns < 30; turns++) {
      const caller = new AbortController()
      cancel = async () => {
        for (let turn = 0; turn < turns; turn++) await Promise.resolve()
        caller.abort()
      }
      const reply = await generate(world, { stream: true }, caller.signal)
      if ('events' in reply) for await (const event of eventsOf(reply)) void event
    }
    expect({ streaming, inFlight: await inFlight(world) }).toEqual({ streaming: 0, inFlight: 0 })
  })

  test('does not count as a failure of the target', async () => {
    const stuck = held('stuck')
    const world = await setup([stuck])
    for (let call = 0; call < 8; call++) {
      const caller = new AbortController()
      const reply = generate(world, {}, caller.signal)
      await expect.poll(() => stuck.calls.length).toBe(call + 1)
      caller.abort()
      await reply
    }
    expect(await world.core.providers.list({})).toMatchObject([{ targets: [{ circuit: 'closed', failures: 0 }] }])
    expect(world.logged).toEqual([])
  })
})

test('a response after the timeout is ignored', async () => {
  const late = held('late')
  const world = await setup([late, scripted('ok', 'hello')])
  const reply = await whileTimePasses(world.clock, generate(world), 1_000)
  late.release('too late')
  await new Promise((resolve) => setImmediate(resolve))
  expect(reply).toMatchObject({ data: { content: 'hello' }, limits: { remaining: 999 } })
  expect(await world.core.providers.list({})).toMatchObject([
    { targets: [{ failures: 1 }] },
    { targets: [{ failures: 0 }] },
  ])
})
