import { describe, expect, test } from 'vitest'
import { operations } from '@fairlead/testing/workspace'
import { begun, textEnd, failing, fakeTextModel, testCore } from '@fairlead/testing'
import type { AnswerPart } from './message.ts'
import type { TextModel } from '../model.ts'
import type { TextAnswer, TextEvent } from './answer.ts'
import type { Provider, TextRequest } from '../provider.ts'
import { lastPrompt, textAnswer } from './text-answer.ts'

const everything = { chat: true, tools: true, vision: true, reasoning: true, structured: true, streaming: true }
const usage = { promptTokens: 2, completionTokens: 3 }
const png = 'iVBORw0KGgoAAAANSUhEUg=='
const weather = { name: 'weather', inputSchema: { type: 'object', properties: { city: { type: 'string' } } } }

/** Records its requests, and gives the same answer. */
function talker(answer: Partial<TextAnswer> = {}, facts: Partial<TextModel> = everything) {
  const requests: TextRequest[] = []
  const provider: Provider = {
    contract: 2,
    id: 'talker',
    models: [fakeTextModel(facts), fakeTextModel({ id: 'plain' }), fakeTextModel({ ...everything, id: 'other' })],
    async generateText(request) {
      requests.push(request)
      return { ...textAnswer('fine', { usage }), ...answer }
    },
  }
  return { provider, requests }
}

function streaming(...events: TextEvent[]): Provider {
  return {
    contract: 2,
    id: 'talker',
    models: [fakeTextModel(everything)],
    async *streamText() {
      yield* events
    },
  }
}

/** Generates with a provider, and returns its requests and the reply. */
async function ask(input: object, { provider, requests } = talker()) {
  const { core, caller } = await testCore({ providers: [provider] })
  const reply = await core.run(operations.generate, caller, { model: 'any', ...input })
  return { reply, requests, issue: 'error' in reply ? reply.error.details : undefined }
}

const user = (content: unknown) => ({ role: 'user', content })

