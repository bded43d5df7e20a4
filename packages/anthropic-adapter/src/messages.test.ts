import { type AnswerPart, readToolInput } from '@fairlead/core/provider'
import { failing } from '@fairlead/testing'
import { describe, expect, test } from 'vitest'
import { able, serve } from './testing/serve.ts'

const base = { model: 'any', max_tokens: 100, messages: [{ role: 'user', content: 'Hi' }] }
const tools = [{ name: 'find', input_schema: { type: 'object' } }]

/** Data of a provider that Anthropic's API has no field for. */
const parts: readonly AnswerPart[] = [
  { type: 'reasoning', text: 'I think.', providerOptions: { able: { thoughtSignature: 's0' } } },
  { type: 'reasoning', text: '', providerOptions: { able: { encrypted_content: 'e1' } } },
  { type: 'text', text: 'I look.', providerOptions: { able: { thoughtSignature: 's2' } } },
  {
    type: 'tool_call',
    id: 'c1',
    name: 'find',
    ...readToolInput('{"q":1}'),
    providerOptions: { able: { thoughtSignature: 's3' } },
  },
  { type: 'tool_call', id: 'c2', name: 'find', ...readToolInput('{}') },
]

interface StreamedBlock {
  readonly type: string
  [field: string]: unknown
}

/** An event of a stream, with the fields of all types. */
interface Streamed {
  readonly type: string
  readonly index: number
  readonly content_block: StreamedBlock
  readonly delta: Readonly<Record<string, string>> & { readonly citation?: object }
}

/** The content that a client assembles from a stream. */
function assembled(stream: readonly Streamed[]): readonly object[] {
  const content: StreamedBlock[] = []
  for (const { type, index, content_block: block, delta } of stream) {
    if (type === 'content_block_start') content[index] = { ...block }
    if (type !== 'content_block_delta') continue
    const open = content[index]!
    const { text, thinking, signature, partial_json: json, citation } = delta
    if (citation) open['citations'] = [...(open['citations'] as object[]), citation]
    if (text !== undefined) open['text'] += text
    if (thinking !== undefined) open['thinking'] += thinking
    if (signature !== undefined) open['signature'] = signature
    if (json !== undefined) open['input'] = JSON.parse(json)
  }
  return content
}

