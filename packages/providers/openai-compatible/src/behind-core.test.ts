import { createFairlead } from '@fairlead/core'
import { openTestUpstream, type RecordedReply, replaying } from '@fairlead/testing'
import { describe, expect, onTestFinished, test } from 'vitest'
import { catalogModels } from '@fairlead/provider-toolkit'
import { openaiCompatible, type OpenaiCompatibleOptions } from './index.ts'
import { completion } from './testing/ask-replying.ts'
import { responsesExchanges } from './testing/responses-exchanges.ts'
import { streamResponse } from './testing/streamed-replies.ts'

const question = { role: 'user', content: 'How is the weather in Lisbon?' } as const
const tools = [{ name: 'get_weather', inputSchema: { type: 'object' } }]

/** A Fairlead whose only provider has the models of the catalog, and an upstream that sends this reply. */
async function behind(reply: RecordedReply, options: Partial<OpenaiCompatibleOptions> = {}) {
  const upstream = await openTestUpstream()
  upstream.answer(replaying(reply))
  const models = catalogModels('openai', Date.parse('2026-11-22'))
  const provider = openaiCompatible({ preset: 'openai', baseUrl: `${upstream.url}/v1`, models, ...options })
  const fairlead = createFairlead({ providers: [provider] })
  onTestFinished(async () => {
    await fairlead.core.close()
    await upstream.close()
  })
  return {
    fairlead,
    sent: () => upstream.requests.at(-1)!.body as Record<string, unknown>,
    reply: (next: RecordedReply) => upstream.answer(replaying(next)),
  }
}

describe('a request that exceeds the whole rate limit of the only key', () => {
  const message =
    'Request too large for model `x` on tokens per minute (TPM): Limit 6000, Requested 90000, please reduce your message size'

  test.each([413, 429])(
    'a request that exceeds the whole rate limit of the only key fails alone with status %i, once, and smaller requests still pass',
    async (status) => {
      const upstream = await openTestUpstream()
      const tooLarge = {
        status,
        headers: { 'retry-after': '60' },
        json: { error: { message, code: 'rate_limit_exceeded' } },
      }
      upstream.answer((response, request) => {
        const isLarge = JSON.stringify(request.body).length > 1_000
        return replaying(isLarge ? tooLarge : completion())(response, request)
      })
      const provider = openaiCompatible({ id: 'groq', baseUrl: `${upstream.url}/v1`, apiKey: 'one', models: 'any' })
      const fairlead = createFairlead({ providers: [provider], routing: { circuit: { failures: 1 } } })
      onTestFinished(async () => {
        await fairlead.core.close()
        await upstream.close()
      })
      const ask = (prompt: string) => fairlead.generate({ model: 'groq/x', prompt })
      const [large, small] = await Promise.allSettled([ask('x'.repeat(2_000)), ask('hello')])
      expect(large).toMatchObject({
        reason: {
          code: 'INVALID_REQUEST',

          message: expect.stringContaining(message),
        },
      })
      expect(small).toMatchObject({ value: { content: 'Hello' } })
      expect(await ask('hello')).toMatchObject({ content: 'Hello' })
      expect(upstream.requests.filter(({ path }) => path.endsWith('/chat/completions'))).toHaveLength(3)
    },
  )
})

describe('OpenAI behind Fairlead', () => {
  test.each<[string, RecordedReply, RecordedReply]>([
    ['a reply', { json: responsesExchanges.tool.reply }, { json: responsesExchanges.toolResult.reply }],
    ['a stream', streamResponse(responsesExchanges.tool.reply), streamResponse(responsesExchanges.toolResult.reply)],
  ])(
    'OpenAI behind Fairlead gets its encrypted reasoning back with the message of %s',
    async (_case, first, second) => {
      const { fairlead, sent, reply } = await behind(first, { dialect: { responses: true } })
      const asked = { model: 'gpt-6.1-sol', tools, maxTokens: null }
      const ask = async (messages: readonly object[]) => {
        const input = { ...asked, messages } as Parameters<typeof fairlead.generate>[0]
        if (!first.events) return fairlead.generate(input)
        const stream = fairlead.generate.stream(input)
        let next = await stream.next()
        while (!next.done) next = await stream.next()
        return next.value
      }
      const { message, toolCalls, finishReason } = await ask([question])
      expect({ toolCalls, finishReason }).toEqual({
        toolCalls: [{ id: 'call_a', name: 'get_weather', input: { city: 'Lisbon' } }],
        finishReason: 'tool_calls',
      })
      reply(second)
      const result = { type: 'tool_result', toolCallId: 'call_a', content: 'Sunny' }
      const { content } = await ask([question, message!, { role: 'tool', content: [result] }])
      expect(content).toBe('Sunny in Porto; 9:15 in Kyoto.')
      expect(sent()['input']).toEqual([
        question,
        { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'gAAAAB' },
        { type: 'function_call', call_id: 'call_a', name: 'get_weather', arguments: '{"city":"Lisbon"}' },
        { type: 'function_call_output', call_id: 'call_a', output: 'Sunny' },
      ])
      expect(sent()).not.toHaveProperty('max_output_tokens')
    },
  )

  test('OpenAI behind Fairlead gets the documented defaults of a plain prompt, and no others', async () => {
    const { fairlead, sent } = await behind(completion())
    await fairlead.generate({ model: 'gpt-4.1', prompt: 'Greet me.' })
    expect(sent()).toEqual({
      model: 'gpt-4.1',
      messages: [{ role: 'user', content: 'Greet me.' }],
      max_completion_tokens: 100,
      temperature: 0.7,
    })
  })

  test('OpenAI behind Fairlead gets no sampling parameters that are null', async () => {
    const { fairlead, sent } = await behind(completion())
    const unset = { maxTokens: null, temperature: null, topP: null, frequencyPenalty: null, presencePenalty: null }
    await fairlead.generate({ model: 'gpt-4.1', prompt: 'Greet me.', ...unset })
    expect(Object.keys(sent())).toEqual(['model', 'messages'])
  })

  test('OpenAI behind Fairlead fails with the error of the API for a tool that it rejects', async () => {
    const error = { message: 'Invalid schema for function', type: 'invalid_request_error', param: 'tools[0].function' }
    const { fairlead } = await behind({ status: 400, json: { error } })
    const answer = fairlead.generate({ model: 'gpt-4.1', messages: [question], tools })
    await expect(answer).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      message: expect.stringMatching(/^tools was/),
    })
  })
})
