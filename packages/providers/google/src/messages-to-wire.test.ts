import { type Message, readToolInput, type SentAnswerPart, type ToolCallPart } from '@fairlead/core/provider'
import { blockWarnings } from '@fairlead/provider-toolkit'
import { describe, expect, test } from 'vitest'
import { isLeftOut, messagesToWire } from './messages-to-wire.ts'

const wire = (messages: readonly Message[], isGemini3 = false) => messagesToWire({ messages, id: 'google', isGemini3 })
const text = (words: string) => ({ type: 'text', text: words }) as const
const user = (words: string): Message => ({ role: 'user', content: [text(words)] })
const call = (id: string, signature?: string): ToolCallPart => ({
  type: 'tool_call',
  id,
  name: 'look_up',
  ...readToolInput(JSON.stringify({ q: id })),
  ...(signature !== undefined && { providerOptions: { google: { thoughtSignature: signature } } }),
})
const assistant = (...content: readonly SentAnswerPart[]): Message => ({
  role: 'assistant',
  content,
})
const result = (toolCallId: string, content: Extract<Message, { role: 'tool' }>['content'][number]['content']) =>
  ({ type: 'tool_result', toolCallId, name: 'look_up', content }) as const
const png = { type: 'image', source: { kind: 'data', data: 'iVBORw0KGgo=', mediaType: 'image/png' } } as const
const sentPng = { inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgo=' } }

describe('messages', () => {
  test('messages are turns of the user and the model, with all system messages as the instruction', () => {
    const messages: Message[] = [
      { role: 'system', content: [text('Be brief.')] },
      user('Hello'),
      assistant(text('Hi')),
      { role: 'system', content: [text('Be kind.')] },
      user('Bye'),
    ]
    expect(wire(messages)).toEqual({
      systemInstruction: { role: 'user', parts: [{ text: 'Be brief.' }, { text: 'Be kind.' }] },
      contents: [
        { role: 'user', parts: [{ text: 'Hello' }] },
        { role: 'model', parts: [{ text: 'Hi' }] },
        { role: 'user', parts: [{ text: 'Bye' }] },
      ],
    })
  })

  test('messages have a turn of the user, which the API requires, if all are system messages', () => {
    const messages: Message[] = [
      { role: 'system', content: [text('Be brief.')] },
      { role: 'system', content: [text('Say hello.')] },
    ]
    expect(wire(messages)).toEqual({
      systemInstruction: { role: 'user', parts: [{ text: 'Be brief.' }] },
      contents: [{ role: 'user', parts: [{ text: 'Say hello.' }] }],
    })
  })

  test('messages have images and files as bytes or URLs, with the fields of the API that they carry', () => {
    const mediaType = 'application/pdf'
    const url = 'https://example.com/a'
    const high = { google: { mediaResolution: { level: 'MEDIA_RESOLUTION_HIGH' } } }
    const content = [
      { ...png, providerOptions: high },
      { type: 'image', source: { kind: 'url', url: `${url}.png` } },
      { type: 'file', source: { kind: 'data', data: 'JVBERi0=', mediaType } },
      { type: 'file', source: { kind: 'url', url: `${url}.pdf`, mediaType } },
    ] as const
    expect(wire([{ role: 'user', content }]).contents[0]?.parts).toEqual([
      { ...sentPng, ...high.google },
      { fileData: { fileUri: 'https://example.com/a.png' } },
      { inlineData: { mimeType: 'application/pdf', data: 'JVBERi0=' } },
      { fileData: { mimeType: 'application/pdf', fileUri: 'https://example.com/a.pdf' } },
    ])
  })

  test('messages leave out empty texts and turns without parts, which the API rejects', () => {
    const encrypted = { type: 'reasoning', text: '', providerOptions: { anthropic: { data: 'x' } } } as const
    const signed = { type: 'text', text: '', providerOptions: { google: { thoughtSignature: 'EqQB' } } } as const
    expect(wire([{ role: 'user', content: [text(''), text('Hello')] }, assistant(encrypted), user('Bye')])).toEqual({
      contents: [
        { role: 'user', parts: [{ text: 'Hello' }] },
        { role: 'user', parts: [{ text: 'Bye' }] },
      ],
    })
    expect(wire([assistant(signed)]).contents).toEqual([
      { role: 'model', parts: [{ text: '', thoughtSignature: 'EqQB' }] },
    ])
  })
})

describe('a turn of the model', () => {
  test('a turn of the model has its thoughts, text and calls with their signatures', () => {
    const thought = { type: 'reasoning', text: 'Hmm.' } as const
    expect(wire([assistant(thought, text('I look.'), call('a', 'EqQB'), call('b'))], true).contents).toEqual([
      {
        role: 'model',
        parts: [
          { text: 'Hmm.', thought: true },
          { text: 'I look.' },
          { functionCall: { id: 'a', name: 'look_up', args: { q: 'a' } }, thoughtSignature: 'EqQB' },
          { functionCall: { id: 'b', name: 'look_up', args: { q: 'b' } } },
        ],
      },
    ])
  })

  test('a turn of the model has the traces of Google’s own tools, and no other blocks', () => {
    const block = (kind: string, data: object) =>
      ({ type: 'opaque', provider: 'google', dialect: 'google', kind, data: { ...data } }) as const
    const code = { executableCode: { language: 'PYTHON', code: 'print(42)' }, thoughtSignature: 'EqQB' }
    const output = { codeExecutionResult: { outcome: 'OUTCOME_OK' } }
    const stored = { fileData: { fileUri: 'files/secret' } }
    const messages = [
      assistant(block('executableCode', code), block('fileData', stored), block('any', { ...output, ...stored })),
    ]
    expect(wire(messages).contents).toEqual([{ role: 'model', parts: [code, output] }])
    expect(blockWarnings(messages, isLeftOut)).toEqual([
      { field: 'messages', issue: 'blocks of the kind "fileData" were left out' },
    ])
  })

  test('a turn of the model that another model wrote has the signature that skips the check of Gemini 3', () => {
    const signatures = (isGemini3: boolean) =>
      wire([assistant(call('a'), call('b'))], isGemini3).contents[0]?.parts.map(
        ({ thoughtSignature }) => thoughtSignature,
      )
    expect(signatures(true)).toEqual(['skip_thought_signature_validator', undefined])
    expect(signatures(false)).toEqual([undefined, undefined])
  })
})

describe('results of tools', () => {
  const response = (id: string, fields: object) => ({ functionResponse: { id, name: 'look_up', ...fields } })

  test('results of tools are one turn of the user, in the order of the calls', () => {
    const messages: Message[] = [
      assistant(call('a'), call('b'), call('c')),
      { role: 'tool', content: [result('c', [text('3')])] },
      {
        role: 'tool',
        content: [{ ...result('b', [text('down')]), isError: true }, result('a', [text('1'), text('2')])],
      },
      user('Go on.'),
    ]
    expect(wire(messages).contents.slice(1)).toEqual([
      {
        role: 'user',
        parts: [
          response('a', { response: { output: '1\n2' } }),
          response('b', { response: { error: 'down' } }),
          response('c', { response: { output: '3' } }),
        ],
      },
      { role: 'user', parts: [{ text: 'Go on.' }] },
    ])
  })

  test('results of tools have images inside the result for Gemini 3, and beside it for earlier models', () => {
    const messages: Message[] = [assistant(call('a')), { role: 'tool', content: [result('a', [text('Seen.'), png])] }]
    const output = { response: { output: 'Seen.' } }
    expect(wire(messages, true).contents[1]?.parts).toEqual([response('a', { ...output, parts: [sentPng] })])
    expect(wire(messages, false).contents[1]?.parts).toEqual([response('a', output), sentPng])
  })
})
