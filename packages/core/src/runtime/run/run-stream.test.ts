import { describe, expect, test } from 'vitest'
import { generateText } from '../../gateway/text/generate-text.ts'
import type { TextEvent } from '../../gateway/messages/answer.ts'
import type { Provider, ProviderCall } from '../../gateway/provider.ts'
import { begun, textEnd, failing, scripted, fakeTextModel, type TestCore, testCore } from '@fairlead/testing'
import { ProviderError } from '../../gateway/provider-error.ts'
import { PolledIterator } from '../polled.ts'

const input = { model: 'any', prompt: 'greet me', stream: true }

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = []
  for await (const item of items) all.push(item)
  return all
}

async function startStream({ core, caller }: TestCore, signal?: AbortSignal) {
  const reply = await core.run(generateText, caller, input, { requestId: 'req_7', ...(signal && { signal }) })
  if (!reply.success || !('events' in reply)) throw new Error('this should have been a stream')
  return reply
}

const facts = async ({ stores, keyId }: TestCore) =>
  stores.read(async (view) => ({
    used: (await view.counters.peek(keyId)).used,
    outcomes: (await view.usage.ofRequest('req_7')).map(({ outcome }) => outcome),
  }))

/** Yields two words, and then the events of `then`. */
function breaking(then: () => AsyncIterable<TextEvent>): Provider {
  return {
    contract: 2,
    id: 'brittle',
    models: [fakeTextModel()],
    async *streamText() {
      yield* begun('one ', 'two')
      yield* then()
    },
  }
}

/** A stream that has begun while its provider has sent nothing yet. */
async function startSilentStream(signal?: AbortSignal) {
  const firstText = Promise.withResolvers<string>()
  const calls: ProviderCall[] = []
  const provider: Provider = {
    contract: 2,
    id: 'silent',
    models: [fakeTextModel()],
    async *streamText(_request, call) {
      calls.push(call)
      yield* begun(await firstText.promise)
      yield* textEnd()
    },
  }
  const world = await testCore({ providers: [provider] })
  const starting = startStream(world, signal)
  await expect.poll(() => calls.length).toBe(1)
  let hasBegun = false
  void starting.then(() => (hasBegun = true))
  world.clock.advance(4_999)
  await new Promise(setImmediate)
  expect(hasBegun).toBe(false)
  world.clock.advance(1)
  return { world, firstText, calls, stream: await starting }
}

