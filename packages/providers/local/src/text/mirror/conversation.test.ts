import {
  collectAnswer,
  type Message,
  ProviderError,
  type SentAnswerPart,
  type TextAnswer,
  textAnswer,
  type TextEvent,
  answerText,
  type TextRequest,
  type Tool,
} from '@fairlead/core/provider'
import { describe, expect, test } from 'vitest'
import { chatRequest, userMessage } from '../../testing/text-request.ts'
import { localText } from '../local-text.ts'

const { generateText, streamText } = localText({ delay: async () => {} })
const call = { signal: new AbortController().signal, deadline: Number.POSITIVE_INFINITY, requestId: 'req_1' }

const script = (...lines: string[]) => userMessage(['```mirror', ...lines, '```'].join('\n'))
const ask = (messages: readonly Message[], rest: Partial<TextRequest> = {}) =>
  generateText(chatRequest('mirror', messages, rest), call)

async function eventsUntilError(messages: readonly Message[], rest: Partial<TextRequest> = {}) {
  const events: TextEvent[] = []
  let error: unknown
  try {
    for await (const event of streamText(chatRequest('mirror', messages, rest), call)) events.push(event)
  } catch (caught) {
    error = caught
  }
  return { events, error }
}

const weather: Tool = {
  name: 'get_weather',
  inputSchema: { type: 'object', properties: { city: { type: 'string' }, days: { type: 'integer', minimum: 1 } } },
}

function toolResult(toolCallId: string, name: string, text: string): Message {
  return { role: 'tool', content: [{ type: 'tool_result', toolCallId, name, content: [{ type: 'text', text }] }] }
}

function assistant({ parts }: TextAnswer): Message {
  return {
    role: 'assistant',
    content: parts.filter(({ type }) => type !== 'refusal' && type !== 'file') as SentAnswerPart[],
  }
}

/** Runs the tools that an answer calls, until one calls none. */
async function untilDone(messages: readonly Message[], answers: readonly TextAnswer[] = []): Promise<TextAnswer[]> {
  const answer = await ask(messages, { tools: [weather] })
  const results = answer.parts.flatMap((part) =>
    part.type === 'tool_call' ? [toolResult(part.id, part.name, `result of ${part.id}`)] : [],
  )
  if (results.length === 0) return [...answers, answer]
  return untilDone([...messages, assistant(answer), ...results], [...answers, answer])
}

