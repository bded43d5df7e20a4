import type { MediaSource, Message } from '@fairlead/core/provider'
import { describe, expect, test } from 'vitest'
import { toConversation } from './conversation-to-wire.ts'
import { said } from './testing/messages.ts'

const wire = (messages: readonly Message[], laterSystem = true) =>
  toConversation(messages, 'anthropic', { laterSystem })
const text = (value: string) => ({ type: 'text', text: value })
const toolCall = (id: string) => ({ type: 'tool_call', id, name: 'find', inputText: '{}', input: {} }) as const
const result = (toolCallId: string, value: string): Message => ({
  role: 'tool',
  content: [{ type: 'tool_result', toolCallId, name: 'find', content: [{ type: 'text', text: value }] }],
})

describe('system messages', () => {
  test('system messages become the system prompt if they lead', () => {
    expect(wire([said('system', 'Be brief.'), said('system', 'Be kind.'), said('user', 'Hi.')])).toEqual({
      system: [text('Be brief.'), text('Be kind.')],
      messages: [{ role: 'user', content: 'Hi.' }],
      warnings: [],
    })
  })

  test('system messages end with a message of the user, which the API requires, if there are no others', () => {
    expect(wire([said('system', 'Be brief.'), said('system', 'Say hello.')])).toEqual({
      system: [text('Be brief.')],
      messages: [{ role: 'user', content: 'Say hello.' }],
      warnings: [],
    })
  })

  test('system messages stay at the end of a user’s turn if the model takes them there', () => {
    const messages = [
      said('user', 'Hi.'),
      said('system', 'Be brief.'),
      said('assistant', 'Hello.'),
      said('user', 'Bye.'),
    ]
    expect(wire(messages)).toEqual({
      system: [],
      messages: [
        { role: 'user', content: 'Hi.' },
        { role: 'system', content: 'Be brief.' },
        { role: 'assistant', content: 'Hello.' },
        { role: 'user', content: 'Bye.' },
      ],
      warnings: [],
    })
  })

  test('system messages move behind the next user message, with a warning', () => {
    const messages = [
      said('user', 'Hi.'),
      said('assistant', 'Hello.'),
      said('system', 'Be brief.'),
      said('user', 'Bye.'),
    ]
    const { system, messages: sent, warnings } = wire(messages)
    expect({ system, sent: sent.slice(2) }).toEqual({
      system: [],
      sent: [
        { role: 'user', content: 'Bye.' },
        { role: 'system', content: 'Be brief.' },
      ],
    })
    expect(warnings).toMatchObject([{ field: 'messages', issue: expect.stringContaining('behind') }])
  })

  test('system messages move behind tool results, which must follow their calls', () => {
    const call: Message = { role: 'assistant', content: [toolCall('toolu_1')] }
    const { messages } = wire([said('user', 'Hi.'), call, said('system', 'Be brief.'), result('toolu_1', 'found')])
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'system'])
  })

  test.each([
    [
      'the model does not take them later',
      false,
      [said('user', 'Hi.'), said('system', 'Be brief.'), said('user', 'Bye.')],
    ],
    ['no user message follows', true, [said('user', 'Hi.'), said('assistant', 'Hello.'), said('system', 'Be brief.')]],
  ])('system messages move to the start with one warning if %s', (_case, laterSystem, messages) => {
    const { system, messages: sent, warnings } = wire(messages, laterSystem)
    expect(system).toEqual([text('Be brief.')])
    expect(sent.map(({ role }) => role)).not.toContain('system')
    expect(warnings).toMatchObject([{ field: 'messages', issue: expect.stringContaining('start') }])
  })
})

