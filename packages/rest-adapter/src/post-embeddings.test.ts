import { embedder } from '@fairlead/testing'
import { describe, expect, test } from 'vitest'
import { forms } from './testing/serve.ts'

const providers = [embedder('calm', { embedding: { dimensions: 4, minDimensions: 2 } })]

describe.each(forms)('%s', (_form, serve) => {
  const asked = { model: 'vectors', texts: ['one', 'four'] }

  describe('POST /embeddings', () => {
    test.each(['/embeddings', '/api/v1/embeddings'])(
      'POST /embeddings returns the embeddings in the envelope at %s',
      async (path) => {
        const { ask } = await serve({ providers })
        const { status, json, headers } = await ask('POST', path, { body: asked })
        expect(status).toBe(200)
        expect(json).toEqual({
          success: true,
          data: {
            embeddings: [
              [3, 0.5, 0.5, 0.5],
              [4, 0.5, 0.5, 0.5],
            ],
            model: 'vectors',
            usage: { prompt_tokens: 7, completion_tokens: 0, total_tokens: 7 },
          },
          meta: expect.objectContaining({ provider: 'calm', cost_usd: 0 }),
        })
        expect(headers.get('content-length')).toBe(String(JSON.stringify(json).length))
      },
    )

    test('POST /embeddings returns base64 and shorter embeddings on request', async () => {
      const { ask } = await serve({ providers })
      const { json } = await ask('POST', '/embeddings', { body: { ...asked, dimensions: 2, encoding: 'base64' } })
      expect(json.data).toMatchObject({ embeddings: [], base64: ['AABAQAAAAD8=', 'AACAQAAAAD8='] })
    })

    test('POST /embeddings sends a result of many numbers completely', async () => {
      const { ask } = await serve({ providers: [embedder('calm', { embedding: { dimensions: 1_024 } })] })
      const texts = Array.from({ length: 300 }, (_, index) => 'x'.repeat(index + 1))
      const { status, json } = await ask('POST', '/embeddings', { body: { model: 'vectors', texts } })
      expect(status).toBe(200)
      expect(json.data.embeddings).toEqual(texts.map(({ length }) => [length, ...Array(1_023).fill(0.5)]))
      expect(json.meta.provider).toBe('calm')
    })

    test('POST /embeddings names the invalid text', async () => {
      const { ask } = await serve({ providers })
      const { status, json } = await ask('POST', '/embeddings', { body: { ...asked, texts: ['a', ''] } })
      expect([status, json.error.details.field]).toEqual([400, 'texts[1]'])
    })
  })
})