describe('mirror in a conversation', () => {
  test('mirror in a conversation repeats the last user message', async () => {
    const answer = await ask([
      { role: 'system', content: [{ type: 'text', text: 'Be brief.' }] },
      userMessage('First.'),
      { role: 'assistant', content: [{ type: 'text', text: 'First.' }] },
      userMessage('Second.'),
    ])
    expect(answer).toMatchObject(textAnswer('Second.'))
  })

  test('mirror in a conversation names images and files by their type and size', async () => {
    const data = Buffer.from('12345').toString('base64')
    const message: Message = {
      role: 'user',
      content: [
        { type: 'text', text: 'What is this?' },
        { type: 'image', source: { kind: 'data', mediaType: 'image/png', data } },
        { type: 'file', source: { kind: 'data', mediaType: 'application/pdf', data }, filename: 'a.pdf' },
        { type: 'image', source: { kind: 'url', url: 'https://example.com/a.png' } },
      ],
    }
    expect(answerText(await ask([message]))).toBe(
      'What is this?\n[image/png, 5 bytes]\n[application/pdf, 5 bytes, a.pdf]\n[image, https://example.com/a.png]',
    )
  })

  test('mirror in a conversation calls the tools of its script in one answer', async () => {
    const answer = await ask([
      script('reply: Looking.', 'tool_call: get_weather {"city": "Oslo"}', 'tool_call: get_time'),
    ])
    expect(answer).toMatchObject({
      finishReason: 'tool_calls',
      parts: [
        { type: 'text', text: 'Looking.' },
        {
          type: 'tool_call',
          id: 'call_1',
          name: 'get_weather',
          inputText: '{"city":"Oslo"}',
          input: { city: 'Oslo' },
        },
        { type: 'tool_call', id: 'call_2', name: 'get_time', inputText: '{}', input: {} },
      ],
    })
  })

  test('mirror in a conversation reads the input of a tool call from indented lines', async () => {
    const { parts } = await ask([script('tool_call: |', '  book {', '    "nights": 2', '  }')])
    expect(parts).toMatchObject([{ type: 'tool_call', id: 'call_1', name: 'book', input: { nights: 2 } }])
  })

  test.each([
    'get_weather {"city": ',
    'get_weather ["Oslo"]',
    'no name {}',
    `deep ${'{"a":'.repeat(50)}1${'}'.repeat(50)}`,
  ])('mirror in a conversation warns of a tool call that it cannot read: %s', async (line) => {
    const { warnings } = await ask([script('reply: x', `tool_call: ${line}`)])
    expect(warnings).toMatchObject([{ field: 'messages', issue: expect.stringContaining('tool_call:') }])
  })

  test('mirror in a conversation follows its script through twenty turns of tools', async () => {
    const turns = Array.from({ length: 19 }, (_, index) => [`tool_call: get_weather {"days": ${index + 1}}`, 'next:'])
    const answers = await untilDone([script(...turns.flat(), 'reply: Done.')])
    expect(answers).toHaveLength(20)
    expect(answers.map(({ parts }) => parts[0]).slice(0, 19)).toMatchObject(
      Array.from({ length: 19 }, (_, index) => ({
        type: 'tool_call',
        id: `call_${index + 1}`,
        name: 'get_weather',
        input: { days: index + 1 },
      })),
    )
    expect(answers[19]).toMatchObject(textAnswer('Done.'))
  })

  test('mirror in a conversation answers with the results of tools when its script has no more turns', async () => {
    const answers = await untilDone([script('tool_call: a', 'tool_call: b')])
    expect(answers.map(answerText)).toEqual(['', 'result of call_1\nresult of call_2'])
  })

  test('mirror in a conversation calls the demanded tool with an input that satisfies its schema', async () => {
    const { parts } = await ask([userMessage('Weather?')], {
      tools: [weather],
      toolChoice: { type: 'tool', name: 'get_weather' },
    })
    expect(parts).toMatchObject([{ id: 'call_1', name: 'get_weather', input: { city: 'text', days: 1 } }])
  })

  test('mirror in a conversation warns when its script calls tools against the request', async () => {
    const { warnings } = await ask([script('tool_call: a', 'tool_call: b')], {
      tools: [weather],
      toolChoice: { type: 'none' },
      parallelToolCalls: false,
    })
    expect(warnings?.map(({ field }) => field)).toEqual(['toolChoice', 'parallelToolCalls'])
  })

  test('mirror in a conversation warns of its own provider options, which it has none of', async () => {
    const { warnings } = await ask([userMessage('x')], { providerOptions: { local: { mood: 1 }, other: { a: 1 } } })
    expect(warnings).toMatchObject([{ field: 'providerOptions.local.mood' }])
  })

  test('mirror reasons as its script says and counts the tokens', async () => {
    const answer = await ask([script('reasoning: Two words.', 'reply: Yes.')])
    expect(answer.parts).toEqual([
      { type: 'reasoning', text: 'Two words.' },
      { type: 'text', text: 'Yes.' },
    ])
    expect(answer.usage).toMatchObject({ reasoningTokens: 3, completionTokens: 5 })
  })

  test('mirror reasons without a script when asked to', async () => {
    const { parts } = await ask([userMessage('x')], { reasoning: { effort: 'low' } })
    expect(parts).toEqual([
      { type: 'reasoning', text: 'The effort is low.' },
      { type: 'text', text: 'x' },
    ])
  })

  test('mirror in a conversation does not reason when reasoning is turned off', async () => {
    const answer = await ask([script('reasoning: Hm.', 'reply: Yes.')], { reasoning: { effort: 'none' } })
    expect(answer.parts).toEqual([{ type: 'text', text: 'Yes.' }])
    expect(answer.usage).not.toHaveProperty('reasoningTokens')
  })

  test('mirror in a conversation answers with JSON in the requested format', async () => {
    expect(answerText(await ask([userMessage('x')], { responseFormat: { type: 'json' } }))).toBe('{"text":"x"}')
    const schema = { type: 'object', properties: { a: { enum: ['b', 'c'] } } }
    expect(answerText(await ask([userMessage('x')], { responseFormat: { type: 'json_schema', schema } }))).toBe(
      '{"a":"b"}',
    )
  })

  test('mirror in a conversation warns of what its JSON may not satisfy', async () => {
    const responseFormat = { type: 'json_schema', schema: { type: 'string', pattern: '^a+$' } } as const
    expect((await ask([userMessage('x')], { responseFormat })).warnings).toMatchObject([
      { field: 'responseFormat.schema', issue: expect.stringContaining('pattern') },
    ])
  })

  test('mirror in a conversation streams a tool call in pieces that join to its input', async () => {
    const { events } = await eventsUntilError([script('tool_call: get_weather {"city": "Oslo"}', 'chunks: 2')])
    expect(events).toMatchObject([
      { type: 'part_start', index: 0, part: { type: 'tool_call', id: 'call_1', name: 'get_weather', inputText: '' } },
      { type: 'part_delta', index: 0 },
      { type: 'part_delta', index: 0 },
      { type: 'part_end', index: 0 },
      { type: 'finish', finishReason: 'tool_calls' },
    ])
    const json = events.map((event) => (event.type === 'part_delta' ? event.text : '')).join('')
    expect(JSON.parse(json)).toEqual({ city: 'Oslo' })
  })

  test('mirror in a conversation is cut off within the input of a tool call by the maximum of its script', async () => {
    const cut = [script('reply: A.', 'tool_call: get_weather {"city": "Oslo"}', 'max_tokens: 4')]
    const answer = await ask(cut)
    expect(answer).toMatchObject({ finishReason: 'length', usage: { completionTokens: 4 } })
    expect(answer.parts).toEqual([
      { type: 'text', text: 'A.' },
      { type: 'tool_call', id: 'call_1', name: 'get_weather', inputText: expect.stringMatching(/^\{"city"?$/) },
    ])
    expect(await collectAnswer(streamText(chatRequest('mirror', cut), call))).toEqual(answer)
  })

  test('mirror in a conversation calls no tool after a stop sequence', async () => {
    const answer = await ask([script('reply: A. B.', 'tool_call: a')], { stop: [' B'] })
    expect(answer).toMatchObject(textAnswer('A.'))
  })

  test('mirror in a conversation fails between two chunks', async () => {
    const { events, error } = await eventsUntilError([script('reply: a b c', 'fail: unavailable', 'fail_after: 2')])
    expect(events).toMatchObject([
      { type: 'part_start' },
      { type: 'part_delta', text: 'a' },
      { type: 'part_delta', text: ' b' },
    ])
    expect(error).toBeInstanceOf(ProviderError)
  })

  test('mirror in a conversation ends without its finish within the input of a tool call', async () => {
    const lines = ['tool_call: get_weather {"city": "Oslo"}', 'fail: malformed', 'fail_after: 2']
    const { events, error } = await eventsUntilError([script(...lines)])
    expect(events.map(({ type }) => type)).toEqual(['part_start', 'part_delta', 'part_delta'])
    expect(error).toBeUndefined()
  })

  test('mirror in a conversation fails only in the turn whose script says so', async () => {
    const messages = [script('tool_call: a', 'next:', 'fail: unavailable')]
    const second = ask([...messages, assistant(await ask(messages)), toolResult('call_1', 'a', 'x')])
    await expect(second).rejects.toBeInstanceOf(ProviderError)
  })
})
