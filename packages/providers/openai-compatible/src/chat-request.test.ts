import { describe, expect, test } from 'vitest'
import { apiKey, completion, replyingWith } from './testing/ask-replying.ts'
import type { PresetName } from './index.ts'

const all = { topP: 0.5, frequencyPenalty: 0.1, presencePenalty: 0.2, seed: 7, stop: ['END'] }
const schema = {
  type: 'object',
  properties: { mood: { type: 'string' }, notes: { type: 'array', items: { type: 'string' } } },
  required: ['mood', 'notes'],
  additionalProperties: false,
}

async function sentFor(about: Parameters<Awaited<ReturnType<typeof replyingWith>>['write']>[0], preset?: PresetName) {
  const { write, sent } = await replyingWith(completion(), preset ? { preset } : {})
  const { warnings = [] } = await write(about)
  return {
    body: sent().body as Record<string, unknown>,
    headers: sent().headers,
    left: warnings.map(({ field }) => field),
  }
}

describe('a chat request', () => {
  test('a chat request sends only common fields to an unknown server', async () => {
    const { body, left } = await sentFor(all)
    expect(body).toEqual({
      model: 'any',
      messages: [{ role: 'user', content: 'Greet me.' }],
      max_tokens: 64,
      temperature: 0.7,
      top_p: 0.5,
      frequency_penalty: 0.1,
      presence_penalty: 0.2,
      seed: 7,
      stop: ['END'],
    })
    expect(left).toEqual([])
  })

  test.each<[PresetName, readonly string[], readonly string[]]>([
    ['openai', ['max_completion_tokens', 'seed', 'frequency_penalty', 'stop'], []],
    ['azure', ['max_completion_tokens', 'seed', 'frequency_penalty', 'stop'], []],
    ['groq', ['max_completion_tokens', 'seed', 'stop'], ['frequencyPenalty', 'presencePenalty']],
    ['mistral', ['max_tokens', 'random_seed', 'frequency_penalty', 'stop'], []],
    ['deepseek', ['max_tokens', 'frequency_penalty', 'stop'], ['seed']],
    ['xai', ['max_tokens', 'seed'], ['frequencyPenalty', 'presencePenalty', 'stop']],
    ['perplexity', ['max_tokens', 'frequency_penalty'], ['seed', 'stop']],
    ['ollama', ['max_tokens', 'seed', 'frequency_penalty', 'stop'], []],
  ])('a chat request sends the fields of %s and warns about the others', async (preset, fields, leftOut) => {
    const { body, left } = await sentFor(all, preset)
    const variable = ['max_tokens', 'max_completion_tokens', 'seed', 'random_seed', 'frequency_penalty', 'stop']
    expect(
      Object.keys(body)
        .filter((name) => variable.includes(name))
        .sort(),
    ).toEqual([...fields].sort())
    expect(left).toEqual(leftOut)
  })

  test.each([
    ['o3', 'low'],
    ['o4-mini', 'low'],
    ['gpt-5', 'minimal'],
    ['gpt-5.1-codex', 'low'],
    ['gpt-6-luna', 'none'],
    ['gpt-6.1-sol', 'low'],
  ])(
    'a chat request sends %s, a reasoning model, effort %s and no sampling parameters',
    async (model, reasoning_effort) => {
      const { body, left } = await sentFor({ ...all, model, temperature: 0 }, 'openai')
      expect(body).toEqual({
        model,
        messages: [{ role: 'user', content: 'Greet me.' }],
        max_completion_tokens: 64,
        seed: 7,
        reasoning_effort,
      })
      expect(left).toEqual(['temperature', 'topP', 'frequencyPenalty', 'presencePenalty', 'stop'])
    },
  )

  test('a chat request sends sampling parameters to a reasoning model only at effort none', async () => {
    const about = { topP: 0.5, stop: ['END'], model: 'gpt-5.4-mini' }
    const { body, left } = await sentFor(about, 'openai')
    expect(body).toMatchObject({ temperature: 0.7, top_p: 0.5, reasoning_effort: 'none' })
    expect(left).toEqual(['stop'])
    const { write, sent } = await replyingWith(completion(), { preset: 'openai', effort: 'high' })
    expect((await write(about)).warnings?.map(({ field }) => field)).toEqual(['topP', 'stop'])
    expect(sent().body).toMatchObject({ reasoning_effort: 'high' })
    expect(sent().body).not.toHaveProperty('temperature')
  })

  test.each(['gpt-4.1', 'gpt-4o-mini', 'gpt-5-chat-latest', 'o-ring'])(
    'a chat request sends sampling parameters to %s, which does not reason',
    async (model) => {
      const { body, left } = await sentFor({ ...all, model }, 'openai')
      expect(body).toMatchObject({ temperature: 0.7, top_p: 0.5 })
      expect(body).not.toHaveProperty('reasoning_effort')
      expect(left).toEqual([])
    },
  )

  test('a chat request treats the default temperature as not set', async () => {
    expect((await sentFor({ model: 'o3' }, 'openai')).left).toEqual([])
    expect((await sentFor({ model: 'o3', temperature: 0 }, 'openai')).left).toEqual(['temperature'])
  })

  test('a chat request sends the key to Azure in the header api-key', async () => {
    const { headers } = await sentFor({}, 'azure')
    expect(headers).toMatchObject({ 'api-key': apiKey })
    expect(headers).not.toHaveProperty('authorization')
  })

  test('a chat request requests strict mode for a schema that allows it', async () => {
    const { body } = await sentFor({ responseFormat: { type: 'json_schema', schema } })
    expect(body['response_format']).toEqual({
      type: 'json_schema',
      json_schema: { name: 'answer', schema, strict: true },
    })
  })

  test.each<[string, object]>([
    ['may leave a property out', { ...schema, required: ['mood'] }],
    ['may have other properties', { ...schema, additionalProperties: true }],
    ['has such a part inside', { ...schema, properties: { ...schema.properties, mood: { type: 'object' } } }],
  ])('a chat request does not request strict mode for a schema that %s', async (_case, loose) => {
    const { body } = await sentFor({ responseFormat: { type: 'json_schema', schema: { ...loose } } })
    expect(body['response_format']).toMatchObject({ json_schema: { strict: false } })
  })

  test('a chat request requests JSON from a server that supports no schemas', async () => {
    const { body } = await sentFor({ responseFormat: { type: 'json_schema', schema } }, 'deepseek')
    expect(body['response_format']).toEqual({ type: 'json_object' })
  })

  test.each<[PresetName, object]>([
    ['openai', { stream: true, stream_options: { include_usage: true } }],
    ['mistral', { stream: true }],
  ])('a chat request requests the usage of a stream from %s only if needed', async (preset, expected) => {
    const events = [{ data: { choices: [{ delta: { content: 'x' }, finish_reason: 'stop' }] } }, { data: '[DONE]' }]
    const { stream, sent } = await replyingWith({ events }, { preset })
    await stream()
    const { stream: streams, stream_options } = sent().body as Record<string, unknown>
    expect({ stream: streams, ...(stream_options ? { stream_options } : {}) }).toEqual(expected)
  })
})
