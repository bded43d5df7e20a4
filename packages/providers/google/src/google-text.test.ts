import type { ProviderError, TextEvent, TextRequest } from '@fairlead/core/provider'
import { openTestUpstream, type RecordedReply, replaying, type TestUpstream } from '@fairlead/testing'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { google, type GoogleOptions } from './index.ts'

let upstream: TestUpstream
beforeEach(async () => {
  upstream = await openTestUpstream()
  return () => upstream.close()
})

const asked: TextRequest = {
  model: 'gemini-3.8-flash',
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Greet me.' }] }],
  maxTokens: 64,
  temperature: 0.7,
  topP: 1,
  frequencyPenalty: 0,
  presencePenalty: 0,
}
const call = { signal: new AbortController().signal, deadline: Infinity, requestId: 'req_1' }

function open(recorded: RecordedReply, options: GoogleOptions = {}) {
  upstream.answer(replaying(recorded))
  const provider = google({ apiKey: 'AIza-canary', baseUrl: `${upstream.url}/v1beta`, ...options })
  onTestFinished(() => provider.close?.())
  return provider
}

const usageMetadata = {
  promptTokenCount: 4,
  candidatesTokenCount: 3,
  thoughtsTokenCount: 20,
  totalTokenCount: 27,
  promptTokensDetails: [{ modality: 'TEXT', tokenCount: 4 }],
}
const counted = {
  promptTokens: 4,
  completionTokens: 23,
  reasoningTokens: 20,
  cachedPromptTokens: 0,
  native: { google: usageMetadata },
}
const response = { id: 'kZgpaYm3N', model: 'gemini-3.8-flash' }
const text = (words: string) => ({ type: 'text', text: words })

/** The reply of the API reference, with what a test is about. */
function reply(candidate: object = {}, facts: object = {}) {
  return {
    candidates: [
      { content: { parts: [{ text: 'Hello there.' }], role: 'model' }, finishReason: 'STOP', index: 0, ...candidate },
    ],
    usageMetadata,
    modelVersion: 'gemini-3.8-flash',
    responseId: 'kZgpaYm3N',
    ...facts,
  }
}
const silent = { content: { role: 'model' } }

const answer = (json: object) => open({ json }).generateText!(asked, call)

test('warnings about settings are reported before a stream', () => {
  const warn = vi.fn<(warnings: readonly object[]) => void>()
  open({ events: [] }).streamText!({ ...asked, seed: 2 ** 40 }, { ...call, warn })
  expect(warn).toHaveBeenCalledExactlyOnceWith([expect.objectContaining({ field: 'seed' })])
})

