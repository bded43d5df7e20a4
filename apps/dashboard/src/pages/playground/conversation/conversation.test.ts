import { describe, expect, test } from 'vitest'
import {
  attachedCharacters,
  awaitsResults,
  conversationFields,
  emptyConversation,
  type ModelTurn,
  toTurn,
  unreadableInput,
  type UserTurn,
  withText,
} from './conversation.ts'
import type { Call } from '../call.ts'

const user = (text: string, attachments: UserTurn['attachments'] = []): UserTurn => ({
  id: text,
  role: 'user',
  text,
  attachments,
})
const answer = (parts: ModelTurn['parts'], results: ModelTurn['results'] = {}): ModelTurn => ({
  id: 'answer',
  role: 'assistant',
  model: 'mirror',
  parts,
  results,
  figures: { status: 'done' },
})
const call = { type: 'tool_call', id: 'call_1', name: 'get_weather', input: { city: 'Oslo' } } as const

describe('conversationFields', () => {
  test('conversationFields sends texts as strings, attachments before the text, and the results of all tool calls', () => {
    const image = { id: '1', name: 'a.png', mediaType: 'image/png', data: 'AA==' }
    const turns = [
      user('Look', [
        image,
        { id: '2', url: 'https://example.com/b.png' },
        { id: '3', name: 'c.pdf', mediaType: 'application/pdf', data: 'AAA=' },
        { id: '4', url: 'https://example.com/d.pdf', mediaType: 'application/pdf' },
      ]),
      answer([{ type: 'text', text: 'Nice.' }]),
      user('And the weather?'),
      answer([{ type: 'reasoning', text: 'Hm' }, call], { call_1: { text: 'no city', isError: true } }),
    ]
    expect(conversationFields({ ...emptyConversation, system: 'Be brief.' }, turns)).toEqual({
      messages: [
        { role: 'system', content: 'Be brief.' },
        {
          role: 'user',
          content: [
            { type: 'image', media_type: 'image/png', data: 'AA==' },
            { type: 'image', url: 'https://example.com/b.png' },
            { type: 'file', media_type: 'application/pdf', filename: 'c.pdf', data: 'AAA=' },
            { type: 'file', media_type: 'application/pdf', url: 'https://example.com/d.pdf' },
            { type: 'text', text: 'Look' },
          ],
        },
        { role: 'assistant', content: 'Nice.' },
        { role: 'user', content: 'And the weather?' },
        { role: 'assistant', content: [{ type: 'reasoning', text: 'Hm' }, call] },
        {
          role: 'tool',
          content: [{ type: 'tool_result', tool_call_id: 'call_1', content: 'no city', is_error: true }],
        },
      ],
    })
    expect(awaitsResults(turns)).toBe(true)
  })

  test('conversationFields sends the choice of tools only with tools', () => {
    const choice = { toolChoice: { type: 'required' }, parallelToolCalls: false } as const
    const tools = [{ name: 'get_weather', input_schema: { type: 'object' } }]
    const messages = [{ role: 'user', content: 'Hi' }]
    expect(conversationFields({ ...emptyConversation, ...choice }, [user('Hi')])).toEqual({ messages })
    expect(conversationFields({ ...emptyConversation, ...choice, tools }, [user('Hi')])).toEqual({
      messages,
      tools,
      tool_choice: { type: 'required' },
      parallel_tool_calls: false,
    })
  })
})

describe('toTurn', () => {
  const stopped: Call = {
    id: '1',
    status: 'stopped',
    request: { path: '/generate', body: { model: 'mirror' } },
    parts: [
      { type: 'reasoning', text: 'Hm' },
      { type: 'text', text: 'Half an' },
      { type: 'tool_call', id: '1', name: 'get_weather', inputText: '{"ci' },
    ],
  }

  test('toTurn keeps the text of a call that was stopped, without an incomplete tool call', () => {
    expect(toTurn(stopped)).toMatchObject({ model: 'mirror', parts: [{ type: 'text', text: 'Half an' }] })
  })

  test('toTurn gives no turn for a call that failed, or was stopped before its text', () => {
    expect(toTurn({ ...stopped, status: 'failed' })).toBeUndefined()
    expect(toTurn({ ...stopped, parts: stopped.parts.slice(0, 1) })).toBeUndefined()
  })
})

describe('withText', () => {
  test('withText replaces the text, and keeps reasoning and tool calls in their order', () => {
    const reasoning = { type: 'reasoning', text: 'Hm' } as const
    expect(withText([reasoning, { type: 'text', text: 'a' }, call], 'b')).toEqual([
      reasoning,
      { type: 'text', text: 'b' },
      call,
    ])
    expect(withText([reasoning, call], 'b')).toEqual([reasoning, { type: 'text', text: 'b' }, call])
    expect(withText([{ type: 'text', text: 'a' }, call], '')).toEqual([call])
  })
})

test('unreadableInput returns the text of an input that is not a JSON object', () => {
  const written = (text: string, input = {}) => unreadableInput({ ...call, input, input_text: text })
  expect(written('{"city": Oslo')).toBe('{"city": Oslo')
  expect(written('{ "city": "Oslo" }', call.input)).toBeUndefined()
  expect(written('{ }')).toBeUndefined()
  expect(unreadableInput(call)).toBeUndefined()
})

describe('attachedCharacters', () => {
  test('attachedCharacters counts the attachments of the next message, and of the longest column', () => {
    const image = (data: string) => ({ id: data, name: 'a.png', mediaType: 'image/png', data })
    const turns = { a: [user('1', [image('1234')])], b: [user('2', [image('12')])] }
    expect(attachedCharacters({ ...emptyConversation, attachments: [image('123')], turns })).toBe(7)
  })
})
