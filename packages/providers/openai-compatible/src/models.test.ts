import type { TextModel } from '@fairlead/core/provider'
import { catalog, type CatalogEntry } from '@fairlead/provider-toolkit'
import { describe, expect, test } from 'vitest'
import { canReason, findRule } from './model-rules.ts'
import { call, replyingWith } from './testing/ask-replying.ts'
import { openaiCompatible, type Preset, type PresetName, presets } from './index.ts'

async function listed(json: unknown, preset?: PresetName) {
  const { provider, upstream } = await replyingWith({ json }, { models: 'fetched', ...(preset ? { preset } : {}) })
  const models = typeof provider.models === 'function' ? await provider.models(call) : provider.models
  expect(upstream.requests[0]).toMatchObject({ method: 'GET', path: '/v1/models' })
  return models
}

describe('fetched models', () => {
  test('fetched models are the chat models of a plain list', async () => {
    const ids = [
      'gpt-4.1',
      'text-embedding-3-small',
      'whisper-1',
      'tts-1',
      'dall-e-3',
      'omni-moderation-latest',
      'llama3.2:3b',
    ]
    const models = await listed({ object: 'list', data: ids.map((id) => ({ id, object: 'model' })) })
    expect(models.map(({ id }) => id)).toEqual(['gpt-4.1', 'llama3.2:3b'])
    expect(models[0]).toEqual({
      type: 'text',
      id: 'gpt-4.1',
      name: 'gpt-4.1',
      description: 'As listed by acme.',
      maxTokens: 4_096,
      maxTokensUnknown: true,
      chat: true,
      tools: true,
      vision: true,
      structured: true,
    })
  })

  test.each<[string, unknown, object]>([
    [
      'OpenRouter',
      {
        data: [
          {
            id: 'maker/large',
            name: 'Maker: Large',
            context_length: 200_000,
            architecture: { output_modalities: ['text'] },
            pricing: { prompt: '0.000003', completion: '0.000015' },
            top_provider: { max_completion_tokens: 8_192 },
          },
          { id: 'maker/paints', architecture: { output_modalities: ['image'] } },
        ],
      },
      {
        id: 'maker/large',
        name: 'Maker: Large',
        contextSize: 200_000,
        maxTokens: 8_192,
        pricing: { input: 3, output: 15 },
      },
    ],
    [
      'Together',
      [
        { id: 'maker/large', type: 'chat', context_length: 131_072, pricing: { input: 0.88, output: 0.9 } },
        { id: 'maker/vectors', type: 'embedding' },
      ],
      { id: 'maker/large', contextSize: 131_072, pricing: { input: 0.88, output: 0.9 } },
    ],
    ['vLLM', { data: [{ id: 'maker/large', max_model_len: 32_768 }] }, { contextSize: 32_768, maxTokens: 32_768 }],
    [
      'Groq',
      { data: [{ id: 'large', context_window: 131_072, max_completion_tokens: 32_768 }] },
      { contextSize: 131_072, maxTokens: 32_768 },
    ],
    [
      'Mistral',
      {
        data: [
          { id: 'large', max_context_length: 256_000, capabilities: { completion_chat: true } },
          { id: 'reader', capabilities: { completion_chat: false } },
        ],
      },
      { contextSize: 256_000 },
    ],
    [
      'llama.cpp',
      { data: [{ id: 'tiny.gguf', meta: { n_ctx_train: 2_048 } }] },
      { contextSize: 2_048, maxTokens: 2_048 },
    ],
  ])('fetched models have the facts that %s reports', async (_server, json, expected) => {
    const models = await listed(json)
    expect(models).toHaveLength(1)
    expect(models[0]).toMatchObject(expected)
  })

  test('fetched models are free on a local server, and have no price on others', async () => {
    expect((await listed({ data: [{ id: 'a' }] }, 'ollama'))[0]).toMatchObject({ pricing: { input: 0, output: 0 } })
    expect((await listed({ data: [{ id: 'a' }] }, 'cerebras'))[0]).not.toHaveProperty('pricing')
  })

  test('fetched models exclude invalid entries', async () => {
    const models = await listed({
      data: [null, 7, {}, { id: '' }, { id: 'a', context_length: 'long', pricing: 'dear' }, { id: 'a' }],
    })
    expect(models).toMatchObject([{ id: 'a', maxTokens: 4_096 }])
  })
})

