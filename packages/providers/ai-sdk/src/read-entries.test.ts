import type { LanguageModelV4 } from '@ai-sdk/provider'
import { testClock } from '@fairlead/core/testing'
import { findEntry } from '@fairlead/provider-catalogue'
import { describe, expect, test } from 'vitest'
import { aiSdk } from './index.ts'
import type { AiSdkModel } from './options.ts'

const model: LanguageModelV4 = {
  specificationVersion: 'v4',
  provider: 'hand',
  modelId: 'written',
  supportedUrls: {},
  doGenerate: () => Promise.reject(new Error('not asked for')),
  doStream: () => Promise.reject(new Error('not asked for')),
}
const { doStream: _, ...imageModel } = { ...model, maxImagesPerCall: 1 }

describe('aiSdk', () => {
  test('lists its models with their facts', () => {
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
      },
      {
        id: 'named',
        type: 'text',
        name: 'Named',
        description: 'written of hand, through the AI SDK.',
        pricing,
        maxTokens: 9,
        contextSize: 100,
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

  test('uses the facts of the catalogue where none are configured', () => {
    const openai = { ...model, provider: 'openai.responses', modelId: 'gpt-4.1-mini' }
    const provider = aiSdk({ models: [{ model: openai, id: 'mine', name: 'Mine' }], clock: testClock() })
    const { id: _id, name: _name, ...facts } = findEntry('openai', 'gpt-4.1-mini')?.model ?? { id: '', name: '' }
    expect(provider.models).toEqual([{ ...facts, id: 'mine', name: 'Mine' }])
    expect(facts).toMatchObject({ pricing: {}, contextSize: expect.any(Number), structured: true })
  })

  test.each<[string, unknown, string]>([
    [
      'a model by its name',
      { model: 'openai/gpt-5' },
      'models[0].model must be a model instance of the AI SDK, such as',
    ],
    ['nothing', undefined, 'models[0].model must be a model instance'],
    ['an old model', { model: { ...model, specificationVersion: 'v1' } }, 'version "v1"; known are v2, v3, v4'],
    ['an image model with no sizes', { model: imageModel }, 'models[0].sizes must list the sizes that "written" makes'],
  ])('rejects %s', (_case, entry, message) => {
    expect(() => aiSdk({ models: [entry as AiSdkModel] })).toThrow(message)
  })

  test('rejects two models with the same id', () => {
    expect(() => aiSdk({ models: [{ model }, { model }] })).toThrow('models[1]: duplicate id "written"')
  })

  test('rejects a request for an unknown model', async () => {
    const provider = aiSdk({ models: [{ model }] })
    const call = { signal: new AbortController().signal, deadline: 0, requestId: 'req_1' }
    const answer = provider.generateText?.({ ...request, model: 'none' }, call)
    await expect(answer).rejects.toMatchObject({ failure: 'invalid_request', field: 'model' })
  })
})

const request = {
  prompt: 'Hi',
  maxTokens: 1,
  temperature: 1,
  topP: 1,
  frequencyPenalty: 0,
  presencePenalty: 0,
}
