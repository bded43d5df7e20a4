import type { EmbeddingModelV4 } from '@ai-sdk/provider'
import type { EmbeddingRequest, ProviderCall } from '@fairlead/core/provider'
import { describe, expect, test } from 'vitest'
import { aiSdk } from './index.ts'
import type { AnyEmbeddingModel } from './options.ts'

const call: ProviderCall = { signal: new AbortController().signal, deadline: Infinity, requestId: 'req_1' }

/** An embedding model that returns the length of each text, and records how it was called. */
function written(fields: object = {}, result: object = {}) {
  const calls: Parameters<EmbeddingModelV4['doEmbed']>[0][] = []
  const model = {
    specificationVersion: 'v4',
    provider: 'hand',
    modelId: 'written',
    maxEmbeddingsPerCall: 2,
    supportsParallelCalls: true,
    async doEmbed(options: Parameters<EmbeddingModelV4['doEmbed']>[0]) {
      calls.push(options)
      const embeddings = options.values.map(({ length }) => [length, 0.5])
      return { embeddings, usage: { tokens: 3 }, warnings: [], ...result }
    },
    ...fields,
  }
  const provider = aiSdk({
    models: [
      {
        model: model as unknown as AnyEmbeddingModel,
        embedding: { dimensions: 2, minDimensions: 1 },
        providerOptions: { hand: { taskType: 'QUERY' } },
      },
    ],
  })
  const embed = (request: Partial<EmbeddingRequest> = {}) =>
    provider.embed!({ model: 'written', texts: ['a', 'bb', 'ccc'], ...request }, call)
  return { embed, calls }
}

describe('an embedding model', () => {
  test.each([2, Promise.resolve(2)])(
    'an embedding model gets as many texts in a call as it takes',
    async (maxEmbeddingsPerCall) => {
      const { embed, calls } = written({ maxEmbeddingsPerCall })
      expect(await embed()).toEqual({
        embeddings: [
          [1, 0.5],
          [2, 0.5],
          [3, 0.5],
        ],
        promptTokens: 6,
        warnings: [],
      })
      expect(calls.map(({ values }) => values)).toEqual([['a', 'bb'], ['ccc']])
    },
  )

  test.each([undefined, Infinity])(
    'an embedding model gets all texts at once if its maximum is %s',
    async (maxEmbeddingsPerCall) => {
      const { embed, calls } = written({ maxEmbeddingsPerCall })
      await embed()
      expect(calls).toHaveLength(1)
    },
  )

  test('an embedding model gets the dimensions and the options of its package', async () => {
    const { embed, calls } = written()
    const providerOptions = { 'ai-sdk': { hand: { title: 'Lakes' } }, google: { title: 'No' } }
    await embed({ texts: ['a'], dimensions: 1, providerOptions })
    expect(calls).toEqual([
      {
        values: ['a'],
        dimensions: 1,
        providerOptions: { hand: { taskType: 'QUERY', title: 'Lakes' } },
        abortSignal: call.signal,
      },
    ])
  })

  test('an embedding model returns its warnings, and no tokens if a call has none', async () => {
    const { embed } = written({}, { usage: undefined, warnings: [{ type: 'unsupported', feature: 'dimensions' }] })
    const answer = await embed({ texts: ['a'] })
    expect(answer).toMatchObject({ warnings: [{ field: 'dimensions', issue: 'is not supported by the model' }] })
    expect(answer).not.toHaveProperty('promptTokens')
  })

  test.each([[[]], [[[]]], [[[1], [2]]]])(
    'an embedding model that returns %j for one text fails with retry',
    async (embeddings) => {
      const { embed } = written({}, { embeddings })
      await expect(embed({ texts: ['a'] })).rejects.toMatchObject({ name: 'ProviderError', failure: 'retry' })
    },
  )
})
