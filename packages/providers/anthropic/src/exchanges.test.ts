import Anthropic from '@anthropic-ai/sdk'
import { collectAnswer, type ProviderError, type TextEvent, type TextRequest } from '@fairlead/core/provider'
import { openTestUpstream, type RecordedReply, replaying, type TestUpstream } from '@fairlead/testing'
import { type Capability, capabilityRequests } from '@fairlead/testing/suites'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { anthropic } from './index.ts'
import { type Exchange, exchanges } from './testing/exchanges.ts'
import { furtherExchanges } from './testing/further-exchanges.ts'
import { toEvents, named, said, wireMessage } from './testing/messages.ts'

let upstream: TestUpstream
beforeEach(async () => {
  upstream = await openTestUpstream()
  return () => upstream.close()
})

const call = { signal: new AbortController().signal, deadline: Infinity, requestId: 'req_1' }

/** A provider and the official SDK, whose upstream sends this reply. */
function clients(reply: RecordedReply) {
  upstream.answer(replaying(reply))
  const connection = { apiKey: 'sk-ant-canary', baseURL: upstream.url }
  const provider = anthropic({ apiKey: connection.apiKey, baseUrl: connection.baseURL })
  onTestFinished(() => provider.close?.())
  return { provider, sdk: new Anthropic({ ...connection, maxRetries: 0 }) }
}

const ofExchange = ({ request, params, reply }: Exchange) => ({
  request: { model: 'claude-haiku-5-5', maxTokens: 64, ...request } as TextRequest,
  params: { model: 'claude-haiku-5-5', max_tokens: 64, ...params },
  message: wireMessage(reply),
})

const sent = () => upstream.requests.map(({ path, body }) => ({ path, body }))

const all: readonly (readonly [string, Exchange])[] = [
  ...Object.entries(exchanges).map(
    ([name, exchange]) => [name, { ...exchange, request: capabilityRequests[name as Capability] }] as const,
  ),
  ...furtherExchanges.map((exchange) => [exchange.title, exchange] as const),
]

describe.each(all)('%s', (_title, exchange) => {
  const { request, params, message } = ofExchange(exchange)
  const outcome = exchange.answer ? { ...exchange.answer, warnings: [] } : { failure: exchange.failure }

  test('a recorded exchange is sent and read as by the official SDK', async () => {
    const { provider, sdk } = clients({ json: message })
    const read = await sdk.messages.create(params)
    const answer = await provider.generateText!(request, call).catch((error: ProviderError) => error)
    const [ofSdk, own] = sent()
    expect(own).toEqual(ofSdk)
    expect(read.content).toEqual(message.content)
    expect(answer).toMatchObject(outcome)
  })

  test('a recorded exchange is sent and read as by the official SDK, as a stream', async () => {
    const { provider, sdk } = clients({ events: toEvents(message) })
    const read = await sdk.messages.stream(params).finalMessage()
    const answer = await collectAnswer(provider.streamText!(request, call)).catch((error: ProviderError) => error)
    const [ofSdk, own] = sent()
    expect(own).toEqual(ofSdk)
    expect(read.content).toEqual(message.content)
    expect(answer).toMatchObject(outcome)
  })
})

describe('a stream of a tool call', () => {
  const request = { model: 'claude-haiku-5-5', ...capabilityRequests.tool }
  const toolCall = toEvents(
    wireMessage({
      content: [{ type: 'tool_use', id: 'toolu_01', name: 'get_weather', input: { city: 'Oslo' } }],
      stop_reason: 'tool_use',
    }),
  )

  test('a stream of a tool call reports that the upstream is alive for each ping', async () => {
    const pings = Array.from({ length: 3 }, () => ({ data: { type: 'ping' } }))
    const count = async (events: typeof toolCall) => {
      const { provider } = clients({ events })
      let alive = 0
      for await (const { type } of provider.streamText!(request, call)) if (type === 'alive') alive++
      return alive
    }
    const before = await count(toolCall)
    expect(await count([...toolCall.slice(0, 1), ...pings, ...toolCall.slice(1)])).toBe(before + 3)
  })

  test('a stream of a tool call passes on each piece of the input', async () => {
    const { provider } = clients({ events: toolCall })
    const events: TextEvent[] = []
    for await (const event of provider.streamText!(request, call)) if (event.type !== 'alive') events.push(event)
    const usage = { type: 'usage', usage: expect.objectContaining({ promptTokens: expect.any(Number) }) }
    expect(events.slice(0, -1)).toEqual([
      { type: 'start', response: expect.objectContaining({ id: 'msg_01XFDUDYJgAACzvnptvVoYEL' }) },
      usage,
      {
        type: 'part_start',
        index: 0,
        part: { type: 'tool_call', id: 'toolu_01', name: 'get_weather', inputText: '' },
      },
      ...['', '{"city":', '"Oslo"}'].map((text) => ({ type: 'part_delta', index: 0, text })),
      { type: 'part_end', index: 0 },
      usage,
    ])
  })

  test('a stream of a tool call fails if the connection ends inside the input', async () => {
    const cut = toolCall.findIndex(({ data }) => JSON.stringify(data).includes('Oslo'))
    const { provider } = clients({ events: toolCall.slice(0, cut) })
    const reading = collectAnswer(provider.streamText!(request, call))
    await expect(reading).rejects.toMatchObject({ name: 'ProviderError', failure: 'retry' })
  })

  test('a stream of a tool call keeps the pieces of two calls apart', async () => {
    const start = (index: number) => ({
      type: 'content_block_start',
      index,
      content_block: { type: 'tool_use', id: `toolu_${index}`, name: 'get_weather', input: {} },
    })
    const delta = (index: number, partial_json: string) => ({
      type: 'content_block_delta',
      index,
      delta: { type: 'input_json_delta', partial_json },
    })
    const pieces = [start(1), start(2), delta(1, '{"a"'), delta(2, '{"b"'), delta(1, ':1}'), delta(2, ':2}')]
    const [first, ...others] = toolCall
    const { provider } = clients({ events: [first!, ...named(...pieces), ...others.slice(-2)] })
    expect((await collectAnswer(provider.streamText!(request, call))).parts).toMatchObject([
      { id: 'toolu_1', input: { a: 1 } },
      { id: 'toolu_2', input: { b: 2 } },
    ])
  })
})

describe('beta features', () => {
  const messages = [said('user', 'Greet me.')]
  const request = { model: 'claude-haiku-5-5', messages, maxTokens: 64 }
  const betas = ['compact-2026-01-12', 'fast-mode-2026-02-01']

  test('beta features are sent as by the official SDK', async () => {
    const { provider, sdk } = clients({ json: wireMessage() })
    const params = { model: request.model, max_tokens: 64, messages: [{ role: 'user' as const, content: 'Greet me.' }] }
    await sdk.beta.messages.create({ ...params, thinking: { type: 'disabled' }, betas })
    await provider.generateText!({ ...request, providerOptions: { anthropic: { anthropic_beta: betas } } }, call)
    const [ofSdk, own] = upstream.requests
    expect(own?.headers['anthropic-beta']).toBe(ofSdk?.headers['anthropic-beta'])
    expect(own?.body).toEqual(ofSdk?.body)
  })
})
