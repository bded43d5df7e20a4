import { fakePainter } from '@fairlead/testing'
import { describe, expect, test } from 'vitest'
import { recording } from './testing/recording.ts'
import { forms } from './testing/serve.ts'

describe.each(forms)('%s', (_form, serve) => {
  const asked = { prompt: 'a lake', model: 'picture' }

  describe('POST /generate/image', () => {
    test('POST /generate/image returns the image generation result, in the envelope', async () => {
      const { ask } = await serve()
      const { status, json } = await ask('POST', '/generate/image', { body: asked })
      expect(status).toBe(200)
      expect(json).toEqual({
        success: true,
        data: {
          id: expect.stringMatching(/^img_\d+$/),
          url: `https://ai.example.com/images/${json.data.id}.png`,
          model: 'picture',
          created: 1773480413,
        },
        meta: expect.objectContaining({ provider: 'brush', cost_usd: 0 }),
      })
    })

    test('POST /generate/image returns the prompt that the model revised', async () => {
      const { ask } = await serve({ providers: [fakePainter('brush', { revisedPrompt: 'a calm lake' })] })
      const { json } = await ask('POST', '/generate/image', { body: asked })
      expect(json.data.revised_prompt).toBe('a calm lake')
    })

    test('POST /generate/image also has the fields of the result at the top level, in the quick-start form', async () => {
      const { ask } = await serve()
      const { success: _, data, meta: __, ...hoisted } = (await ask('POST', '/v1/generate/image', { body: asked })).json
      expect(hoisted).toEqual(data)
      const { json } = await ask('POST', '/api/v1/generate/image', { body: asked })
      expect(Object.keys(json)).toEqual(['success', 'data', 'meta'])
    })

    test('POST /generate/image calls the model with the defaults', async () => {
      const provider = recording()
      const { ask } = await serve({ providers: [provider] })
      await ask('POST', '/generate/image', { body: asked })
      expect(provider.images).toEqual([
        { prompt: 'a lake', model: 'picture', width: 1024, height: 1024, quality: 'standard', style: 'natural' },
      ])
    })

    test('POST /generate/image passes every parameter to the provider', async () => {
      const provider = recording()
      const { ask } = await serve({ providers: [provider] })
      const parameters = { size: '256x256', quality: 'hd', style: 'vivid', seed: 7 }
      await ask('POST', '/generate/image', { body: { ...asked, ...parameters } })
      expect(provider.images[0]).toMatchObject({ width: 256, height: 256, quality: 'hd', style: 'vivid', seed: 7 })
    })

    test.each([
      ['prompt', undefined, 'is required'],
      ['prompt', '  ', 'must not be empty'],
      ['model', undefined, 'is required'],
      ['model', 'any', '"any" is a model of type text; models of type image: picture, broken-picture'],
      ['model', 'none', 'unknown model "none"; models of type image: picture, broken-picture'],
      ['size', '1024', 'must be a size that the model supports: 1024x1024, 256x256'],
      ['size', '1024X1024', 'must be a size that the model supports: 1024x1024, 256x256'],
      ['size', '99999x99999', 'must be a size that the model supports: 1024x1024, 256x256'],
      ['size', 1024, 'must be a string'],
      ['quality', 'HD', 'must be one of "standard", "hd"'],
      ['quality', null, 'must be one of "standard", "hd"'],
      ['style', 'gothic', 'must be one of "natural", "vivid"'],
      ['seed', 1.5, 'must be an integer'],
    ])('POST /generate/image rejects %s: %j', async (field, value, issue) => {
      const { ask } = await serve()
      const { status, json } = await ask('POST', '/generate/image', { body: { ...asked, [field]: value } })
      expect(status).toBe(400)
      expect(json.error).toEqual({
        code: 'INVALID_REQUEST',
        message: `${field}${/^(unknown |")/.test(issue) ? ':' : ''} ${issue}`,
        details: expect.objectContaining({ field, issue, issues: [{ field, issue }] }),
      })
    })

    test('POST /generate/image rejects fields of text generation', async () => {
      const { ask } = await serve()
      const { json } = await ask('POST', '/generate/image', { body: { ...asked, max_tokens: 5, stream: true } })
      expect(json.error.details.issues).toEqual([
        { field: 'max_tokens', issue: 'is not a known field' },
        { field: 'stream', issue: expect.stringContaining('is not a known field') },
      ])
    })
  })
})
