import type { LanguageModelV4 } from '@ai-sdk/provider'
import type { TextModel } from '@fairlead/core/provider'
import { testClock } from '@fairlead/testing'
import { findEntry } from '@fairlead/provider-toolkit'
import { describe, expect, test } from 'vitest'
import { aiSdk } from './index.ts'
import type { AiSdkModel } from './options.ts'

const named = { provider: 'hand', modelId: 'written' }
const notAskedFor = () => Promise.reject(new Error('not asked for'))
const model: LanguageModelV4 = {
  ...named,
  specificationVersion: 'v4',
  supportedUrls: {},
  doGenerate: notAskedFor,
  doStream: notAskedFor,
}
const { doStream: _, ...imageModel } = { ...model, maxImagesPerCall: 1 }

describe('aiSdk', () => {
  test('aiSdk lists its models with their facts', () => {
    const pricing = { input: 1, output: 2 }
    const provider = aiSdk({
      models: [
        { model },
        { model, id: 'named', name: 'Named', pricing, maxTokens: 9, contextSize: 100, structured: true },
        { model: imageModel as never, id: 'painter', sizes: ['256x256'] },
      ],
    })
    expect(provider.models).toEqual([
      {
        id: 'written',
        type: 'text',
        name: 'written',
        description: 'written of hand, through the AI SDK.',
        maxTokens: 4_096,
        chat: true,
        tools: true,
        vision: true,
      },
      {
        id: 'named',
        type: 'text',
        name: 'Named',
        description: 'written of hand, through the AI SDK.',
        pricing,
        maxTokens: 9,
        contextSize: 100,
        chat: true,
        tools: true,
        vision: true,
        structured: true,
      },
      {
        id: 'painter',
        type: 'image',
        name: 'painter',
        description: 'written of hand, through the AI SDK.',
        maxTokens: 1_000,
        sizes: ['256x256'],
      },
    ])
  })

  test('aiSdk uses the facts of the catalog where none are configured', () => {
    const openai = { ...model, provider: 'openai.responses', modelId: 'gpt-4.1-mini' }
    const provider = aiSdk({ models: [{ model: openai, id: 'mine', name: 'Mine' }], clock: testClock() })
    // Whether the package loads URLs is a fact of the package.
    const { urls: _urls, ...facts } = findEntry('openai', 'gpt-4.1-mini')!.model as TextModel
    expect(provider.models).toEqual([{ ...facts, id: 'mine', name: 'Mine' }])
    expect(facts).toMatchObject({ pricing: {}, contextSize: expect.any(Number), structured: true })
  })

  test('aiSdk lists embedding models with their dimensions, which can be chosen since version 4', () => {
    const embedder = { ...named, maxEmbeddingsPerCall: 100, supportsParallelCalls: true, doEmbed: notAskedFor }
    const embedding = { dimensions: 512, minDimensions: 64 }
    const openai = { provider: 'openai.embedding', modelId: 'text-embedding-3-small' }
    const provider = aiSdk({
      models: [
        { model: { ...embedder, specificationVersion: 'v4' }, embedding },
        { model: { ...embedder, specificationVersion: 'v3' }, id: 'third', embedding, maxTokens: 9 },
        { model: { ...embedder, ...openai, specificationVersion: 'v4' } },
      ],
    })
    expect(provider.models).toMatchObject([
      { type: 'text', id: 'written', maxTokens: 4_096, embedding },
      { type: 'text', id: 'third', maxTokens: 9, embedding: { dimensions: 512 } },
      { type: 'text', id: 'text-embedding-3-small', maxTokens: 8_192, embedding: { dimensions: 1_536 } },
    ])
    expect((provider.models as TextModel[])[1]!.embedding).not.toHaveProperty('minDimensions')
  })

  test.each<[string, LanguageModelV4['supportedUrls'], boolean]>([
    ['no URLs', {}, false],
    ['URLs of images alone', { 'image/*': [/^https:/] }, false],
    ['URLs of its own storage', { '*': [/^https:\/\/storage\.example\.org/] }, false],
    ['URLs of images and documents', { 'image/*': [/^https?:\/\/.*$/], 'application/pdf': [/^https:/] }, true],
    ['any URLs', { '*/*': [/^https?:/] }, true],
    ['URLs that it tells later', Promise.resolve({ '*/*': [/^https?:/] }), false],
  ])('a model that supports %s is listed accordingly', (_case, supportedUrls, urls) => {
    const [listed] = aiSdk({ models: [{ model: { ...model, supportedUrls } }] }).models as TextModel[]
    expect(listed?.urls ?? false).toBe(urls)
  })

  test.each<[string, unknown, string]>([
    [
      'a model by its name',
      { model: 'openai/gpt-5' },
      'models[0].model must be a model instance of the AI SDK, such as',
    ],
    ['nothing', undefined, 'models[0].model must be a model instance'],
    ['an old model', { model: { ...model, specificationVersion: 'v1' } }, 'version "v1"; known are v2, v3, v4'],
    [
      'an embedding model of unknown dimensions',
      { model: { ...named, specificationVersion: 'v4', doEmbed: notAskedFor } },
      'models[0].embedding must state the dimensions of "written": { dimensions: 1536 }',
    ],
    ['an image model with no sizes', { model: imageModel }, 'models[0].sizes must list the sizes that "written" makes'],
  ])('aiSdk rejects %s', (_case, entry, message) => {
    expect(() => aiSdk({ models: [entry as AiSdkModel] })).toThrow(message)
  })

  test('aiSdk rejects two models with the same id', () => {
    expect(() => aiSdk({ models: [{ model }, { model }] })).toThrow('models[1]: duplicate id "written"')
  })

  test('aiSdk rejects a request for an unknown model', async () => {
    const provider = aiSdk({ models: [{ model }] })
    const call = { signal: new AbortController().signal, deadline: 0, requestId: 'req_1' }
    const answer = provider.generateText?.({ ...request, model: 'none' }, call)
    await expect(answer).rejects.toMatchObject({ failure: 'invalid_request', field: 'model' })
  })
})

const request = {
  prompt: 'Hi',
  messages: [],
  maxTokens: 1,
  temperature: 1,
  topP: 1,
  frequencyPenalty: 0,
  presencePenalty: 0,
}
