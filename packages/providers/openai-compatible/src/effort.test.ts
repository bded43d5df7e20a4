import type { TextRequest } from '@fairlead/core/provider'
import { describe, expect, test } from 'vitest'
import type { PresetName } from './index.ts'
import type { OpenaiEffort } from './model-rules.ts'
import { call, completion, replyingWith } from './testing/ask-replying.ts'

const fieldNames = ['thinking', 'reasoning', 'reasoning_effort']

/** The fields of a request that set its effort, and the issues of the warnings. */
async function effortSent(
  preset: PresetName,
  model: string,
  effort?: OpenaiEffort,
  request: Partial<TextRequest> = {},
) {
  const { write, sent } = await replyingWith(completion(), { preset, ...(effort && { effort }) })
  const { warnings = [] } = await write({ model, ...request })
  const fields = Object.entries(sent().body as object).filter(([name]) => fieldNames.includes(name))
  return { fields: Object.fromEntries(fields) as object, issues: warnings.map(({ issue }) => issue) }
}

describe('effort', () => {
  test.each<[PresetName, string, object]>([
    ['deepseek', 'deepseek-flash', { thinking: { type: 'disabled' } }],
    ['deepseek', 'deepseek-v4-pro', { thinking: { type: 'disabled' } }],
    ['xai', 'grok-4.3', { reasoning_effort: 'none' }],
    ['xai', 'grok-4.7', { reasoning_effort: 'low' }],
    ['xai', 'grok-4', {}],
    ['mistral', 'mistral-small-latest', { reasoning_effort: 'none' }],
    ['mistral', 'mistral-large-4', { reasoning_effort: 'low' }],
    ['mistral', 'ministral-8b-latest', {}],
    ['openrouter', 'maker/large', {}],
    ['ollama', 'llama3.2', {}],
  ])('effort is the lowest that the model accepts by default: %s, %s', async (preset, model, fields) => {
    expect(await effortSent(preset, model)).toEqual({ fields, issues: [] })
  })

  test.each<[PresetName, string]>([
    ['deepseek', 'deepseek-flash'],
    ['xai', 'grok-4.7'],
    ['mistral', 'mistral-large-4'],
    ['openrouter', 'maker/large'],
  ])(
    'effort is that of the model if the request says null, unless one is configured: %s, %s',
    async (preset, model) => {
      const ask = { reasoning: { effort: null } }
      expect(await effortSent(preset, model, undefined, ask)).toEqual({ fields: {}, issues: [] })
      expect(await effortSent(preset, model, 'high', ask)).toEqual(await effortSent(preset, model, 'high'))
    },
  )

  test.each<[PresetName, string, OpenaiEffort, object]>([
    ['deepseek', 'deepseek-flash', 'high', { thinking: { type: 'enabled' }, reasoning_effort: 'high' }],
    ['xai', 'grok-4.7', 'high', { reasoning_effort: 'high' }],
    ['mistral', 'mistral-medium-3.5', 'high', { reasoning_effort: 'high' }],
    ['openrouter', 'maker/large', 'medium', { reasoning: { effort: 'medium' } }],
    ['ollama', 'qwen3:8b', 'low', { reasoning_effort: 'low' }],
  ])('effort is sent as %s expects it', async (preset, model, effort, fields) => {
    expect(await effortSent(preset, model, effort)).toEqual({ fields, issues: [] })
  })

  test.each<[PresetName, string, OpenaiEffort, object]>([
    ['xai', 'grok-4', 'high', {}],
    ['mistral', 'ministral-8b-latest', 'high', {}],
    ['openai', 'gpt-4.1', 'high', {}],
    ['together', 'maker/large', 'high', {}],
  ])('effort is ignored with a warning where the model accepts none: %s, %s', async (preset, model, effort, fields) => {
    expect(await effortSent(preset, model, effort)).toEqual({
      fields,
      issues: ['the configured effort "high" is not supported by this model and was ignored'],
    })
  })

  test.each<[PresetName, string, OpenaiEffort, OpenaiEffort]>([
    ['mistral', 'mistral-small-latest', 'medium', 'high'],
    ['xai', 'grok-4.7', 'none', 'low'],
    ['xai', 'grok-4.3', 'max', 'high'],
    ['openai', 'gpt-5', 'xhigh', 'high'],
    ['openai', 'gpt-6-luna', 'minimal', 'low'],
  ])('effort becomes one that the model accepts, with a warning: %s, %s, %s', async (preset, model, effort, used) => {
    expect(await effortSent(preset, model, effort)).toEqual({
      fields: { reasoning_effort: used },
      issues: [`the configured effort "${effort}" is not available for this model; "${used}" was used`],
    })
  })

  test('effort needs no warning when it is none and the model does not reason', async () => {
    expect(await effortSent('together', 'maker/large', 'none')).toEqual({ fields: {}, issues: [] })
  })

  test.each<[string, OpenaiEffort | undefined, readonly string[]]>([
    ['deepseek-flash', undefined, ['topP', 'seed']],
    ['deepseek-flash', 'high', ['temperature', 'topP', 'frequencyPenalty', 'presencePenalty', 'seed']],
    ['deepseek-v4-pro', undefined, ['seed']],
    ['deepseek-v4-pro', 'high', ['temperature', 'topP', 'frequencyPenalty', 'presencePenalty', 'seed']],
  ])('%s with effort %s reports the parameters that it would ignore silently', async (model, effort, ignored) => {
    const { write } = await replyingWith(completion(), { preset: 'deepseek', ...(effort && { effort }) })
    const all = { temperature: 0, topP: 0.5, frequencyPenalty: 0.1, presencePenalty: 0.2, seed: 7, stop: ['END'] }
    const { warnings = [] } = await write({ model, ...all })
    expect(warnings.map(({ field }) => field)).toEqual(ignored)
  })
})

