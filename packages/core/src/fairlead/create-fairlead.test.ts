import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { shipments } from '@fairlead/shipments'
import { createFairlead, FairleadError, operations } from '../index.ts'
import {
  blankPng,
  failing,
  held,
  fakeImageModel,
  fakePainter,
  reader,
  scripted,
  shipmentInput,
  fakeTextModel,
} from '@fairlead/testing'

const everything = [
  scripted('calm', 'hello there'),
  fakePainter('brush'),
  reader('reader', { sentiment: { score: 0.5, label: 'positive' }, entities: [], keywords: [] }),
]

describe('an embedded fairlead', () => {
  test('an embedded fairlead generates text', async () => {
    const fairlead = createFairlead({ providers: everything })
    const { content, usage } = await fairlead.generate({ model: 'any', prompt: 'greet me' })
    expect(content).toBe('hello there')
    expect(usage.totalTokens).toBe(4)
  })

  test('an embedded fairlead streams text and returns the whole result at the end', async () => {
    const fairlead = createFairlead({ providers: everything })
    const stream = fairlead.generate.stream({ model: 'any', prompt: 'greet me' })
    const seen: unknown[] = []
    let next = await stream.next()
    for (; !next.done; next = await stream.next()) seen.push(next.value.content)
    expect(seen).toEqual(['hello', ' there'])
    expect(next.value).toMatchObject({ content: 'hello there' })
  })

  test('an embedded fairlead returns the metadata of a call on request', async () => {
    const fairlead = createFairlead({ providers: everything })
    const { data, meta } = await fairlead.generate.withMeta({ model: 'any', prompt: 'greet me' })
    expect(data.content).toBe('hello there')
    expect(meta).toMatchObject({ provider: 'calm', attempts: 1, cached: false, costUsd: 0 })
  })

  test('an embedded fairlead returns the cursor of the next page of a list', async () => {
    const fairlead = createFairlead({ providers: everything, features: [shipments()] })
    for (const reference of ['a', 'b']) await fairlead.shipments.create(shipmentInput(reference))
    const first = await fairlead.shipments.list.withMeta({ limit: 1 })
    const { nextCursor } = first.meta.page!
    const second = await fairlead.shipments.list({ limit: 1, cursor: nextCursor! })
    expect([...first.data, ...second].map(({ reference }) => reference).sort()).toEqual(['a', 'b'])
  })

  test('an embedded fairlead returns the whole result of a stream after the loop', async () => {
    const fairlead = createFairlead({ providers: everything })
    const stream = fairlead.generate.stream({ model: 'any', prompt: 'greet me' })
    const chunks: string[] = []
    for await (const { content } of stream) chunks.push(content)
    const { data, meta } = await stream.result()
    expect(chunks).toEqual(['hello', ' there'])
    expect(data).toMatchObject({ content: 'hello there', finishReason: 'stop', usage: { totalTokens: 4 } })
    expect(meta.provider).toBe('calm')
  })

  test('an embedded fairlead returns the whole result of a stream without a loop', async () => {
    const fairlead = createFairlead({ providers: everything })
    const { data } = await fairlead.generate.stream({ model: 'any', prompt: 'greet me' }).result()
    expect(data.content).toBe('hello there')
  })

  test('an embedded fairlead rejects the result of a stream that failed with the same error', async () => {
    const fairlead = createFairlead({ providers: [failing('down', 'give_up')] })
    const stream = fairlead.generate.stream({ model: 'any', prompt: 'x' })
    await expect(stream.next()).rejects.toMatchObject({ code: 'PROVIDER_ERROR' })
    await expect(stream.result()).rejects.toMatchObject({ code: 'PROVIDER_ERROR' })
  })

  test('an embedded fairlead generates and stores images', async () => {
    const fairlead = createFairlead({ providers: everything })
    const { id, url } = await fairlead.generateImage({ model: 'picture', prompt: 'a lake', size: '256x256' })
    expect(url).toBe(`/images/${id}.png`)
    expect((await fairlead.core.openImage(id))?.byteLength).toBeGreaterThan(60)
    expect(await fairlead.core.openImage('img_1')).toBeUndefined()
    expect(await fairlead.core.openImage('../../etc/passwd')).toBeUndefined()
  })

  test('an embedded fairlead analyzes text and returns only the requested tasks', async () => {
    const fairlead = createFairlead({ providers: everything })
    expect(await fairlead.analyze({ text: 'Lovely.', tasks: ['sentiment'] })).toEqual({
      sentiment: { score: 0.5, label: 'positive' },
    })
  })

  test('an embedded fairlead lists models', async () => {
    const fairlead = createFairlead({ providers: everything })
    expect((await fairlead.models.list()).map(({ id }) => id)).toEqual(['any', 'picture'])
    expect((await fairlead.models.list({ type: 'image' })).map(({ id }) => id)).toEqual(['picture'])
    expect(await fairlead.models.get({ id: 'calm/any' })).toMatchObject({ provider: 'calm', type: 'text' })
  })

  test('an embedded fairlead rejects invalid input with a FairleadError that lists the fields', async () => {
    const fairlead = createFairlead({ providers: everything })
    const refused = fairlead.generate({ model: 'any', prompt: ' ', temperature: 9 })
    await expect(refused).rejects.toBeInstanceOf(FairleadError)
    await expect(refused).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      issues: [
        { field: 'prompt', issue: 'must not be empty' },
        { field: 'temperature', issue: 'must be between 0 and 2' },
      ],
    })
  })

  test('an embedded fairlead rejects with the reason of the aborted signal', async () => {
    const provider = held('slow')
    const fairlead = createFairlead({ providers: [provider] })
    const leaving = new AbortController()
    const running = fairlead.generate({ model: 'any', prompt: 'greet me' }, { signal: leaving.signal })
    await expect.poll(() => provider.calls.length).toBe(1)
    leaving.abort(new Error('changed my mind'))
    await expect(running).rejects.toThrow('changed my mind')
  })
})

