import type { ImageModel, ImageRequest } from '@fairlead/core/provider'
import { blankPng, openTestUpstream, replaying, type TestUpstream } from '@fairlead/testing'
import { catalogModels } from '@fairlead/provider-toolkit'
import sharp from 'sharp'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { chooseFormat } from './image-to-wire.ts'
import { google, type GoogleOptions } from './index.ts'

let upstream: TestUpstream
beforeEach(async () => {
  upstream = await openTestUpstream()
  return () => upstream.close()
})

const asked: ImageRequest = {
  model: 'gemini-nano-banana-2.1',
  prompt: 'A lake at dawn.',
  width: 1584,
  height: 672,
  quality: 'standard',
  style: 'natural',
}
const call = { signal: new AbortController().signal, deadline: Infinity, requestId: 'req_1' }

const usageMetadata = {
  promptTokenCount: 54,
  candidatesTokenCount: 1_200,
  candidatesTokensDetails: [
    { modality: 'TEXT', tokenCount: 80 },
    { modality: 'IMAGE', tokenCount: 1_120 },
  ],
  thoughtsTokenCount: 639,
}

const image = (bytes: Uint8Array, mimeType = 'image/png') => ({
  inlineData: { mimeType, data: Buffer.from(bytes).toString('base64') },
})
const plain = image(blankPng(asked.width, asked.height))

function ask(parts: readonly object[], request: Partial<ImageRequest> = {}, options: GoogleOptions = {}) {
  const candidate = { content: { parts, role: 'model' }, finishReason: 'STOP', index: 0 }
  const facts = { responseId: 'kZgp', modelVersion: 'gemini-nano-banana-2.1' }
  return askReply({ candidates: [candidate], usageMetadata, ...facts }, request, options)
}

function askReply(json: object, request: Partial<ImageRequest> = {}, options: GoogleOptions = {}) {
  upstream.answer(replaying({ json }))
  const provider = google({ apiKey: 'AIza-canary', baseUrl: upstream.url, ...options })
  onTestFinished(() => provider.close?.())
  return provider.generateImage!({ ...asked, ...request }, call)
}

describe('an image', () => {
  test('an image is the model’s PNG, with the prompt tokens', async () => {
    const { png, promptTokens, response, warnings } = await ask([{ text: 'Here it is.' }, plain])
    expect(Buffer.from(png).equals(blankPng(asked.width, asked.height))).toBe(true)
    expect({ promptTokens, warnings }).toEqual({ promptTokens: 54, warnings: [] })
    expect(response).toEqual({ id: 'kZgp', model: 'gemini-nano-banana-2.1' })
    expect(upstream.requests.at(-1)).toMatchObject({
      path: '/models/gemini-nano-banana-2.1:generateContent',
      body: {
        contents: [{ role: 'user', parts: [{ text: 'A lake at dawn.' }] }],
        generationConfig: { responseModalities: ['IMAGE'], imageConfig: { aspectRatio: '21:9' } },
      },
    })
  })

  test('an image is the last one that is not a draft', async () => {
    const draft = { ...image(blankPng(64, 64)), thought: true }
    const earlier = image(blankPng(32, 32))
    expect(await ask([draft, earlier, plain, draft])).toMatchObject({ warnings: [] })
  })

  test('an image is converted to PNG', async () => {
    const jpeg = await sharp({ create: { width: asked.width, height: asked.height, channels: 3, background: 'teal' } })
      .jpeg()
      .toBuffer()
    const { png, warnings } = await ask([image(jpeg, 'image/jpeg')])
    expect(await sharp(png).metadata()).toMatchObject({ format: 'png', width: 1584, height: 672 })
    expect(warnings).toEqual([])
  })

  test('an image is scaled to the requested size, with a warning', async () => {
    const { png, warnings } = await ask([image(blankPng(1536, 672))])
    expect(await sharp(png).metadata()).toMatchObject({ format: 'png', width: 1584, height: 672 })
    expect(warnings).toEqual([{ field: 'size', issue: 'the model returned 1536x672; the image was scaled' }])
  })

  test('an image that cannot be decoded fails', async () => {
    await expect(ask([image(Buffer.from('no image'))])).rejects.toMatchObject({ failure: 'retry' })
    const half = blankPng(asked.width, asked.height).subarray(0, 20)
    await expect(ask([image(half)])).rejects.toMatchObject({ failure: 'retry' })
  })

  test('an image that is too large to decode fails', async () => {
    const huge = Buffer.from(blankPng(64, 64))
    huge.writeUInt32BE(2 ** 30, 16)
    await expect(ask([image(huge)])).rejects.toMatchObject({
      failure: 'retry',
      message: expect.stringContaining('1073741824x64 pixels'),
    })
  })

  test('an image costs its tokens: text and thinking tokens less than image tokens', async () => {
    const { costUsd } = await ask([plain])
    expect(costUsd).toBeCloseTo((54 * 1.5 + (80 + 639) * 7.5 + 1_120 * 30) / 1e6, 9)
  })

  test('an image has no cost if the prices are configured, or nothing was counted', async () => {
    expect(await ask([plain], {}, { models: [] })).not.toHaveProperty('costUsd')
    const silent = { candidates: [{ content: { parts: [plain] }, finishReason: 'STOP' }] }
    expect(await askReply(silent)).not.toHaveProperty('costUsd')
  })

  test('an image is requested with a seed, and with warnings about unsupported settings', async () => {
    const { warnings } = await ask([plain], { seed: 7, quality: 'hd', style: 'vivid' })
    expect(warnings?.map(({ field }) => field)).toEqual(['quality', 'style'])
    expect(upstream.requests.at(-1)?.body).toMatchObject({ generationConfig: { seed: 7 } })
  })
})