describe('turns', () => {
  test('turns join consecutive messages of a role', () => {
    const messages = [said('user', 'A'), said('user', 'B'), said('assistant', 'C'), said('assistant', 'D')]
    expect(wire(messages).messages).toEqual([
      { role: 'user', content: [text('A'), text('B')] },
      { role: 'assistant', content: [text('C'), text('D')] },
    ])
  })

  test('turns have tool results before anything else', () => {
    const call: Message = { role: 'assistant', content: [toolCall('toolu_1'), toolCall('toolu_2')] }
    const messages = [call, result('toolu_1', 'one'), said('user', 'Quick!'), result('toolu_2', '')]
    expect(wire(messages).messages[1]).toEqual({
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'toolu_1', content: 'one' },
        { type: 'tool_result', tool_use_id: 'toolu_2' },
        text('Quick!'),
      ],
    })
  })

  test('turns have references to tools in the place of their texts', () => {
    const reference = { type: 'tool_reference', tool_name: 'fetch' }
    const part = {
      type: 'text',
      text: 'The tool fetch is available.',
      providerOptions: { anthropic: reference },
    } as const
    const found = { type: 'tool_result', toolCallId: 'toolu_1', name: 'find', content: [part] } as const
    const [, results] = wire([
      { role: 'assistant', content: [toolCall('toolu_1')] },
      { role: 'tool', content: [found] },
    ]).messages
    expect(results?.content).toEqual([{ type: 'tool_result', tool_use_id: 'toolu_1', content: [reference] }])
  })

  test('turns of a client of the API stay as they are beside others that are written', () => {
    const raw = { role: 'user', content: [{ type: 'text', text: ' ', cache_control: {} }] }
    const answer = { role: 'assistant', content: 'Hm.' }
    const messages: Message[] = [
      { ...said('user', 'A'), native: { anthropic: [raw] } },
      { ...said('user', 'B'), native: { anthropic: [] } },
      said('user', 'C'),
      { ...said('assistant', 'D'), native: { anthropic: [answer, answer] } },
      said('assistant', 'E'),
    ]
    expect(wire(messages).messages).toEqual([
      raw,
      { role: 'user', content: 'C' },
      answer,
      answer,
      { role: 'assistant', content: 'E' },
    ])
  })

  test('turns have blocks that only the API knows as they came', () => {
    const data = { type: 'server_tool_use', id: 's1', name: 'web_search', input: {} }
    const block = {
      type: 'opaque',
      provider: 'anthropic',
      dialect: 'anthropic',
      kind: 'server_tool_use',
      data,
    } as const
    const { messages } = wire([said('user', 'A'), { role: 'assistant', content: [block] }, said('user', 'B')])
    expect(messages[1]).toEqual({ role: 'assistant', content: [data] })
  })

  test('turns have no blank texts beside other parts', () => {
    const messages: Message[] = [
      {
        role: 'user',
        content: [
          { type: 'text', text: '' },
          { type: 'image', source: { kind: 'url', url: 'https://example.com/a.png' } },
        ],
      },
      { role: 'assistant', content: [{ type: 'text', text: '\n\n' }, toolCall('toolu_1')] },
    ]
    expect(
      wire(messages).messages.map(({ content }) => (content as readonly { type: string }[]).map(({ type }) => type)),
    ).toEqual([['image'], ['tool_use']])
  })

  test('turns have ids of other providers in characters that the API takes', () => {
    const call: Message = { role: 'assistant', content: [toolCall('call.1:a')] }
    const [used, answered] = wire([call, result('call.1:a', 'one')]).messages
    expect(used?.content).toMatchObject([{ id: 'call_1_a' }])
    expect(answered?.content).toMatchObject([{ tool_use_id: 'call_1_a' }])
  })

  test('turns leave out reasoning of other models, with a warning', () => {
    const foreign: Message = {
      role: 'assistant',
      content: [{ type: 'reasoning', text: 'Hm.', providerOptions: { openai: { encrypted_content: 'x' } } }],
    }
    const { messages, warnings } = wire([said('user', 'A'), foreign, said('user', 'B')])
    expect(messages).toEqual([{ role: 'user', content: [text('A'), text('B')] }])
    expect(warnings).toMatchObject([{ field: 'messages', issue: expect.stringContaining('reasoning') }])
  })
})

describe('files', () => {
  const file = (source: MediaSource): Message => ({ role: 'user', content: [{ type: 'file', source }] })

  test('files that are images become images', () => {
    const { messages } = wire([file({ kind: 'data', mediaType: 'image/png', data: 'iVBORw0KGgo=' })])
    expect(messages[0]?.content).toMatchObject([{ type: 'image', source: { media_type: 'image/png' } }])
  })

  test.each<MediaSource & { mediaType: string }>([
    { kind: 'data', mediaType: 'audio/mpeg', data: 'SUQz' },
    { kind: 'url', mediaType: 'text/plain', url: 'https://example.com/a.txt' },
    { kind: 'data', mediaType: 'text/csv', data: 'YSxi'.repeat(3_400_000) },
  ])('files that the API does not take are rejected: $mediaType', (facts) => {
    expect(() => wire([file(facts)])).toThrow(
      expect.objectContaining({
        failure: 'invalid_request',
        field: 'messages',
        detail: expect.stringContaining(facts.mediaType),
      }),
    )
  })
})
