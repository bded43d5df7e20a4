import type { Provider } from '@fairlead/core/provider'
import { fakeImageModel, fakePainter } from '@fairlead/testing'
import { describe, expect, test } from 'vitest'
import { serve } from './testing/serve.ts'

const body = { model: 'picture', prompt: 'A cat', size: '256x256' }
const painted = fakePainter('calm', { revisedPrompt: 'A gray cat' })
const signature = '89504e470d0a1a0a'

describe('image generations', () => {
  test('image generations return the address of the image', async () => {
    const { ask } = await serve({ providers: [painted], baseUrl: 'https://ai.example.com' })
    const { status, json } = await ask('/images/generations', { ...body, n: 1, quality: 'high', user: 'u1' })
    expect(status).toBe(200)
    expect(json).toEqual({
      created: expect.any(Number),
      data: [
        {
          url: expect.stringMatching(/^https:\/\/ai\.example\.com\/images\/img_\d+\.png$/),
          revised_prompt: 'A gray cat',
        },
      ],
    })
  })

  test('image generations return the image in base64 on request', async () => {
    const { ask } = await serve({ providers: [painted] })
    const { json, headers } = await ask('/images/generations', { ...body, response_format: 'b64_json' })
    expect(headers.get('content-type')).toMatch('application/json')
    expect(Object.keys(json.data[0])).toEqual(['b64_json', 'revised_prompt'])
    expect(Buffer.from(json.data[0].b64_json, 'base64').subarray(0, 8).toString('hex')).toBe(signature)
  })

  test('image generations return the image in base64 for models that always do so', async () => {
    const { ask } = await serve({ providers: [{ ...painted, models: [fakeImageModel({ id: 'gpt-image-1' })] }] })
    const { json } = await ask('/images/generations', { ...body, model: 'gpt-image-1', size: 'auto', quality: 'auto' })
    expect(Object.keys(json.data[0])).toEqual(['b64_json', 'revised_prompt'])
  })

  test('image generations return several images of a model that draws them, each stored', async () => {
    const png = fakePainter('calm').generateImage!
    const several: Provider = {
      ...painted,
      models: [fakeImageModel({ id: 'picture', maxImages: 4 })],
      async generateImage(request, call) {
        const answer = await png(request, call)
        asked.push(request)
        return { ...answer, others: Array.from({ length: (request.n ?? 1) - 1 }, () => answer.png) }
      },
    }
    const asked: object[] = []
    const { ask, core } = await serve({ providers: [several] })
    const { json } = await ask('/images/generations', { ...body, n: 3, quality: 'low' })
    expect(asked).toMatchObject([{ n: 3, qualityLevel: 'low', quality: 'standard' }])
    const urls: readonly string[] = json.data.map(({ url }: { url: string }) => url)
    expect(new Set(urls).size).toBe(3)
    for (const url of urls) {
      const id = /img_\d+/.exec(url)?.[0] ?? ''
      expect(await core.openImage(id)).toBeDefined()
    }
    const inline = await ask('/images/generations', { ...body, n: 2, quality: 'high', response_format: 'b64_json' })
    expect(inline.json.data).toHaveLength(2)
    expect(asked.at(-1)).toMatchObject({ qualityLevel: 'high', quality: 'hd' })
    expect((await ask('/images/generations', { ...body, n: 5 })).json.error).toMatchObject({ param: 'n' })
  })

  test.each<[string, object, number, string]>([
    ['several images of a model that draws one', { n: 2 }, 400, 'n'],
    ['no image', { n: 0 }, 400, 'n'],
    ['a stream', { stream: true }, 400, 'stream'],
    ['another format', { response_format: 'hex' }, 400, 'response_format'],
    ['another file type', { output_format: 'webp' }, 400, 'output_format'],
    ['a size that the model lacks', { size: '1x1' }, 400, 'size'],
    ['a quality that does not exist', { quality: 'best' }, 400, 'quality'],
    ['an unknown model', { model: 'none' }, 404, 'model'],
  ])('image generations are rejected with %s', async (_case, change, expected, param) => {
    const { ask } = await serve({ providers: [painted] })
    const { status, json } = await ask('/images/generations', { ...body, ...change })
    expect([status, json.error.param]).toEqual([expected, param])
  })
})