describe('a model that always reasons', () => {
  test('a model that always reasons keeps maxTokens, and a warning counts the reasoning tokens that used it up', async () => {
    const usage = {
      prompt_tokens: 9,
      completion_tokens: 0,
      total_tokens: 109,
      completion_tokens_details: { reasoning_tokens: 100 },
    }
    const { write, sent } = await replyingWith(completion({ content: '' }, { finish_reason: 'length' }, usage), {
      preset: 'xai',
    })
    expect(await write({ model: 'grok-4.7', maxTokens: 100 })).toEqual({
      parts: [],
      finishReason: 'length',
      usage: { promptTokens: 9, completionTokens: 100, reasoningTokens: 100 },
      response: { id: 'x' },
      warnings: [{ field: 'maxTokens', issue: '100 of the tokens were used for reasoning' }],
    })
    expect(sent().body).toMatchObject({ max_tokens: 100 })
  })

  test.each<[string, object, string]>([
    ['all tokens if there is no text', { content: '', reasoning: 'Let me see.' }, '64 of the tokens'],
    ['a share of them if there is text', { content: 'Hello', reasoning_content: 'x'.repeat(15) }, 'about 48 of'],
    [
      'a share of them if it comes in parts',
      {
        content: [
          { type: 'thinking', thinking: [{ type: 'text', text: 'Let me see..' }] },
          { type: 'text', text: 'abcd' },
        ],
      },
      'about 48 of',
    ],
  ])(
    'a model that always reasons whose server does not count reasoning tokens is credited with %s',
    async (_case, message, issue) => {
      const usage = { prompt_tokens: 9, completion_tokens: 64 }
      const { write } = await replyingWith(completion(message, { finish_reason: 'length' }, usage))
      expect((await write()).warnings).toMatchObject([{ field: 'maxTokens', issue: expect.stringContaining(issue) }])
    },
  )

  test('a model that always reasons warns of its reasoning tokens in a stream too', async () => {
    const reasoning = { data: { choices: [{ delta: { reasoning: 'Let me see.' }, finish_reason: null }] } }
    const end = { data: { choices: [{ delta: {}, finish_reason: 'length' }] } }
    const counts = { data: { choices: [], usage: { prompt_tokens: 3, completion_tokens: 100 } } }
    const { stream } = await replyingWith({ events: [reasoning, end, counts, { data: '[DONE]' }] })
    expect(await stream()).toMatchObject([
      { type: 'part_start', part: { type: 'reasoning' } },
      { type: 'part_delta', text: 'Let me see.' },
      { type: 'part_end' },
      { type: 'finish', finishReason: 'length', warnings: [{ issue: expect.stringMatching(/^100 of the tokens/) }] },
    ])
  })
})

describe('OpenRouter', () => {
  const listed = (facts: object) => ({ json: { data: [{ id: 'maker/large', ...facts }] } })
  const parameters = ['temperature', 'top_p', 'stop', 'seed', 'frequency_penalty', 'presence_penalty']

  test.each<[string, object, OpenaiEffort | undefined, object]>([
    ['no reasoning', {}, undefined, {}],
    ['optional reasoning', { reasoning: { mandatory: false } }, undefined, { reasoning: { effort: 'none' } }],
    ['mandatory reasoning', { reasoning: { mandatory: true } }, undefined, { reasoning: { effort: 'minimal' } }],
    [
      'some efforts',
      { reasoning: { mandatory: true, supported_efforts: ['high', 'low'] } },
      undefined,
      { reasoning: { effort: 'low' } },
    ],
    [
      'fewer efforts than configured',
      { reasoning: { mandatory: true, supported_efforts: ['high', 'low'] } },
      'medium',
      { reasoning: { effort: 'high' } },
    ],
  ])('OpenRouter is asked for an effort that a model with %s accepts', async (_case, facts, effort, fields) => {
    const { provider, write, sent, reply } = await replyingWith(
      listed({ supported_parameters: parameters, ...facts }),
      { preset: 'openrouter', models: 'fetched', ...(effort && { effort }) },
    )
    await (provider.models as (context: typeof call) => Promise<unknown>)(call)
    reply(completion())
    await write({ model: 'maker/large' })
    const { reasoning } = sent().body as { reasoning?: unknown }
    expect(reasoning === undefined ? {} : { reasoning }).toEqual(fields)
  })

  test('OpenRouter is not sent parameters that a model does not support, with a warning', async () => {
    const { provider, write, sent, reply } = await replyingWith(listed({ supported_parameters: ['temperature'] }), {
      preset: 'openrouter',
      models: 'fetched',
    })
    await (provider.models as (context: typeof call) => Promise<unknown>)(call)
    reply(completion())
    const { warnings = [] } = await write({ model: 'maker/large', seed: 7, stop: ['END'] })
    expect(warnings.map(({ field }) => field)).toEqual(['seed', 'stop'])
    expect(sent().body).not.toHaveProperty('seed')
  })
})
