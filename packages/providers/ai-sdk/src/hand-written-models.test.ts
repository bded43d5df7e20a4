import {
  APICallError,
  type ImageModelV2,
  type ImageModelV3,
  type ImageModelV4,
  type LanguageModelV2,
  type LanguageModelV2StreamPart,
  type LanguageModelV3,
  type LanguageModelV3StreamPart,
  type LanguageModelV4,
  type LanguageModelV4StreamPart,
} from '@ai-sdk/provider'
import type { ImageRequest, ProviderCall, TextEvent, TextRequest } from '@fairlead/core/provider'
import { blankPng, testCore } from '@fairlead/core/testing'
import { operations } from '@fairlead/core'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { aiSdk } from './index.ts'
import type { AnyImageModel, AnyLanguageModel } from './options.ts'
import { toUsage } from './to-finish.ts'

const request: TextRequest = {
  model: 'written',
  prompt: 'Greet me',
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Greet me' }] }],
  maxTokens: 50,
  temperature: 0.7,
  topP: 1,
  frequencyPenalty: 0,
  presencePenalty: 0,
}
const imageRequest: ImageRequest = {
  model: 'written',
  prompt: 'A lake',
  width: 256,
  height: 256,
  quality: 'standard',
  style: 'natural',
}

function call(signal: AbortSignal = new AbortController().signal): ProviderCall {
  return { signal, deadline: Date.now() + 60_000, requestId: 'req_1' }
}

interface Written<Model> {
  readonly model: Model
  /** What it was called with. */
  readonly calls: Record<string, unknown>[]
}

/** What a hand-written model says, in the words of its version of the specification. */
interface Words {
  readonly finish?: string
  readonly raw?: string
  readonly error?: unknown
  readonly never?: boolean
}

const named = { provider: 'hand', modelId: 'written', supportedUrls: {} }

/** Stream parts that `generate` ignores, between the parts with text. */
const noise = [
  { type: 'response-metadata', id: 'r1' },
  { type: 'reasoning-start', id: 'r' },
  { type: 'reasoning-delta', id: 'r', delta: 'Hmm' },
  { type: 'reasoning-end', id: 'r' },
  { type: 'text-start', id: 't' },
  { type: 'text-delta', id: 't', delta: 'Hello' },
  { type: 'text-delta', id: 't', delta: '' },
  { type: 'text-delta', id: 't', delta: ' there' },
  { type: 'text-end', id: 't' },
] as const

function streamOf<Part>(parts: readonly Part[], { error, never }: Words): ReadableStream<Part> {
  return new ReadableStream<Part>({
    start(controller) {
      const first = error === undefined ? parts : [...parts.slice(0, 3), { type: 'error', error } as Part]
      for (const part of first) controller.enqueue(part)
      if (!never) controller.close()
    },
  })
}

const content = [
  { type: 'reasoning', text: 'Hmm' },
  { type: 'text', text: 'Hello' },
  { type: 'text', text: ' there' },
] as const

function v2({ finish = 'stop', ...words }: Words = {}): Written<LanguageModelV2> {
  const calls: Record<string, unknown>[] = []
  const end = {
    finishReason: finish as 'stop',
    usage: { inputTokens: 7, outputTokens: 3, totalTokens: 10, cachedInputTokens: 2 },
  }
  const warnings = [{ type: 'unsupported-setting', setting: 'seed', details: 'never was' }] as const
  const model: LanguageModelV2 = {
    ...named,
    specificationVersion: 'v2',
    async doGenerate(options) {
      calls.push(options as unknown as Record<string, unknown>)
      if (words.error !== undefined) throw words.error
      return { content: [...content], ...end, warnings: [...warnings] }
    },
    async doStream(options) {
      calls.push(options as unknown as Record<string, unknown>)
      const parts: LanguageModelV2StreamPart[] = [
        { type: 'stream-start', warnings: [...warnings] },
        ...noise,
        { type: 'finish', ...end },
      ]
      return { stream: streamOf(parts, words) }
    },
  }
  return { model, calls }
}