describe('a response', () => {
  test('a response has the text of its parts and the token counts', async () => {
    expect(await answer(reply())).toEqual({
      parts: [text('Hello there.')],
      finishReason: 'stop',
      usage: counted,
      response,
      warnings: [],
    })
    const { path, headers } = upstream.requests.at(-1)!
    expect(path).toBe('/v1beta/models/gemini-3.8-flash:generateContent')
    expect(headers).toMatchObject({ 'x-goog-api-key': 'AIza-canary' })
    expect(headers).not.toHaveProperty('authorization')
  })

  test('a response has thoughts and signatures in its parts', async () => {
    const parts = [
      { text: 'They want a greeting.', thought: true },
      { text: 'Hello', thoughtSignature: 'EqQB' },
      { text: ' there.' },
    ]
    expect(await answer(reply({ content: { parts } }))).toMatchObject({
      parts: [
        { type: 'reasoning', text: 'They want a greeting.' },
        { type: 'text', text: 'Hello', providerOptions: { google: { thoughtSignature: 'EqQB' } } },
        { type: 'text', text: ' there.' },
      ],
    })
  })

  test('a response counts cached prompt tokens', async () => {
    const facts = { usageMetadata: { ...usageMetadata, promptTokenCount: 4_000, cachedContentTokenCount: 3_000 } }
    expect(await answer(reply({}, facts))).toMatchObject({
      usage: { promptTokens: 4_000, cachedPromptTokens: 3_000 },
    })
  })

  test.each([
    ['STOP', 'stop'],
    ['MAX_TOKENS', 'length'],
    ['CONTINUATION', 'length'],
    ['SAFETY', 'content_filter'],
    ['RECITATION', 'content_filter'],
    ['LANGUAGE', 'content_filter'],
    ['BLOCKLIST', 'content_filter'],
    ['PROHIBITED_CONTENT', 'content_filter'],
    ['SPII', 'content_filter'],
  ])('a response maps the finish reason %s to %s', async (finishReason, expected) => {
    expect(await answer(reply({ finishReason }))).toMatchObject({
      parts: [text('Hello there.')],
      finishReason: expected,
    })
  })

  test.each(['SAFETY', 'RECITATION', 'LANGUAGE', 'BLOCKLIST', 'PROHIBITED_CONTENT', 'SPII'])(
    'a response that was held back for %s is an answer that says so',
    async (finishReason) => {
      const warnings = [{ field: null, issue: `the response was filtered: ${finishReason}` }]
      const expected = { parts: [], finishReason: 'content_filter', usage: expect.anything(), warnings }
      expect(await answer(reply({ ...silent, finishReason }))).toMatchObject(expected)
    },
  )

  test.each(['SAFETY', 'OTHER', 'BLOCKLIST', 'PROHIBITED_CONTENT', 'IMAGE_SAFETY'])(
    'a response to a prompt that was blocked for %s is an answer that says so',
    async (blockReason) => {
      const json = { promptFeedback: { blockReason }, usageMetadata: { promptTokenCount: 4, totalTokenCount: 4 } }
      expect(await answer(json)).toMatchObject({
        finishReason: 'content_filter',
        usage: { promptTokens: 4, completionTokens: 0 },
        warnings: [{ field: null, issue: `the prompt was blocked: ${blockReason}` }],
      })
    },
  )

  test.each([
    ['OTHER', 'retry'],
    ['FINISH_REASON_UNSPECIFIED', 'retry'],
    [undefined, 'retry'],
  ])('a response fails for the finish reason %s', async (finishReason, failure) => {
    await expect(answer(reply({ finishReason }))).rejects.toMatchObject({ failure })
  })

  test.each([
    ['MALFORMED_FUNCTION_CALL', 'the API could not read the tool call that the model wrote'],
    ['UNEXPECTED_TOOL_CALL', 'the model called a tool that the request does not have'],
    ['TOO_MANY_TOOL_CALLS', 'the model called too many tools in a row'],
    ['MALFORMED_RESPONSE', 'the API could not read the response that the model wrote'],
  ])('a response that ends with %s is an answer with its usage and a warning', async (finishReason, issue) => {
    const warnings = [{ field: null, issue: `${issue}: ${finishReason}` }]
    const expected = { parts: [], finishReason: 'stop', usage: counted, response, warnings }
    expect(await answer(reply({ ...silent, finishReason }))).toEqual(expected)
    expect(await streamed([reply({ ...silent, finishReason })])).toMatchObject({
      finish: { finishReason: 'stop', usage: counted, warnings },
    })
  })

  test('a response warns with the text of a tool call that the API could not read', async () => {
    const finishMessage = 'Malformed function call: print(default_api.get_weather(city="Oslo"))'
    const { warnings } = await answer(reply({ ...silent, finishReason: 'MALFORMED_FUNCTION_CALL', finishMessage }))
    expect(warnings).toEqual([{ field: null, issue: expect.stringMatching(/MALFORMED_FUNCTION_CALL: .*city="Oslo"/) }])
  })

  test('a response keeps the tool calls that the API could read before one that it could not', async () => {
    const parts = [{ functionCall: { name: 'get_weather', args: { city: 'Oslo' } } }]
    expect(await answer(reply({ content: { parts }, finishReason: 'MALFORMED_FUNCTION_CALL' }))).toMatchObject({
      parts: [{ type: 'tool_call', name: 'get_weather', input: { city: 'Oslo' } }],
      finishReason: 'tool_calls',
      warnings: [expect.anything()],
    })
  })

  test('a response fails without a candidate and a reason', async () => {
    await expect(answer({ usageMetadata })).rejects.toMatchObject({ failure: 'retry' })
  })

  test('a response warns about thinking tokens when maxTokens is reached', async () => {
    const { parts, warnings } = await answer(reply({ ...silent, finishReason: 'MAX_TOKENS' }))
    expect(parts).toEqual([])
    expect(warnings).toEqual([{ field: 'maxTokens', issue: '20 of the tokens were used for reasoning' }])
  })
})

