import { describe, expect, test } from 'vitest'
import type { FairleadOptions } from './fairlead-options.ts'
import { operations } from './operations.ts'
import { type Provider, ProviderError } from './provider.ts'
import { held, painter, reader, scripted } from './testing/fake-providers.ts'
import { testCore } from './testing/test-core.ts'
import { whileTimePasses } from './testing/while-time-passes.ts'

const closed = { success: false, error: { code: 'SERVICE_UNAVAILABLE' } }
const generate = { model: 'any', prompt: 'x' }

/** A provider with its methods, of which each call is recorded. */
function recorded<Kind extends Provider>(provider: Kind): { readonly provider: Kind; readonly calls: string[] } {
  const calls: string[] = []
  const record = (target: Kind, name: string | symbol): unknown => {
    const member: unknown = Reflect.get(target, name)
    if (typeof member !== 'function') return member
    return (...options: unknown[]) => {
      calls.push(String(name))
      return Reflect.apply(member, target, options) as unknown
    }
  }
  return { provider: new Proxy(provider, { get: record }), calls }
}

async function worldOf(provider: Provider, options: Partial<FairleadOptions> = {}) {
  const { calls, provider: recording } = recorded({ close: async () => {}, ...provider })
  const world = await testCore({ providers: [recording], ...options })
  const close = () => whileTimePasses(world.clock, world.core.close(), 1_000)
  return { ...world, calls, close, ask: () => world.core.run(operations.generate, world.caller, generate) }
}

describe('a closed core', () => {
  test('calls no method of a provider, whatever is asked of it', async () => {
    const everything: Provider = {
      ...painter('all'),
      ...reader('all', { sentiment: { score: 0, label: 'neutral' } }),
      ...scripted('all', 'hello'),
      // Where listing fails, core lists again after half a minute.
      models: () => Promise.reject(new Error('down')),
      health: async () => {},
      warmUp: async () => {},
    }
    const { core, caller, calls, close, clock, addCaller } = await worldOf(everything)
    const { credentials: admin } = await addCaller({ user: { role: 'admin' } })
    await core.run(operations.models, caller, {})
    await close()
    expect(calls).toEqual(['models', 'close'])
    clock.advance(3_600_000)
    expect(await core.run(operations.generate, caller, generate)).toMatchObject(closed)
    expect(await core.run(operations.generate, caller, { ...generate, stream: true })).toMatchObject(closed)
    expect(await core.run(operations.generateImage, caller, { model: 'picture', prompt: 'x' })).toMatchObject(closed)
    expect(await core.run(operations.analyze, caller, { text: 'x', tasks: ['sentiment'] })).toMatchObject(closed)
    expect(await core.run(operations.models, caller, {})).toMatchObject(closed)
    expect(await core.run(operations.providers, admin, {})).toMatchObject(closed)
    await expect(core.start()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    await core.close()
    clock.advance(3_600_000)
    expect(calls).toEqual(['models', 'close'])
  })

  test('warms no provider up that was listed while it closed', async () => {
    let list: (models: readonly []) => void = () => {}
    const models = () => new Promise<readonly []>((resolve) => (list = resolve))
    const { core, calls, close } = await worldOf({ ...scripted('slow', 'x'), models, warmUp: async () => {} })
    const start = core.start()
    const failure = start.catch((error: unknown) => error)
    await close()
    list([])
    expect(await failure).toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    expect(calls).toEqual(['models', 'close'])
  })

  test('ends a call that outlives the five seconds, and asks no other target', async () => {
    const slow = held('slow')
    const other = recorded(scripted('other', 'hello'))
    const { core, caller, clock } = await testCore({
      providers: [slow, other.provider],
      routes: { smart: { targets: ['slow/any', 'other/any'] } },
    })
    const reply = core.run(operations.generate, caller, { ...generate, model: 'smart' })
    await expect.poll(() => slow.calls.length).toBe(1)
    await whileTimePasses(clock, core.close(), 1_000)
    expect(slow.calls[0]?.signal.aborted).toBe(true)
    expect(await reply).toMatchObject(closed)
    expect(other.calls).toEqual([])
  })

  test('answers a call that ends within the five seconds', async () => {
    const slow = held('slow')
    const { ask, core, clock } = await worldOf(slow)
    const reply = ask()
    await expect.poll(() => slow.calls.length).toBe(1)
    const closing = core.close()
    slow.release('in time')
    expect(await reply).toMatchObject({ data: { content: 'in time' } })
    await whileTimePasses(clock, closing, 1_000)
  })

  test('makes no retry', async () => {
    const busy = new ProviderError('rate_limited', '429', { retryAfterMs: 20_000 })
    const generateText = () => Promise.reject(busy)
    const { ask, calls, close, clock } = await worldOf(
      { ...scripted('busy', 'x'), generateText },
      { retries: { perTarget: 2 } },
    )
    const reply = ask()
    await expect.poll(() => calls).toEqual(['generateText'])
    await close()
    clock.advance(60_000)
    expect(await reply).toMatchObject(closed)
    expect(calls).toEqual(['generateText', 'close'])
  })

  test('starts no call that waited for a place', async () => {
    const slow = held('slow')
    const { ask, core, close } = await worldOf(slow, { concurrency: { perTarget: 1 } })
    const replies = [ask(), ask()]
    await expect
      .poll(async () => (await core.providers.list({}))[0]?.targets[0])
      .toMatchObject({ inFlight: 1, queued: 1 })
    await close()
    expect(await Promise.all(replies)).toMatchObject([closed, closed])
    expect(slow.calls).toHaveLength(1)
  })

  test('asks a stream in flight for no more', async () => {
    let asked = 0
    const endless: AsyncIterableIterator<{ type: 'text'; text: string }> = {
      async next() {
        asked++
        return { done: false, value: { type: 'text', text: 'more ' } }
      },
      [Symbol.asyncIterator]: () => endless,
    }
    const { core, close } = await worldOf({ ...scripted('endless', 'x'), streamText: () => endless })
    const stream = core.generate.stream(generate)
    await stream.next()
    await close()
    const askedBefore = asked
    await expect(stream.next()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    expect(asked).toBe(askedBefore)
  })
})