describe('an embedding program', () => {
  test('an embedding program receives the cause of a provider failure', async () => {
    const fairlead = createFairlead({ providers: [failing('down', 'give_up')] })
    const failed = fairlead.generate({ model: 'any', prompt: 'x' })
    await expect(failed).rejects.toMatchObject({ cause: { failure: 'give_up', message: 'down always fails' } })
  })
})

describe('models of several providers', () => {
  test('models of several providers are found in the first provider with that id, or by provider and id', async () => {
    const fairlead = createFairlead({ providers: [scripted('first', 'one'), scripted('second', 'two')] })
    expect((await fairlead.models.list()).map(({ id }) => id)).toEqual(['any', 'second/any'])
    expect((await fairlead.generate({ model: 'any', prompt: 'x' })).content).toBe('one')
    expect((await fairlead.generate({ model: 'first/any', prompt: 'x' })).content).toBe('one')
    expect((await fairlead.generate({ model: 'second/any', prompt: 'x' })).content).toBe('two')
  })

  test('models of several providers exclude those of a provider that cannot list its models', async () => {
    const lost = { ...scripted('lost', 'x'), models: () => Promise.reject(new Error('no answer')) }
    const fairlead = createFairlead({ providers: [lost, scripted('calm', 'hi')] })
    expect((await fairlead.models.list()).map(({ provider }) => provider)).toEqual(['calm'])
    await expect(fairlead.models.get({ id: 'lost/any' })).rejects.toMatchObject({ code: 'PROVIDER_UNAVAILABLE' })
  })

  test('models of several providers have prices', async () => {
    const priced = {
      ...scripted('dear', 'four words are said'),
      models: [fakeTextModel({ pricing: { input: 3, output: 15 } })],
    }
    const fairlead = createFairlead({ providers: [priced] })
    const reply = await fairlead.core.run(operations.generate, { kind: 'embedded' }, { model: 'any', prompt: 'x' })
    expect(reply.meta.costUsd).toBeCloseTo((2 * 3 + 4 * 15) / 1_000_000, 9)
  })
})

describe('a provider that fails or violates its contract', () => {
  test.each([
    ['with an image of another size', blankPng(100, 100)],
    ['with an image that is not a PNG', new TextEncoder().encode('<html>this is not an image, but long enough</html>')],
    ['with an empty image', new Uint8Array()],
  ])('%s fails the call', async (_case, png) => {
    const fairlead = createFairlead({ providers: [{ ...fakePainter('brush'), generateImage: async () => ({ png }) }] })
    const made = fairlead.generateImage({ model: 'picture', prompt: 'x', size: '256x256' })
    await expect(made).rejects.toMatchObject({ code: 'PROVIDER_ERROR' })
  })

  test('a provider that lists a type of model without its method fails the call', async () => {
    const empty = { contract: 2, id: 'empty', models: [fakeTextModel(), fakeImageModel()] } as const
    const fairlead = createFairlead({ providers: [empty] })
    await expect(fairlead.generate({ model: 'any', prompt: 'x' })).rejects.toMatchObject({ code: 'PROVIDER_ERROR' })
    const image = fairlead.generateImage({ model: 'picture', prompt: 'x' })
    await expect(image).rejects.toMatchObject({ code: 'PROVIDER_ERROR' })
  })

  test('an analysis that lacks a requested task fails the call', async () => {
    const fairlead = createFairlead({ providers: [reader('half', { entities: [] })] })
    const analysis = fairlead.analyze({ text: 'x', tasks: ['entities', 'sentiment'] })
    await expect(analysis).rejects.toMatchObject({ code: 'PROVIDER_ERROR' })
  })

  test.each([
    ['retry', 'PROVIDER_ERROR'],
    ['rate_limited', 'RATE_LIMIT_EXCEEDED'],
    ['timeout', 'PROVIDER_TIMEOUT'],
    ['credential', 'PROVIDER_ERROR'],
    ['invalid_request', 'INVALID_REQUEST'],
    ['content_refused', 'CONTENT_REFUSED'],
    ['give_up', 'PROVIDER_ERROR'],
  ] as const)('a provider that throws "%s" causes %s', async (failure, code) => {
    const fairlead = createFairlead({ providers: [failing('down', failure)] })
    await expect(fairlead.generate({ model: 'any', prompt: 'x' })).rejects.toMatchObject({ code })
  })
})

test('a core without a configured log writes unexpected errors to standard error', () => {
  const write = vi.spyOn(console, 'error').mockImplementation(() => {})
  onTestFinished(() => write.mockRestore())
  const error = new Error('broken')
  const { meta } = createFairlead({ providers: [scripted('calm', 'hello')] }).core.refuse(error)
  expect(write).toHaveBeenCalledExactlyOnceWith('fairlead: unhandled error', { requestId: meta.requestId, error })
})
