import { describe, expect, test } from 'vitest'
import { memoryStores } from '../memory-stores.ts'
import type { Provider } from './provider.ts'
import { fakeCache } from '../testing/fake-cache.ts'
import { imageModel, painter, scripted, textModel } from '../testing/fake-providers.ts'
import { testClock } from '../testing/test-clock.ts'
import { testCore } from '../testing/test-core.ts'
import { analyze } from './analyze.ts'
import { generateImage } from './generate-image.ts'
import { generateText } from './generate-text.ts'

const cache = { ttlMs: 60_000 }

/** Counts how often it is asked, and says so. */
function counter(): Provider & { readonly asked: () => number } {
  let asked = 0
  const usage = { promptTokens: 1_000, completionTokens: 1_000 }
  const analysis = JSON.stringify({ sentiment: { score: 0.5, label: 'positive' } })
  return {
    contract: 1,
    id: 'counter',
    models: [
      textModel({ pricing: { input: 10, output: 10 }, streaming: true }),
      textModel({ id: 'reader', structured: true }),
      imageModel({ pricing: { input: 0, output: 1 } }),
    ],
    asked: () => asked,
    async generateText({ model }) {
      asked++
      return { content: model === 'reader' ? analysis : `answer ${asked}`, finishReason: 'stop', usage }
    },
    async *streamText() {
      asked++
      yield { type: 'text', text: 'answer ' }
      yield { type: 'text', text: `${asked}` }
      yield { type: 'finish', finishReason: 'stop', usage }
    },
    async generateImage(request, call) {
      asked++
      const { png } = (await painter('p').generateImage?.(request, call)) ?? {}
      return { png: png ?? new Uint8Array(), revisedPrompt: `image ${asked}` }
    },
  }
}

async function setup() {
  const provider = counter()
  const stores = memoryStores({ clock: testClock() })
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
  return { ...core, asked: provider.asked, stores }
}

async function all<Item>(items: AsyncIterable<Item>): Promise<readonly Item[]> {
  const found: Item[] = []
  for await (const item of items) found.push(item)
  return found
}

/** What is kept is kept after the answer is out. */
const turn = () => new Promise<void>((resolve) => void setImmediate(resolve))

describe('a text that is asked for again', () => {
  const input = { model: 'text', prompt: 'hello' }

  test('is the same, as a generation of its own, at no cost', async () => {
    const { core, caller, stores } = await setup()
    const first = await core.run(generateText, caller, input)
    await turn()
    const second = await core.run(generateText, caller, input)
    expect(first).toMatchObject({ data: { content: 'answer 1' }, meta: { cached: false, attempts: 1, costUsd: 0.02 } })
    expect(second).toMatchObject({
      data: { content: 'answer 1', usage: { totalTokens: 2_000 } },
      meta: { provider: 'counter', cached: true, attempts: 0, costUsd: 0 },
    })
    if (!first.success || !second.success || !('data' in first) || !('data' in second)) throw new Error('no answer')
    expect(second.data.id).not.toBe(first.data.id)
    const [record] = await stores.read((view) => view.usage.ofRequest(second.meta.requestId))
    expect(record).toMatchObject({ charged: true, costUsd: 0, promptTokens: 0, completionTokens: 0, model: 'text' })
  })

  test('is charged a unit like every success', async () => {
    const { core, caller } = await setup()
    await core.run(generateText, caller, input)
    await turn()
    expect(await core.run(generateText, caller, input)).toMatchObject({ limits: { remaining: 998 } })
  })

  test('comes as a stream where it is asked for as one', async () => {
    const { core, caller, asked } = await setup()
    await core.run(generateText, caller, input)
    await turn()
    const reply = await core.run(generateText, caller, { ...input, stream: true })
    if (!reply.success || !('events' in reply)) throw new Error('no stream')
    const events = await all(reply.events)
    expect(events).toMatchObject([
      { type: 'chunk', chunk: { content: 'answer 1' } },
      { type: 'done', reply: { data: { content: 'answer 1' }, meta: { cached: true, costUsd: 0 } } },
    ])
    expect(asked()).toBe(1)
  })

  test('was a stream before', async () => {
    const { core, caller, asked } = await setup()
    const reply = await core.run(generateText, caller, { ...input, stream: true })
    if (!reply.success || !('events' in reply)) throw new Error('no stream')
    await all(reply.events)
    await turn()
    expect(await core.run(generateText, caller, input)).toMatchObject({
      data: { content: 'answer 1', usage: { totalTokens: 2_000 } },
      meta: { cached: true },
    })
    expect(asked()).toBe(1)
  })

  test.each([
    ['the caller wants it anew', { cache: false }],
    ['anything else is asked', { temperature: 0.1 }],
    ['it is asked of the model itself, not of the route', { model: 'counter/any' }],
  ])('is another where %s', async (_, change) => {
    const { core, caller } = await setup()
    await core.run(generateText, caller, input)
    await turn()
    expect(await core.run(generateText, caller, { ...input, ...change })).toMatchObject({
      data: { content: 'answer 2' },
      meta: { cached: false },
    })
  })

  test('is another for another user', async () => {
    const { core, caller, addCaller } = await setup()
    const { credentials } = await addCaller()
    await core.run(generateText, caller, input)
    await turn()
    expect(await core.run(generateText, credentials, input)).toMatchObject({ data: { content: 'answer 2' } })
  })

  test('is the same for the embedding program', async () => {
    const { core, asked } = await setup()
    await core.generate(input)
    await turn()
    expect(await core.generate(input)).toMatchObject({ content: 'answer 1' })
    expect(asked()).toBe(1)
  })

  test('is waited for where the first is not done, and costs one call (single flight)', async () => {
    const { core, caller, asked } = await setup()
    const replies = await Promise.all(Array.from({ length: 10 }, () => core.run(generateText, caller, input)))
    expect(asked()).toBe(1)
    expect(replies.filter(({ meta }) => meta.cached === false)).toHaveLength(1)
  })
})

describe('an image that is asked for again', () => {
  const input = { model: 'picture', prompt: 'hello', size: '256x256' }

  test('is the same image, as long as it is kept', async () => {
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

describe('an analysis by a model that is asked for again', () => {
  test('is the same, at no cost', async () => {
    const { core, caller, asked } = await setup()
    const input = { model: 'reader', text: 'fine', tasks: ['sentiment'] }
    await core.run(analyze, caller, input)
    await turn()
    expect(await core.run(analyze, caller, input)).toMatchObject({
      data: { sentiment: { score: 0.5, label: 'positive' } },
      meta: { provider: 'counter', cached: true, attempts: 0, costUsd: 0 },
    })
    expect(asked()).toBe(1)
  })
})

describe('a route that lets answers be given again', () => {
  test('is refused where there is nothing to keep them in', async () => {
    const options = { providers: [scripted('calm', 'hello')], routes: { text: { targets: ['calm/any'], cache } } }
    await expect(testCore(options)).rejects.toThrow(
      'routes.text.cache: there is no cache: give createFairlead one, such as memoryCache() of @fairlead/cache',
    )
  })
})
