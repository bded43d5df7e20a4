import { describe, expect, test } from 'vitest'
import type { Provider } from '../provider.ts'
import { fakeCache } from '../../testing/fake-cache.ts'
import {
  fakeImageModel,
  fakePainter,
  scripted,
  fakeTextModel,
  testClock,
  testCore,
  testStores,
} from '@fairlead/testing'
import { analyze } from '../analyze.ts'
import { generateImage } from '../images/generate-image.ts'
import { generateText } from '../text/generate-text.ts'
import { textAnswer, textEvents } from '../messages/text-answer.ts'

const cache = { ttlMs: 60_000 }

/** Counts its calls, and returns the count. */
function counter(): Provider & { readonly calls: () => number } {
  let calls = 0
  const usage = { promptTokens: 1_000, completionTokens: 1_000 }
  const analysis = JSON.stringify({ sentiment: { score: 0.5, label: 'positive' } })
  return {
    contract: 2,
    id: 'counter',
    models: [
      fakeTextModel({ pricing: { input: 10, output: 10 }, streaming: true, chat: true, tools: true, reasoning: true }),
      fakeTextModel({ id: 'reader', structured: true }),
      fakeImageModel({ pricing: { input: 0, output: 1 } }),
    ],
    calls: () => calls,
    async generateText({ model }) {
      calls++
      return textAnswer(model === 'reader' ? analysis : `answer ${calls}`, { usage })
    },
    streamText() {
      calls++
      return textEvents(['answer ', `${calls}`], { usage })
    },
    async generateImage(request, call) {
      calls++
      const { png } = (await fakePainter('p').generateImage?.(request, call)) ?? {}
      return { png: png ?? new Uint8Array(), revisedPrompt: `image ${calls}` }
    },
  }
}

async function setup() {
  const provider = counter()
  const stores = testStores({ clock: testClock() })
  const core = await testCore({
    providers: [provider],
    stores,
    cache: fakeCache(testClock()),
    routes: {
      text: { targets: ['counter/any'], cache },
      picture: { targets: ['counter/picture'], cache },
      reader: { targets: ['counter/reader'], cache },
    },
  })
  return { ...core, calls: provider.calls, stores }
}

async function all<Item>(items: AsyncIterable<Item>): Promise<readonly Item[]> {
  const found: Item[] = []
  for await (const item of items) found.push(item)
  return found
}

/** Responses are stored after they are returned. */
const turn = () => new Promise<void>((resolve) => void setImmediate(resolve))

