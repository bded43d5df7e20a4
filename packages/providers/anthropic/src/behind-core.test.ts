import { createFairlead } from '@fairlead/core'
import { operations } from '@fairlead/testing/workspace'
import { openTestUpstream, replaying, type TestUpstream } from '@fairlead/testing'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { anthropic } from './index.ts'
import { wireMessage } from './testing/messages.ts'

let upstream: TestUpstream
beforeEach(async () => {
  upstream = await openTestUpstream()
  return () => upstream.close()
})

/** A Fairlead whose only provider is Claude, which says this. */
function behindClaude(content: string, usage: object = { input_tokens: 10, output_tokens: 5 }) {
  const reply = { type: 'message', content: [{ type: 'text', text: content }], stop_reason: 'end_turn', usage }
  upstream.answer(replaying({ json: reply }))
  const fairlead = createFairlead({ providers: [anthropic({ apiKey: 'sk-ant-canary', baseUrl: upstream.url })] })
  onTestFinished(() => fairlead.core.close())
  return fairlead
}

/** The meta of an answer for a text with that usage. */
async function fetchMeta(model: string, usage: object) {
  const fairlead = behindClaude('Hello there.', usage)
  const reply = await fairlead.core.run(operations.generate, { kind: 'embedded' }, { model, prompt: 'Greet me.' })
  return reply.meta
}

describe('Claude behind Fairlead', () => {
  test('Claude behind Fairlead costs the tokens that the API counted', async () => {
    const meta = await fetchMeta('claude-opus-5-5', { input_tokens: 1_000, output_tokens: 100 })
    expect(meta).toMatchObject({ provider: 'anthropic', costUsd: 0.006 })
    expect(meta).not.toHaveProperty('warnings')
  })

  test('Claude behind Fairlead costs more for every token if the prompt is long', async () => {
    const meta = await fetchMeta('claude-haiku-5-5', { input_tokens: 200_000, output_tokens: 1_000 })
    expect(meta).toMatchObject({ costUsd: 0.1025 })
  })

  test('Claude behind Fairlead analyzes a text with a schema', async () => {
    const fairlead = behindClaude('{"sentiment":{"score":0.8,"label":"positive"}}')
    const model = 'claude-haiku-5-5'
    const found = await fairlead.analyze({ text: 'I love this lake.', tasks: ['sentiment'], model })
    expect(found).toEqual({ sentiment: { score: 0.8, label: 'positive' } })
    expect(upstream.requests.at(-1)?.body).toMatchObject({
      output_config: { format: { type: 'json_schema', schema: { additionalProperties: false } } },
    })
  })

  test('Claude behind Fairlead gets the thinking, the tool calls, and the blocks of its own tools back unchanged', async () => {
    const fairlead = behindClaude('')
    const content = [
      { type: 'thinking', thinking: '', signature: 'EqQBCgIYAg' },
      { type: 'redacted_thinking', data: 'EmwKAhgB' },
      { type: 'server_tool_use', id: 'srvtoolu_01', name: 'web_search', input: { query: 'Oslo' } },
      { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_01', content: [] },
      { type: 'text', text: 'I will look.' },
      { type: 'tool_use', id: 'toolu_01', name: 'get_weather', input: { city: 'Oslo' } },
    ]
    upstream.answer(replaying({ json: wireMessage({ content, stop_reason: 'tool_use' }) }))
    const question = { role: 'user' as const, content: 'Weather in Oslo?' }
    const tools = [{ name: 'get_weather', inputSchema: { type: 'object', properties: { city: { type: 'string' } } } }]
    const asked = { model: 'claude-opus-5-5', tools, maxTokens: null }
    const { message, toolCalls } = await fairlead.generate({ ...asked, messages: [question] })
    const result = { type: 'tool_result' as const, toolCallId: toolCalls![0]!.id, content: '4 °C' }
    await fairlead.generate({ ...asked, messages: [question, message!, { role: 'tool', content: [result] }] })
    expect(upstream.requests.at(-1)?.body).toMatchObject({
      max_tokens: 128_000,
      messages: [
        { role: 'user', content: 'Weather in Oslo?' },
        { role: 'assistant', content },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_01', content: '4 °C' }] },
      ],
    })
  })

  test('Claude behind Fairlead counts tokens without the fields that only an answer needs', async () => {
    const fairlead = behindClaude('')
    upstream.answer(replaying({ json: { input_tokens: 14 } }))
    const own = { anthropic: { metadata: { user_id: 'ada' }, context_management: { edits: [] } } }
    const messages = [{ role: 'user' as const, content: 'Hi.' }]
    const counted = await fairlead.countTokens({ model: 'claude-haiku-5-5', messages, providerOptions: own })
    expect(counted).toEqual({ promptTokens: 14, isEstimate: false })
    expect(upstream.requests.at(-1)).toMatchObject({ path: '/v1/messages/count_tokens' })
    expect(upstream.requests.at(-1)?.body).toEqual({
      model: 'claude-haiku-5-5',
      messages: [{ role: 'user', content: 'Hi.' }],
      context_management: { edits: [] },
    })
  })

  test('Claude behind Fairlead returns 400 with the field and the context size when the prompt is too long', async () => {
    const fairlead = behindClaude('')
    const error = { type: 'invalid_request_error', message: 'prompt is too long: 1000050 tokens > 1000000 maximum' }
    upstream.answer(replaying({ status: 400, json: { type: 'error', error } }))
    await expect(fairlead.generate({ model: 'claude-haiku-5-5', prompt: 'x' })).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      issues: [
        {
          field: 'prompt',
          issue: expect.stringMatching(/^exceeds the context size of model "claude-haiku-5-5" \(\d+ tokens\): /),
        },
      ],
    })
  })
})
