import { embedder } from '@fairlead/testing'
import { describe, expect, test } from 'vitest'
import { serve } from './testing/serve.ts'

const mutation = `mutation ($input: EmbedInput!) {
  embed(input: $input) { embeddings { embeddings base64 modelId usage { promptTokens } meta { provider } } }
}`

describe('the mutation embed', () => {
  test('the mutation embed returns an embedding for each text', async () => {
    const { ask } = await serve({ providers: [embedder('calm', { embedding: { dimensions: 2 } })] })
    const { json } = await ask(mutation, { input: { model: 'vectors', texts: ['one', 'four'] } })
    expect(json.data).toEqual({
      embed: {
        embeddings: {
          embeddings: [
            [3, 0.5],
            [4, 0.5],
          ],
          base64: null,
          modelId: 'vectors',
          usage: { promptTokens: 7 },
          meta: { provider: 'calm' },
        },
      },
    })
  })

  test('the mutation embed rejects more numbers than a response can have, and says how many texts are possible', async () => {
    const { ask } = await serve({ providers: [embedder('calm', { embedding: { dimensions: 3_072 } })] })
    const texts = Array.from({ length: 50 }, () => 'a')
    const { json } = await ask(mutation, { input: { model: 'vectors', texts } })
    expect(json.errors[0]).toMatchObject({ extensions: { code: 'INVALID_REQUEST', details: { field: 'texts' } } })
    expect(json.errors[0].message).toContain('must have at most 40 entries of 3072 dimensions')
    const compact = await ask(mutation, { input: { model: 'vectors', texts, encoding: 'BASE64' } })
    expect(compact.json.data.embed.embeddings.base64).toHaveLength(50)
  })
})
