import { collectAnswer, answerText } from '@fairlead/core/provider'
import { openTestUpstream, type RecordedReply, replaying } from '@fairlead/testing'
import { describe, expect, onTestFinished, test } from 'vitest'
import { anthropic } from './index.ts'
import { named, said, type WireEvent, wireMessage } from './testing/messages.ts'

const asked = {
  model: 'claude-haiku-5-5',
  messages: [said('user', 'Greet me.')],
  maxTokens: 64,
  temperature: 0.7,
  topP: 1,
  frequencyPenalty: 0,
  presencePenalty: 0,
}
const call = { signal: new AbortController().signal, requestId: 'req_1' }

async function answering(reply: RecordedReply) {
  const upstream = await openTestUpstream()
  upstream.answer(replaying(reply))
  const provider = anthropic({ apiKey: 'sk-ant-canary', baseUrl: upstream.url })
  onTestFinished(async () => {
    await provider.close?.()
    await upstream.close()
  })
  return provider
}

const whole = async (facts: Readonly<Record<string, unknown>>) =>
  (await answering({ json: wireMessage(facts) })).generateText!(asked, call)
const streamed = async (reply: RecordedReply) => collectAnswer((await answering(reply)).streamText!(asked, call))

const start = { type: 'message_start', message: { ...wireMessage(), content: [], stop_reason: null } }
const begin = { type: 'content_block_start', content_block: { type: 'text', text: '' } }
const delta = (text: string) => ({ type: 'content_block_delta', delta: { type: 'text_delta', text } })
const ending = (stop_reason: string | null, usage: unknown = { output_tokens: 9 }) => ({
  type: 'message_delta',
  delta: { stop_reason, stop_sequence: null },
  usage,
})
const stop = { type: 'message_stop' }
const bytesOf = (events: readonly object[]) => events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')
const unexplained = { field: null, issue: 'the provider did not say why the answer ended' }

describe('a whole reply of a server with the API of Anthropic', () => {
  test.each([null, '', undefined])(
    'a whole reply of a server with the API of Anthropic is an answer with a warning for the stop reason %j (assumed)',
    async (stop_reason) => {
      expect(await whole({ stop_reason })).toMatchObject({ finishReason: 'stop', warnings: [unexplained] })
    },
  )

  test.each([
    ['MAX_TOKENS', 'length'],
    ['length', 'length'],
    ['content-filter', 'content_filter'],
    ['endTurn', 'stop'],
    ['STOP_SEQUENCE', 'stop'],
  ])(
    'a whole reply of a server with the API of Anthropic has a stop reason in another spelling (assumed): %s is %s',
    async (stop_reason, finishReason) => {
      expect(await whole({ stop_reason })).toMatchObject({ finishReason, warnings: [] })
    },
  )

  test('a whole reply of a server with the API of Anthropic that calls a tool waits for its result, whatever the stop reason (assumed)', async () => {
    const content = [{ type: 'tool_use', id: 'toolu_1', name: 'get_weather', input: {} }]
    expect(await whole({ content, stop_reason: 'end_turn' })).toMatchObject({ finishReason: 'tool_calls' })
  })

  test('a whole reply of a server with the API of Anthropic never has a tool call that was cut in the middle as complete (assumed)', async () => {
    const content = [{ type: 'tool_use', id: 'toolu_1', name: 'get_weather', input: '{"city":"Li' }]
    expect(await whole({ content, stop_reason: 'because' })).toMatchObject({ finishReason: 'length' })
  })

  test('a whole reply of a server with the API of Anthropic fails with a name if it has nothing in it and was paid for', async () => {
    const usage = { input_tokens: 5, output_tokens: 64 }
    await expect(whole({ content: [], stop_reason: 'end_turn', usage })).rejects.toMatchObject({
      failure: 'give_up',
      mayBill: true,
      upstream: { code: 'empty_answer' },
    })
  })

  test('a whole reply of a server with the API of Anthropic may be silent after the result of a tool, as Anthropic documents', async () => {
    const usage = { input_tokens: 5, output_tokens: 2 }
    expect(await whole({ content: [], stop_reason: 'end_turn', usage })).toMatchObject({ parts: [] })
  })

  test.each<[string, Readonly<Record<string, unknown>>]>([
    ['null in the place of usage, id, and type', { usage: null, id: null, type: null }],
    ['no model and no counts', { model: undefined, usage: {} }],
    ['a text in the place of blocks', { content: 'Hello there.' }],
    ['counts that are no numbers', { usage: { input_tokens: 'many', output_tokens: null } }],
  ])('a whole reply of a server with the API of Anthropic is read with %s (assumed)', async (_case, facts) => {
    const json = { ...wireMessage(), ...facts }
    const answer = await (await answering({ json })).generateText!(asked, call)
    expect({ text: answerText(answer), reason: answer.finishReason }).toEqual({ text: 'Hello there.', reason: 'stop' })
  })

  test('a whole reply of a server with the API of Anthropic is read from the events of a server that streams it (from a report)', async () => {
    const text = bytesOf([start, begin, delta('Hello'), { type: 'content_block_stop' }, ending('end_turn'), stop])
    for (const type of ['text/event-stream', 'application/json']) {
      const provider = await answering({ text, headers: { 'content-type': type } })
      expect(answerText(await provider.generateText!(asked, call))).toBe('Hello')
    }
  })

  test('a whole reply of a server with the API of Anthropic names the field that cannot be read', async () => {
    const content = [{ type: 'tool_use', id: 'toolu_1', name: 7, input: {} }]
    await expect(whole({ content })).rejects.toMatchObject({ message: expect.stringContaining('content.0.name') })
  })
})

