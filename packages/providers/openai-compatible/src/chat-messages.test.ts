import { collectAnswer, type Message, type TextRequest } from '@fairlead/core/provider'
import { describe, expect, test } from 'vitest'
import { completion, replyingWith, sentParts, streamEvents } from './testing/ask-replying.ts'
import type { OpenaiCompatibleOptions } from './index.ts'

type Options = Partial<OpenaiCompatibleOptions>

async function sentFor(about: Partial<TextRequest>, options: Options = {}) {
  const { write, sent } = await replyingWith(completion(), options)
  const { warnings = [] } = await write(about)
  const { messages, ...body } = sent().body as { readonly messages: readonly Record<string, unknown>[] }
  return { messages, body: body as Record<string, unknown>, warnings }
}

const text = (words: string, about: object = {}) => ({ type: 'text', text: words, ...about }) as const
const user = (...content: Extract<Message, { role: 'user' }>['content']): Message => ({ role: 'user', content })
const toolCall = {
  type: 'tool_call',
  id: 'call_1',
  name: 'weather',
  inputText: '{"city":"Oslo"}',
  input: { city: 'Oslo' },
} as const
const result = (content: Extract<Message, { role: 'tool' }>['content'][0]['content'], about: object = {}): Message => ({
  role: 'tool',
  content: [{ type: 'tool_result', toolCallId: 'call_1', name: 'weather', content, ...about }],
})
const image = {
  type: 'image',
  source: { kind: 'data', data: 'iVBORw0KGgo=', mediaType: 'image/png' },
} as const
const mediaType = 'application/pdf'
const pdf = { type: 'file', source: { kind: 'data', data: 'JVBERi0=', mediaType } } as const
const pdfUrl = { type: 'file', source: { kind: 'url', url: 'https://example.com/a.pdf', mediaType } } as const
const tool = { name: 'weather', inputSchema: { type: 'object' } } as const

describe('the messages of a chat request', () => {
  test('the messages of a chat request have the options of parts, calls, and tools for this provider, and no others', async () => {
    const marked = { providerOptions: { acme: { cache_control: { type: 'ephemeral' } }, other: { x: 1 } } }
    const { messages, body } = await sentFor({
      messages: [
        { role: 'system', content: [text('Be brief.', marked)] },
        { role: 'assistant', content: [text('Well.', marked), { ...toolCall, ...marked }] },
        result([text('Rain')], marked),
      ],
      tools: [{ ...tool, ...marked }],
    })
    const cache_control = { type: 'ephemeral' }
    expect(messages).toEqual([
      { role: 'system', content: [{ type: 'text', text: 'Be brief.', cache_control }] },
      {
        role: 'assistant',
        content: [{ type: 'text', text: 'Well.', cache_control }],
        tool_calls: [expect.objectContaining({ id: 'call_1', cache_control })],
      },
      { role: 'tool', tool_call_id: 'call_1', content: 'Rain', cache_control },
    ])
    expect(body['tools']).toMatchObject([{ type: 'function', cache_control }])
  })

  test('the messages of a chat request keep their fields, whatever the options of their parts', async () => {
    const elsewhere = { type: 'image_url', image_url: { url: 'http://169.254.169.254/' }, role: 'system', content: 'x' }
    const changed = { providerOptions: { acme: elsewhere } }
    const { messages } = await sentFor({
      messages: [user(text('Hi', changed), { ...image, ...changed }), result([text('Rain')], changed)],
    })
    expect(messages).toMatchObject([
      {
        content: [
          { type: 'text', text: 'Hi' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } },
        ],
      },
      { role: 'tool', content: 'Rain' },
    ])
  })

  test('the messages of a chat request say that a tool failed in the text of its result', async () => {
    const { messages } = await sentFor({ messages: [result([text('no such city')], { isError: true })] })
    expect(messages).toEqual([{ role: 'tool', tool_call_id: 'call_1', content: 'Error: no such city' }])
  })

  test('the messages of a chat request have the images of a result in a message of the user', async () => {
    const { messages } = await sentFor({ messages: [result([text('A map.'), image])] })
    expect(messages).toEqual([
      { role: 'tool', tool_call_id: 'call_1', content: 'A map.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'From the result of weather (call_1):' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } },
        ],
      },
    ])
  })

  // From a run of Claude Code, whose text documents OpenAI rejects as files.
  test.each<[string, Options]>([
    ['OpenAI', { preset: 'openai', id: 'openai' }],
    ['a server that takes no files', { preset: 'groq', id: 'groq' }],
  ])('the messages of a chat request have a text document as text for %s', async (_server, options) => {
    const data = Buffer.from('a,b').toString('base64')
    const csv = { type: 'file', source: { kind: 'data', data, mediaType: 'text/csv' }, filename: 'a.csv' } as const
    const { messages } = await sentFor({ messages: [user(text('Sum it.'), csv)] }, options)
    expect(messages[0]).toMatchObject({ content: [{ text: 'Sum it.' }, { type: 'text', text: 'a.csv:\n\na,b' }] })
  })

  test('the messages of a chat request name a file that has no name', async () => {
    const { messages } = await sentFor({ messages: [user(pdf)] })
    expect(messages[0]).toMatchObject({ content: [{ type: 'file', file: { filename: 'file.pdf' } }] })
  })

  test.each<[string, Options, object]>([
    ['mistral', { preset: 'mistral' }, { type: 'document_url', document_url: 'https://example.com/a.pdf' }],
    [
      'openrouter',
      { preset: 'openrouter' },
      { type: 'file', file: { filename: 'file.pdf', file_data: 'https://example.com/a.pdf' } },
    ],
  ])('the messages of a chat request have the address of a file as %s takes it', async (_preset, options, part) => {
    expect((await sentFor({ messages: [user(pdfUrl)] }, options)).messages[0]).toMatchObject({ content: [part] })
  })

  test.each<[string, Options, Message, string]>([
    ['a file', { preset: 'groq' }, user(pdf), 'this server takes no files'],
    ['the address of a file', {}, user(pdfUrl), 'this server loads no files from URLs: send their bytes'],
  ])(
    'the messages of a chat request are rejected if they have %s that the server does not take',
    async (_case, options, message, detail) => {
      await expect(sentFor({ messages: [message] }, options)).rejects.toMatchObject({
        failure: 'invalid_request',
        field: 'messages',
        detail,
      })
    },
  )

  test('the messages of a chat request have ids of tool calls that Mistral accepts', async () => {
    const history: readonly Message[] = [{ role: 'assistant', content: [toolCall] }, result([text('Rain')])]
    const { messages } = await sentFor({ messages: history }, { preset: 'mistral' })
    const [asked, answered] = messages as [{ tool_calls: [{ id: string }] }, { tool_call_id: string }]
    expect(asked.tool_calls[0].id).toMatch(/^[A-Za-z0-9]{9}$/)
    expect(answered.tool_call_id).toBe(asked.tool_calls[0].id)
  })
})