describe('a repeated request for a text', () => {
  const input = { model: 'text', prompt: 'hello' }

  const hello = { role: 'user', content: 'hello' }
  const marked = { type: 'text', text: 'hello', providerOptions: { counter: { cache_control: {} } } }

  test('a repeated request for a text returns the cached text with an id of its own, at no cost', async () => {
    const { core, caller, stores } = await setup()
    const first = await core.run(generateText, caller, input)
    await turn()
    const second = await core.run(generateText, caller, input)
    expect(first).toMatchObject({ data: { content: 'answer 1' }, meta: { cached: false, attempts: 1, costUsd: 0.02 } })
    expect(second).toMatchObject({
      data: { content: 'answer 1', usage: { totalTokens: 2_000 } },
      meta: { provider: 'counter', cached: true, attempts: 0, costUsd: 0 },
    })
    if (!first.success || !second.success || !('data' in first) || !('data' in second)) throw new Error('no response')
    expect(second.data.id).not.toBe(first.data.id)
    const [record] = await stores.read((view) => view.usage.ofRequest(second.meta.requestId))
    expect(record).toMatchObject({ charged: true, costUsd: 0, promptTokens: 0, completionTokens: 0, model: 'text' })
  })

  test('a repeated request for a text costs a unit of the quota like every success', async () => {
    const { core, caller } = await setup()
    await core.run(generateText, caller, input)
    await turn()
    expect(await core.run(generateText, caller, input)).toMatchObject({ limits: { remaining: 998 } })
  })

  test('a repeated request for a text can stream the cached text', async () => {
    const { core, caller, calls } = await setup()
    await core.run(generateText, caller, input)
    await turn()
    const reply = await core.run(generateText, caller, { ...input, stream: true })
    if (!reply.success || !('events' in reply)) throw new Error('no stream')
    const events = await all(reply.events)
    expect(events).toMatchObject([
      { type: 'chunk', chunk: { content: 'answer 1' } },
      { type: 'done', reply: { data: { content: 'answer 1' }, meta: { cached: true, costUsd: 0 } } },
    ])
    expect(calls()).toBe(1)
  })

  test('a repeated request for a text can return a text that was streamed before', async () => {
    const { core, caller, calls } = await setup()
    const reply = await core.run(generateText, caller, { ...input, stream: true })
    if (!reply.success || !('events' in reply)) throw new Error('no stream')
    await all(reply.events)
    await turn()
    expect(await core.run(generateText, caller, input)).toMatchObject({
      data: { content: 'answer 1', usage: { totalTokens: 2_000 } },
      meta: { cached: true },
    })
    expect(calls()).toBe(1)
  })

  test.each([
    ['the client bypasses the cache', { cache: false }],
    ['another field differs', { temperature: 0.1 }],
    ['it has a message before', { prompt: undefined, messages: [{ role: 'system', content: 'Be brief.' }, hello] }],
    ['a part has options', { prompt: undefined, messages: [{ ...hello, content: [marked] }] }],
    ['it has tools', { tools: [{ name: 'weather', inputSchema: {} }] }],
    ['the format differs', { responseFormat: { type: 'json' } }],
    ['the reasoning differs', { reasoning: { effort: 'low' } }],
    ['the options of a provider differ', { providerOptions: { counter: { user: 'u1' } } }],
    ['the model is requested instead of the route', { model: 'counter/any' }],
  ])('a repeated request for a text is not served from the cache if %s', async (_, change) => {
    const { core, caller } = await setup()
    await core.run(generateText, caller, input)
    await turn()
    expect(await core.run(generateText, caller, { ...input, ...change })).toMatchObject({
      data: { content: 'answer 2' },
      meta: { cached: false },
    })
  })

  test('a repeated request for a text is not served from the cache of another user', async () => {
    const { core, caller, addCaller } = await setup()
    const { credentials } = await addCaller()
    await core.run(generateText, caller, input)
    await turn()
    expect(await core.run(generateText, credentials, input)).toMatchObject({ data: { content: 'answer 2' } })
  })

  test('a repeated request for a text is served from the cache for the embedding program', async () => {
    const { fairlead, calls } = await setup()
    await fairlead.generate(input)
    await turn()
    expect(await fairlead.generate(input)).toMatchObject({ content: 'answer 1' })
    expect(calls()).toBe(1)
  })

  test('a repeated request for a text waits for the first while it is in flight, and costs one call', async () => {
    const { core, caller, calls } = await setup()
    const replies = await Promise.all(Array.from({ length: 10 }, () => core.run(generateText, caller, input)))
    expect(calls()).toBe(1)
    expect(replies.filter(({ meta }) => meta.cached === false)).toHaveLength(1)
  })
})