describe('a message of the Anthropic surface', () => {
  test('a message of the Anthropic surface has the usage in the terms of the API', async () => {
    const counts = { promptTokens: 100, completionTokens: 9, reasoningTokens: 4, cachedPromptTokens: 60 }
    const { provider } = able({ usage: { ...counts, cacheWriteTokens: 30 } })
    const { ask } = await serve({ providers: [provider] })
    const { json } = await ask('/v1/messages', base)
    expect(json.usage).toEqual({
      input_tokens: 10,
      output_tokens: 9,
      cache_creation_input_tokens: 30,
      cache_read_input_tokens: 60,
      output_tokens_details: { thinking_tokens: 4 },
    })
  })

  test.each([
    ['stop', 'end_turn'],
    ['length', 'max_tokens'],
    ['pause', 'pause_turn'],
    ['content_filter', 'refusal'],
  ] as const)(
    'a message of the Anthropic surface ends with the reason of the API for %s',
    async (finishReason, reason) => {
      const { ask } = await serve({ providers: [able({ finishReason }).provider] })
      expect((await ask('/v1/messages', base)).json.stop_reason).toBe(reason)
    },
  )

  test('a message of the Anthropic surface names the stop sequence that ended it', async () => {
    const { ask } = await serve({ providers: [able({ stopSequence: 'two' }).provider] })
    const { json } = await ask('/v1/messages', { ...base, stop_sequences: ['three', 'two'] })
    expect(json).toMatchObject({ stop_reason: 'stop_sequence', stop_sequence: 'two' })
  })

  test.each([false, true])(
    'a message of the Anthropic surface names a setting that was adapted in a header, with stream %s',
    async (stream) => {
      const { provider } = able()
      const { ask } = await serve({ providers: [provider] }, { providers: ['able'] })
      const { headers } = await ask('/v1/messages', { ...base, max_tokens: 9_000, stream })
      expect(headers.get('x-fairlead-warnings')).toBe("max_tokens was lowered to 1000, the model's maximum")
    },
  )

  test('a message of the Anthropic surface brings the data of another provider back to its part in the next request', async () => {
    const { provider, requests } = able({ parts, finishReason: 'tool_calls' })
    const { ask } = await serve({ providers: [provider] })
    const { json } = await ask('/v1/messages', { ...base, tools })
    expect(json.stop_reason).toBe('tool_use')
    const results = ['c1', 'c2'].map((id) => ({ type: 'tool_result', tool_use_id: id, content: 'ok' }))
    const messages = [
      ...base.messages,
      { role: 'assistant', content: json.content },
      { role: 'user', content: results },
    ]
    await ask('/v1/messages', { ...base, tools, messages })
    expect(requests.at(-1)?.messages[1]).toEqual({ role: 'assistant', content: parts })
  })

  test('a message of the Anthropic surface has the same content streamed as whole', async () => {
    const { provider } = able({ parts, finishReason: 'tool_calls' })
    const { ask, stream } = await serve({ providers: [provider] })
    const { json } = await ask('/v1/messages', { ...base, tools })
    expect(assembled(await stream({ ...base, tools }))).toEqual(json.content)
  })

  test('a message of the Anthropic surface keeps alternating parts of two calls apart', async () => {
    const blockStart = (index: number, id: string) =>
      ({ type: 'part_start', index, part: { type: 'tool_call', id, name: 'find', inputText: '' } }) as const
    const delta = (index: number, text: string) => ({ type: 'part_delta', index, text }) as const
    const ends = [0, 1].map((index) => ({ type: 'part_end', index }) as const)
    const events = [blockStart(0, 'a'), blockStart(1, 'b'), delta(1, '{"q":2}'), delta(0, '{"q":1}'), ...ends]
    const { stream } = await serve({ providers: [able({}, events).provider] })
    const sent = await stream({ ...base, tools })
    expect(assembled(sent)).toMatchObject([
      { id: 'a', input: { q: 1 } },
      { id: 'b', input: { q: 2 } },
    ])
    expect(sent.filter(({ type }) => type === 'content_block_stop').map(({ index }) => index)).toEqual([0, 1])
  })

  test.each([false, true])(
    'a message of the Anthropic surface brings blocks of other APIs back to their provider (stream: %s)',
    async (streamed) => {
      const data = { type: 'web_search_call', id: 'ws_1' }
      const block = {
        type: 'opaque',
        provider: 'able',
        dialect: 'openai-responses',
        kind: 'web_search_call',
        data,
      } as const
      const { provider, requests } = able({ parts: [block, ...parts.slice(2, 3)] })
      const { ask, stream } = await serve({ providers: [provider] })
      const content = streamed ? assembled(await stream(base)) : (await ask('/v1/messages', base)).json.content
      expect(content).toMatchObject([{ type: 'redacted_thinking' }, { type: 'text' }, { type: 'redacted_thinking' }])
      await ask('/v1/messages', {
        ...base,
        messages: [...base.messages, { role: 'assistant', content }, ...base.messages],
      })
      expect(requests.at(-1)?.messages[1]?.content).toEqual([block, parts[2]])
    },
  )

  test.each([false, true])(
    'a message of the Anthropic surface has the sources of a text of another provider (stream: %s)',
    async (streamed) => {
      const citation = { url: 'https://a.example', title: 'Rain', quote: 'Wet.' }
      const { provider, requests } = able({ parts: [{ type: 'text', text: 'It rains.', citations: [citation] }] })
      const { ask, stream } = await serve({ providers: [provider] })
      const shown = {
        type: 'web_search_result_location',
        url: 'https://a.example',
        title: 'Rain',
        cited_text: 'Wet.',
        encrypted_index: '',
      }
      const [first] = streamed ? assembled(await stream(base)) : (await ask('/v1/messages', base)).json.content
      expect(first).toEqual({ type: 'text', text: 'It rains.', citations: [shown] })
      await ask('/v1/messages', {
        ...base,
        messages: [...base.messages, { role: 'assistant', content: [first] }, ...base.messages],
      })
      expect(requests.at(-1)?.messages[1]?.content).toEqual([{ type: 'text', text: 'It rains.' }])
    },
  )

  test('a message of the Anthropic surface has the id and the model of a provider of the API, and those of the request otherwise', async () => {
    const response = { id: 'upstream_1', model: 'any-2026' }
    const answers = [{ response: { ...response, native: { anthropic: { container: null } } } }, { response }]
    const [own, other] = await Promise.all(
      answers.map(async (answer) => {
        const { ask, stream } = await serve({ providers: [able(answer).provider] })
        const { json } = await ask('/v1/messages', base)
        const [start] = await stream(base)
        return { whole: json, streamed: start.message }
      }),
    )
    expect(own?.whole).toMatchObject({ id: 'upstream_1', model: 'any-2026', container: null })
    expect(other).toMatchObject({
      whole: { id: expect.stringMatching(/^msg_/), model: 'any' },
      streamed: { id: expect.stringMatching(/^msg_/), model: 'any' },
    })
    expect(other?.whole).not.toHaveProperty('container')
  })

  test('a message of the Anthropic surface has the text of a tool input that is not a JSON object', async () => {
    const inputText = '{"q":'
    const call: AnswerPart = { type: 'tool_call', id: 'c1', name: 'find', inputText }
    const { provider, requests } = able({ parts: [call], finishReason: 'tool_calls' })
    const { ask, stream } = await serve({ providers: [provider] })
    const delta = { type: 'input_json_delta', partial_json: inputText }
    expect(await stream({ ...base, tools })).toContainEqual({ type: 'content_block_delta', index: 0, delta })
    const { json, headers } = await ask('/v1/messages', { ...base, tools })
    expect(json.content).toMatchObject([{ type: 'tool_use', id: 'c1', input: {}, input_text: inputText }])
    expect(headers.get('x-fairlead-warnings')).toContain('not a JSON object')
    const result = { type: 'tool_result', tool_use_id: 'c1', content: 'No JSON.', is_error: true }
    const answers = [json.content, [{ type: 'tool_use', id: 'c1', name: 'find', input: inputText }]]
    for (const content of answers) {
      const messages = [...base.messages, { role: 'assistant', content }, { role: 'user', content: [result] }]
      expect((await ask('/v1/messages', { ...base, tools, messages })).status).toBe(200)
      expect(requests.at(-1)?.messages[1]).toEqual({ role: 'assistant', content: [call] })
    }
  })

  test.each([false, true])(
    'a message of the Anthropic surface ends with a refusal and its usage (stream: %s)',
    async (streamed) => {
      const { provider } = able({ parts: [{ type: 'refusal', text: 'No.' }], finishReason: 'refusal' })
      const { ask, stream } = await serve({ providers: [provider] })
      const details = { type: 'refusal', category: null, explanation: 'No.' }
      const end = { stop_reason: 'refusal', stop_sequence: null, stop_details: details }
      const usage = { input_tokens: 7, output_tokens: 5 }
      const { delta, ...sent } = streamed ? (await stream(base)).at(-2) : (await ask('/v1/messages', base)).json
      expect({ ...delta, ...sent }).toMatchObject({ ...end, usage })
    },
  )

  test('a message of the Anthropic surface takes text that only looks like data of a provider as it is', async () => {
    const { provider, requests } = able()
    const { ask } = await serve({ providers: [provider] })
    const content = [
      { type: 'thinking', thinking: 'a', signature: 'fairlead.%%' },
      { type: 'text', text: 'b' },
    ]
    const messages = [...base.messages, { role: 'assistant', content }, ...base.messages]
    expect((await ask('/v1/messages', { ...base, messages })).status).toBe(200)
    expect(requests[0]?.messages[1]?.content).toMatchObject([
      { type: 'reasoning', providerOptions: { anthropic: { signature: 'fairlead.%%' } } },
      { type: 'text', text: 'b' },
    ])
  })
})