describe('a reply without an image', () => {
  test.each(['IMAGE_SAFETY', 'IMAGE_PROHIBITED_CONTENT', 'IMAGE_RECITATION', 'PROHIBITED_CONTENT', 'SAFETY'])(
    'a reply without an image for %s is refused content',
    async (finishReason) => {
      const json = { candidates: [{ content: {}, finishReason, finishMessage: 'Not that.' }], usageMetadata }
      await expect(askReply(json)).rejects.toMatchObject({ failure: 'content_refused', detail: 'Not that.' })
    },
  )

  test('a reply without an image because the prompt was blocked is rejected with content_refused', async () => {
    const json = { promptFeedback: { blockReason: 'IMAGE_SAFETY' } }
    await expect(askReply(json)).rejects.toMatchObject({ failure: 'content_refused' })
  })

  test.each(['NO_IMAGE', 'IMAGE_OTHER', 'STOP'])(
    'a reply without an image with %s is rejected with retry',
    async (finishReason) => {
      const json = { candidates: [{ content: { parts: [{ text: 'I would rather talk.' }] }, finishReason }] }
      await expect(askReply(json)).rejects.toMatchObject({ failure: 'retry' })
    },
  )
})

describe('sizes', () => {
  const models = catalogModels('google', 0).filter((model): model is ImageModel => model.type === 'image')
  const sizes = models.flatMap(({ id, sizes: listed }) => listed.map((size) => [id, size] as const))

  test.each(sizes)('sizes of %s can be requested: %s', (_id, size) => {
    const [width = 0, height = 0] = size.split('x').map(Number)
    expect(chooseFormat(width, height)).toBeDefined()
  })

  test('sizes of four megapixels are requested as 2K', () => {
    expect(chooseFormat(2752, 1536)).toEqual({ aspectRatio: '16:9', imageSize: '2K' })
    expect(chooseFormat(1376, 768)).toEqual({ aspectRatio: '16:9' })
  })

  test('sizes that no model supports are rejected without a request', async () => {
    await expect(ask([plain], { width: 1000, height: 1000 })).rejects.toMatchObject({
      failure: 'invalid_request',
      field: 'size',
    })
    expect(upstream.requests).toEqual([])
  })
})
