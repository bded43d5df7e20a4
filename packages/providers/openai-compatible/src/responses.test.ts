import { collectAnswer, type TextAnswer, type TextRequest } from '@fairlead/core/provider'
import type { RecordedReply } from '@fairlead/testing'
import { describe, expect, test } from 'vitest'
import { type OpenaiCompatibleOptions, openaiCompatible } from './index.ts'
import { completion, replyingWith, sentParts, streamEvents } from './testing/ask-replying.ts'
import { responsesExchanges } from './testing/responses-exchanges.ts'
import { streamResponse } from './testing/streamed-replies.ts'

const options = { preset: 'openai', id: 'openai', dialect: { responses: true } } as const
const model = 'gpt-6.1-sol'
const mediaType = 'application/pdf'
const pdfUrl = { type: 'file', source: { kind: 'url', url: 'https://example.com/a.pdf', mediaType } } as const
const user = (text: string) => ({ role: 'user', content: [{ type: 'text', text }] }) as const

function replying(reply: RecordedReply, about: Partial<OpenaiCompatibleOptions> = {}) {
  return replyingWith(reply, { ...options, ...about })
}

async function sentFor(request: Partial<TextRequest>, about: Partial<OpenaiCompatibleOptions> = {}) {
  const { write, sent } = await replying({ json: responsesExchanges.chat.reply }, about)
  const { warnings = [] } = await write({ model, ...request })
  return { path: sent().path, body: sent().body as Record<string, unknown>, warnings }
}

function plainParts({ answer }: { readonly answer?: Partial<TextAnswer> | undefined }) {
  return sentParts(answer?.parts ?? [])
}