describe('a stream that several requests share', () => {
  const input = { model: 'text', prompt: 'hello', stream: true }
  const usage = { promptTokens: 1_000, completionTokens: 1_000 }

  /** A provider whose stream goes on when the test says so, and which counts its tokens at the end. */
  async function shared() {
    const [first, rest] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const asked = Promise.withResolvers<void>()
    let signal: AbortSignal | undefined
    const provider: Provider = {
      ...counter(),
      async *streamText(_request, call) {
        signal = call.signal
        asked.resolve()
        await first.promise
        for await (const event of textEvents(['Hello ', 'there'], { usage })) {
          if (event.type === 'part_delta' && event.text === 'there') await rest.promise
          call.signal.throwIfAborted()
          yield event
        }
      },
    }
    const world = await testCore({
      providers: [provider],
      cache: fakeCache(testClock()),
      routes: { text: { targets: ['counter/any'], cache } },
    })
    const open = (requestId: string) =>
      world.core.run(generateText, world.caller, input, { requestId, firstChunkMs: 1 })
    const record = async (requestId: string) => (await world.stores.read((view) => view.usage.ofRequest(requestId)))[0]
    return { ...world, open, record, first, rest, asked: asked.promise, signal: () => signal }
  }

  const eventsOf = (reply: Awaited<ReturnType<Awaited<ReturnType<typeof shared>>['open']>>) => {
    if (!reply.success || !('events' in reply)) throw new Error('no stream')
    return reply.events[Symbol.asyncIterator]()
  }

  test('a stream that several requests share is paid whole by the first, although it leaves while another reads on', async () => {
    const { open, record, first, rest } = await shared()
    first.resolve()
    const paying = eventsOf(await open('req_1'))
    await paying.next()
    const reading = eventsOf(await open('req_2'))
    const left = paying.return!()
    rest.resolve()
    for (let next = await reading.next(); !next.done; next = await reading.next());
    await left
    expect(await record('req_1')).toMatchObject({ outcome: 'partial', charged: true, ...usage, costUsd: 0.02 })
    expect(await record('req_2')).toMatchObject({ outcome: 'ok', costUsd: 0, completionTokens: 0 })
  })

  test('a stream that several requests share is paid once, as far as it came, if all of them leave', async () => {
    const { open, record, first, signal } = await shared()
    first.resolve()
    const paying = eventsOf(await open('req_1'))
    await paying.next()
    const reading = eventsOf(await open('req_2'))
    const left = paying.return!()
    await turn()
    expect([signal()?.aborted, await record('req_1')]).toEqual([false, undefined])
    await Promise.all([left, reading.return!()])
    expect(signal()?.aborted).toBe(true)
    expect(await record('req_1')).toMatchObject({ outcome: 'partial', charged: true, completionTokens: 2 })
    expect(await record('req_2')).toMatchObject({ outcome: 'partial', costUsd: 0 })
  })

  test('a stream that several requests share is paid whole by the first, although it leaves before the first piece', async () => {
    const { core, caller, open, record, first, rest, asked } = await shared()
    const leaving = new AbortController()
    const options = { requestId: 'req_1', signal: leaving.signal }
    const paying = core.run(generateText, caller, input, options)
    await asked
    const reading = open('req_2')
    await turn()
    leaving.abort()
    first.resolve()
    rest.resolve()
    const read = eventsOf(await reading)
    for (let next = await read.next(); !next.done; next = await read.next());
    await paying
    expect(await record('req_1')).toMatchObject({ outcome: 'aborted', charged: true, ...usage, costUsd: 0.02 })
    expect(await record('req_2')).toMatchObject({ outcome: 'ok', costUsd: 0 })
  })
})

describe('a repeated request for an image', () => {
  const input = { model: 'picture', prompt: 'hello', size: '256x256' }

  test('a repeated request for an image returns the cached image as long as it is stored', async () => {
    const { core, caller, stores } = await setup()
    const first = await core.run(generateImage, caller, input)
    await turn()
    const second = await core.run(generateImage, caller, input)
    if (!first.success || !second.success || !('data' in first) || !('data' in second)) throw new Error('no image')
    expect(second.data).toEqual(first.data)
    expect(second.meta).toMatchObject({ cached: true, costUsd: 0 })
    await stores.transact((tx) => tx.images.purge(Number.MAX_SAFE_INTEGER, 10))
    const third = await core.run(generateImage, caller, input)
    expect(third).toMatchObject({ data: { revisedPrompt: 'image 2' }, meta: { cached: false } })
  })
})

describe('a repeated analysis by a text model', () => {
  test('a repeated analysis by a text model returns the cached analysis at no cost', async () => {
    const { core, caller, calls } = await setup()
    const input = { model: 'reader', text: 'fine', tasks: ['sentiment'] }
    await core.run(analyze, caller, input)
    await turn()
    expect(await core.run(analyze, caller, input)).toMatchObject({
      data: { sentiment: { score: 0.5, label: 'positive' } },
      meta: { provider: 'counter', cached: true, attempts: 0, costUsd: 0 },
    })
    expect(calls()).toBe(1)
  })
})

describe('a route with response caching', () => {
  test('a route with response caching is rejected if no cache is configured', async () => {
    const options = { providers: [scripted('calm', 'hello')], routes: { text: { targets: ['calm/any'], cache } } }
    await expect(testCore(options)).rejects.toThrow(
      'routes.text.cache: needs a cache: give createFairlead one, such as memoryCache() of @fairlead/cache',
    )
  })
})
