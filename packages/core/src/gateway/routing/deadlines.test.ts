import { describe, expect, test } from 'vitest'
import { operations } from '@fairlead/testing/workspace'
import { ProviderError, type Provider, type ProviderCall, type TextEvent } from '../../provider.ts'
import {
  begun,
  textEnd,
  held,
  scripted,
  sequenced,
  fakeTextModel,
  type TestCore,
  testCore,
  type TestCoreOptions,
  type TestClock,
  whileTimePasses,
} from '@fairlead/testing'
import type { StreamEvent } from '../../runtime/run/envelope.ts'

/** A route `smart` over all of the providers. */
async function setup(providers: readonly Provider[], options: TestCoreOptions = {}) {
  const targets = providers.map(({ id }) => `${id}/any`)
  return testCore({ providers, routes: { smart: { targets } }, ...options })
}

function generate({ core, caller }: TestCore, input: object = {}, signal?: AbortSignal) {
  const options = signal ? { signal } : {}
  return core.run(operations.generate, caller, { model: 'smart', prompt: 'x', ...input }, options)
}

/** Calls in flight and waiting, over all targets. */
async function inFlight({ fairlead }: TestCore): Promise<number> {
  const providers = await fairlead.providers.list({})
  return providers.flatMap(({ targets }) => targets).reduce((sum, target) => sum + target.inFlight + target.queued, 0)
}

const word: TextEvent = { type: 'part_delta', index: 0, text: 'word ' }
const ping: TextEvent = { type: 'alive' }

/** Streams an event for each call of `drip`, its text begins before the first word. It ignores its signal. */
function dripping(id: string) {
  const drops: TextEvent[] = []
  let wake = () => {}
  const calls: ProviderCall[] = []
  const provider: Provider = {
    contract: 2,
    id,
    models: [fakeTextModel({ streaming: true })],
    async *streamText(_request, call) {
      calls.push(call)
      let hasBegun = false
      while (true) {
        if (drops.length === 0) await new Promise<void>((resolve) => (wake = resolve))
        const event = drops.shift()!
        if (event === word && !hasBegun) yield* begun()
        hasBegun ||= event === word
        yield event
      }
    },
  }
  const drip = (event = word) => {
    drops.push(event)
    wake()
  }
  return Object.assign(provider, { calls, drip })
}

const minutes = 60_000
/** Work that does not wait for the clock. */
const settled = () => new Promise((resolve) => setImmediate(resolve))

/** Lets time pass while the provider sends the same event again and again. */
async function dripEvery(
  ms: number,
  event: TextEvent,
  forMs: number,
  clock: TestClock,
  drip: (event: TextEvent) => void,
) {
  for (let passed = 0; passed < forMs; passed += ms) {
    clock.advance(ms)
    drip(event)
    await settled()
  }
}

/** Reads a stream to its end, in the background. */
function reading(events: Events) {
  const read: StreamEvent<unknown, unknown>[] = []
  void (async () => {
    for await (const event of events) read.push(event)
  })()
  return read
}

type Events = AsyncIterableIterator<StreamEvent<unknown, unknown>>
function eventsOf(reply: unknown): Events {
  return (reply as { events: Events }).events
}