describe('the messages of generate', () => {
  test('the messages of generate reach the provider as parts, in their order', async () => {
    const messages = [
      { role: 'system', content: 'Be brief.' },
      user('What is in this picture?'),
      { role: 'assistant', content: 'Which one?' },
      user([
        { type: 'text', text: 'This one.' },
        { type: 'image', data: png },
      ]),
    ]
    const { requests } = await ask({ messages })
    expect(requests[0]?.messages).toEqual([
      { role: 'system', content: [{ type: 'text', text: 'Be brief.' }] },
      { role: 'user', content: [{ type: 'text', text: 'What is in this picture?' }] },
      { role: 'assistant', content: [{ type: 'text', text: 'Which one?' }] },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'This one.' },
          { type: 'image', source: { kind: 'data', mediaType: 'image/png', data: png } },
        ],
      },
    ])
  })

  test('the messages of generate leave the maximum of tokens, the sampling and the effort to the model, unlike a prompt', async () => {
    const messages = [user('Hello')]
    const settings = ['maxTokens', 'temperature', 'topP', 'frequencyPenalty', 'presencePenalty']
    const { requests } = await ask({ messages })
    expect(settings.filter((setting) => setting in requests[0]!)).toEqual([])
    expect(requests[0]?.reasoning).toEqual({ effort: null })
    const short = await ask({ prompt: 'Hello' })
    expect(short.requests[0]).toMatchObject({
      maxTokens: 100,
      temperature: 0.7,
      topP: 1,
      frequencyPenalty: 0,
      presencePenalty: 0,
    })
    expect(short.requests[0]).not.toHaveProperty('reasoning')
  })

  test('the messages of generate may all be system messages', async () => {
    const { requests, reply } = await ask({ messages: [{ role: 'system', content: 'Say hello.' }] })
    expect(reply).toMatchObject({ data: { content: 'fine' } })
    expect(requests[0]?.messages).toEqual([{ role: 'system', content: [{ type: 'text', text: 'Say hello.' }] }])
  })

  test('the messages of generate are one user message for a prompt', async () => {
    const { requests, reply } = await ask({ prompt: 'Hello' })
    expect(requests[0]?.messages).toEqual([{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }])
    expect(reply).toMatchObject({ data: { content: 'fine', parts: [{ type: 'text', text: 'fine' }] } })
  })

  test('the messages of generate are a prompt if they are one text of a user, so that any text model takes them', async () => {
    const { requests, reply } = await ask({ model: 'plain', messages: [user('Hello')] })
    expect(lastPrompt(requests[0]!)).toBe('Hello')
    expect(reply).toMatchObject({ data: { parts: [{ type: 'text', text: 'fine' }] } })
  })

  test('the messages of generate give each tool result the name of its tool', async () => {
    const call = { type: 'tool_call', id: 'c1', name: 'weather', input: { city: 'Oslo' } }
    const result = { type: 'tool_result', toolCallId: 'c1', content: 'rain' }
    const { requests } = await ask({
      tools: [weather],
      messages: [user('Weather?'), { role: 'assistant', content: [call] }, { role: 'tool', content: [result] }],
    })
    expect(requests[0]?.messages[2]).toEqual({
      role: 'tool',
      content: [{ ...result, name: 'weather', content: [{ type: 'text', text: 'rain' }] }],
    })
  })

  const call = { type: 'tool_call', id: 'c1', name: 'weather', input: {} }
  const block = { type: 'opaque', provider: 'talker', dialect: 'google', kind: 'search', data: {} }
  const cited = { type: 'text', text: 'Rain.' }
  const assistant = (part: object) => ({ role: 'assistant', content: [part] })
  test.each<[string, object, string, string | RegExp]>([
    ['neither prompt nor messages', {}, 'prompt', 'is required unless you send "messages"'],
    ['both', { prompt: 'a', messages: [user('b')] }, 'messages', 'cannot be combined with "prompt"'],
    ['no message', { messages: [] }, 'messages', 'must have at least 1 entry'],
    ['an unknown role', { messages: [{ role: 'robot', content: 'a' }] }, 'messages[0].role', /must be one of "system"/],
    ['content of another type', { messages: [user(7)] }, 'messages[0].content', 'must be a string or an array'],
    ['no content', { messages: [{ role: 'user' }] }, 'messages[0].content', 'is required'],
    ['empty content', { messages: [user('')] }, 'messages[0].content', 'must not be empty'],
    [
      'an unknown type of part',
      { messages: [user([{ type: 'smell' }])] },
      'messages[0].content[0].type',
      /must be one of "text", "image"/,
    ],
    [
      'an unknown field of a part',
      { messages: [user([{ type: 'text', text: 'a', txt: 'b' }])] },
      'messages[0].content[0].txt',
      'is not a known field; did you mean "messages[0].content[0].text"?',
    ],
    [
      'a part in the wrong role',
      { messages: [{ role: 'system', content: [{ type: 'image', data: png }] }, user('a')] },
      'messages[0].content[0]',
      /a part of type "image" is not allowed in a message of role "system"/,
    ],
    [
      'an image without bytes',
      { messages: [user([{ type: 'image' }])] },
      'messages[0].content[0].url',
      '`url` or `data` is required',
    ],
    [
      'an image over http',
      { messages: [user([{ type: 'image', url: 'http://example.com/a.png' }])] },
      'messages[0].content[0].url',
      /must be an https URL/,
    ],
    [
      'a data URL in the place of its bytes',
      { messages: [user([{ type: 'image', data: `data:image/png;base64,${png}` }])] },
      'messages[0].content[0].data',
      'must be base64; a URL belongs in `url`',
    ],
    [
      'bytes that are not an image',
      { messages: [user([{ type: 'image', data: 'aGVsbG8gd29ybGQ=' }])] },
      'messages[0].content[0]',
      /must be an image of type image\/png/,
    ],
    [
      'a result without its call',
      { messages: [{ role: 'tool', content: [{ type: 'tool_result', toolCallId: 'c9', content: 'x' }] }] },
      'messages[0].content[0].toolCallId',
      'is not the id of an earlier tool call',
    ],
    [
      'a call without its result',
      { messages: [user('a'), { role: 'assistant', content: [call] }, user('b')], tools: [weather] },
      'messages[1].content[0]',
      /has no result/,
    ],
    [
      'a call without its result that has the id of an earlier call',
      {
        messages: [
          { role: 'assistant', content: [call] },
          { role: 'tool', content: [{ type: 'tool_result', toolCallId: 'c1', content: 'x' }] },
          { role: 'assistant', content: [call] },
          user('b'),
        ],
        tools: [weather],
      },
      'messages[2].content[0]',
      /has no result/,
    ],
    [
      'a block of the upstream in another role',
      { messages: [user([block])] },
      'messages[0].content[0]',
      /a part of type "opaque" is not allowed in a message of role "user"/,
    ],
    [
      'a block of an unknown dialect',
      { messages: [assistant({ ...block, dialect: 'smalltalk' })] },
      'messages[0].content[0].dialect',
      /must be one of "openai-chat"/,
    ],
    [
      'a block of a provider with a long name',
      { messages: [assistant({ ...block, provider: 'x'.repeat(101) })] },
      'messages[0].content[0].provider',
      'must have at most 100 characters',
    ],
    [
      'a block with a long name',
      { messages: [assistant({ ...block, kind: 'x'.repeat(257) })] },
      'messages[0].content[0].kind',
      'must have at most 256 characters',
    ],
    [
      'a block that is a text',
      { messages: [assistant({ ...block, data: 'search' })] },
      'messages[0].content[0].data',
      /must be an object/,
    ],
    [
      'more than 10,000 citations',
      { messages: [assistant({ ...cited, citations: Array.from({ length: 10_001 }, () => ({})) })] },
      'messages[0].content[0].citations',
      'must have at most 10000 entries',
    ],
    [
      'a citation before its text',
      { messages: [assistant({ ...cited, citations: [{ start: -1 }] })] },
      'messages[0].content[0].citations[0].start',
      /must be/,
    ],
    [
      'two tools of one name',
      { prompt: 'a', tools: [weather, weather] },
      'tools[1].name',
      'is the name of another tool',
    ],
    [
      'tools of a million characters',
      { prompt: 'a', tools: [{ ...weather, inputSchema: { description: 'x'.repeat(1_000_001) } }] },
      'tools',
      'must have at most 1,000,000 characters in all its names and texts',
    ],
    ['a choice without tools', { prompt: 'a', toolChoice: { type: 'auto' } }, 'toolChoice', 'needs "tools"'],
    [
      'a choice that is a string',
      { prompt: 'a', tools: [weather], toolChoice: 'required' },
      'toolChoice',
      'must be an object, such as {"type": "required"}',
    ],
    [
      'a choice of another tool',
      { prompt: 'a', tools: [weather], toolChoice: { type: 'tool', name: 'time' } },
      'toolChoice.name',
      'must be one of the tools: weather',
    ],
    [
      'a format without its schema',
      { prompt: 'a', responseFormat: { type: 'json_schema' } },
      'responseFormat.schema',
      'is required with the type "json_schema"',
    ],
    [
      'an option that Fairlead sets itself',
      { prompt: 'a', providerOptions: { talker: { max_tokens: 5 } } },
      'providerOptions.talker.max_tokens',
      'cannot be set here',
    ],
    [
      'the same one level deeper',
      { prompt: 'a', providerOptions: { talker: { generationConfig: { maxOutputTokens: 5 } } } },
      'providerOptions.talker.generationConfig.maxOutputTokens',
      'cannot be set here',
    ],
  ])('the messages of generate are rejected with %s', async (_case, input, field, issue) => {
    const found = (await ask(input)).issue
    expect(found).toMatchObject({ field })
    expect(found?.issue).toMatch(issue)
  })

  test.each<[keyof TextModel, object, string]>([
    ['chat', { messages: [{ role: 'system', content: 'Be brief.' }, user('a')] }, 'messages'],
    ['tools', { prompt: 'a', tools: [weather] }, 'tools'],
    ['vision', { messages: [user([{ type: 'image', data: png }])] }, 'messages[0].content[0]'],
    ['reasoning', { prompt: 'a', reasoning: { effort: 'low' } }, 'reasoning'],
  ])(
    'the messages of generate are rejected if the model lacks %s, with the models that have it',
    async (capability, input, field) => {
      const without = talker(
        {},
        { ...everything, ...(capability === 'chat' && { tools: false, vision: false }), [capability]: false },
      )
      const { issue, requests } = await ask(input, without)
      expect(issue).toMatchObject({ field, issue: expect.stringMatching(/^"any" .*; models that do: other$/) })
      expect(requests).toEqual([])
    },
  )

  test('the messages of generate may turn off the reasoning of a model that does not reason', async () => {
    const { requests } = await ask({ model: 'plain', prompt: 'a', reasoning: { effort: 'none' } })
    expect(requests[0]?.reasoning).toEqual({ effort: 'none' })
  })
})