function later<Version extends 'v3' | 'v4'>(version: Version) {
  return ({ finish = 'stop', raw = finish, ...words }: Words = {}) => {
    const calls: Record<string, unknown>[] = []
    const end = {
      finishReason: { unified: finish as 'stop', raw: raw === 'none' ? undefined : raw },
      usage: {
        inputTokens: { total: 7, noCache: 5, cacheRead: 2, cacheWrite: undefined },
        outputTokens: { total: 3, text: 3, reasoning: 0 },
      },
    }
    const warnings = [{ type: 'unsupported', feature: 'seed', details: 'never was' }] as const
    const model = {
      ...named,
      specificationVersion: version,
      async doGenerate(options: object) {
        calls.push(options as Record<string, unknown>)
        if (words.error !== undefined) throw words.error
        return { content: [...content], ...end, warnings: [...warnings] }
      },
      async doStream(options: object) {
        calls.push(options as Record<string, unknown>)
        const parts: (LanguageModelV3StreamPart & LanguageModelV4StreamPart)[] = [
          { type: 'stream-start', warnings: [...warnings] },
          ...noise,
          { type: 'finish', ...end },
        ]
        return { stream: streamOf(parts, words) }
      },
    }
    return { model, calls }
  }
}

const v3: (words?: Words) => Written<LanguageModelV3> = later('v3')
const v4: (words?: Words) => Written<LanguageModelV4> = later('v4')

const versions: readonly (readonly [string, (words?: Words) => Written<AnyLanguageModel>])[] = [
  ['v2', v2],
  ['v3', v3],
  ['v4', v4],
]

const finish = {
  finishReason: 'stop',
  usage: { promptTokens: 7, completionTokens: 3, cachedPromptTokens: 2 },
  warnings: [{ field: 'seed', issue: 'is not supported by the model: never was' }],
}

async function collect(events: AsyncIterable<TextEvent> | undefined): Promise<TextEvent[]> {
  const collected: TextEvent[] = []
  for await (const event of events ?? []) collected.push(event)
  return collected
}