describe('timeouts', () => {
  test('timeouts leave time for the second of two targets if an attempt has a limit of its own', async () => {
    const stuck = held('stuck')
    const world = await setup([stuck, scripted('ok', 'hello')], { timeouts: { attemptMs: 60_000 } })
    const startedAt = world.clock.now()
    const reply = await whileTimePasses(world.clock, generate(world), 1_000)
    expect(reply).toMatchObject({ data: { content: 'hello' }, meta: { provider: 'ok', attempts: 2 } })
    expect(world.clock.now() - startedAt).toBe(60_000)
    expect(stuck.calls[0]?.signal.aborted).toBe(true)
  })

  test('timeouts let a whole answer take nine minutes, however many targets there are', async () => {
    const slow = held('slow')
    const world = await setup([slow, scripted('other', 'hello')])
    const reply = generate(world)
    await expect.poll(() => slow.calls.length).toBe(1)
    world.clock.advance(9 * minutes)
    slow.release('late but whole')
    expect(await reply).toMatchObject({ data: { content: 'late but whole' }, meta: { provider: 'slow', attempts: 1 } })
  })

  test('timeouts end a whole answer after ten minutes, without a call to another target', async () => {
    const stuck = held('stuck')
    const other = held('other')
    const world = await setup([stuck, other])
    const reply = generate(world)
    await expect.poll(() => stuck.calls.length).toBe(1)
    world.clock.advance(10 * minutes - 1)
    expect(stuck.calls[0]?.signal.aborted).toBe(false)
    world.clock.advance(1)
    expect(await reply).toMatchObject({
      error: { code: 'PROVIDER_TIMEOUT', details: { provider: 'stuck', attempts: 1 } },
    })
    expect([stuck.calls.length, other.calls.length]).toEqual([1, 0])
  })

  test('timeouts give the whole answer of a provider that cannot stream the time of a whole answer', async () => {
    const slow = held('slow')
    const world = await setup([slow])
    const reply = generate(world, { stream: true })
    await expect.poll(() => slow.calls.length).toBe(1)
    world.clock.advance(9 * minutes)
    slow.release('late but whole')
    const read = reading(eventsOf(await reply))
    await expect.poll(() => read.map(({ type }) => type)).toEqual(['chunk', 'done'])
  })

  test('timeouts give a single target the whole time', async () => {
    const world = await setup([held('stuck')], { timeouts: { totalMs: 5_000 } })
    const startedAt = world.clock.now()
    expect(await whileTimePasses(world.clock, generate(world), 100)).toMatchObject({
      error: { code: 'PROVIDER_TIMEOUT', details: { provider: 'stuck', attempts: 1 } },
      limits: { remaining: 1000 },
    })
    expect(world.clock.now() - startedAt).toBe(5_000)
  })

  test('timeouts move on when the first item of a stream is late', async () => {
    const world = await setup([dripping('stuck'), scripted('ok', 'hello')], { timeouts: { firstItemMs: 2_000 } })
    const startedAt = world.clock.now()
    const reply = await whileTimePasses(world.clock, generate(world, { stream: true }), 100)
    expect(reply).toMatchObject({ success: true, meta: { provider: 'ok', attempts: 2 } })
    expect(world.clock.now() - startedAt).toBe(2_000)
  })

  test('timeouts can be set by the route', async () => {
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

  test('timeouts of a route replace each of the global ones for its streams', async () => {
    const timeouts = { firstItemMs: 1 * minutes, idleMs: 20 * minutes, thinkingMs: 30 * minutes }
    const silent = dripping('silent')
    const world = await testCore({
      providers: [silent],
      timeouts: { firstItemMs: 1, idleMs: 1, thinkingMs: 1, totalMs: 1 },
      routes: { patient: { targets: ['silent/any'], timeouts: { ...timeouts, totalMs: 40 * minutes } } },
    })
    const start = async (events: readonly TextEvent[]) => {
      const before = silent.calls.length
      void world.core.run(operations.generate, world.caller, { model: 'patient', prompt: 'x', stream: true })
      await expect.poll(() => silent.calls.length).toBe(before + 1)
      for (const event of events) silent.drip(event)
      await settled()
      const startedAt = world.clock.now()
      while (!silent.calls.at(-1)?.signal.aborted) world.clock.advance(1 * minutes)
      return (world.clock.now() - startedAt) / minutes
    }
    expect([await start([]), await start([ping]), await start([word])]).toEqual([1, 20, 40])
  })

  test('timeouts are passed to the provider as the deadline of a whole answer, and not of a stream', async () => {
    const [first, second] = [held('first'), held('second')]
    const stream = dripping('stream')
    const world = await testCore({
      providers: [first, second, stream],
      routes: { smart: { targets: ['first/any', 'second/any'], timeouts: { attemptMs: 60_000, totalMs: 120_000 } } },
    })
    const startedAt = world.clock.now()
    await whileTimePasses(world.clock, generate(world), 1_000)
    expect(first.calls[0]?.deadline).toBe(startedAt + 60_000)
    expect(second.calls[0]?.deadline).toBe(startedAt + 120_000)
    void generate(world, { model: 'stream/any', stream: true })
    await expect.poll(() => stream.calls.length).toBe(1)
    expect(stream.calls[0]?.deadline).toBeUndefined()
  })
})

describe('a started stream', () => {
  test('a started stream fails after the idle timeout', async () => {
    const provider = dripping('drip')
    const world = await setup([provider], { timeouts: { idleMs: 3_000 } })
    const reply = generate(world, { stream: true })
    await expect.poll(() => provider.calls.length).toBe(1)
    provider.drip()
    const events = eventsOf(await reply)
    await events.next()
    const last = await whileTimePasses(world.clock, events.next(), 100)
    expect(last.value).toMatchObject({ type: 'error', reply: { error: { code: 'PROVIDER_TIMEOUT' } } })
    expect(provider.calls[0]?.signal.aborted).toBe(true)
    expect(await inFlight(world)).toBe(0)
  })

  test('a started stream has no limit in total: a word every two seconds for 15 minutes arrives', async () => {
    const provider = dripping('drip')
    const world = await setup([provider])
    const reply = generate(world, { stream: true })
    await expect.poll(() => provider.calls.length).toBe(1)
    provider.drip()
    const read = reading(eventsOf(await reply))
    await dripEvery(2_000, word, 15 * minutes, world.clock, provider.drip)
    textEnd().forEach((event) => provider.drip(event))
    await expect.poll(() => read.at(-1)?.type).toBe('done')
    expect(read.filter(({ type }) => type === 'chunk')).toHaveLength(451)
  })

  test('a started stream lives while its upstream sends pings for 20 minutes, before its first item and after it', async () => {
    const provider = dripping('drip')
    const world = await setup([provider, scripted('other', 'hello')])
    const reply = generate(world, { stream: true })
    await expect.poll(() => provider.calls.length).toBe(1)
    await dripEvery(10_000, ping, 20 * minutes, world.clock, provider.drip)
    provider.drip()
    const read = reading(eventsOf(await reply))
    await dripEvery(10_000, ping, 20 * minutes, world.clock, provider.drip)
    provider.drip()
    textEnd().forEach((event) => provider.drip(event))
    await expect.poll(() => read.map(({ type }) => type)).toEqual(['chunk', 'chunk', 'done'])
    expect(read.at(-1)).toMatchObject({ reply: { meta: { provider: 'drip', attempts: 1 } } })
  })

  test('a started stream fails if its upstream has only sent pings for an hour', async () => {
    const provider = dripping('drip')
    const world = await setup([provider])
    const reply = generate(world, { stream: true })
    await expect.poll(() => provider.calls.length).toBe(1)
    await dripEvery(60_000, ping, 59 * minutes, world.clock, provider.drip)
    expect(provider.calls[0]?.signal.aborted).toBe(false)
    world.clock.advance(1 * minutes)
    const read = reading(eventsOf(await reply))
    await expect.poll(() => read).toMatchObject([{ type: 'error', reply: { error: { code: 'PROVIDER_TIMEOUT' } } }])
    expect(provider.calls[0]?.signal.aborted).toBe(true)
  })

  test('a started stream fails two minutes after the last ping', async () => {
    const provider = dripping('drip')
    const world = await setup([provider])
    const reply = generate(world, { stream: true })
    await expect.poll(() => provider.calls.length).toBe(1)
    provider.drip()
    const read = reading(eventsOf(await reply))
    await dripEvery(10_000, ping, 5 * minutes, world.clock, provider.drip)
    world.clock.advance(2 * minutes - 1)
    expect(provider.calls[0]?.signal.aborted).toBe(false)
    world.clock.advance(1)
    await expect.poll(() => read.map(({ type }) => type)).toEqual(['chunk', 'error'])
    expect(world.logged).toMatchObject([{ facts: { failure: 'timeout' } }])
  })

  test('a started stream does not time out while its reader is slow', async () => {
    const world = await setup([scripted('ok', 'one two three')], { timeouts: { idleMs: 1_000 } })
    const types = []
    for await (const event of eventsOf(await generate(world, { stream: true }))) {
      types.push(event.type)
      world.clock.advance(5_000)
    }
    expect(types).toEqual(['chunk', 'chunk', 'chunk', 'done'])
    expect(await inFlight(world)).toBe(0)
  })

  test('a started stream releases its slot after ten minutes if it is never read', async () => {
    const provider = dripping('drip')
    const world = await setup([provider])
    const reply = generate(world, { stream: true })
    await expect.poll(() => provider.calls.length).toBe(1)
    provider.drip()
    await reply
    expect(await inFlight(world)).toBe(1)
    world.clock.advance(10 * minutes - 1)
    expect(await inFlight(world)).toBe(1)
    world.clock.advance(1)
    expect(await inFlight(world)).toBe(0)
  })

  test('a started stream does not blame the target if it is never read', async () => {
    const provider = dripping('drip')
    const world = await setup([provider], { circuit: { failures: 1 } })
    const reply = generate(world, { stream: true })
    await expect.poll(() => provider.calls.length).toBe(1)
    provider.drip()
    const events = eventsOf(await reply)[Symbol.asyncIterator]()
    await events.next()
    world.clock.advance(10 * minutes)
    expect(await events.next()).toMatchObject({
      value: { type: 'error', reply: { error: { code: 'SERVICE_UNAVAILABLE' } } },
    })
    const targets = (await world.fairlead.providers.list({})).flatMap((listed) => listed.targets)
    expect(targets).toMatchObject([{ circuit: 'closed', failures: 0 }])
    expect(world.logged).toEqual([])
  })
})

describe('canceling a call', () => {
  const canceled = { success: false, error: { code: 'SERVICE_UNAVAILABLE' }, limits: { remaining: 999 } }

  test('canceling a call aborts the provider call before the response', async () => {
    const stuck = held('stuck')
    const world = await setup([stuck])
    const caller = new AbortController()
    const reply = generate(world, {}, caller.signal)
    await expect.poll(() => stuck.calls.length).toBe(1)
    caller.abort()
    expect(stuck.calls[0]?.signal.aborted).toBe(true)
    expect(await reply).toMatchObject(canceled)
    expect(await inFlight(world)).toBe(0)
  })

  test('canceling a call prevents a retry that is waiting', async () => {
    const broken = sequenced('broken', new ProviderError('retry', '503'))
    const world = await setup([broken], { retries: { perTarget: 2 } })
    const caller = new AbortController()
    const reply = generate(world, {}, caller.signal)
    await expect.poll(() => broken.asked).toBe(1)
    caller.abort()
    expect(await reply).toMatchObject(canceled)
    world.clock.advance(120_000)
    expect(broken.asked).toBe(1)
  })

  test('canceling a call removes it from the queue', async () => {
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

  test('canceling a call aborts the provider call in the middle of a stream', async () => {
    const provider = dripping('drip')
    const world = await setup([provider])
    const caller = new AbortController()
    const reply = generate(world, { stream: true }, caller.signal)
    await expect.poll(() => provider.calls.length).toBe(1)
    provider.drip()
    const events = eventsOf(await reply)
    await events.next()
    const next = events.next()
    caller.abort()
    expect(provider.calls[0]?.signal.aborted).toBe(true)
    expect((await next).value).toMatchObject({ type: 'error' })
    expect(await inFlight(world)).toBe(0)
  })

  test('canceling a call releases the slot and closes the stream while its first item arrives', async () => {
    let cancel = () => {}
    let streaming = 0
    const provider: Provider = {
      contract: 2,
      id: 'prompt',
      models: [fakeTextModel()],
      async *streamText() {
        streaming++
        try {
          cancel()
          yield* begun('word ')
        } finally {
          streaming--
        }
      },
    }
    const world = await setup([provider])
    // The item passes through several microtasks; the call is canceled in each of them.
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

  test('canceling a call does not count as a failure of the target', async () => {
    const stuck = held('stuck')
    const world = await setup([stuck])
    for (let call = 0; call < 8; call++) {
      const caller = new AbortController()
      const reply = generate(world, {}, caller.signal)
      await expect.poll(() => stuck.calls.length).toBe(call + 1)
      caller.abort()
      await reply
    }
    expect(await world.fairlead.providers.list({})).toMatchObject([{ targets: [{ circuit: 'closed', failures: 0 }] }])
    expect(world.logged).toEqual([])
  })
})

test('a response after the timeout is ignored', async () => {
  const late = held('late')
  const world = await setup([late, scripted('ok', 'hello')], { timeouts: { attemptMs: 60_000 } })
  const reply = await whileTimePasses(world.clock, generate(world), 1_000)
  late.release('too late')
  await new Promise((resolve) => setImmediate(resolve))
  expect(reply).toMatchObject({ data: { content: 'hello' }, limits: { remaining: 999 } })
  expect(await world.fairlead.providers.list({})).toMatchObject([
    { targets: [{ failures: 1 }] },
    { targets: [{ failures: 0 }] },
  ])
})
