import type { ImageModelV2, ImageModelV3, ImageModelV4 } from '@ai-sdk/provider'
import { operations } from '@fairlead/testing/workspace'
import type { ImageRequest, ProviderCall } from '@fairlead/core/provider'
import { blankPng, testCore } from '@fairlead/testing'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { aiSdk } from './index.ts'
import type { AnyImageModel } from './options.ts'

const imageRequest: ImageRequest = {
  model: 'written',
  prompt: 'A lake',
  width: 256,
  height: 256,
  quality: 'standard',
  style: 'natural',
}

function call(): ProviderCall {
  return { signal: new AbortController().signal, deadline: Date.now() + 60_000, requestId: 'req_1' }
}

interface Written<Model> {
  readonly model: Model
  /** The options of its calls. */
  readonly calls: Record<string, unknown>[]
}

const png = blankPng(256, 256)
const imageNamed = { provider: 'hand', modelId: 'written', maxImagesPerCall: 1 }
const response = { timestamp: new Date(0), modelId: 'written', headers: undefined }

function image(version: string, images: string[] | Uint8Array[], rest: object = {}): Written<AnyImageModel> {
  const calls: Record<string, unknown>[] = []
  const metadata = { hand: { images: [{ revisedPrompt: 'A blue lake' }] } }
  const doGenerate = async (options: object) => {
    calls.push(options as Record<string, unknown>)
    return { images, warnings: [], response, providerMetadata: metadata, ...rest }
  }
  const model = { ...imageNamed, specificationVersion: version, doGenerate }
  return { model: model as ImageModelV2 | ImageModelV3 | ImageModelV4, calls }
}

const sizes = ['256x256'] as const

describe.each(['v2', 'v3', 'v4'])('an image model of specification %s', (version) => {
  test.each([
    ['bytes', [png]],
    ['base64', [Buffer.from(png).toString('base64')]],
  ])('an image model of the AI SDK returns a PNG of the requested size, from %s', async (_case, images) => {
    const { model, calls } = image(version, images as string[])
    const provider = aiSdk({ models: [{ model, sizes }] })
    const answer = await provider.generateImage?.({ ...imageRequest, seed: 7 }, call())
    expect(answer).toMatchObject({ revisedPrompt: 'A blue lake', warnings: [] })
    expect(Buffer.from(answer?.png ?? []).equals(png)).toBe(true)
    expect(calls).toMatchObject([{ prompt: 'A lake', n: 1, size: '256x256', aspectRatio: undefined, seed: 7 }])
  })

  test('an image model of the AI SDK receives an aspect ratio if it is configured so', async () => {
    const { model, calls } = image(version, [png])
    const provider = aiSdk({ models: [{ model, sizes, aspectRatios: { '256x256': '1:1' } }] })
    await provider.generateImage?.(imageRequest, call())
    expect(calls).toMatchObject([{ size: undefined, aspectRatio: '1:1' }])
  })

  test('an image model of the AI SDK has its images converted to PNG', async () => {
    const jpeg = await sharp(png).jpeg().toBuffer()
    const provider = aiSdk({ models: [{ model: image(version, [jpeg]).model, sizes }] })
    const { core, caller } = await testCore({ providers: [provider] })
    const reply = await core.run(operations.generateImage, caller, { ...prompted, size: '256x256' })
    expect(reply).toMatchObject({ success: true })
  })

  test('an image model of the AI SDK fails if it returns no valid image', async () => {
    const provider = aiSdk({ models: [{ model: image(version, ['<html>']).model, sizes }] })
    await expect(provider.generateImage?.(imageRequest, call())).rejects.toMatchObject({ failure: 'retry' })
  })

  test('an image model of the AI SDK fails if it returns another size', async () => {
    const provider = aiSdk({ models: [{ model: image(version, [blankPng(64, 64)]).model, sizes }] })
    const { core, caller } = await testCore({ providers: [provider] })
    const reply = await core.run(operations.generateImage, caller, { ...prompted, size: '256x256' })
    expect(reply).toMatchObject({ error: { code: 'PROVIDER_ERROR' } })
  })

  test('an image model of the AI SDK fails if it returns nothing', async () => {
    const provider = aiSdk({ models: [{ model: image(version, []).model, sizes }] })
    await expect(provider.generateImage?.(imageRequest, call())).rejects.toMatchObject({ failure: 'give_up' })
  })

  test('an image model of the AI SDK causes warnings for quality and style, unless its provider options handle them', async () => {
    const { model, calls } = image(version, [png])
    const asked: ImageRequest = { ...imageRequest, quality: 'hd', style: 'vivid' }
    const plain = aiSdk({ models: [{ model, sizes }] })
    expect(await plain.generateImage?.(asked, call())).toMatchObject({
      warnings: [{ field: 'quality' }, { field: 'style' }],
    })
    const providerOptions = ({ quality, style }: ImageRequest) => ({ hand: { quality, style } })
    const fitted = aiSdk({ models: [{ model, sizes, providerOptions }] })
    expect(await fitted.generateImage?.(asked, call())).toMatchObject({ warnings: [] })
    expect(calls.at(-1)).toMatchObject({ providerOptions: { hand: { quality: 'hd', style: 'vivid' } } })
  })
})

const prompted = { model: 'written', prompt: 'A lake' }

test('an image model reports its prompt tokens, and whether a retry may help', async () => {
  const usage = { inputTokens: 12, outputTokens: undefined, totalTokens: undefined }
  const provider = aiSdk({ models: [{ model: image('v4', [png], { usage }).model, sizes }] })
  expect(await provider.generateImage?.(imageRequest, call())).toMatchObject({ promptTokens: 12 })
  const moody = aiSdk({ models: [{ model: image('v4', [], { isRetryable: true }).model, sizes }] })
  await expect(moody.generateImage?.(imageRequest, call())).rejects.toMatchObject({ failure: 'retry' })
})