describe('an error of a provider', () => {
  test.each(['invalid_request', 'too_long'] as const)(
    'an error of a provider of class %s names the messages of a conversation, and a prompt',
    async (failure) => {
      const provider = failing('calm', failure, { field: 'messages' })
      const { core, caller } = await testCore({ providers: [provider] })
      const generate = (input: object) => core.run(operations.generate, caller, { model: 'any', ...input })
      const error = (field: string) => ({ error: { code: 'INVALID_REQUEST', details: { field } } })
      expect(await generate({ messages: [user('a')] })).toMatchObject(error('messages'))
      expect(await generate({ prompt: 'a' })).toMatchObject(error('prompt'))
    },
  )
})

describe('null in generate', () => {
  test('null in generate leaves the settings to the provider, and the maximum of tokens to the model', async () => {
    const unset = { maxTokens: null, temperature: null, topP: null, frequencyPenalty: null, presencePenalty: null }
    const { requests } = await ask({ prompt: 'a', ...unset })
    expect(Object.keys(requests[0] ?? {}).toSorted()).toEqual(['messages', 'model'])
  })

  test('null in generate takes the effort null of every model, for its own default', async () => {
    const { requests } = await ask({ prompt: 'a', reasoning: { effort: null } })
    expect(requests[0]).toMatchObject({ reasoning: { effort: null } })
    const world = talker({}, { reasoning: false })
    expect((await ask({ prompt: 'a', reasoning: { effort: null }, adapt: true }, world)).reply).toMatchObject({
      success: true,
    })
  })
})

