import type { EmbeddingRequest } from '@fairlead/core/provider'
import { longestBlockMs } from '@fairlead/testing'
import { describe, expect, test } from 'vitest'
import type { OpenaiCompatibleOptions } from './index.ts'
import { call, replyingWith } from './testing/ask-replying.ts'

const reply = (data: readonly object[], about: object = { usage: { prompt_tokens: 3, total_tokens: 3 } }) => ({
  json: { object: 'list', data, ...about },
})
const two = [
  { index: 1, embedding: [0.25, 2] },
  { index: 0, embedding: [0.5, -1] },
]

async function embed(
  json: object,
  about: Partial<EmbeddingRequest> = {},
  options: Partial<OpenaiCompatibleOptions> = {},
) {
  const { provider, sent } = await replyingWith(json, options)
  const answer = await provider.embed({ model: 'any', texts: ['A lake.', 'A river.'], ...about }, call)
  return { answer, body: sent().body, path: sent().path }
}

describe('embed', () => {
  test('embed returns the vectors in the order of the texts, with the count of their tokens', async () => {
    const { answer, body, path } = await embed(reply(two))
    expect(answer.embeddings.map((vector) => [...vector])).toEqual([
      [0.5, -1],
      [0.25, 2],
    ])
    expect(answer.promptTokens).toBe(3)
    expect({ body, path }).toEqual({ body: { model: 'any', input: ['A lake.', 'A river.'] }, path: '/v1/embeddings' })
  })

  test.each<[string, Partial<OpenaiCompatibleOptions>, object]>([
    ['OpenAI', { preset: 'openai' }, { dimensions: 256, encoding_format: 'base64' }],
    ['Mistral', { preset: 'mistral' }, { output_dimension: 256, encoding_format: 'base64' }],
    ['an unknown server', {}, { dimensions: 256 }],
  ])('embed sends the dimensions as %s expects them', async (_server, options, fields) => {
    const { body } = await embed(reply(two), { dimensions: 256 }, options)
    expect(body).toEqual({ model: 'any', input: ['A lake.', 'A river.'], ...fields })
  })

  test('embed adds the options for this provider to the request', async () => {
    const { body } = await embed(reply(two), { providerOptions: { acme: { user: 'u1' }, other: { user: 'u2' } } })
    expect(body).toMatchObject({ user: 'u1' })
  })

  test.each<[string, readonly object[]]>([
    ['fewer vectors than texts', two.slice(1)],
    ['vectors of different lengths', [two[0]!, { index: 0, embedding: [1] }]],
    ['a vector with something else than numbers', [two[0]!, { index: 0, embedding: [1, null] }]],
    ['empty vectors', [{ embedding: '' }, { embedding: '' }]],
  ])('embed rejects %s', async (_case, data) => {
    await expect(embed(reply(data))).rejects.toMatchObject({ name: 'ProviderError', failure: 'retry' })
  })

  test.each([
    ['input_tokens', { input_tokens: 3, total_tokens: 3 }],
    ['total_tokens', { total_tokens: 3 }],
  ])('embed counts the texts by %s', async (_name, usage) => {
    expect((await embed(reply(two, { usage }))).answer).toMatchObject({ promptTokens: 3 })
  })

  test('embed returns no count where the server sends none', async () => {
    expect((await embed(reply(two, { usage: null }))).answer).not.toHaveProperty('promptTokens')
  })

  test('embed does not block the event loop for long with the longest list of OpenAI’s', async () => {
    const vector = Buffer.from(Float32Array.from({ length: 3_072 }, (_, at) => at / 3_072).buffer).toString('base64')
    const texts = Array.from({ length: 128 }, (_, at) => `text ${at}`)
    const longest = reply(texts.map((_, index) => ({ object: 'embedding', index, embedding: vector })))
    const { provider } = await replyingWith(longest, { preset: 'openai' })
    const embedAll = async () => {
      const { embeddings } = await provider.embed({ model: 'text-embedding-3-large', texts }, call)
      expect(embeddings).toHaveLength(128)
    }
    expect(await longestBlockMs(embedAll, 100)).toBeLessThanOrEqual(100)
  })
})