describe.each(versions)('a language model of specification %s', (_version, written) => {
  test('returns its text, token counts, and warnings', async () => {
    const provider = aiSdk({ models: [{ model: written().model }] })
    expect(await provider.generateText?.(request, call())).toEqual({
      content: 'Hello there',
      parts: content,
      ...finish,
    })
  })

  test('streams its text and then its finish event', async () => {
    const provider = aiSdk({ models: [{ model: written().model }] })
    expect(await collect(provider.streamText?.(request, call()))).toEqual([
      { type: 'reasoning', text: 'Hmm' },
      { type: 'text', text: 'Hello' },
      { type: 'text', text: ' there' },
      { type: 'finish', ...finish },
    ])
  })

  test('receives only settings that change its response', async () => {
    const { model, calls } = written()
    const provider = aiSdk({ models: [{ model }] })
    const { signal } = new AbortController()
    await provider.generateText?.(request, call(signal))
    expect(calls).toEqual([
      {
        prompt: [{ role: 'user', content: [{ type: 'text', text: 'Greet me' }] }],
        maxOutputTokens: 50,
        temperature: 0.7,
        abortSignal: signal,
      },
    ])
  })

  test('receives every setting that is not the default', async () => {
    const { model, calls } = written()
    const provider = aiSdk({ models: [{ model, providerOptions: { hand: { effort: 'low' } } }] })
    const schema = { type: 'object', properties: {} }
    const settings = { topP: 0.5, frequencyPenalty: 1, presencePenalty: -1, seed: 7, stop: ['.'] }
    await provider.generateText?.({ ...request, ...settings, responseFormat: { type: 'json_schema', schema } }, call())
    expect(calls).toMatchObject([
      {
        topP: 0.5,
        frequencyPenalty: 1,
        presencePenalty: -1,
        seed: 7,
        stopSequences: ['.'],
        responseFormat: { type: 'json', schema },
        providerOptions: { hand: { effort: 'low' } },
      },
    ])
  })

  test.each([
    ['stop', 'stop'],
    ['length', 'length'],
    ['content-filter', 'content_filter'],
    ['tool-calls', 'stop'],
  ])('maps the finish reason %s to %s', async (reason, expected) => {
    const provider = aiSdk({ models: [{ model: written({ finish: reason }).model }] })
    expect(await provider.generateText?.(request, call())).toMatchObject({ finishReason: expected })
    const events = await collect(provider.streamText?.(request, call()))
    expect(events.at(-1)).toMatchObject({ type: 'finish', finishReason: expected })
  })

  test('fails with retry if it ends with an error', async () => {
    const provider = aiSdk({ models: [{ model: written({ finish: 'error' }).model }] })
    await expect(provider.generateText?.(request, call())).rejects.toMatchObject({ failure: 'retry' })
    await expect(collect(provider.streamText?.(request, call()))).rejects.toMatchObject({ failure: 'retry' })
  })

  test('fails if its stream has no finish event', async () => {
    const silent = _version === 'v2' ? { finish: 'unknown' } : { finish: 'other', raw: 'none' }
    const provider = aiSdk({ models: [{ model: written(silent).model }] })
    await expect(collect(provider.streamText?.(request, call()))).rejects.toMatchObject({ failure: 'retry' })
    expect(await provider.generateText?.(request, call())).toMatchObject({ finishReason: 'stop' })
  })

  test('fails with its error as a ProviderError', async () => {
    const error = new APICallError({
      message: 'Slow down',
      url: 'https://api.example.com',
      requestBodyValues: {},
      statusCode: 429,
      responseHeaders: { 'retry-after': '3' },
    })
    const provider = aiSdk({ models: [{ model: written({ error }).model }] })
    const expected = { failure: 'rate_limited', retryAfterMs: 3_000 }
    await expect(provider.generateText?.(request, call())).rejects.toMatchObject(expected)
    await expect(collect(provider.streamText?.(request, call()))).rejects.toMatchObject(expected)
  })

  test('receives the abort, and the call rejects with its reason', async () => {
    const { model, calls } = written({ error: new DOMException('The operation was aborted', 'AbortError') })
    const provider = aiSdk({ models: [{ model }] })
    const reason = new Error('left')
    const left = AbortSignal.abort(reason)
    await expect(provider.generateText?.(request, call(left))).rejects.toBe(reason)
    await expect(collect(provider.streamText?.(request, call(left)))).rejects.toBe(reason)
    expect(calls).toMatchObject([{ abortSignal: left }, { abortSignal: left }])
  })

  test('is cancelled when its stream is no longer read', async () => {
    const { model } = written({ never: true })
    let cancelled = false
    const watched = {
      ...model,
      doStream: async (options: never) => {
        const { stream } = await model.doStream(options)
        // Some type definitions of transformers lack `cancel`.
        const watcher: object = { cancel: () => void (cancelled = true) }
        const watch = new TransformStream(watcher)
        return { stream: (stream as ReadableStream).pipeThrough(watch) }
      },
    } as AnyLanguageModel
    const provider = aiSdk({ models: [{ model: watched }] })
    for await (const event of provider.streamText?.(request, call()) ?? []) if (event.type === 'text') break
    expect(cancelled).toBe(true)
  })

  test('works through core, complete and streamed', async () => {
    const { core, caller } = await testCore({ providers: [aiSdk({ models: [{ model: written().model }] })] })
    const asked = { model: 'ai-sdk/written', prompt: 'Greet me' }
    expect(await core.run(operations.generate, caller, asked)).toMatchObject({
      data: { content: 'Hello there', usage: { totalTokens: 10 } },
      meta: { provider: 'ai-sdk' },
    })
    const reply = await core.run(operations.generate, caller, { ...asked, stream: true })
    const pieces: unknown[] = []
    if ('events' in reply) for await (const event of reply.events) pieces.push(event.type)
    expect(pieces).toEqual(['chunk', 'chunk', 'chunk', 'done'])
  })
})

test('a model without a temperature causes a warning only if one was requested', async () => {
  const { model } = v4()
  const warnings = [{ type: 'unsupported', feature: 'temperature' } as const]
  const strict: LanguageModelV4 = {
    ...model,
    doGenerate: async (options) => ({ ...(await model.doGenerate(options)), warnings }),
  }
  const provider = aiSdk({ models: [{ model: strict }] })
  expect(await provider.generateText?.({ ...request, temperature: 0.7 }, call())).toMatchObject({ warnings: [] })
  expect(await provider.generateText?.({ ...request, temperature: 0 }, call())).toMatchObject({
    warnings: [{ field: 'temperature', issue: 'is not supported by the model' }],
  })
})