const signed = { talker: { signature: 's' } }
const thought: AnswerPart = { type: 'reasoning', text: 'Hm.', providerOptions: signed }
const called = {
  type: 'tool_call',
  id: 'c1',
  name: 'weather',
  inputText: '{"city":"Oslo"}',
  input: { city: 'Oslo' },
} satisfies AnswerPart

describe('the answer of generate', () => {
  test('the answer of generate has parts that the next request can repeat', async () => {
    const parts = [thought, { type: 'text', text: 'Let me look.' }, called] as const
    const world = talker({ parts, finishReason: 'tool_calls', usage: { ...usage, reasoningTokens: 1 } })
    const first = await ask({ prompt: 'Weather?', tools: [weather] }, world)
    expect(first.reply).toMatchObject({
      data: {
        content: 'Let me look.',
        parts: [
          thought,
          { type: 'text', text: 'Let me look.' },
          { type: 'tool_call', id: 'c1', name: 'weather', input: { city: 'Oslo' } },
        ],
        finishReason: 'tool_calls',
        usage: { reasoningTokens: 1 },
      },
    })
    const { parts: content } = (first.reply as unknown as { data: { parts: object[] } }).data
    const result = { type: 'tool_result', toolCallId: 'c1', content: 'rain' }
    const messages = [user('Weather?'), { role: 'assistant', content }, { role: 'tool', content: [result] }]
    const { requests } = await ask({ tools: [weather], messages }, world)
    expect(requests[1]?.messages[1]?.content).toEqual([thought, { type: 'text', text: 'Let me look.' }, called])
  })

  test('the answer of generate is the same whether streamed or not', async () => {
    const events: TextEvent[] = [
      { type: 'part_start', index: 0, part: { type: 'reasoning', text: '' } },
      { type: 'part_delta', index: 0, text: 'H' },
      { type: 'part_delta', index: 0, text: 'm.' },
      { type: 'part_end', index: 0, providerOptions: signed },
      { type: 'part_start', index: 1, part: { type: 'text', text: '' } },
      { type: 'part_delta', index: 1, text: 'Let me ' },
      { type: 'part_delta', index: 1, text: 'look.' },
      { type: 'part_end', index: 1 },
      { type: 'part_start', index: 2, part: { type: 'tool_call', id: 'c1', name: 'weather', inputText: '' } },
      { type: 'part_start', index: 3, part: { type: 'tool_call', id: 'c2', name: 'weather', inputText: '{}' } },
      { type: 'part_delta', index: 2, text: '{"city":' },
      { type: 'part_delta', index: 2, text: '"Oslo"}' },
      { type: 'part_end', index: 2 },
      { type: 'part_end', index: 3 },
      { type: 'finish', finishReason: 'tool_calls', usage },
    ]
    const { core, caller } = await testCore({ providers: [streaming(...events)] })
    const input = { model: 'any', prompt: 'Weather?', tools: [weather] }
    const reply = await core.run(operations.generate, caller, { ...input, stream: true })
    const seen: unknown[] = []
    if ('events' in reply) for await (const event of reply.events) seen.push(event)
    expect(seen.slice(0, -1)).toEqual(
      [
        { content: '', reasoning: 'H' },
        { content: '', reasoning: 'm.' },
        { content: '', reasoning: '', providerOptions: signed },
        { content: 'Let me ' },
        { content: 'look.' },
        { content: '', toolCall: { id: 'c1', name: 'weather', inputDelta: '' } },
        { content: '', toolCall: { id: 'c2', name: 'weather', inputDelta: '{}' } },
        { content: '', toolCall: { id: 'c1', name: 'weather', inputDelta: '{"city":' } },
        { content: '', toolCall: { id: 'c1', name: 'weather', inputDelta: '"Oslo"}' } },
      ].map((chunk) => ({ type: 'chunk', chunk })),
    )
    const whole = await core.run(operations.generate, caller, input)
    const data = {
      content: 'Let me look.',
      parts: [
        thought,
        { type: 'text', text: 'Let me look.' },
        { type: 'tool_call', id: 'c1', name: 'weather', input: { city: 'Oslo' } },
        { type: 'tool_call', id: 'c2', name: 'weather', input: {} },
      ],
    }
    expect(seen.at(-1)).toMatchObject({ type: 'done', reply: { data } })
    expect(whole).toMatchObject({ data })
  })

  test.each(['{"city":', '[1]', '"Oslo"'])(
    'the answer of generate has the text of a tool call whose input is %s',
    async (inputText) => {
      const { core, caller } = await testCore({
        providers: [
          streaming(
            { type: 'part_start', index: 0, part: { type: 'tool_call', id: 'c1', name: 'weather', inputText: '' } },
            { type: 'part_delta', index: 0, text: inputText },
            { type: 'part_end', index: 0 },
            { type: 'finish', finishReason: 'tool_calls', usage },
          ),
        ],
      })
      const call = { id: 'c1', name: 'weather', input: {}, inputText }
      const issue = 'the model called "weather" with text that is not a JSON object: its input is empty'
      const data = { parts: [{ type: 'tool_call', ...call }], usage, finishReason: 'tool_calls' }
      const expected = { data, meta: { attempts: 1, warnings: [{ field: 'tools', issue }] } }
      const input = { model: 'any', prompt: 'a', tools: [weather] }
      expect(await core.run(operations.generate, caller, input)).toMatchObject(expected)
      const reply = await core.run(operations.generate, caller, { ...input, stream: true })
      const seen: unknown[] = []
      if ('events' in reply) for await (const event of reply.events) seen.push(event)
      expect(seen.at(-1)).toMatchObject({ type: 'done', reply: expected })
    },
  )

  test('the answer of generate can be sent back, whatever the names in a tool call', async () => {
    const inputText = '{"__proto__":{"a":1},"b":{"__proto__":1,"c":"\\u0000"}}'
    const part = { type: 'tool_call', id: 'c\0', name: 'look up!', inputText } as const
    const { reply } = await ask({ prompt: 'a', tools: [weather] }, talker({ parts: [part] }))
    expect(reply).toMatchObject({
      data: { parts: [{ id: 'c\uFFFD', name: 'look_up_', input: { b: { c: '\uFFFD' } } }] },
    })
    const { parts: content } = (reply as { data: { parts: object[] } }).data
    const result = { type: 'tool_result', toolCallId: 'c\uFFFD', content: 'x' }
    const again = await ask({
      messages: [user('a'), { role: 'assistant', content }, { role: 'tool', content: [result] }],
    })
    expect(again.reply).toMatchObject({ success: true })
  })

  test.each<[string, object]>([
    ['tools', { tools: [{ ...weather, description: 'x'.repeat(500) }] }],
    ['a schema', { responseFormat: { type: 'json_schema', schema: { description: 'x'.repeat(500) } } }],
  ])('the answer of generate is rejected if its %s does not fit the model', async (_case, fields) => {
    const { issue } = await ask({ prompt: 'a', ...fields }, talker({}, { ...everything, maxPromptCharacters: 500 }))
    expect(issue).toMatchObject({ field: 'prompt', issue: 'must have at most 500 characters for "any"' })
  })

  test('the answer of generate warns about options for an unknown provider', async () => {
    const { reply } = await ask({ prompt: 'a', providerOptions: { talkr: { user: 'x' }, talker: { user: 'x' } } })
    expect(reply).toMatchObject({
      meta: {
        warnings: [{ field: 'providerOptions.talkr', issue: 'is ignored: unknown provider "talkr"' }],
      },
    })
  })

  test.each<[string, string, unknown]>([
    ['of 1,000 characters stays as it is', 'x'.repeat(1_000), 'x'.repeat(1_000)],
    ['that is too long to be sent back gets another', 'x'.repeat(8_193), expect.stringMatching(/^call_[0-9a-f]{64}$/)],
  ])('the id of a tool call %s', async (_case, id, expected) => {
    const { provider } = talker({ parts: [{ ...called, id }], finishReason: 'tool_calls' })
    const { core, caller } = await testCore({ providers: [provider] })
    const reply = await core.run(operations.generate, caller, { model: 'any', prompt: 'a', tools: [weather] })
    expect(reply).toMatchObject({ data: { parts: [{ id: expected }] } })
  })

  test('an answer keeps a tool call that the maximum of tokens cut off, as text', async () => {
    const { core, caller } = await testCore({
      providers: [
        streaming(
          ...begun('Let me'),
          { type: 'part_start', index: 1, part: { type: 'tool_call', id: 'c1', name: 'weather', inputText: '' } },
          { type: 'part_delta', index: 1, text: '{"city":' },
          { type: 'part_end', index: 1 },
          ...textEnd({ finishReason: 'length' }),
        ),
      ],
    })
    const reply = await core.run(operations.generate, caller, { model: 'any', prompt: 'a', tools: [weather] })
    expect(reply).toMatchObject({
      data: {
        parts: [{ text: 'Let me' }, { type: 'tool_call', id: 'c1', input: {}, inputText: '{"city":' }],
        finishReason: 'length',
      },
      meta: { warnings: [{ field: 'tools' }] },
    })
  })

  test('the answer of generate is replayed for an Idempotency-Key with its tool calls, streamed too', async () => {
    const { provider } = talker({ parts: [thought, called], finishReason: 'tool_calls' })
    const { core, caller } = await testCore({ providers: [provider] })
    const input = { model: 'any', prompt: 'Weather?', tools: [weather], stream: true }
    const chunks: unknown[] = []
    for (let round = 0; round < 2; round++) {
      const reply = await core.run(operations.generate, caller, input, { idempotencyKey: 'k' })
      if (!('events' in reply)) throw new Error('not streamed')
      const seen: unknown[] = []
      for await (const event of reply.events) seen.push(event.type === 'chunk' ? event.chunk : event.type)
      chunks.push(seen)
    }
    const expected = [
      { content: '', reasoning: 'Hm.', providerOptions: signed },
      { content: '', toolCall: { id: 'c1', name: 'weather', inputDelta: '{"city":"Oslo"}' } },
      'done',
    ]
    expect(chunks).toEqual([expected, expected])
  })
})
