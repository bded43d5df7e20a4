import { blankPng } from '@fairlead/testing'
import { describe, expect, test } from 'vitest'
import { replyingWith } from './testing/ask-replying.ts'

const png = Buffer.from(blankPng(1024, 1024))
const picture = (about: object = {}) => ({
  json: { created: 0, data: [{ b64_json: png.toString('base64') }], ...about },
})

describe('generateImage', () => {
  test.each<[string, object, object, readonly string[]]>([
    ['gpt-image-1.5', {}, { quality: 'medium' }, []],
    ['gpt-image-1.5', { quality: 'hd', style: 'vivid', seed: 7 }, { quality: 'high' }, ['style', 'seed']],
    ['gpt-image-1.5', { quality: 'hd', qualityLevel: 'low' }, { quality: 'low' }, []],
    ['gpt-image-2', { qualityLevel: 'auto', n: 3 }, { quality: 'auto', n: 3 }, []],
    [
      'dall-e-3',
      { quality: 'hd', style: 'vivid', seed: 7 },
      { quality: 'hd', style: 'vivid', response_format: 'b64_json' },
      ['seed'],
    ],
    ['acme/image-model', { quality: 'hd', style: 'vivid' }, { response_format: 'b64_json' }, ['quality', 'style']],
  ])('generateImage maps a request to %s with %o to %o', async (model, about, fields, left) => {
    const { draw, sent } = await replyingWith(picture())
    const { warnings = [] } = await draw({ model, ...about })
    expect(sent()).toMatchObject({ path: '/v1/images/generations' })
    expect(sent().body).toEqual({ model, prompt: 'A lake.', n: 1, size: '1024x1024', ...fields })
    expect(warnings.map(({ field }) => field)).toEqual(left)
  })

  test('generateImage returns the revised prompt', async () => {
    const data = [{ b64_json: png.toString('base64'), revised_prompt: 'A calm lake.' }]
    const { draw } = await replyingWith(picture({ data }))
    expect(await draw()).toMatchObject({ revisedPrompt: 'A calm lake.' })
  })

  test('generateImage returns all images of a request', async () => {
    const image = { b64_json: png.toString('base64') }
    const { draw } = await replyingWith(picture({ data: [image, image, image] }))
    expect((await draw({ n: 3 })).others).toEqual([png, png])
  })

  test('generateImage accepts images of several megabytes', async () => {
    const bytes = Buffer.alloc(6 * 1024 * 1024, 7)
    const { draw } = await replyingWith(picture({ data: [{ b64_json: bytes.toString('base64') }] }))
    expect(bytes.equals((await draw()).png)).toBe(true)
  })

  test('generateImage computes the cost of a model that is billed by token', async () => {
    const usage = {
      input_tokens: 1_000,
      output_tokens: 2_000,
      output_tokens_details: { text_tokens: 500, image_tokens: 1_500 },
    }
    const { draw } = await replyingWith(picture({ usage }), { preset: 'openai' })
    const { costUsd } = await draw({ model: 'gpt-image-2.5-flare' })
    // 5, 30 and 30 dollars a million.
    expect(costUsd).toBeCloseTo(0.005 + 0.015 + 0.045, 10)
  })

  test.each([
    ['gpt-image-1.5', 1_056, 0.034],
    ['gpt-image-1.5', 4_160, 0.133],
    ['gpt-image-1', 272, 0.011],
    ['gpt-image-1-mini', 4_160, 0.033],
  ])('generateImage computes the cost of an image of %s from its %d tokens', async (model, output_tokens, expected) => {
    const usage = { input_tokens: 10, input_tokens_details: { text_tokens: 10, image_tokens: 0 }, output_tokens }
    const { draw } = await replyingWith(picture({ usage }), { preset: 'openai' })
    expect((await draw({ model })).costUsd).toBeCloseTo(expected, 3)
  })

  test.each<[string, object]>([
    ['an address', { data: [{ url: 'https://example.com/lake.png' }] }],
    ['nothing', { data: [] }],
  ])('generateImage fails if the reply has %s instead of an image', async (_case, about) => {
    const { draw } = await replyingWith(picture(about))
    await expect(draw()).rejects.toMatchObject({ name: 'ProviderError' })
  })
})
