import { answerText, type TextRequest } from '@fairlead/core/provider'
import type { RecordedReply } from '@fairlead/testing'
import { capabilityRequests } from '@fairlead/testing/suites'
import OpenAI from 'openai'
import { describe, expect, test } from 'vitest'
import { chatExchanges, chatStreamFields } from './testing/chat-exchanges.ts'
import { apiKey, replyingWith } from './testing/ask-replying.ts'
import type { OfficialCapability } from './testing/official-exchanges.ts'
import { responsesExchanges } from './testing/responses-exchanges.ts'
import { streamCompletion, streamResponse } from './testing/streamed-replies.ts'

const capabilities = Object.keys(chatExchanges) as OfficialCapability[]

/** A provider and the official SDK, whose upstream sends this reply to both. */
async function both(reply: RecordedReply, dialect: object = {}) {
  const { upstream, provider } = await replyingWith(reply, { preset: 'openai', id: 'openai', dialect })
  const sdk = new OpenAI({ apiKey, baseURL: `${upstream.url}/v1`, maxRetries: 0 })
  return { provider, sdk, sent: () => upstream.requests.map(({ method, path, body }) => ({ method, path, body })) }
}

const call = { signal: new AbortController().signal, deadline: Infinity, requestId: 'req_1' }

function createRequest(capability: OfficialCapability, model: string): TextRequest {
  return { model, ...capabilityRequests[capability] }
}

async function drained(events: AsyncIterable<unknown>): Promise<void> {
  for await (const event of events) void event
}

/** A refusal fails the call of the provider, and not the SDK's. */
const ignored = () => {}

describe('the official SDK sends the same request as the provider', () => {
  test.each(capabilities)(
    'the official SDK sends the same request as the provider to chat completions: %s',
    async (capability) => {
      const { body, reply } = chatExchanges[capability]
      const { provider, sdk, sent } = await both({ json: reply })
      await provider.generateText(createRequest(capability, body.model), call).catch(ignored)
      await sdk.chat.completions.create(body)
      const [own, official] = sent()
      expect(own).toEqual(official)
    },
  )

  test.each(capabilities)(
    'the official SDK sends the same request as the provider to streamed chat completions: %s',
    async (capability) => {
      const { body, reply } = chatExchanges[capability]
      const { provider, sdk, sent } = await both(streamCompletion(reply))
      await drained(provider.streamText(createRequest(capability, body.model), call)).catch(ignored)
      await drained(sdk.chat.completions.stream({ ...body, ...chatStreamFields }))
      const [own, official] = sent()
      expect(own).toEqual(official)
    },
  )

  test.each(capabilities)(
    'the official SDK sends the same request as the provider to responses: %s',
    async (capability) => {
      const { body, reply } = responsesExchanges[capability]
      const { provider, sdk, sent } = await both({ json: reply }, { responses: true })
      await provider.generateText(createRequest(capability, String(body.model)), call).catch(ignored)
      await sdk.responses.create(body)
      const [own, official] = sent()
      expect(own).toEqual(official)
    },
  )

  test('the official SDK sends the same request as the provider to embeddings', async () => {
    const vectors = { object: 'list', data: [{ object: 'embedding', index: 0, embedding: 'AAAAPwAAgL8=' }], usage: {} }
    const { provider, sdk, sent } = await both({ json: vectors })
    const texts = ['A lake.']
    const { embeddings } = await provider.embed({ model: 'text-embedding-3-small', texts, dimensions: 256 }, call)
    const read = await sdk.embeddings.create({ model: 'text-embedding-3-small', input: texts, dimensions: 256 })
    const [own, official] = sent()
    expect(own).toEqual(official)
    expect([...embeddings[0]!]).toEqual(read.data[0]!.embedding)
  })
})

describe('the official SDK reads the same answer from a stream as the provider', () => {
  test.each(capabilities)(
    'the official SDK reads the same answer from a stream as the provider of chat completions: %s',
    async (capability) => {
      const { body, reply, answer } = chatExchanges[capability]
      const { sdk } = await both(streamCompletion(reply))
      const { content, tool_calls = [] } = await sdk.chat.completions
        .stream({ ...body, ...chatStreamFields })
        .finalMessage()
      expect(content ?? '').toBe(answer ? answerText(answer) : '')
      const read = tool_calls.map((each) =>
        each.type === 'function' ? { id: each.id, input: JSON.parse(each.function.arguments) as unknown } : each,
      )
      const calls = answer?.parts.filter((part) => part.type === 'tool_call') ?? []
      expect(read).toEqual(calls.map(({ id, input }) => ({ id, input })))
    },
  )

  test.each(capabilities)(
    'the official SDK reads the same answer from a stream as the provider of responses: %s',
    async (capability) => {
      const { body, reply, answer } = responsesExchanges[capability]
      const { sdk } = await both(streamResponse(reply))
      const { output_text } = await sdk.responses.stream({ ...body, stream: true }).finalResponse()
      expect(output_text).toBe(answer ? answerText(answer) : '')
    },
  )
})
