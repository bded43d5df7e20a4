import { embedder } from '@fairlead/testing'
import { describe, expect, test } from 'vitest'
import { serve } from './testing/serve.ts'

const body = { model: 'vectors', input: ['one', 'four'] }

describe('embeddings', () => {
  test('embeddings have the form of OpenAI, as numbers', async () => {
    const { ask } = await serve({ providers: [embedder('calm')] })
    const { status, json, headers } = await ask('/embeddings', { ...body, user: 'u1' })
    expect([status, headers.get('x-fairlead-ignored')]).toEqual([200, 'user'])
    expect(json).toEqual({
      object: 'list',
      data: [
        { object: 'embedding', index: 0, embedding: [3, 0.5, 0.5, 0.5] },
        { object: 'embedding', index: 1, embedding: [4, 0.5, 0.5, 0.5] },
      ],
      model: 'vectors',
      usage: { prompt_tokens: 7, total_tokens: 7 },
    })
  })

  test('embeddings are 32-bit floats in base64 if the client asks for them', async () => {
    const { ask } = await serve({ providers: [embedder('calm')] })
    const { json } = await ask('/embeddings', { ...body, input: 'one', encoding_format: 'base64' })
    const bytes = Buffer.from(json.data[0].embedding, 'base64')
    expect([...new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length))]).toEqual([
      3, 0.5, 0.5, 0.5,
    ])
  })

  test.each<[string, object, string]>([
    ['tokens', { input: [1, 2, 3] }, 'input'],
    ['lists of tokens', { input: [[1, 2, 3]] }, 'input'],
    ['an object', { input: [{}] }, 'input[0]'],
    ['no input', { input: undefined }, 'input'],
    ['a blank text', { input: ' ' }, 'input'],
    ['a blank text of several', { input: ['a', ' '] }, 'input[1]'],
    ['an unknown encoding', { encoding_format: 'hex' }, 'encoding_format'],
    ['dimensions that the model lacks', { dimensions: 3 }, 'dimensions'],
  ])('embeddings are rejected with %s', async (_case, change, param) => {
    const { ask } = await serve({ providers: [embedder('calm')] })
    const { status, json } = await ask('/embeddings', { ...body, ...change })
    expect([status, json.error.param]).toEqual([400, param])
    expect(json.error.message.startsWith(param)).toBe(true)
  })
})