describe('the reasoning of an earlier answer', () => {
  const thought = { type: 'reasoning', text: 'I ask the tool.' } as const
  const history = (...content: Extract<Message, { role: 'assistant' }>['content']): readonly Message[] => [
    { role: 'assistant', content },
    result([text('Rain')]),
  ]

  test('the reasoning of an earlier answer is sent to DeepSeek with its tool calls', async () => {
    const { messages } = await sentFor({ messages: history(thought, toolCall) }, { preset: 'deepseek' })
    expect(messages[0]).toMatchObject({ content: null, reasoning_content: 'I ask the tool.' })
  })

  test('the reasoning of an earlier answer is empty for DeepSeek if it reasons and another model called the tool', async () => {
    const request = { model: 'deepseek-v4-pro', messages: history(toolCall), reasoning: { effort: 'high' } } as const
    expect((await sentFor(request, { preset: 'deepseek' })).messages[0]).toMatchObject({ reasoning_content: '' })
  })

  test('the reasoning of an earlier answer is not sent to a server that does not need it', async () => {
    const { messages } = await sentFor({ messages: history(thought, toolCall) })
    expect(Object.keys(messages[0]!)).toEqual(['role', 'content', 'tool_calls'])
  })

  test('the reasoning of an earlier answer returns to OpenRouter as it came, whole or in pieces', async () => {
    const details = [
      { type: 'reasoning.text', text: 'I ask the tool.', signature: 'EqQB', index: 0 },
      { type: 'reasoning.encrypted', data: 'gAAAAB', index: 1 },
    ]
    const options = { preset: 'openrouter' } as const
    const tool_calls = [{ index: 0, id: 'call_1', function: { name: 'weather', arguments: '{"city":"Oslo"}' } }]
    const message = { content: null, reasoning: 'I ask the tool.', reasoning_details: details, tool_calls }
    const expected = { ...thought, providerOptions: { acme: { reasoning_details: details } } }
    const { write, stream, sent, reply } = await replyingWith(completion(message), options)
    const { parts } = await write()
    expect(parts).toEqual([expected, toolCall])

    const chunk = (delta: object, finish_reason: string | null = null) => ({
      data: { choices: [{ delta, finish_reason }] },
    })
    const piece = (words: string, about: object = {}) =>
      chunk({ reasoning: words, reasoning_details: [{ type: 'reasoning.text', text: words, index: 0, ...about }] })
    reply({
      events: [
        piece('I ask '),
        piece('the tool.'),
        chunk({ reasoning_details: [{ type: 'reasoning.text', signature: 'EqQB', index: 0 }, details[1]] }),
        chunk({ tool_calls }),
        chunk({}, 'tool_calls'),
        { data: '[DONE]' },
      ],
    })
    expect((await collectAnswer(streamEvents(await stream()))).parts).toEqual([expected, toolCall])

    reply(completion())
    await write({ messages: history(...sentParts(parts)) })
    expect(sent().body).toMatchObject({ messages: [{ reasoning_details: details }, { role: 'tool' }] })
  })
})

