import { eventsIn, type RecordedReply } from '@fairlead/testing'
import { describe, expect, test } from 'vitest'
import { serveOpenai } from '../testing/ask-both.ts'

type Body = Readonly<Record<string, unknown>>

/** A server that replays OpenAI, asked directly and through Fairlead. */
async function serveBoth(reply: RecordedReply) {
  const { upstream, openai, fairlead } = await serveOpenai(() => reply)
  const ask = async ({ baseURL, apiKey }: typeof openai, path: string, body: Body) => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${apiKey}` }
    const response = await fetch(baseURL + path, { method: 'POST', headers, body: JSON.stringify(body) })
    return { status: response.status, text: await response.text(), sent: upstream.requests.at(-1)?.body }
  }
  return {
    direct: (path: string, body: Body) => ask(openai, path, body),
    through: (path: string, body: Body) => ask(fairlead, path, body),
  }
}

const model = 'gpt-4.1-mini'
const user = { role: 'user', content: 'Hi' }
const usage = { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 }
const head = { id: 'chatcmpl-1', created: 1_795_248_831, model: 'gpt-4.1-mini-2025-04-14' }
const message = { role: 'assistant', content: 'A', refusal: null }
const choice = { index: 0, message, logprobs: null, finish_reason: 'stop' }

function completion(choices: readonly object[]): RecordedReply {
  return { json: { ...head, object: 'chat.completion', choices, usage } }
}

function chunks(choices: readonly (readonly object[])[]): RecordedReply {
  const events = choices.map((each) => ({ ...head, object: 'chat.completion.chunk', choices: each, usage: null }))
  const last = { ...head, object: 'chat.completion.chunk', choices: [], usage }
  return { events: [...[...events, last].map((data) => ({ data })), { data: '[DONE]' }] }
}

const audio = { type: 'input_audio', input_audio: { data: 'UklGRg==', format: 'wav' } }

describe('a chat completion through Fairlead', () => {
  // From SDK types: each kind of message and part, and each form of its content.
  test.each<[string, Body]>([
    ['an empty text', { messages: [{ role: 'user', content: '' }] }],
    ['an empty text beside others', { messages: [{ role: 'system', content: '' }, user] }],
    ['an empty list of parts', { messages: [user, { role: 'user', content: [] }] }],
    ['an empty result', { messages: [user, called('c1'), { role: 'tool', tool_call_id: 'c1', content: '' }] }],
    ['an empty list of results', { messages: [user, called('c1'), { role: 'tool', tool_call_id: 'c1', content: [] }] }],
    ['audio', { messages: [{ role: 'user', content: [{ type: 'text', text: 'Listen.' }, audio] }] }],
    [
      'an image over http',
      {
        messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'http://example.com/a.png' } }] }],
      },
    ],
    ['a kind of part that is new', { messages: [{ role: 'user', content: [{ type: 'video', video: {} }] }] }],
    [
      'a function call in the deprecated form',
      {
        messages: [
          user,
          { role: 'assistant', content: null, function_call: { name: 'find', arguments: '{}' } },
          { role: 'function', name: 'find', content: 'Here.' },
        ],
        functions: [{ name: 'find', parameters: { type: 'object' } }],
        function_call: { name: 'find' },
      },
    ],
    ['a format that is new', { messages: [user], response_format: { type: 'grammar', grammar: 'root ::= "a"' } }],
    ['several answers', { messages: [user], n: 3 }],
    [
      'arguments that are empty',
      { messages: [user, called('c1', ''), { role: 'tool', tool_call_id: 'c1', content: 'x' }] },
    ],
  ])('a chat completion through Fairlead reaches OpenAI as it is with %s', async (_case, body) => {
    const { direct, through } = await serveBoth(completion([choice]))
    const asked = { model, ...body }
    const { sent } = await direct('/chat/completions', asked)
    const { status, sent: forwarded } = await through('/chat/completions', asked)
    expect([status, forwarded]).toEqual([200, sent])
  })

  test('a chat completion through Fairlead refuses a stored file that the operator has not allowed', async () => {
    const { through } = await serveBoth(completion([choice]))
    const file = { type: 'file', file: { file_id: 'file-1' } }
    const { status, text } = await through('/chat/completions', {
      model,
      messages: [{ role: 'user', content: [file] }],
    })
    expect([status, text]).toEqual([400, expect.stringMatching(/has not allowed .{0,2}file_id/)])
  })

  // From SDK types.
  test.each<[string, readonly object[]]>([
    ['several choices', [choice, { ...choice, index: 1, message: { ...message, content: 'B' } }]],
    [
      'a function call in the deprecated form',
      [
        {
          ...choice,
          message: { ...message, content: null, function_call: { name: 'find', arguments: '' } },
          finish_reason: 'function_call',
        },
      ],
    ],
    ['arguments that are empty', [{ ...choice, message: calling(''), finish_reason: 'tool_calls' }]],
    [
      'audio',
      [{ ...choice, message: { ...message, content: null, audio: { id: 'a', data: 'AA==', transcript: 'A' } } }],
    ],
  ])('a chat completion through Fairlead comes back as OpenAI wrote it with %s', async (_case, choices) => {
    const { direct, through } = await serveBoth(completion(choices))
    const asked = { model, messages: [user], n: choices.length }
    const [expected, found] = [await direct('/chat/completions', asked), await through('/chat/completions', asked)]
    expect(JSON.parse(found.text)).toEqual(JSON.parse(expected.text))
  })

  // From SDK types.
  test.each<[string, readonly (readonly object[])[]]>([
    [
      'several choices',
      [
        [piece({ role: 'assistant', content: '', refusal: null })],
        [piece({ role: 'assistant', content: '', refusal: null }, 1)],
        [piece({ content: 'B' }, 1)],
        [piece({ content: 'A' })],
        [piece({}, 1, 'stop')],
        [piece({}, 0, 'stop')],
      ],
    ],
    [
      'a function call in the deprecated form',
      [
        [piece({ role: 'assistant', content: null, function_call: { name: 'find', arguments: '' }, refusal: null })],
        [piece({ function_call: { arguments: '{}' } })],
        [piece({}, 0, 'function_call')],
      ],
    ],
    [
      'arguments that are empty',
      [
        [piece({ role: 'assistant', content: null, refusal: null, tool_calls: [{ index: 0, ...call('') }] })],
        [piece({}, 0, 'tool_calls')],
      ],
    ],
  ])('a chat completion through Fairlead streams what OpenAI streams with %s', async (_case, choices) => {
    const { direct, through } = await serveBoth(chunks(choices))
    const asked = { model, messages: [user], n: 2, stream: true, stream_options: { include_usage: true } }
    const dataIn = ({ text }: { readonly text: string }) => eventsIn(text).map(({ data }) => data as object | '[DONE]')
    const found = dataIn(await through('/chat/completions', asked))
    expect(byChoice(found)).toEqual(byChoice(dataIn(await direct('/chat/completions', asked))))
  })
})

function call(text: string) {
  return { id: 'c1', type: 'function', function: { name: 'find', arguments: text } }
}

function calling(text: string) {
  return { ...message, content: null, tool_calls: [call(text)] }
}

function called(id: string, text = '{}') {
  return { role: 'assistant', tool_calls: [{ ...call(text), id }] }
}

function piece(delta: object, index = 0, finish: string | null = null) {
  return { index, delta, logprobs: null, finish_reason: finish }
}

/** The facts about each choice in all chunks: the last value of each field, and texts joined. */
function byChoice(found: readonly (object | '[DONE]')[]): unknown {
  const all = found.flatMap((chunk) =>
    chunk !== '[DONE]' && 'choices' in chunk ? (chunk.choices as readonly ReturnType<typeof piece>[]) : [],
  )
  return Object.entries(Object.groupBy(all, ({ index }) => index)).map(([index, pieces = []]) => ({
    index,
    reasons: pieces.flatMap(({ finish_reason: reason }) => reason ?? []),
    text: pieces.map(({ delta }) => ('content' in delta ? (delta.content ?? '') : '')).join(''),
    calls: pieces.flatMap(({ delta }) => ('tool_calls' in delta ? [delta.tool_calls] : [])),
    functions: pieces.flatMap(({ delta }) => ('function_call' in delta ? [delta.function_call] : [])),
  }))
}

const response = {
  id: 'resp_1',
  object: 'response',
  created_at: 1_795_248_831,
  model: 'gpt-4.1-mini-2025-04-14',
  status: 'completed',
  output: [{ id: 'm', type: 'message', role: 'assistant', status: 'completed', content: [] as object[] }] as object[],
  usage: { input_tokens: 1, output_tokens: 0, total_tokens: 1 },
}

describe('a response through Fairlead', () => {
  // From SDK types.
  test.each<[string, Body]>([
    ['empty instructions', { instructions: '', input: 'Hi' }],
    ['no items', { instructions: 'Say hello.', input: [] }],
    ['an empty text', { input: [{ role: 'user', content: '' }] }],
    ['an empty list of parts', { input: [{ role: 'user', content: [] }] }],
    ['audio', { input: [{ role: 'user', content: [audio] }] }],
    ['a format that is new', { input: 'Hi', text: { format: { type: 'grammar', grammar: 'a' } } }],
  ])('a response through Fairlead reaches OpenAI as it is with %s', async (_case, body) => {
    const { direct, through } = await serveBoth({ json: response })
    const asked: Body = { model, store: false, ...body }
    const { sent } = await direct('/responses', asked)
    const { status, sent: forwarded } = await through('/responses', asked)
    const items = typeof asked['input'] === 'string' ? [{ role: 'user', content: asked['input'] }] : asked['input']
    expect([status, forwarded]).toEqual([200, { ...(sent as Body), input: items }])
  })

  test.each(['input_file', 'input_image'])(
    'a response through Fairlead refuses a stored %s that the operator has not allowed',
    async (type) => {
      const { through } = await serveBoth({ json: response })
      const input = [{ role: 'user', content: [{ type, file_id: 'file-1' }] }]
      const { status, text } = await through('/responses', { model, input })
      expect([status, text]).toEqual([400, expect.stringMatching(/has not allowed .{0,2}file_id/)])
    },
  )

  const started = { ...response, status: 'in_progress', output: [], usage: null }
  const events = [
    { type: 'response.created', response: started },
    { type: 'response.in_progress', response: started },
    { type: 'response.compaction.compacting', compaction: { a: 1 } },
    { type: 'response.queued', response: { ...started, status: 'queued' } },
    { type: 'response.completed', response: { ...response, output: [] } },
  ].map((data, index) => ({ ...data, sequence_number: index }))

  test('a response through Fairlead has no item that OpenAI did not write', async () => {
    const { direct, through } = await serveBoth({ json: { ...response, output: [] } })
    const asked = { model, input: 'Hi', store: false }
    const [expected, found] = [await direct('/responses', asked), await through('/responses', asked)]
    expect(JSON.parse(found.text)).toEqual(expect.objectContaining(JSON.parse(expected.text)))
  })

  test('a response through Fairlead streams every event of OpenAI, also those that belong to no item, and no other', async () => {
    const { direct, through } = await serveBoth({ events: events.map((data) => ({ event: data.type, data })) })
    const asked = { model, input: 'Hi', store: false, stream: true }
    const dataIn = ({ text }: { readonly text: string }) => eventsIn(text).map(({ data }) => data as Body)
    const [expected, found] = [dataIn(await direct('/responses', asked)), dataIn(await through('/responses', asked))]
    expect(found.map(({ type }) => type)).toEqual(expected.map(({ type }) => type))
    expect(found[2]).toEqual(expected[2])
    expect(found.at(-1)).toMatchObject({ response: { output: [] } })
  })
})

function embedding(count: number, vector = 'AAAAPwAAgL8='): RecordedReply {
  const data = Array.from({ length: count }, (_, index) => ({ object: 'embedding', index, embedding: vector }))
  return {
    json: { object: 'list', data, model: 'text-embedding-3-small', usage: { prompt_tokens: 4, total_tokens: 4 } },
  }
}

describe('a request for embeddings through Fairlead', () => {
  const asked = { model: 'text-embedding-3-small', encoding_format: 'base64' }

  // From SDK types, and from a run of LangChain for Python, which sends tokens.
  test.each<[string, Body, number]>([
    ['tokens', { input: [15339, 1917] }, 1],
    ['lists of tokens', { input: [[15339], [1917, 0]], user: 'ada' }, 2],
    ['dimensions that the catalog does not have', { input: ['Hi'], dimensions: 3, user: 'ada' }, 1],
    ['a blank text', { input: [' '] }, 1],
    ['a field that is new', { input: ['Hi'], brand_new: 1 }, 1],
  ])('a request for embeddings through Fairlead reaches OpenAI as it is with %s', async (_case, body, count) => {
    const { direct, through } = await serveBoth(embedding(count, 'dimensions' in body ? 'AAAAPwAAgL8AAIA/' : undefined))
    const [expected, found] = [
      await direct('/embeddings', { ...asked, ...body }),
      await through('/embeddings', { ...asked, ...body }),
    ]
    const { input } = expected.sent as Body
    const list = (input as readonly unknown[]).every((each) => typeof each === 'number') ? [input] : input
    expect([found.status, found.sent]).toEqual([200, { ...(expected.sent as Body), input: list }])
    expect(JSON.parse(found.text)).toEqual(JSON.parse(expected.text))
  })

  test('a request for embeddings through Fairlead may have as many tokens as OpenAI takes', async () => {
    const { through } = await serveBoth(embedding(40))
    const input = Array.from({ length: 40 }, () => Array.from({ length: 7_500 }, () => 15339))
    expect((await through('/embeddings', { ...asked, input })).status).toBe(200)
  })
})