describe('the Responses API', () => {
  test.each<[string, Partial<OpenaiCompatibleOptions>, Partial<TextRequest>, string]>([
    ['is used for a model that reasons', {}, {}, '/v1/responses'],
    [
      'is used for an effort that makes a model reason',
      {},
      { model: 'gpt-6-luna', reasoning: { effort: 'low' } },
      '/v1/responses',
    ],
    ['is used at the effort of a model that always reasons', {}, { reasoning: { effort: null } }, '/v1/responses'],
    [
      'is not used at the effort of a model that reasons on request',
      {},
      { model: 'gpt-5.4', reasoning: { effort: null } },
      '/v1/chat/completions',
    ],
    ['is not used for a model that does not reason', {}, { model: 'gpt-4.1' }, '/v1/chat/completions'],
    ['is not used at the effort none', {}, { model: 'gpt-6-luna' }, '/v1/chat/completions'],
    ['is not used by default at the address of a proxy', { dialect: {} }, {}, '/v1/chat/completions'],
    ['is used on Azure', { preset: 'azure', dialect: {} }, {}, '/v1/responses'],
    [
      'is used for tools that OpenAI runs',
      { allow: ['web_search'] },
      { model: 'gpt-4.1', providerOptions: { openai: { tools: [{ type: 'web_search' }] } } },
      '/v1/responses',
    ],
    [
      'is used for the address of a file',
      {},
      {
        model: 'gpt-4.1',
        messages: [{ role: 'user', content: [pdfUrl] }],
      },
      '/v1/responses',
    ],
  ])('the Responses API %s', async (_title, about, request, path) => {
    const json = path === '/v1/responses' ? responsesExchanges.chat.reply : completion().json
    const { write, sent } = await replying({ json }, about)
    await write({ model, ...request })
    expect(sent().path).toBe(path)
  })

  test('the Responses API is not needed to list the models of the publisher’s own address', () => {
    expect(openaiCompatible({ preset: 'openai', apiKey: 'sk-fine' }).models.length).toBeGreaterThan(0)
  })

  test('the Responses API gets no effort if the request says null, and returns the reasoning', async () => {
    const { body } = await sentFor({ reasoning: { effort: null } })
    expect(body).not.toHaveProperty('reasoning')
    expect(body).toMatchObject({ include: ['reasoning.encrypted_content'] })
  })

  test('the Responses API warns of parameters that it does not have', async () => {
    const { body, warnings } = await sentFor({ seed: 7, stop: ['END'], frequencyPenalty: 1, presencePenalty: 1 })
    expect(Object.keys(body)).toEqual(['model', 'input', 'store', 'max_output_tokens', 'reasoning', 'include'])
    expect(warnings.map(({ field }) => field)).toEqual(['frequencyPenalty', 'presencePenalty', 'seed', 'stop'])
  })

  test('the Responses API raises maxTokens to its minimum with a warning', async () => {
    const { body, warnings } = await sentFor({ maxTokens: 5 })
    expect(body).toMatchObject({ max_output_tokens: 16 })
    expect(warnings).toEqual([{ field: 'maxTokens', issue: 'was raised to 16, the minimum of this model' }])
  })

  test('the Responses API adds the options of the request to its objects and lists', async () => {
    const { body } = await sentFor({
      providerOptions: { openai: { reasoning: { summary: 'auto' }, include: ['web_search_call.results'] } },
    })
    expect(body).toMatchObject({
      reasoning: { effort: 'low', summary: 'auto' },
      include: ['reasoning.encrypted_content', 'web_search_call.results'],
    })
  })

  test('the Responses API gets its reasoning, its phase, and its calls back as it sent them', async () => {
    const { body } = await sentFor({
      messages: [
        user('Weather?'),
        {
          role: 'assistant',
          content: [
            ...plainParts(responsesExchanges.reasoning),
            ...plainParts(responsesExchanges.parallelTools).slice(0, 2),
          ],
        },
        {
          role: 'tool',
          content: [
            {
              type: 'tool_result',
              toolCallId: 'call_a',
              name: 'get_weather',
              isError: true,
              content: [
                { type: 'text', text: 'no data' },
                { type: 'image', source: { kind: 'url', url: 'https://example.com/map.png' } },
              ],
            },
          ],
        },
      ],
    })
    const [reasoningItem] = responsesExchanges.reasoning.reply.output
    expect(body['input']).toEqual([
      { role: 'user', content: 'Weather?' },
      reasoningItem,
      { role: 'assistant', content: '25.' },
      { role: 'assistant', content: 'One moment.', phase: 'commentary' },
      { type: 'function_call', call_id: 'call_a', name: 'get_weather', arguments: '{"city":"Lisbon"}' },
      {
        type: 'function_call_output',
        call_id: 'call_a',
        output: [
          { type: 'input_text', text: 'Error:' },
          { type: 'input_text', text: 'no data' },
          { type: 'input_image', image_url: 'https://example.com/map.png', detail: 'auto' },
        ],
      },
    ])
  })

  test('the Responses API gets no reasoning for a model that does not reason', async () => {
    const { body } = await sentFor({
      model: 'gpt-4.1',
      messages: [
        user('How many?'),
        { role: 'assistant', content: plainParts(responsesExchanges.reasoning) },
        { role: 'user', content: [pdfUrl] },
      ],
    })
    expect(body['input']).toEqual([
      { role: 'user', content: 'How many?' },
      { role: 'assistant', content: '25.' },
      { role: 'user', content: [{ type: 'input_file', file_url: 'https://example.com/a.pdf' }] },
    ])
  })

  test('the Responses API keeps the fields of its items, whatever the options of their parts', async () => {
    const image_url = 'http://169.254.169.254/'
    const changed = { providerOptions: { openai: { type: 'input_image', image_url, role: 'system', content: 'x' } } }
    const { body } = await sentFor({
      messages: [
        { role: 'assistant', content: [{ type: 'text', text: 'Hello', ...changed }] },
        { role: 'user', content: [{ type: 'text', text: 'Bye', ...changed }] },
      ],
    })
    expect(body['input']).toMatchObject([
      { role: 'assistant', content: 'Hello' },
      { role: 'user', content: [{ type: 'input_text', text: 'Bye' }] },
    ])
  })

  test('the Responses API gets no reasoning of another provider', async () => {
    const reasoning = { type: 'reasoning', text: 'Hm.', providerOptions: { anthropic: { signature: 'x' } } } as const
    const { body } = await sentFor({
      messages: [user('Hi'), { role: 'assistant', content: [reasoning, { type: 'text', text: 'Hello' }] }, user('Bye')],
    })
    expect(body['input']).toHaveLength(3)
  })
})