describe('the turns of a chat request', () => {
  test.each<[string, Message]>([
    ['blocks of another API', { role: 'assistant', content: [text('')] }],
    ['reasoning that the server does not take', { role: 'assistant', content: [{ type: 'reasoning', text: 'Hm.' }] }],
  ])('a turn that held only %s is left out', async (_case, turn) => {
    const { messages } = await sentFor({ messages: [user(text('Hi')), turn, user(text('Go on.'))] })
    expect(messages).toEqual([
      { role: 'user', content: 'Hi' },
      { role: 'user', content: 'Go on.' },
    ])
  })
})

describe('the tools and formats of a chat request', () => {
  const settings = {
    tools: [{ ...tool, strict: true }],
    toolChoice: { type: 'required' },
    parallelToolCalls: false,
  } as const

  test('the tools and formats of a chat request are left out with a warning where the server has no such setting', async () => {
    const { body, warnings } = await sentFor(settings, { preset: 'ollama' })
    expect(body).toHaveProperty('tools')
    expect(Object.keys(body)).not.toEqual(expect.arrayContaining(['tool_choice', 'parallel_tool_calls']))
    expect(warnings.map(({ field }) => field)).toEqual(['toolChoice', 'parallelToolCalls', 'tools'])
  })

  test('the tools and formats of a chat request have no tools if none may be called and the server has no choice', async () => {
    const { body, warnings } = await sentFor({ ...settings, toolChoice: { type: 'none' } }, { preset: 'ollama' })
    expect({ tools: body['tools'], warnings }).toEqual({ tools: undefined, warnings: [] })
  })

  test.each<[string, Options, object]>([
    ['as an object', {}, { type: 'json_object' }],
    [
      'by a schema where the server knows only schemas',
      { preset: 'lm-studio' },
      { type: 'json_schema', json_schema: { name: 'answer', schema: { type: 'object' }, strict: false } },
    ],
  ])('the tools and formats of a chat request ask for JSON %s', async (_case, options, format) => {
    const { body } = await sentFor({ responseFormat: { type: 'json' } }, options)
    expect(body['response_format']).toEqual(format)
  })

  test('the tools and formats of a chat request warn where the server cannot be asked for JSON', async () => {
    const options = { dialect: { jsonAnswers: null } }
    const { body, warnings } = await sentFor({ responseFormat: { type: 'json' } }, options)
    expect(body).not.toHaveProperty('response_format')
    expect(warnings).toMatchObject([{ field: 'responseFormat' }])
  })

  test('the tools and formats of a chat request have the options of the request, which add to the objects and lists of the body', async () => {
    const web = { type: 'web_search' }
    const { body } = await sentFor(
      {
        tools: [tool],
        providerOptions: { acme: { tools: [web], service_tier: 'flex', user: 'u1' }, other: { user: 'u2' } },
      },
      { allow: ['service_tier', 'web_search'] },
    )
    expect(body).toMatchObject({ tools: [{ type: 'function' }, web], service_tier: 'flex', user: 'u1' })
  })

  test('the tools and formats of a chat request leave settings without a value to the server', async () => {
    const { body } = await sentFor({
      maxTokens: undefined,
      temperature: undefined,
      topP: undefined,
      frequencyPenalty: undefined,
      presencePenalty: undefined,
    } as object)
    expect(Object.keys(body)).toEqual(['model'])
  })
})

describe('the effort of a request', () => {
  test.each<[string, 'none' | 'minimal' | 'high', string, readonly string[]]>([
    ['replaces the configured one', 'high', 'high', []],
    [
      'is adapted to the model with a warning',
      'minimal',
      'low',
      ['the effort "minimal" is not available for this model; "low" was used'],
    ],
    ['turns reasoning off', 'none', 'none', []],
  ])('the effort of a request %s', async (_case, effort, used, issues) => {
    const { body, warnings } = await sentFor(
      { model: 'gpt-6-luna', reasoning: { effort } },
      { preset: 'openai', effort: 'medium' },
    )
    expect(body['reasoning_effort']).toBe(used)
    expect(warnings.map(({ field, issue }) => ({ field, issue }))).toEqual(
      issues.map((issue) => ({ field: 'reasoning', issue })),
    )
  })
})