const hello = [
  { type: 'part_start', index: 0, part: { type: 'text', text: '' } },
  { type: 'part_delta', index: 0, text: 'Hel' },
  { type: 'part_delta', index: 0, text: 'lo.' },
  { type: 'part_end', index: 0 },
] as const

describe('a stream of the Anthropic surface', () => {
  test('a stream of the Anthropic surface has the events of the API', async () => {
    const { stream } = await serve({ providers: [able({}, hello).provider] })
    const usage = expect.objectContaining({ input_tokens: 7, output_tokens: 5 })
    expect(await stream(base)).toEqual([
      {
        type: 'message_start',
        message: expect.objectContaining({
          type: 'message',
          role: 'assistant',
          model: 'any',
          content: [],
          stop_reason: null,
        }),
      },
      { type: 'ping' },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hel' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'lo.' } },
      { type: 'content_block_stop', index: 0 },
      {
        type: 'message_delta',
        delta: { stop_reason: 'end_turn', stop_sequence: null },
        usage,
      },
      { type: 'message_stop' },
    ])
  })

  test('a stream of the Anthropic surface has the texts and thoughts of a whole answer in deltas, which alone some clients read', async () => {
    const response = { id: 'msg_01', model: 'any-2026', native: { anthropic: {} } }
    const answer = { parts: parts.slice(0, 3), response }
    const { streamText: _stream, ...provider } = able(answer).provider
    const { stream } = await serve({ providers: [provider] })
    const sent = await stream(base)
    expect(sent[0]).toMatchObject({ message: { id: 'msg_01', model: 'any-2026', content: [] } })
    const texts = sent.flatMap(({ delta }) => delta?.text ?? delta?.thinking ?? [])
    expect(texts).toEqual(['I think.', 'I look.'])
    const started = sent.flatMap(({ content_block: block }) => block?.text ?? block?.thinking ?? [])
    expect(started).toEqual(['', ''])
  })

  test('a stream of the Anthropic surface names the stop sequence that ended it', async () => {
    const { stream } = await serve({ providers: [able({ stopSequence: 'two' }).provider] })
    const sent = await stream({ ...base, stop_sequences: ['three', 'two'] })
    expect(sent.at(-2)).toMatchObject({ delta: { stop_reason: 'stop_sequence', stop_sequence: 'two' } })
  })

  test('a stream of the Anthropic surface starts with the counts that the provider has before the answer', async () => {
    const counts = { promptTokens: 100, completionTokens: 1, cachedPromptTokens: 60, cacheWriteTokens: 30 }
    const { stream } = await serve({ providers: [able({}, [{ type: 'usage', usage: counts }, ...hello]).provider] })
    const [start] = await stream(base)
    expect(start).toMatchObject({
      type: 'message_start',
      message: { usage: { input_tokens: 10, cache_read_input_tokens: 60, cache_creation_input_tokens: 30 } },
    })
  })

  test('a stream of the Anthropic surface that fails before its start is an ordinary error', async () => {
    const { ask } = await serve({ providers: [failing('calm', 'content_refused')] })
    const { status, json, headers } = await ask('/v1/messages', { ...base, stream: true })
    expect([status, json.error.type]).toEqual([400, 'invalid_request_error'])
    expect(headers.get('request-id')).toBe(json.request_id)
  })
})

describe('the options of the Anthropic adapter', () => {
  test('the options of the Anthropic adapter name the providers that speak the API', async () => {
    const { provider, requests } = able({}, undefined, ['anthropic'])
    const { ask } = await serve({ providers: [provider] }, { providers: ['able'] })
    const { headers } = await ask('/v1/messages', { ...base, top_k: 5, n: 2 }, { 'anthropic-beta': 'a-1' })
    expect(requests[0]?.native).toEqual({ anthropic: { top_k: 5, anthropic_beta: 'a-1' } })
    expect(headers.get('x-fairlead-ignored')).toBe('n')
  })
})