describe('a stream', () => {
  test('a stream yields chunks and then the whole result with its metadata', async () => {
    const world = await testCore({ providers: [scripted('calm', 'hello there')] })
    const events = await collect((await startStream(world)).events)
    expect(events).toMatchObject([
      { type: 'chunk', chunk: { content: 'hello' } },
      { type: 'chunk', chunk: { content: ' there' } },
      {
        type: 'done',
        reply: { data: { content: 'hello there', finishReason: 'stop' }, meta: { provider: 'calm', attempts: 1 } },
      },
    ])
    expect(await facts(world)).toEqual({ used: 1, outcomes: ['ok'] })
  })

  test('a stream records the time from the start of the request to its first chunk', async () => {
    const { world, firstText, stream } = await startSilentStream()
    const collected = collect(stream.events)
    world.clock.advance(2_000)
    firstText.resolve('late')
    await collected
    expect(await world.stores.read((view) => view.usage.ofRequest('req_7'))).toMatchObject([
      { durationMs: 7_000, firstTokenMs: 7_000 },
    ])
  })

  test('a stream of a model that cannot stream has one chunk', async () => {
    const { streamText: _, ...whole } = scripted('calm', 'hello there')
    const world = await testCore({ providers: [whole] })
    const events = await collect((await startStream(world)).events)
    expect(events.map(({ type }) => type)).toEqual(['chunk', 'done'])
  })

  test('a stream that fails before its first chunk is an ordinary failure and free of charge', async () => {
    const world = await testCore({ providers: [failing('down', 'give_up')] })
    const reply = await world.core.run(generateText, world.caller, input, { requestId: 'req_7' })
    expect(reply).toMatchObject({ success: false, error: { code: 'PROVIDER_ERROR' }, limits: { remaining: 1000 } })
    expect(await facts(world)).toEqual({ used: 0, outcomes: ['PROVIDER_ERROR'] })
  })

  test('a stream begins after five seconds without a chunk and is charged from the first chunk on', async () => {
    const { world, firstText, stream } = await startSilentStream()
    firstText.resolve('hello')
    expect((await collect(stream.events)).map(({ type }) => type)).toEqual(['chunk', 'done'])
    expect(await facts(world)).toEqual({ used: 1, outcomes: ['ok'] })
  })

  test('a stream that fails after it began but before its first chunk ends with an error and is free of charge', async () => {
    const { world, firstText, stream } = await startSilentStream()
    expect(stream.limits).toMatchObject({ remaining: 999 })
    firstText.reject(new ProviderError('retry', 'the connection was lost'))
    const events = await collect(stream.events)
    expect(events).toMatchObject([{ type: 'error', reply: { error: { code: 'PROVIDER_ERROR' } } }])
    expect(await facts(world)).toEqual({ used: 0, outcomes: ['PROVIDER_ERROR'] })
  })

  test('a stream aborts the provider call when the caller disconnects before the first chunk', async () => {
    const leaving = new AbortController()
    const { world, calls, stream } = await startSilentStream(leaving.signal)
    leaving.abort()
    expect((await collect(stream.events)).map(({ type }) => type)).toEqual(['error'])
    expect(calls[0]?.signal.aborted).toBe(true)
    expect((await facts(world)).outcomes).toEqual(['aborted'])
  })

  test('a stream is charged when its reader closes it before its first chunk', async () => {
    const { world, stream } = await startSilentStream()
    const reading = stream.events[Symbol.asyncIterator]()
    const next = reading.next()
    await reading.return?.()
    expect((await next).done).toBe(true)
    expect(await facts(world)).toEqual({ used: 1, outcomes: ['aborted'] })
    expect(world.logged).toEqual([])
  })

  test.each<[string, () => AsyncIterable<TextEvent>]>([
    ['ends without a finish event', async function* () {}],
    [
      'fails',
      // eslint-disable-next-line require-yield
      async function* () {
        throw new ProviderError('retry', 'the connection was lost')
      },
    ],
  ])('a stream whose provider %s ends with an error, is charged, and is recorded as partial', async (_case, then) => {
    const world = await testCore({ providers: [breaking(then)] })
    const events = await collect((await startStream(world)).events)
    expect(events.map(({ type }) => type)).toEqual(['chunk', 'chunk', 'error'])
    expect(events.at(-1)).toMatchObject({ reply: { error: { code: 'PROVIDER_ERROR' } } })
    expect(await facts(world)).toEqual({ used: 1, outcomes: ['partial'] })
  })

  test('a stream ends the provider’s work and is charged once when its reader stops early', async () => {
    let isClosed = false
    const provider: Provider = {
      contract: 2,
      id: 'endless',
      models: [fakeTextModel()],
      async *streamText() {
        try {
          yield* begun()
          while (true) yield { type: 'part_delta', index: 0, text: 'on and ' }
        } finally {
          isClosed = true
        }
      },
    }
    const world = await testCore({ providers: [provider] })
    for await (const _ of (await startStream(world)).events) break
    await expect.poll(() => isClosed).toBe(true)
    expect(await facts(world)).toEqual({ used: 1, outcomes: ['partial'] })
  })

  test('a stream is settled when the caller disconnects before reading', async () => {
    const world = await testCore({ providers: [scripted('calm', 'hello there')] })
    const leaving = new AbortController()
    await startStream(world, leaving.signal)
    leaving.abort()
    await expect.poll(() => facts(world)).toEqual({ used: 1, outcomes: ['partial'] })
  })

  test('a stream is settled when the caller disconnects while the provider is silent', async () => {
    const provider = breaking(async function* () {
      await new Promise(() => {})
      yield { type: 'part_delta', index: 0, text: 'never' }
    })
    const world = await testCore({ providers: [provider] })
    const leaving = new AbortController()
    const { events } = await startStream(world, leaving.signal)
    const seen: string[] = []
    for await (const { type } of events) {
      seen.push(type)
      if (seen.length === 2) queueMicrotask(() => leaving.abort())
    }
    expect(await facts(world)).toEqual({ used: 1, outcomes: ['partial'] })
  })

  test('a stream ends after the idle timeout if the provider goes silent', async () => {
    const provider = breaking(async function* () {
      await new Promise(() => {})
      yield { type: 'part_delta', index: 0, text: 'never' }
    })
    const world = await testCore({ providers: [provider], timeouts: { idleMs: 1000 } })
    const { events } = await startStream(world)
    const last: unknown[] = []
    for await (const event of events) {
      last[0] = event
      if (event.type === 'chunk' && event.chunk.content === 'two') queueMicrotask(() => world.clock.advance(1000))
    }
    expect(last[0]).toMatchObject({ type: 'error', reply: { error: { code: 'PROVIDER_TIMEOUT' } } })
  })

  test('a stream ends after the idle timeout even if bytes arrive that are no event yet', async () => {
    const arrivals: TextEvent[] = [...begun('one')]
    let arrive = () => {}
    class Arrivals extends PolledIterator<TextEvent> {
      poll() {
        const value = arrivals.shift()
        return value && { done: false as const, value }
      }
      ready() {
        return new Promise<void>((resolve) => (arrive = resolve))
      }
      async return() {
        arrive()
        return { done: true as const, value: undefined }
      }
    }
    const provider: Provider = { contract: 2, id: 'slow', models: [fakeTextModel()], streamText: () => new Arrivals() }
    const world = await testCore({ providers: [provider], timeouts: { idleMs: 1000 } })
    const { events } = await startStream(world)
    const reader = events[Symbol.asyncIterator]()
    await reader.next()
    const last = reader.next()
    world.clock.advance(600)
    arrive()
    await new Promise(setImmediate)
    world.clock.advance(400)
    expect((await last).value).toMatchObject({ type: 'error', reply: { error: { code: 'PROVIDER_TIMEOUT' } } })
  })
})
