import { imageModel, painter } from '@fairlead/core/testing'
import { describe, expect, test } from 'vitest'
import { serve } from './testing/serve.ts'

const body = { model: 'picture', prompt: 'A cat', size: '256x256' }
const painted = painter('calm', { revisedPrompt: 'A grey cat' })
const signature = '89504e470d0a1a0a'

describe('image generations', () => {
  test('return the address of the image', async () => {
    const { ask } = await serve({ providers: [painted], baseUrl: 'https://ai.example.com' })
    const { status, json } = await ask('/images/generations', { ...body, n: 1, quality: 'high', user: 'u1' })
    expect(status).toBe(200)
    expect(json).toEqual({
      created: expect.any(Number),
      data: [
        {
          url: expect.stringMatching(/^https:\/\/ai\.example\.com\/images\/img_\d+\.png$/),
          revised_prompt: 'A grey cat',
        },
      ],
    })
  })

  test('return the image in base64 on request', async () => {
    const { ask } = await serve({ providers: [painted] })
    const { json, headers } = await ask('/images/generations', { ...body, response_format: 'b64_json' })
    expect(headers.get('content-type')).toMatch('application/json')
    expect(Object.keys(json.data[0])).toEqual(['b64_json', 'revised_prompt'])
    expect(Buffer.from(json.data[0].b64_json, 'base64').subarray(0, 8).toString('hex')).toBe(signature)
  })

  test('return the image in base64 for models that always do so', async () => {
    const { ask } = await serve({ providers: [{ ...painted, models: [imageModel({ id: 'gpt-image-1' })] }] })
    const { json } = await ask('/images/generations', { ...body, model: 'gpt-image-1', size: 'auto', quality: 'auto' })
    expect(Object.keys(json.data[0])).toEqual(['b64_json', 'revised_prompt'])
  })

  test.each<[string, object, number, string]>([
    ['several images', { n: 2 }, 400, 'n'],
    ['a stream', { stream: true }, 400, 'stream'],
    ['another format', { response_format: 'hex' }, 400, 'response_format'],
    ['another file type', { output_format: 'webp' }, 400, 'output_format'],
    ['a size that the model lacks', { size: '1x1' }, 400, 'size'],
    ['a quality that does not exist', { quality: 'best' }, 400, 'quality'],
    ['an unknown model', { model: 'none' }, 404, 'model'],
  ])('are rejected with %s', async (_case, change, expected, param) => {
    const { ask } = await serve({ providers: [painted] })
    const { status, json } = await ask('/images/generations', { ...body, ...change })
    expect([status, json.error.param]).toEqual([expected, param])
  })
})