const piece = (words: string) => reply({ content: { parts: [{ text: words }] }, finishReason: undefined })
const events = [
  reply({ content: { parts: [{ text: 'A greeting.', thought: true }] }, finishReason: undefined }),
  piece('Hello'),
  piece(' there.'),
  reply(silent),
]

async function streamed(data: readonly unknown[]) {
  const texts: string[] = []
  const { streamText } = open({ events: data.map((event) => ({ data: event })) })
  try {
    for await (const event of streamText!(asked, call)) {
      if (event.type === 'finish') return { texts, finish: event }
      if (event.type === 'part_delta') texts.push(event.text ?? '')
    }
  } catch (error) {
    return { texts, error: error as ProviderError }
  }
  return { texts }
}

describe('a stream', () => {
  test('a stream yields texts as they arrive, then a finish event', async () => {
    expect(await streamed(events)).toEqual({
      texts: ['A greeting.', 'Hello', ' there.'],
      finish: { type: 'finish', finishReason: 'stop', usage: counted, response, warnings: [] },
    })
    expect(upstream.requests.at(-1)?.path).toBe('/v1beta/models/gemini-3.8-flash:streamGenerateContent?alt=sse')
  })

  test.each(events.map((_, count) => count))('a stream fails if it ends after %i events', async (count) => {
    const { finish, error } = await streamed(events.slice(0, count))
    expect(finish).toBeUndefined()
    expect(error).toMatchObject({ name: 'ProviderError', failure: 'retry' })
  })

  test('a stream ends with content_filter, whether it was filtered before or after some text', async () => {
    const held = reply({ ...silent, finishReason: 'SAFETY' })
    expect(await streamed([piece('Well'), held])).toMatchObject({ finish: { finishReason: 'content_filter' } })
    expect(await streamed([held])).toMatchObject({ finish: { finishReason: 'content_filter' } })
    expect(await streamed([{ promptFeedback: { blockReason: 'SAFETY' } }])).toMatchObject({
      finish: { finishReason: 'content_filter' },
    })
  })

  test('a stream yields the usage of its first event with counts before the text, and only once', async () => {
    const first = { promptTokenCount: 4, totalTokenCount: 4 }
    const data = [
      reply({ content: { parts: [] }, finishReason: undefined }, { usageMetadata: { trafficType: 'ON_DEMAND' } }),
      reply({ content: { parts: [{ text: 'Hello' }] }, finishReason: undefined }, { usageMetadata: first }),
      reply(),
    ]
    const found: TextEvent[] = []
    for await (const event of open({ events: data.map((each) => ({ data: each })) }).streamText!(asked, call)) {
      if (event.type !== 'alive') found.push(event)
    }
    expect(found).toEqual([
      { type: 'start', response },
      {
        type: 'usage',
        usage: { promptTokens: 4, completionTokens: 0, cachedPromptTokens: 0, native: { google: first } },
      },
      { type: 'part_start', index: 0, part: text('') },
      { type: 'part_delta', index: 0, text: 'Hello' },
      { type: 'part_delta', index: 0, text: 'Hello there.' },
      { type: 'part_end', index: 0 },
      { type: 'finish', finishReason: 'stop', usage: counted, response, warnings: [] },
    ])
  })

  test('a stream yields the usage again as the reasoning that it does not show grows', async () => {
    const thinking = (thoughtsTokenCount: number) =>
      reply(
        { content: { parts: [] }, finishReason: undefined },
        { usageMetadata: { promptTokenCount: 4, thoughtsTokenCount, totalTokenCount: 4 + thoughtsTokenCount } },
      )
    const data = [thinking(50), thinking(55), thinking(900), reply()]
    const found: number[] = []
    for await (const event of open({ events: data.map((each) => ({ data: each })) }).streamText!(asked, call)) {
      if (event.type === 'usage') found.push(event.usage.completionTokens)
    }
    expect(found).toEqual([50, 900])
  })

  test('a stream counts an answer without a count of its own by the total', async () => {
    const counts = { promptTokenCount: 4, thoughtsTokenCount: 10, totalTokenCount: 34 }
    const provider = open({ json: reply({}, { usageMetadata: counts }) })
    expect((await provider.generateText!(asked, call)).usage).toMatchObject({ promptTokens: 4, completionTokens: 30 })
  })

  test('a stream fails with the error that it ends with', async () => {
    const gone = { error: { code: 503, message: 'The model is overloaded.', status: 'UNAVAILABLE' } }
    expect(await streamed([piece('Hel'), gone])).toMatchObject({ texts: ['Hel'], error: { failure: 'retry' } })
  })
})

