import { blankPng, type UpstreamRequest } from '@fairlead/testing'
import { chatExchanges, chatStreamFields, responsesExchanges } from '@fairlead/provider-openai-compatible/testing'
import OpenAI, { RateLimitError } from 'openai'
import { describe, expect, test } from 'vitest'
import { askBoth, type Connection, serveOpenai } from '../testing/ask-both.ts'
import {
  interruptedReply,
  endless,
  failingOnce,
  failures,
  recorded,
  recordedCapabilities,
  type Replay,
} from '../testing/openai-replays.ts'
import { clients, ofCompletion, ofResponse } from '../testing/openai-clients.ts'

const callThenAnswer: Replay = (request) => recorded(hasResults(request) ? 'toolResult' : 'parallelTools')(request)

function hasResults({ body }: UpstreamRequest): boolean {
  return /"role":"tool"|"type":"function_call_output"/.test(JSON.stringify(body))
}

const scenarios = [
  ['a text', recorded('chat'), 'text'],
  ['cached tokens', recorded('cachedTokens'), 'text'],
  ['reasoning', recorded('reasoning'), 'text'],
  ['what is in an image', recorded('image'), 'image'],
  ['an object', recorded('jsonSchema'), 'object'],
  ['the result of parallel tools', callThenAnswer, 'tools'],
] as const

describe.each(Object.entries(clients))('%s', (_name, connect) => {
  describe.each([
    ['with whole answers', false],
    ['with streams', true],
  ])('%s', (_form, stream) => {
    test.each(scenarios)(
      'a client of OpenAI gets %s as it does from OpenAI, which is asked for the same',
      async (_title, replay, method) => {
        const { openai, fairlead } = await askBoth(replay, (connection) => connect(connection, { stream })[method]())
        expect(fairlead).toEqual(openai)
        expect(openai.outcome).not.toHaveProperty('error')
      },
    )

    test.each(failures)(
      'a client of OpenAI throws the same error as with OpenAI when that %s',
      async (_title, replay) => {
        const { openai, fairlead } = await askBoth(replay, (connection) => connect(connection, { stream }).text())
        expect(fairlead).toEqual(openai)
        expect(openai.outcome).toHaveProperty('error')
      },
    )
  })

  test('a client of OpenAI throws the same error as with OpenAI when a stream breaks off', async () => {
    const { openai, fairlead } = await askBoth(interruptedReply, (connection) =>
      connect(connection, { stream: true }).text(),
    )
    expect(fairlead).toEqual(openai)
    expect(openai.outcome).toHaveProperty('error')
  })

  test('a client of OpenAI retries what may succeed the next time', async () => {
    const { upstream, fairlead } = await serveOpenai(failingOnce('jsonSchema'))
    const object = await connect(fairlead, { stream: false, maxRetries: 1 }).object()
    expect(JSON.stringify(object)).toContain('Paris')
    expect(upstream.requests).toHaveLength(2)
  })

  test('a client of OpenAI aborts the request to OpenAI too when it aborts a stream', async () => {
    const { upstream, fairlead } = await serveOpenai(recorded('chat'))
    upstream.answer(endless)
    await connect(fairlead, { stream: true }).abort()
    await upstream.requests[0]?.hungUp
    expect(upstream.requests).toHaveLength(1)
  })
})

const node = (connection: Connection) => new OpenAI({ ...connection, maxRetries: 0 })

describe('a recorded request, sent with openai for Node', () => {
  test.each(recordedCapabilities)(
    'a recorded request, sent with openai for Node reaches OpenAI unchanged, as its answer does the client: %s',
    async (capability) => {
      const [chat, asked] = [chatExchanges[capability].body, responsesExchanges[capability].body]
      const { openai, fairlead } = await askBoth(recorded(capability), async (connection) => {
        const {
          chat: { completions },
          responses,
        } = node(connection)
        return [
          ofCompletion(await completions.create(chat)),
          ofCompletion(await completions.stream({ ...chat, ...chatStreamFields }).finalChatCompletion()),
          ofResponse(await responses.create(asked)),
          ofResponse(await responses.stream({ ...asked, stream: true }).finalResponse()),
        ]
      })
      expect(fairlead).toEqual(openai)
    },
  )
})

describe('openai for Node', () => {
  test('openai for Node gets the embeddings of OpenAI', async () => {
    const data = ['AAAAPwAAgL8=', 'AACAPwAAAD8='].map((embedding, index) => ({ object: 'embedding', index, embedding }))
    const usage = { prompt_tokens: 4, total_tokens: 4 }
    const reply = { object: 'list', data, model: 'text-embedding-3-small', usage }
    const { openai, fairlead } = await askBoth(
      () => ({ json: reply }),
      (connection) => node(connection).embeddings.create({ model: reply.model, input: ['A cat', 'A dog'] }),
    )
    expect(fairlead).toEqual(openai)
    expect(openai.outcome).toMatchObject({ data: [{ embedding: [0.5, -1] }, { embedding: [1, 0.5] }] })
  })

  test('openai for Node gets the image of OpenAI', async () => {
    const b64_json = Buffer.from(blankPng(1_024, 1_024)).toString('base64')
    const usage = { input_tokens: 5, output_tokens: 100, total_tokens: 105 }
    const request = { model: 'gpt-image-1.5', prompt: 'A lake.', quality: 'high', size: '1024x1024' } as const
    const { openai, fairlead } = await askBoth(
      () => ({ json: { created: 1, data: [{ b64_json }], usage } }),
      async (connection) => (await node(connection).images.generate(request)).data,
    )
    expect(fairlead).toEqual(openai)
    expect(openai.outcome).toEqual([{ b64_json }])
  })

  test('openai for Node gets "tool_calls" as the finish reason of a forced call, which is "stop" with OpenAI', async () => {
    const { openai, fairlead } = await serveOpenai(recorded('forcedTool'))
    const reasons = [openai, fairlead].map(async (connection) => {
      const { choices } = await node(connection).chat.completions.create(chatExchanges.forcedTool.body)
      return choices[0]?.finish_reason
    })
    expect(await Promise.all(reasons)).toEqual(['stop', 'tool_calls'])
  })

  test('openai for Node gets 429 with Retry-After when OpenAI limits the service', async () => {
    const error = { message: 'Rate limit reached.', type: 'requests', param: null, code: 'rate_limit_exceeded' }
    const { fairlead } = await serveOpenai(() => ({ status: 429, headers: { 'retry-after': '7' }, json: { error } }))
    const asked = node(fairlead).chat.completions.create(chatExchanges.chat.body)
    const failure = await asked.catch((thrown: RateLimitError) => thrown)
    expect(failure).toMatchObject({ constructor: RateLimitError, status: 429, code: 'rate_limit_exceeded' })
    expect((failure as RateLimitError).headers.get('retry-after')).toBe('7')
  })
})