describe('the capabilities of fetched models', () => {
  const chat = { chat: true, structured: true }

  test.each<[PresetName, object, object]>([
    [
      'openrouter',
      {
        id: 'maker/large',
        architecture: { input_modalities: ['text', 'image', 'file'], output_modalities: ['text'] },
        supported_parameters: ['tools', 'structured_outputs', 'reasoning'],
      },
      { ...chat, tools: true, vision: true, urls: true, reasoning: true },
    ],
    [
      'openrouter',
      {
        id: 'maker/small',
        architecture: { input_modalities: ['text'], output_modalities: ['text'] },
        supported_parameters: ['temperature'],
      },
      { chat: true, structured: false },
    ],
    [
      'mistral',
      { id: 'reader', capabilities: { completion_chat: true, function_calling: false, vision: true } },
      { ...chat, vision: true, urls: true },
    ],
    [
      'fireworks',
      { id: 'maker/large', supports_chat: true, supports_tools: true, supports_image_input: false },
      { ...chat, tools: true },
    ],
    ['vllm', { id: 'Qwen/Qwen3-VL-8B' }, { ...chat, tools: true, vision: true, urls: true }],
    ['lm-studio', { id: 'llava-1.6' }, { ...chat, tools: true, vision: true }],
    ['deepseek', { id: 'deepseek-new' }, { chat: true, tools: true, structured: false, reasoning: true }],
    ['azure', { id: 'gpt-5.4-mine' }, { ...chat, tools: true, vision: true, urls: true, reasoning: true }],
    ['azure', { id: 'ada-mine', capabilities: { chat_completion: true } }, { ...chat, tools: true }],
  ])('the capabilities of fetched models of %s are those that it reports of %j', async (preset, entry, expected) => {
    const [model] = await listed({ data: [entry] }, preset)
    const names = ['chat', 'tools', 'vision', 'urls', 'structured', 'reasoning']
    const found = Object.entries(model!).filter(([name]) => names.includes(name))
    expect(Object.fromEntries(found)).toEqual(expected)
  })

  test('the capabilities of fetched models include those of the catalog’s embedding models', async () => {
    const models = await listed({ data: [{ id: 'text-embedding-3-small' }, { id: 'text-embedding-9' }] }, 'openai')
    expect(models).toMatchObject([{ id: 'text-embedding-3-small', embedding: { dimensions: 1_536 } }])
  })
})

describe('fetched models of a publisher', () => {
  const json = { data: [{ id: 'gpt-4.1' }, { id: 'gpt-image-1.5' }, { id: 'ft:gpt-4.1:mine' }, { id: 'whisper-1' }] }

  test('fetched models of a publisher have the facts of the catalog', async () => {
    const models = await listed(json, 'openai')
    expect(models).toMatchObject([
      { id: 'gpt-4.1', maxTokens: 32_768, pricing: { input: 2 } },
      { id: 'gpt-image-1.5', type: 'image' },
      { id: 'ft:gpt-4.1:mine', maxTokens: 32_768 },
    ])
    expect(models[2]).not.toHaveProperty('pricing')
  })

  test('fetched models of a publisher are only those that the server lists at another address than the publisher’s', () => {
    const finds = (baseUrl: string) =>
      openaiCompatible({ preset: 'openai', baseUrl, apiKey: 'sk-fine' }).findModel?.('gpt-4.1-2025-04-14')?.id
    expect(finds('http://127.0.0.1:4000/v1')).toBeUndefined()
    expect(finds('https://notapi.openai.com/v1')).toBeUndefined()
    expect(finds('https://eu.api.openai.com/v1')).toBe('gpt-4.1-2025-04-14')
    expect(finds('https://api.openai.com/v1')).toBe('gpt-4.1-2025-04-14')
  })

  test('fetched models of a publisher have the facts of an alias that the catalog knows', async () => {
    const data = [
      { id: 'mistral-small-2603', aliases: ['mistral-small-latest'], capabilities: { completion_chat: true } },
    ]
    const [model] = await listed({ data }, 'mistral')
    expect(model).toMatchObject({ id: 'mistral-small-2603', pricing: { input: expect.any(Number) } })
  })

  test('fetched models of a publisher are left out if they need another API, or a tool of the vendor', async () => {
    const ids = [
      'davinci-002',
      'gpt-3.5-turbo-instruct',
      'o3-deep-research',
      'computer-use-preview',
      'gpt-4o-realtime-preview',
      'canopylabs/orpheus-v1-english',
    ]
    expect(await listed({ data: ids.map((id) => ({ id })) }, 'openai')).toEqual([])
  })
})