describe('a stream of a server with the API of Anthropic', () => {
  test.each<[string, readonly WireEvent[]]>([
    ['no indexes', [start, begin, delta('Hel'), delta('lo'), { type: 'content_block_stop' }, ending('end_turn'), stop]],
    ['no end of its block', [start, begin, delta('Hel'), delta('lo'), ending('end_turn'), stop]],
    ['no start of its block', [start, delta('Hel'), delta('lo'), ending('end_turn'), stop]],
    ['no message_start', [begin, delta('Hel'), delta('lo'), ending('end_turn'), stop]],
    ['no message_stop', [start, begin, delta('Hel'), delta('lo'), ending('end_turn')]],
    ['null in the place of usage', [start, begin, delta('Hel'), delta('lo'), ending('end_turn', null), stop]],
  ])('a stream of a server with the API of Anthropic is read with %s (assumed)', async (_case, events) => {
    const answer = await streamed({ events: named(...events) })
    expect({ text: answerText(answer), reason: answer.finishReason }).toEqual({ text: 'Hello', reason: 'stop' })
  })

  test('a stream of a server with the API of Anthropic without a stop reason and message_stop fails', async () => {
    const events = named(start, begin, delta('Hel'), ending(null))
    await expect(streamed({ events })).rejects.toMatchObject({ failure: 'retry' })
  })

  test('a stream of a server with the API of Anthropic that is a whole reply is read (assumed)', async () => {
    expect(answerText(await streamed({ json: wireMessage() }))).toBe('Hello there.')
  })

  test('a stream of a server with the API of Anthropic fails with a name if it has nothing in it and was paid for', async () => {
    const events = named(start, begin, { type: 'content_block_stop' }, ending('end_turn'), stop)
    await expect(streamed({ events })).rejects.toMatchObject({ failure: 'give_up', upstream: { code: 'empty_answer' } })
  })

  test('a stream of a server with the API of Anthropic never has a tool call that was cut in the middle as complete (assumed)', async () => {
    const tool = { type: 'content_block_start', content_block: { type: 'tool_use', id: 'a', name: 'b', input: {} } }
    const piece = { type: 'content_block_delta', delta: { type: 'input_json_delta', partial_json: '{"city":"Li' } }
    const events = named(start, tool, piece, ending('because'), stop)
    expect(await streamed({ events })).toMatchObject({ finishReason: 'length' })
  })
})
