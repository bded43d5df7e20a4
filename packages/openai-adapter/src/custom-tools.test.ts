import { textAnswer } from '@fairlead/core/provider'
import { describe, expect, test } from 'vitest'
import { able, serve } from './testing/serve.ts'

const user = { role: 'user', content: 'Hi' }
const grammar = { syntax: 'lark', definition: 'start: "a"' }
const patch = { type: 'custom', custom: { name: 'patch', description: 'Edits.', format: { type: 'grammar', grammar } } }
const call = { type: 'tool_call', id: 'c1', name: 'patch' } as const

/** From SDK types, and from a run of Codex, which sends such a tool. */
describe('a custom tool of a chat completion, with another provider than OpenAI', () => {
  test('a custom tool of a chat completion with another provider than OpenAI is a function with a text, which its choice names too', async () => {
    const { provider, requests } = able()
    const { ask } = await serve({ providers: [provider] })
    const choice = { type: 'custom', custom: { name: 'patch' } }
    const { status } = await ask('/chat/completions', {
      model: 'any',
      messages: [user],
      tools: [patch],
      tool_choice: choice,
    })
    expect(status).toBe(200)
    expect(requests[0]).toMatchObject({
      tools: [
        {
          name: 'patch',
          description: 'Edits.\n\nThe field "input" follows this lark grammar:\nstart: "a"',
          inputSchema: { required: ['input'] },
        },
      ],
      toolChoice: { type: 'tool', name: 'patch' },
    })
  })

  test('a custom tool of a chat completion with another provider than OpenAI is called with the text', async () => {
    const parts = [{ ...call, inputText: '{"input":"*** a"}', input: { input: '*** a' } }]
    const { ask } = await serve({ providers: [able({ parts, finishReason: 'tool_calls' }).provider] })
    const { json } = await ask('/chat/completions', { model: 'any', messages: [user], tools: [patch] })
    expect(json.choices[0].message.tool_calls).toEqual([
      { id: 'c1', type: 'custom', custom: { name: 'patch', input: '*** a' } },
    ])
  })

  test('a custom tool of a chat completion with another provider than OpenAI is called with the text in a stream, once its JSON is whole', async () => {
    const pieces = ['{"input":', '"*** a"}'].map((inputDelta) => ({ ...call, inputDelta }))
    const { stream } = await serve({
      providers: [able({ ...textAnswer(''), finishReason: 'tool_calls' }, pieces).provider],
    })
    const chunks = await stream('/chat/completions', { model: 'any', messages: [user], tools: [patch] })
    const calls = chunks.flatMap((chunk) => chunk.choices?.[0]?.delta.tool_calls ?? [])
    expect(calls).toEqual([
      { index: 0, id: 'c1', type: 'custom', custom: { name: 'patch', input: '' } },
      { index: 0, custom: { input: '*** a' } },
    ])
  })
})

const mark = { cache_control: { type: 'ephemeral' } }
const marked = { providerOptions: { anthropic: mark } }

/** Assumed: clients of OpenRouter and LiteLLM set marks there, too. */
describe('a mark for the prompt cache', () => {
  test.each<[string, object, object]>([
    ['a message', { role: 'user', content: 'Hi', ...mark }, { content: [{ type: 'text', text: 'Hi', ...marked }] }],
    [
      'a message with parts, whose last it belongs to',
      {
        role: 'system',
        content: [
          { type: 'text', text: 'A' },
          { type: 'text', text: 'B' },
        ],
        ...mark,
      },
      {
        content: [
          { type: 'text', text: 'A' },
          { type: 'text', text: 'B', ...marked },
        ],
      },
    ],
    [
      'an answer',
      { role: 'assistant', content: 'Yes.', ...mark },
      { content: [{ type: 'text', text: 'Yes.', ...marked }] },
    ],
  ])('a mark for the prompt cache of %s reaches the provider', async (_case, message, expected) => {
    const { provider, requests } = able()
    const { ask } = await serve({ providers: [provider] })
    await ask('/chat/completions', { model: 'any', messages: [message, user] })
    expect(requests[0]?.messages[0]).toMatchObject(expected)
  })

  test('a mark for the prompt cache of a function reaches the provider', async () => {
    const { provider, requests } = able()
    const { ask } = await serve({ providers: [provider] })
    const tools = [{ type: 'function', function: { name: 'find', parameters: { type: 'object' }, ...mark } }]
    await ask('/chat/completions', { model: 'any', messages: [user], tools })
    expect(requests[0]?.tools).toMatchObject([{ name: 'find', ...marked }])
  })

  test('a mark for the prompt cache of an item is that of its last part alone', async () => {
    const { provider, requests } = able()
    const { ask } = await serve({ providers: [provider] })
    const content = [
      { type: 'input_text', text: 'A' },
      { type: 'input_text', text: 'B' },
    ]
    await ask('/responses', { model: 'any', input: [{ role: 'user', content, ...mark }] })
    expect(requests[0]?.messages[0]?.content).toEqual([
      { type: 'text', text: 'A' },
      { type: 'text', text: 'B', ...marked },
    ])
  })
})
