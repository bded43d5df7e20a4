import { collectAnswer, answerText } from '@fairlead/core/provider'
import { openTestUpstream, type RecordedReply, replaying } from '@fairlead/testing'
import { describe, expect, onTestFinished, test } from 'vitest'
import { google } from './index.ts'

const asked = {
  model: 'gemini-3.8-flash',
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Greet me.' }] }],
  maxTokens: 64,
  temperature: 0.7,
  topP: 1,
  frequencyPenalty: 0,
  presencePenalty: 0,
} as const
const call = { signal: new AbortController().signal, requestId: 'req_1' }

async function answering(reply: RecordedReply) {
  const upstream = await openTestUpstream()
  upstream.answer(replaying(reply))
  const provider = google({ apiKey: 'AIza-canary-0123456789', baseUrl: upstream.url })
  onTestFinished(async () => {
    await provider.close?.()
    await upstream.close()
  })
  return {
    whole: () => provider.generateText!(asked, call),
    streamed: () => collectAnswer(provider.streamText!(asked, call)),
  }
}

const usageMetadata = { promptTokenCount: 4, candidatesTokenCount: 3, totalTokenCount: 7 }
const event = (text: string | null, finishReason?: unknown) => ({
  candidates: [{ content: { role: 'model', parts: text === null ? null : [{ text }] }, finishReason, index: 0 }],
  usageMetadata,
})
const events = [event('Hello', ''), event(' there', 'STOP')]

describe('a reply of a server with the API of Gemini', () => {
  test.each([
    ['stop', 'stop'],
    ['max_tokens', 'length'],
    ['FINISH_REASON_MAX_TOKENS', 'length'],
    ['Safety', 'content_filter'],
    ['length', 'length'],
    ['content_filter', 'content_filter'],
  ])(
    'a reply of a server with the API of Gemini has a finish reason in another spelling (assumed): %s is %s',
    async (sent, finishReason) => {
      const { whole } = await answering({ json: event('Hello', sent) })
      expect(await whole()).toMatchObject({ finishReason })
    },
  )

  test('a reply of a server with the API of Gemini that ends for a reason that nobody knows is an answer with a warning', async () => {
    const { whole } = await answering({ json: event('Hello', 'REASON_OF_TOMORROW') })
    const issue = 'the provider ended the answer for a reason that Fairlead does not know: REASON_OF_TOMORROW'
    expect(await whole()).toMatchObject({ finishReason: 'stop', warnings: [{ field: null, issue }] })
  })

  test.each<[string, object]>([
    [
      'null in the place of all that may be missing',
      {
        ...event('Hello', 'STOP'),
        promptFeedback: null,
        responseId: null,
        modelVersion: null,
        error: null,
      },
    ],
    [
      'null in a part',
      {
        candidates: [
          {
            content: { parts: [{ text: 'Hello', thought: null, functionCall: null, inlineData: null }] },
            finishReason: 'STOP',
            finishMessage: null,
          },
        ],
        usageMetadata: null,
      },
    ],
  ])('a reply of a server with the API of Gemini is read with %s (assumed)', async (_case, json) => {
    const { whole } = await answering({ json })
    expect(answerText(await whole())).toBe('Hello')
  })

  test.each<[string, RecordedReply]>([
    ['events (from a report)', { events: events.map((data) => ({ data })) }],
    [
      'events that are labeled as JSON (assumed)',
      {
        text: events.map((data) => `data: ${JSON.stringify(data)}\r\n\r\n`).join(''),
        headers: { 'content-type': 'application/json' },
      },
    ],
    ['a list, as without alt=sse (documented)', { json: events }],
    [
      'lines of JSON (assumed)',
      {
        text: events.map((data) => JSON.stringify(data)).join('\n'),
        headers: { 'content-type': 'application/x-ndjson' },
      },
    ],
  ])('a reply of a server with the API of Gemini is read from %s', async (_case, reply) => {
    const { whole, streamed } = await answering(reply)
    for (const ask of [whole, streamed]) expect(answerText(await ask())).toBe('Hello there')
  })

  test('a reply of a server with the API of Gemini is read if it is whole in the place of a stream (assumed)', async () => {
    const { streamed } = await answering({ json: event('Hello', 'STOP') })
    expect(answerText(await streamed())).toBe('Hello')
  })

  test('a reply of a server with the API of Gemini fails with a name if it has nothing in it and was paid for', async () => {
    const { whole, streamed } = await answering({ json: event(null, 'STOP') })
    for (const ask of [whole, streamed]) {
      await expect(ask()).rejects.toMatchObject({
        failure: 'give_up',
        mayBill: true,
        upstream: { code: 'empty_answer' },
      })
    }
  })

  test('a reply of a server with the API of Gemini names the field that cannot be read', async () => {
    const { whole } = await answering({ json: { candidates: [{ content: { parts: [{ text: 7 }] } }] } })
    await expect(whole()).rejects.toMatchObject({
      message: expect.stringContaining('candidates.0.content.parts.0.text'),
    })
  })
})
