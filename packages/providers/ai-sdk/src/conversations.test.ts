import { type Message, readToolInput } from '@fairlead/core/provider'
import { describe, expect, test } from 'vitest'
import { text, written } from './testing/written.ts'

const own = (options: object) => ({ providerOptions: { 'ai-sdk': { hand: options } } })
const png = { type: 'image', source: { kind: 'data', data: 'iVBORw0KGgo=', mediaType: 'image/png' } } as const
const url = 'https://example.com/a.png'
const linkedImage = { type: 'image', source: { kind: 'url', url } } as const

const usage = { promptTokens: 7, completionTokens: 5, reasoningTokens: 4 }
const conversation: readonly Message[] = [
  { role: 'system', content: [text('Be brief.'), { ...text('Be kind.'), ...own({ cache: true }) }] },
  {
    role: 'user',
    content: [text(''), text('Weather?'), { ...png, ...own({ detail: 'low' }) }, linkedImage],
  },
  {
    role: 'assistant',
    content: [
      { type: 'reasoning', text: '', ...own({ signature: 'c2ln' }) },
      { type: 'reasoning', text: '' },
      { type: 'tool_call', id: 'a', name: 'look', ...readToolInput('{"q": 1}'), ...own({ itemId: 'fc_1' }) },
      { type: 'tool_call', id: 'b', name: 'look', inputText: '[1]' },
    ],
  },
  { role: 'tool', content: [{ type: 'tool_result', toolCallId: 'a', name: 'look', content: [text('1'), text('2')] }] },
  {
    role: 'tool',
    content: [
      { type: 'tool_result', toolCallId: 'b', name: 'look', content: [text('No.')], isError: true },
      { type: 'tool_result', toolCallId: 'c', name: 'look', content: [text('See:'), png, linkedImage] },
    ],
  },
]

const filesOf = {
  v2: {
    inline: 'iVBORw0KGgo=',
    linked: new URL(url),
    results: [
      { type: 'media', data: 'iVBORw0KGgo=', mediaType: 'image/png' },
      { type: 'text', text: url },
    ],
  },
  v3: {
    inline: 'iVBORw0KGgo=',
    linked: new URL(url),
    results: [
      { type: 'image-data', data: 'iVBORw0KGgo=', mediaType: 'image/png' },
      { type: 'image-url', url },
    ],
  },
  v4: {
    inline: { type: 'data', data: 'iVBORw0KGgo=' },
    linked: { type: 'url', url: new URL(url) },
    results: [
      { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'iVBORw0KGgo=' } },
      { type: 'file', mediaType: 'image/*', data: { type: 'url', url: new URL(url) } },
    ],
  },
} as const

const versions = ['v2', 'v3', 'v4'] as const

