import type { UpstreamRequest } from '@fairlead/core/testing'
import { chatExchanges, chatStreamFields, responsesExchanges } from '@fairlead/provider-openai-compatible/testing'
import OpenAI, { BadRequestError, InternalServerError } from 'openai'
import { describe, expect, test } from 'vitest'
import { askBoth, type Connection, serveOpenai } from '../testing/ask-both.ts'
import { brokenOff, failures, recorded, recordedCapabilities, type Replay } from '../testing/openai-replays.ts'
import { clients, ofCompletion, ofResponse } from '../testing/openai-clients.ts'

const callThenAnswer: Replay = (request) => recorded(hasResults(request) ? 'toolResult' : 'parallelTools')(request)

function hasResults({ body }: UpstreamRequest): boolean {
  return /"role":"tool"|"type":"function_call_output"/.test(JSON.stringify(body))
}

const acts = [
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
    test.each(acts)('gets %s as it does from OpenAI, which is asked for the same', async (_title, replay, act) => {
      const { openai, fairlead } = await askBoth(replay, (connection) => connect(connection, stream)[act]())
      expect(fairlead).toEqual(openai)
      expect(openai.outcome).not.toHaveProperty('error')
    })

    test.each(failures)('throws the same error as with OpenAI when that %s', async (_title, replay) => {
      const { openai, fairlead } = await askBoth(replay, (connection) => connect(connection, stream).text())
      expect(fairlead).toEqual(openai)
      expect(openai.outcome).toHaveProperty('error')
    })
  })

  test('throws the same error as with OpenAI when a stream breaks off', async () => {
    const { openai, fairlead } = await askBoth(brokenOff, (connection) => connect(connection, true).text())
    expect(fairlead).toEqual(openai)
    expect(openai.outcome).toHaveProperty('error')
  })
})

const node = (connection: Connection) => new OpenAI({ ...connection, maxRetries: 0 })

describe('a recorded request, sent with openai for Node', () => {
  test.each(recordedCapabilities)('reaches OpenAI unchanged, as its answer does the client: %s', async (capability) => {
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
  })
})

describe('openai for Node', () => {
  test('gets an error for a refusal, which is a message of OpenAI', async () => {
    const { fairlead } = await serveOpenai(recorded('refusal'))
    const refused = { constructor: BadRequestError, code: 'content_filter' }
    const { chat, responses } = node(fairlead)
    await expect(chat.completions.create(chatExchanges.refusal.body)).rejects.toMatchObject(refused)
    await expect(responses.create(responsesExchanges.refusal.body)).rejects.toMatchObject(refused)
  })

  test('gets "tool_calls" as the finish reason of a forced call, which is "stop" with OpenAI', async () => {
    const { openai, fairlead } = await serveOpenai(recorded('forcedTool'))
    const reasons = [openai, fairlead].map(async (connection) => {
      const { choices } = await node(connection).chat.completions.create(chatExchanges.forcedTool.body)
      return choices[0]?.finish_reason
    })
    expect(await Promise.all(reasons)).toEqual(['stop', 'tool_calls'])
  })

  test('gets 503 with Retry-After when OpenAI limits the service', async () => {
    const error = { message: 'Rate limit reached.', type: 'requests', param: null, code: 'rate_limit_exceeded' }
    const { fairlead } = await serveOpenai(() => ({ status: 429, headers: { 'retry-after': '7' }, json: { error } }))
    const asked = node(fairlead).chat.completions.create(chatExchanges.chat.body)
    const failure = await asked.catch((thrown: InternalServerError) => thrown)
    expect(failure).toMatchObject({ constructor: InternalServerError, status: 503, type: 'server_error' })
    expect((failure as InternalServerError).headers.get('retry-after')).toBe('7')
  })
})