async function failed(status: number, error: object, wrap: (json: unknown) => unknown = (json) => json) {
  const json = wrap({ error: { code: status, message: 'No.', ...error } })
  return open({ status, json }).generateText!(asked, call).catch((thrown: ProviderError) => thrown)
}

describe('an error of the API', () => {
  test.each([
    [400, 'INVALID_ARGUMENT', 'invalid_request'],
    [400, 'OUT_OF_RANGE', 'invalid_request'],
    [400, 'FAILED_PRECONDITION', 'credential'],
    [401, 'UNAUTHENTICATED', 'credential'],
    [403, 'PERMISSION_DENIED', 'credential'],
    [404, 'NOT_FOUND', 'give_up'],
    [429, 'RESOURCE_EXHAUSTED', 'rate_limited'],
    [499, 'CANCELLED', 'retry'],
    [500, 'INTERNAL', 'retry'],
    [503, 'UNAVAILABLE', 'retry'],
    [504, 'DEADLINE_EXCEEDED', 'timeout'],
    [500, 'STATUS_OF_TOMORROW', 'retry'],
    [500, 'constructor', 'retry'],
  ])('an error of the API with status %i and %s is classified as %s', async (status, code, failure) => {
    expect(await failed(status, { status: code })).toMatchObject({ name: 'ProviderError', failure })
  })

  test('an error of the API about the key is not an invalid request', async () => {
    const details = [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'API_KEY_INVALID' }]
    expect(await failed(400, { status: 'INVALID_ARGUMENT', details })).toMatchObject({ failure: 'credential' })
  })

  test('an error of the API has the delay of its details', async () => {
    const details = [
      { '@type': 'type.googleapis.com/google.rpc.QuotaFailure', violations: [{}] },
      { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '34.07s' },
    ]
    expect(await failed(429, { status: 'RESOURCE_EXHAUSTED', details })).toMatchObject({ retryAfterMs: 34_070 })
    const odd = [{ retryDelay: 'soon' }]
    expect(await failed(429, { status: 'RESOURCE_EXHAUSTED', details: odd })).toMatchObject({ failure: 'rate_limited' })
  })

  test.each([
    ['* GenerateContentRequest.generation_config.stop_sequences: must not be empty', 'stop'],
    ['The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).', 'messages'],
    ['Unable to submit request because it has a maxOutputTokens value of 99999999', 'maxTokens'],
    ["Function calling with a response mime type: 'application/json' is unsupported", 'responseFormat'],
    ['* GenerateContentRequest.tools[0].function_declarations[0].name: Invalid function name.', 'tools'],
    ['* GenerateContentRequest.tool_config.function_calling_config: Invalid.', 'toolChoice'],
    ['Thinking level MINIMAL is not supported for this model.', 'reasoning'],
    ['output_dimensionality must be at most 3072', 'dimensions'],
    ['Something else.', undefined],
  ])('an error of the API names the invalid field: %s', async (words, field) => {
    const error = { status: 'INVALID_ARGUMENT', message: words }
    expect(await failed(400, error)).toMatchObject({ field, detail: words })
  })

  test('an error of the API reports too_long for a prompt that exceeds the context of the model', async () => {
    const message = 'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).'
    const error = { status: 'INVALID_ARGUMENT', message }
    expect(await failed(400, error)).toMatchObject({ failure: 'too_long', field: 'messages', detail: message })
  })

  test('an error of the API is read from a list of one, too', async () => {
    const error = { status: 'RESOURCE_EXHAUSTED' }
    expect(await failed(429, error, (json) => [json])).toMatchObject({ failure: 'rate_limited' })
  })
})

describe('health', () => {
  test('health resolves if the API lists models for the key', async () => {
    await expect(open({ json: { models: [] } }).health!(call)).resolves.toBeUndefined()
    expect(upstream.requests.at(-1)).toMatchObject({ method: 'GET', path: '/v1beta/models?pageSize=1' })
  })

  test('health rejects with the error of the API otherwise', async () => {
    const error = { code: 403, message: 'No.', status: 'PERMISSION_DENIED' }
    await expect(open({ status: 403, json: { error } }).health!(call)).rejects.toMatchObject({ failure: 'credential' })
  })
})