describe.each(versions)('a language model of specification %s', (version) => {
  test('a language model of the AI SDK receives a conversation with all parts and their options', async () => {
    const { ask, calls } = written(version)
    await ask({ messages: conversation })
    const { inline, linked, results } = filesOf[version]
    expect(calls[0]?.['prompt']).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'system', content: 'Be kind.', providerOptions: { hand: { cache: true } } },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Weather?' },
          { type: 'file', mediaType: 'image/png', data: inline, providerOptions: { hand: { detail: 'low' } } },
          { type: 'file', mediaType: 'image/*', data: linked },
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'reasoning', text: '', providerOptions: { hand: { signature: 'c2ln' } } },
          {
            type: 'tool-call',
            toolCallId: 'a',
            toolName: 'look',
            input: { q: 1 },
            providerOptions: { hand: { itemId: 'fc_1' } },
          },
          { type: 'tool-call', toolCallId: 'b', toolName: 'look', input: {} },
        ],
      },
      {
        role: 'tool',
        content: [
          { type: 'tool-result', toolCallId: 'a', toolName: 'look', output: { type: 'text', value: '1\n2' } },
          { type: 'tool-result', toolCallId: 'b', toolName: 'look', output: { type: 'error-text', value: 'No.' } },
          {
            type: 'tool-result',
            toolCallId: 'c',
            toolName: 'look',
            output: { type: 'content', value: [{ type: 'text', text: 'See:' }, ...results] },
          },
        ],
      },
    ])
  })

  test('a language model of the AI SDK receives tools, a choice, a format, and options merged with those of its configuration', async () => {
    const { ask, calls } = written(version)
    const inputSchema = { type: 'object' }
    const providerOptions = { hand: { effort: 'low', tier: 'flex' }, other: { a: 1 } }
    await ask(
      {
        tools: [{ name: 'look', description: 'Looks.', inputSchema, ...own({ defer: true }) }],
        toolChoice: { type: 'tool', name: 'look' },
        responseFormat: { type: 'json' },
        providerOptions: { 'ai-sdk': { hand: { effort: 'high' } }, openai: { store: false } },
      },
      { providerOptions },
    )
    expect(calls[0]).toMatchObject({
      tools: [
        {
          type: 'function',
          name: 'look',
          description: 'Looks.',
          inputSchema,
          providerOptions: { hand: { defer: true } },
        },
      ],
      toolChoice: { type: 'tool', toolName: 'look' },
      responseFormat: { type: 'json' },
      providerOptions: { hand: { effort: 'high', tier: 'flex' }, other: { a: 1 } },
    })
    expect(calls[0]?.['providerOptions']).not.toHaveProperty('openai')
  })

  test('a language model of the AI SDK answers with reasoning and tool calls, whose metadata are options of the next request', async () => {
    const { ask } = written(version, {
      content: [
        { type: 'reasoning', text: 'Hmm', providerMetadata: { hand: { signature: 'c2ln' } } },
        { type: 'text', text: 'I look.' },
        {
          type: 'tool-call',
          toolCallId: 'a',
          toolName: 'look',
          input: '{"q":1}',
          providerMetadata: { hand: { itemId: 'f' } },
        },
        { type: 'tool-call', toolCallId: 'b', toolName: 'look', input: '' },
      ],
      // Some models finish so with calls.
      finish: 'stop',
    })
    expect(await ask({})).toEqual({
      parts: [
        { type: 'reasoning', text: 'Hmm', ...own({ signature: 'c2ln' }) },
        { type: 'text', text: 'I look.' },
        { type: 'tool_call', id: 'a', name: 'look', ...readToolInput('{"q":1}'), ...own({ itemId: 'f' }) },
        { type: 'tool_call', id: 'b', name: 'look', ...readToolInput('') },
      ],
      finishReason: 'tool_calls',
      usage,
      warnings: [],
    })
  })

  test('a language model of the AI SDK streams reasoning and tool calls, each completed by its metadata', async () => {
    const { collect } = written(version, {
      stream: [
        { type: 'reasoning-start', id: '0', providerMetadata: { hand: { item: 'r' } } },
        { type: 'reasoning-delta', id: '0', delta: 'Hmm' },
        { type: 'reasoning-end', id: '0', providerMetadata: { hand: { item: 'r', signature: 'c2ln' } } },
        { type: 'text-start', id: '0', providerMetadata: { hand: { item: 't' } } },
        { type: 'text-delta', id: '0', delta: 'I look.' },
        { type: 'text-end', id: '0' },
        { type: 'tool-input-start', id: 'a', toolName: 'look' },
        { type: 'tool-input-delta', id: 'a', delta: '{"q":' },
        { type: 'tool-input-end', id: 'a' },
        {
          type: 'tool-call',
          toolCallId: 'a',
          toolName: 'look',
          input: '{"q":1}',
          providerMetadata: { hand: { item: 'a' } },
        },
        { type: 'tool-call', toolCallId: 'b', toolName: 'look', input: '{}' },
      ],
      finish: 'tool-calls',
    })
    const call = (id: string) => ({ type: 'tool_call', id, name: 'look', inputText: '' })
    expect(await collect()).toEqual([
      { type: 'part_start', index: 0, part: { type: 'reasoning', text: '' } },
      { type: 'part_delta', index: 0, text: 'Hmm' },
      { type: 'part_end', index: 0, ...own({ item: 'r', signature: 'c2ln' }) },
      { type: 'part_start', index: 1, part: text('') },
      { type: 'part_delta', index: 1, text: 'I look.' },
      { type: 'part_end', index: 1, ...own({ item: 't' }) },
      { type: 'part_start', index: 2, part: call('a') },
      { type: 'part_delta', index: 2, text: '{"q":' },
      { type: 'part_delta', index: 2, text: '1}' },
      { type: 'part_end', index: 2, ...own({ item: 'a' }) },
      { type: 'part_start', index: 3, part: call('b') },
      { type: 'part_delta', index: 3, text: '{}' },
      { type: 'part_end', index: 3 },
      { type: 'finish', finishReason: 'tool_calls', usage, warnings: [] },
    ])
  })

  test.each(['[1]', '{"q":'])(
    'a language model of the AI SDK has the text of a tool call whose input is %s',
    async (input) => {
      const { ask } = written(version, { content: [{ type: 'tool-call', toolCallId: 'a', toolName: 'look', input }] })
      expect(await ask({})).toMatchObject({ parts: [{ type: 'tool_call', id: 'a', name: 'look', inputText: input }] })
    },
  )
})
