import { GoogleGenAI } from '@google/genai'
import type { EmbeddingRequest } from '@fairlead/core/provider'
import { openTestUpstream, type RecordedReply, replaying, type TestUpstream } from '@fairlead/testing'
import { beforeEach, describe, expect, test } from 'vitest'
import { google } from './index.ts'

let upstream: TestUpstream
beforeEach(async () => {
  upstream = await openTestUpstream()
  return () => upstream.close()
})

const call = { signal: new AbortController().signal, deadline: Infinity, requestId: 'req_1' }
/** The reply of https://ai.google.dev/api/embeddings */
const json = { embeddings: [{ values: [0.25, -0.5] }, { values: [1, 0] }], usageMetadata: { promptTokenCount: 7 } }
const request = { model: 'gemini-embedding-2', texts: ['A lake', 'A hill'] }

function embed(fields: Partial<EmbeddingRequest> = {}, reply: RecordedReply = { json }) {
  upstream.answer(replaying(reply))
  return google({ apiKey: 'AIza-canary', baseUrl: `${upstream.url}/v1beta` }).embed!({ ...request, ...fields }, call)
}

describe('embeddings', () => {
  test('embeddings are the vectors of the reply, with the prompt tokens', async () => {
    expect(await embed()).toEqual({
      embeddings: [
        [0.25, -0.5],
        [1, 0],
      ],
      promptTokens: 7,
      warnings: [],
    })
    const { usageMetadata: _usage, ...uncounted } = json
    expect(await embed({}, { json: uncounted })).not.toHaveProperty('promptTokens')
  })

  test.each([
    ['of the default length', {}, {}],
    ['of a length', { dimensions: 768 }, { outputDimensionality: 768 }],
    ['of a task', { providerOptions: { google: { taskType: 'RETRIEVAL_QUERY' } } }, { taskType: 'RETRIEVAL_QUERY' }],
  ])('%s are requested as Google’s own SDK requests them', async (_case, fields, config) => {
    await embed(fields)
    const sdk = new GoogleGenAI({
      apiKey: 'AIza-canary',
      httpOptions: { baseUrl: upstream.url, apiVersion: 'v1beta' },
    })
    // A list of strings would be the parts of one content for this model.
    const contents = request.texts.map((text) => ({ role: 'user', parts: [{ text }] }))
    await sdk.models.embedContent({ model: request.model, contents, config })
    const [own, official] = upstream.requests.map(({ method, path, body }) => ({ method, path, body }))
    expect(own).toEqual(official)
  })

  test('embeddings take their length from dimensions alone', async () => {
    const providerOptions = { google: { outputDimensionality: 4 } }
    expect(await embed({ providerOptions })).toMatchObject({
      warnings: [{ field: 'providerOptions.google.outputDimensionality', issue: 'was ignored: set `dimensions`' }],
    })
    expect(JSON.stringify(upstream.requests.at(-1)?.body)).not.toContain('outputDimensionality')
  })

  test.each([[{}], [{ embeddings: [{ values: [1] }] }], [{ embeddings: [{}, { values: [1] }] }]])(
    'embeddings in a reply of another form or number fail: %j',
    async (other) => {
      await expect(embed({}, { json: other })).rejects.toMatchObject({ name: 'ProviderError' })
    },
  )

  test('embeddings of a hundred texts, printed with one number on each line, are read', async () => {
    const values = Array.from({ length: 3_072 }, (_, at) => -0.012_345_678_9 - at / 1e9)
    const printed = JSON.stringify({ embeddings: Array.from({ length: 100 }, () => ({ values })) }, null, 2)
    const texts = Array.from({ length: 100 }, (_, at) => `Text ${at}`)
    const { embeddings } = await embed({ texts }, { text: printed, headers: { 'content-type': 'application/json' } })
    expect(embeddings).toHaveLength(100)
    expect(embeddings[99]).toEqual(values)
  })
})