test('the structured output text of a model is its content', async () => {
  const { model } = v4()
  const chosen: LanguageModelV4 = {
    ...model,
    doGenerate: async (options) => ({ ...(await model.doGenerate(options)), structuredOutputText: '{"a":1}' }),
  }
  const provider = aiSdk({ models: [{ model: chosen, structured: true }] })
  const answer = provider.generateText?.(
    { ...request, responseFormat: { type: 'json_schema', schema: { type: 'object' } } },
    call(),
  )
  expect(await answer).toMatchObject({ content: '{"a":1}' })
  expect(await provider.generateText?.(request, call())).toMatchObject({ content: 'Hello there' })
})

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
  ])('returns a PNG of the requested size, from %s', async (_case, images) => {
    const { model, calls } = image(version, images as string[])
    const provider = aiSdk({ models: [{ model, sizes }] })
    const answer = await provider.generateImage?.({ ...imageRequest, seed: 7 }, call())
    expect(answer).toMatchObject({ revisedPrompt: 'A blue lake', warnings: [] })
    expect(Buffer.from(answer?.png ?? []).equals(png)).toBe(true)
    expect(calls).toMatchObject([{ prompt: 'A lake', n: 1, size: '256x256', aspectRatio: undefined, seed: 7 }])
  })

  test('receives an aspect ratio if it is configured so', async () => {
    const { model, calls } = image(version, [png])
    const provider = aiSdk({ models: [{ model, sizes, aspectRatios: { '256x256': '1:1' } }] })
    await provider.generateImage?.(imageRequest, call())
    expect(calls).toMatchObject([{ size: undefined, aspectRatio: '1:1' }])
  })

  test('has its images converted to PNG', async () => {
    const jpeg = await sharp(png).jpeg().toBuffer()
    const provider = aiSdk({ models: [{ model: image(version, [jpeg]).model, sizes }] })
    const { core, caller } = await testCore({ providers: [provider] })
    const reply = await core.run(operations.generateImage, caller, { ...prompted, size: '256x256' })
    expect(reply).toMatchObject({ success: true })
  })

  test('fails if it returns no valid image', async () => {
    const provider = aiSdk({ models: [{ model: image(version, ['<html>']).model, sizes }] })
    await expect(provider.generateImage?.(imageRequest, call())).rejects.toMatchObject({ failure: 'retry' })
  })

  test('fails if it returns another size', async () => {
    const provider = aiSdk({ models: [{ model: image(version, [blankPng(64, 64)]).model, sizes }] })
    const { core, caller } = await testCore({ providers: [provider] })
    const reply = await core.run(operations.generateImage, caller, { ...prompted, size: '256x256' })
    expect(reply).toMatchObject({ error: { code: 'PROVIDER_ERROR' } })
  })

  test('fails if it returns nothing', async () => {
    const provider = aiSdk({ models: [{ model: image(version, []).model, sizes }] })
    await expect(provider.generateImage?.(imageRequest, call())).rejects.toMatchObject({ failure: 'give_up' })
  })

  test('causes warnings for quality and style, unless its provider options handle them', async () => {
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

test('toUsage counts tokens that the model wrote to its prompt cache', () => {
  const inputTokens = { total: 7, noCache: 3, cacheRead: 2, cacheWrite: 2 }
  const outputTokens = { total: 3, text: 3, reasoning: 0 }
  expect(toUsage({ inputTokens, outputTokens })).toMatchObject({ cachedPromptTokens: 2, cacheWriteTokens: 2 })
})

const prompted = { model: 'written', prompt: 'A lake' }

test('an image model reports its prompt tokens, and whether a retry may help', async () => {
  const usage = { inputTokens: 12, outputTokens: undefined, totalTokens: undefined }
  const provider = aiSdk({ models: [{ model: image('v4', [png], { usage }).model, sizes }] })
  expect(await provider.generateImage?.(imageRequest, call())).toMatchObject({ promptTokens: 12 })
  const moody = aiSdk({ models: [{ model: image('v4', [], { isRetryable: true }).model, sizes }] })
  await expect(moody.generateImage?.(imageRequest, call())).rejects.toMatchObject({ failure: 'retry' })
})
