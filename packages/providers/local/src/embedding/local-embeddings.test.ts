import { afterAll, describe, expect, test } from 'vitest'
import { embedText } from './embed-text.ts'
import { localEmbeddings } from './local-embeddings.ts'

const { embed, model, close } = localEmbeddings()
const call = { signal: new AbortController().signal, deadline: Number.POSITIVE_INFINITY, requestId: 'req_1' }

afterAll(close)

type Vector = Float32Array | readonly number[]
const dot = (one: Vector, other: Vector) =>
  Array.from(one).reduce((sum, value, index) => sum + value * other[index]!, 0)
const vectorOf = (text: string) => embedText(text, 1_024).vector
const nearness = (one: string, other: string) => dot(vectorOf(one), vectorOf(other))

describe('lexis', () => {
  test('lexis returns a vector of length 1 for each text in their order, and counts the words, at least one for each', async () => {
    const texts = ['The parcel arrived.', 'A lighthouse', '!!!', '']
    const { embeddings, promptTokens } = await embed({ model: model.id, texts }, call)
    expect(embeddings).toHaveLength(4)
    for (const [index, vector] of embeddings.entries()) {
      expect(vector).toHaveLength(1_024)
      expect(dot(vector, vector)).toBeCloseTo(1, 5)
      expect(vector).toEqual(vectorOf(texts[index]!))
    }
    expect(promptTokens).toBe(5)
  })

  test('lexis returns vectors of the requested length', async () => {
    const { embeddings } = await embed({ model: model.id, texts: ['parcel'], dimensions: 256 }, call)
    expect(embeddings[0]).toHaveLength(256)
  })

  test.each([
    ['when will my parcel arrive', 'Parcels arrive within two days.', 'The choir sings on Sundays.'],
    ['deliverd parcels', 'The delivery of a parcel', 'The choir sings on Sundays.'],
    ['a boat in the harbor', 'sailors and the ocean', 'a loan from the bank'],
    ['図書館は月曜日に休みです', '月曜日の図書館', '猫が好きです'],
  ])('lexis puts %j nearer to %j than to %j', (query, near, far) => {
    expect(nearness(query, near)).toBeGreaterThan(nearness(query, far) + 0.05)
  })

  test.each([
    ['cat', 'kitten', 'car'],
    ['dog', 'puppy', 'dot'],
    ['begin', 'start', 'bean'],
    ['big', 'large', 'bag'],
  ])('lexis puts %j nearer to %j, which means the same or nearly so, than to %j', (word, near, far) => {
    expect(nearness(word, near)).toBeGreaterThan(nearness(word, far) + 0.05)
  })

  test('lexis warns of its own provider options, which it has none of', async () => {
    const { warnings } = await embed({ model: model.id, texts: ['x'], providerOptions: { local: { a: 1 } } }, call)
    expect(warnings).toMatchObject([{ field: 'providerOptions.local.a' }])
  })

  test('lexis rejects another model', async () => {
    await expect(embed({ model: 'scribe', texts: ['x'] }, call)).rejects.toThrow('no embedding model "scribe"')
  })

  test('lexis stops between batches when the caller leaves', async () => {
    const leaving = new AbortController()
    const texts = Array.from({ length: 100 }, (_, index) => `${index} lighthouse `.repeat(7_000))
    const embedded = embed({ model: model.id, texts }, { ...call, signal: leaving.signal })
    setImmediate(() => leaving.abort(new Error('the caller left')))
    await expect(embedded).rejects.toThrow('the caller left')
  })

  test.each([
    ['one word without end', 'x'.repeat(100_000)],
    ['words that occur once', Array.from({ length: 12_000 }, (_, index) => `w${index}x`).join(' ')],
    ['text without spaces', '図書館は月曜日に休みです'.repeat(8_000)],
  ])('lexis takes under a second of computing for the longest text of %s', (_, text) => {
    const started = process.threadCpuUsage()
    embedText(text.slice(0, 100_000), 1_024)
    expect(process.threadCpuUsage(started).user).toBeLessThan(1_000_000)
  })
})
