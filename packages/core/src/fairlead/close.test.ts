import { describe, expect, test } from 'vitest'
import { operations } from '@fairlead/testing/workspace'
import { type Provider, ProviderError, type TextEvent } from '../provider.ts'
import {
  begun,
  held,
  fakePainter,
  reader,
  scripted,
  testCore,
  type TestCoreOptions,
  whileTimePasses,
} from '@fairlead/testing'

const closed = { success: false, error: { code: 'SERVICE_UNAVAILABLE' } }
const generate = { model: 'any', prompt: 'x' }

/** Wraps a provider and records the names of the methods called. */
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

async function setup(provider: Provider, options: TestCoreOptions = {}) {
  const { calls, provider: recording } = recorded({ close: async () => {}, ...provider })
  const context = await testCore({ providers: [recording], ...options })
  const close = () => whileTimePasses(context.clock, context.core.close(), 1_000)
  return { ...context, calls, close, ask: () => context.core.run(operations.generate, context.caller, generate) }
}

describe('a closed core', () => {
  test('a closed core rejects all operations without calling a provider', async () => {
    const everything: Provider = {
      ...fakePainter('all'),
      ...reader('all', { sentiment: { score: 0, label: 'neutral' } }),
      ...scripted('all', 'hello'),
      // Core retries a failed listing after 30 seconds.
      models: () => Promise.reject(new Error('down')),
      health: async () => {},
      warmUp: async () => {},
    }
    const { core, caller, calls, close, clock, addCaller } = await setup(everything)
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

  test('a closed core does not warm up a provider whose models were listed during close', async () => {
    let list: (models: readonly []) => void = () => {}
    const models = () => new Promise<readonly []>((resolve) => (list = resolve))
    const { core, calls, close } = await setup({ ...scripted('slow', 'x'), models, warmUp: async () => {} })
    const start = core.start()
    const failure = start.catch((error: unknown) => error)
    await close()
    list([])
    expect(await failure).toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    expect(calls).toEqual(['models', 'close'])
  })

  test('a closed core aborts a call after five seconds and does not try another target', async () => {
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

  test('a closed core completes a call that ends within five seconds', async () => {
    const slow = held('slow')
    const { ask, core, clock } = await setup(slow)
    const reply = ask()
    await expect.poll(() => slow.calls.length).toBe(1)
    const closing = core.close()
    slow.release('in time')
    expect(await reply).toMatchObject({ data: { content: 'in time' } })
    await whileTimePasses(clock, closing, 1_000)
  })

  test('a closed core retries no call after its provider was closed', async () => {
    const busy = new ProviderError('rate_limited', '429', { retryAfterMs: 2_000 })
    const generateText = () => Promise.reject(busy)
    const { ask, calls, close, clock } = await setup(
      { ...scripted('busy', 'x'), generateText },
      { retries: { perTarget: 10 } },
    )
    const reply = ask()
    await expect.poll(() => calls).toEqual(['generateText'])
    await close()
    clock.advance(60_000)
    expect(await reply).toMatchObject(closed)
    expect(calls.indexOf('close')).toBe(calls.length - 1)
  })

  test('a closed core does not start queued calls', async () => {
    const slow = held('slow')
    const { ask, fairlead, close } = await setup(slow, { concurrency: { perTarget: 1 } })
    const replies = [ask(), ask()]
    await expect
      .poll(async () => (await fairlead.providers.list({}))[0]?.targets[0])
      .toMatchObject({ inFlight: 1, queued: 1 })
    await close()
    expect(await Promise.all(replies)).toMatchObject([closed, closed])
    expect(slow.calls).toHaveLength(1)
  })

  test('a closed core stops reading from a running stream', async () => {
    let reads = 0
    const [start, more] = begun('more ')
    const endless: AsyncIterableIterator<TextEvent> = {
      async next() {
        return { done: false, value: reads++ === 0 ? start! : more! }
      },
      [Symbol.asyncIterator]: () => endless,
    }
    const { fairlead, close } = await setup({ ...scripted('endless', 'x'), streamText: () => endless })
    const stream = fairlead.generate.stream(generate)
    await stream.next()
    await close()
    const readsBefore = reads
    await expect(stream.next()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    expect(reads).toBe(readsBefore)
  })
})