describe('listed models', () => {
  test.each(['openai', 'groq', 'mistral', 'deepseek', 'xai'] as const)(
    'listed models of %s are known before they are fetched, and are all with "catalog"',
    (preset) => {
      const { models, knownModels } = openaiCompatible({ preset, apiKey: 'sk-fine' })
      expect(typeof models).toBe('function')
      expect(openaiCompatible({ preset, apiKey: 'sk-fine', models: 'catalog' }).models).toEqual(knownModels)
      expect(knownModels?.length).toBeGreaterThan(0)
    },
  )

  test('listed models of perplexity are not fetched', () => {
    expect(openaiCompatible({ preset: 'perplexity', apiKey: 'sk-fine' }).models.length).toBeGreaterThan(0)
    const { models, findModel } = openaiCompatible({ preset: 'perplexity', apiKey: 'sk-fine', models: 'any' })
    expect(models.length).toBeGreaterThan(0)
    expect(findModel?.('sonar-next')).toMatchObject({ assumed: true })
  })

  test('listed models with "any" are all but those whose id names another kind of model', () => {
    const { findModel } = openaiCompatible({ id: 'rack', baseUrl: 'http://10.0.0.7/v1', models: 'any' })
    expect(findModel?.('maker/large')).toMatchObject({
      assumed: true,
      maxTokensUnknown: true,
      tools: true,
      vision: true,
    })
    expect(findModel?.('maker/large')).not.toHaveProperty('pricing')
    expect(findModel?.('whisper-9')).toBeUndefined()
  })

  test.each(['openai', 'groq', 'mistral', 'deepseek', 'xai'] as const)(
    'listed models of %s reason if their effort can be set',
    (publisher) => {
      const family = presets[publisher].dialect.reasoning
      const entries: readonly CatalogEntry[] = catalog[publisher]
      const models = entries.map(({ model }) => model).filter(({ type }) => type === 'text')
      const wrong = (models as TextModel[]).filter(
        ({ id, reasoning = false }) => reasoning !== canReason(findRule(family, id)),
      )
      expect(wrong.map(({ id }) => id)).toEqual([])
    },
  )

  test('listed models can be configured', () => {
    const mine = { type: 'text', id: 'mine', name: 'Mine', description: 'Tuned.', maxTokens: 100 } as const
    expect(
      openaiCompatible({ preset: 'azure', baseUrl: 'https://me.openai.azure.com/openai/v1', models: [mine] }).models,
    ).toEqual([mine])
  })
})

describe('openaiCompatible', () => {
  test.each<[string, object, RegExp]>([
    ['an unknown preset', { preset: 'opeani' }, /Unknown preset "opeani"; presets are: openai, azure/],
    ['neither preset nor id', { baseUrl: 'https://example.com' }, /needs an id or a preset/],
    ['no address', { id: 'mine' }, /mine: baseUrl is required/],
    [
      'a field that no dialect has',
      { id: 'mine', baseUrl: 'http://a', dialect: { seeds: true } },
      /mine: dialect: .*seeds/,
    ],
    [
      'a wrong dialect',
      { id: 'mine', baseUrl: 'http://a', dialect: { maxTokensField: 'n' } },
      /dialect\.maxTokensField/,
    ],
    [
      'an unknown effort',
      { id: 'mine', baseUrl: 'http://a', effort: 'huge' },
      /mine: effort must be one of none, minimal/,
    ],
    ['a resource without an address', { preset: 'azure' }, /azure: baseUrl is required/],
  ])('openaiCompatible rejects %s', (_case, options, message) => {
    expect(() => openaiCompatible(options)).toThrow(message)
  })

  test.each(Object.keys(presets) as PresetName[])('openaiCompatible accepts the preset %s', (preset) => {
    const { baseUrl = 'http://127.0.0.1:1/v1' }: Preset = presets[preset]
    expect(openaiCompatible({ preset, baseUrl }).id).toBe(preset)
  })
})

describe('health', () => {
  test('health resolves if the models can be listed', async () => {
    const { provider, sent } = await replyingWith({ json: { data: [] } })
    await provider.health?.(call)
    expect(sent().path).toBe('/v1/models')
  })

  test('health rejects if the key is rejected', async () => {
    const { provider } = await replyingWith({ status: 401, json: {} })
    await expect(provider.health?.(call)).rejects.toMatchObject({ failure: 'credential' })
  })

  test('health is missing for a server without a model list', () => {
    expect(openaiCompatible({ preset: 'perplexity', apiKey: 'sk-fine' }).health).toBeUndefined()
  })
})