describe('a response', () => {
  const { reply } = responsesExchanges.forcedTool

  test.each<[string, object]>([
    ['failed', { ...reply, status: 'failed', error: { code: 'server_error', message: 'overloaded' } }],
    ['is not complete', { ...reply, status: 'in_progress' }],
  ])('a response that %s fails the call', async (_case, json) => {
    const { write } = await replying({ json })
    await expect(write({ model })).rejects.toMatchObject({ name: 'ProviderError', failure: 'retry' })
  })

  test('a response that was filtered ends with content_filter', async () => {
    const json = { ...reply, status: 'incomplete', incomplete_details: { reason: 'content_filter' }, output: [] }
    const { write } = await replying({ json })
    expect(await write({ model })).toMatchObject({ parts: [], finishReason: 'content_filter' })
  })

  test('a response has a tool call whose arguments were cut off as text', async () => {
    const [call] = reply.output
    const json = {
      ...reply,
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
      output: [{ ...call, arguments: '{"ci' }],
    }
    const { write } = await replying({ json })
    expect(await write({ model })).toMatchObject({ parts: [{ inputText: '{"ci' }], finishReason: 'length' })
  })

  test.each(['web_search_call', 'file_search_call', 'code_interpreter_call', 'mcp_call', 'some_call'])(
    'a response has items of the type %s as blocks of their own, which the next request returns',
    async (type) => {
      const item = { type, id: 'x_1', status: 'completed', results: [{ text: 'a' }] }
      const json = { ...reply, output: [item, ...reply.output] }
      const { write, stream, sent, reply: next } = await replying({ json })
      const { parts } = await write({ model })
      const block = { type: 'opaque', provider: 'openai', dialect: 'openai-responses', kind: type, data: item }
      expect(parts).toEqual([block, expect.anything()])
      next(streamResponse(json as never))
      expect((await collectAnswer(streamEvents(await stream({ model })))).parts).toEqual(parts)
      next({ json: responsesExchanges.chat.reply })
      await write({ model, messages: [user('Weather?'), { role: 'assistant', content: sentParts(parts) }] })
      expect(sent().body).toMatchObject({ input: [{ role: 'user' }, item, { type: 'function_call' }] })
    },
  )

  test('a response has the images that the server made', async () => {
    const item = { type: 'image_generation_call', id: 'ig_1', result: 'iVBORw0KGgo=', output_format: 'webp' }
    const json = { ...reply, output: [item] }
    const { write, stream, reply: next } = await replying({ json })
    const { parts } = await write({ model })
    expect(parts).toEqual([{ type: 'file', mediaType: 'image/webp', data: 'iVBORw0KGgo=' }])
    next(streamResponse(json as never))
    expect((await collectAnswer(streamEvents(await stream({ model })))).parts).toEqual(parts)
  })

  test('a response has the sources of a text, and the call of a custom tool as the model wrote it', async () => {
    const annotations = [
      { type: 'url_citation', url: 'https://a.example', title: 'A', start_index: 0, end_index: 5 },
      { type: 'file_citation', index: 3, file_id: 'file_1', filename: 'b.pdf' },
    ]
    const content = [{ type: 'output_text', text: 'Sunny', annotations, logprobs: [] }]
    const output = [
      { type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content },
      { type: 'custom_tool_call', id: 'ctc_1', call_id: 'call_1', name: 'run', input: 'ls *' },
    ]
    const json = { ...reply, output }
    const { write, stream, reply: next } = await replying({ json })
    const { parts } = await write({ model })
    expect(parts).toEqual([
      {
        type: 'text',
        text: 'Sunny',
        citations: [{ url: 'https://a.example', title: 'A', start: 0, end: 5 }, { title: 'b.pdf' }],
      },
      { type: 'tool_call', id: 'call_1', name: 'run', inputText: 'ls *' },
    ])
    next(streamResponse(json as never))
    expect((await collectAnswer(streamEvents(await stream({ model })))).parts).toEqual(parts)
  })

  test('a response names itself, its model, and its tier, whole and at the start of a stream', async () => {
    const json = { ...responsesExchanges.chat.reply, service_tier: 'default' }
    const response = { id: 'resp_68a1', model: 'gpt-6.1-sol', serviceTier: 'default' }
    const { write, stream, reply: next } = await replying({ json })
    expect((await write({ model })).response).toEqual(response)
    next(streamResponse(json as never))
    const events = await stream({ model })
    expect([events[0], events.at(-1)]).toMatchObject([
      { type: 'start', response },
      { type: 'finish', response },
    ])
  })
})

describe('a streamed response', () => {
  const { events = [] } = streamResponse(responsesExchanges.tool.reply)

  test('a streamed response that ends inside the arguments of a tool fails the call', async () => {
    const at = events.findLastIndex(({ event }) => event === 'response.function_call_arguments.delta')
    const { stream } = await replying({ events: events.slice(0, at) })
    await expect(stream({ model })).rejects.toMatchObject({ name: 'ProviderError', failure: 'retry' })
  })

  test.each<[string, object, object]>([
    [
      'error',
      { type: 'error', code: 'rate_limit_exceeded', message: 'slow down', param: null },
      { failure: 'rate_limited' },
    ],
    [
      'response.failed',
      { type: 'response.failed', response: { status: 'failed', error: { code: 'invalid_prompt', message: 'no' } } },
      { failure: 'content_refused' },
    ],
  ])('a streamed response with the event %s fails the call', async (event, data, expected) => {
    const { stream } = await replying({ events: [...events.slice(0, 3), { event, data }] })
    await expect(stream({ model })).rejects.toMatchObject({ name: 'ProviderError', ...expected })
  })

  test('a streamed response is read without its pieces', async () => {
    const whole = responsesExchanges.parallelTools
    const { stream } = await replying({
      events: streamResponse(whole.reply).events!.filter(({ event }) => event?.endsWith('.delta') !== true),
    })
    expect((await collectAnswer(streamEvents(await stream({ model })))).parts).toEqual(whole.answer?.parts)
  })
})
