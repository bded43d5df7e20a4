import { createFairlead } from '@fairlead/core'
import { operations } from '@fairlead/testing/workspace'
import { blankPng, openTestUpstream, replaying, type TestUpstream } from '@fairlead/testing'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { google } from './index.ts'

let upstream: TestUpstream
beforeEach(async () => {
  upstream = await openTestUpstream()
  return () => upstream.close()
})

/** A Fairlead whose only provider is Gemini, which answers so. */
function behindGemini(parts: readonly object[], usageMetadata: object, finishReason = 'STOP') {
  const candidates = [{ content: { parts, role: 'model' }, finishReason, index: 0 }]
  const json = { candidates, usageMetadata }
  const [whole, streamed] = [replaying({ json }), replaying({ events: [{ data: json }] })]
  upstream.answer((response, request) => (request.path.includes(':stream') ? streamed : whole)(response, request))
  const provider = google({ apiKey: 'AIza-canary', baseUrl: upstream.url })
  const fairlead = createFairlead({ providers: [provider] })
  onTestFinished(() => fairlead.core.close())
  return fairlead
}

describe('Gemini behind Fairlead', () => {
  test('Gemini behind Fairlead costs the tokens that the API counted, including thinking and cached tokens', async () => {
    const usage = {
      promptTokenCount: 2_000,
      cachedContentTokenCount: 1_000,
      candidatesTokenCount: 60,
      thoughtsTokenCount: 40,
    }
    const fairlead = behindGemini([{ text: 'Hello.' }], usage)
    const input = { model: 'gemini-2.5-flash', prompt: 'Greet me.' }
    const { meta } = await fairlead.core.run(operations.generate, { kind: 'embedded' }, input)
    expect(meta).toMatchObject({ provider: 'google', costUsd: 0.00058 })
  })

  test.each(['whole', 'streamed'])(
    'Gemini behind Fairlead charges once for a tool call that the API could not read, %s',
    async (how) => {
      const fairlead = behindGemini(
        [],
        { promptTokenCount: 2_000, candidatesTokenCount: 100 },
        'MALFORMED_FUNCTION_CALL',
      )
      const input = { model: 'gemini-2.5-flash', prompt: 'Weather in Bern?', stream: how === 'streamed' }
      const reply = await fairlead.core.run(operations.generate, { kind: 'embedded' }, input)
      let last: unknown = { reply }
      if ('events' in reply) for await (const event of reply.events) last = event
      expect(last).toMatchObject({
        reply: {
          data: { content: '', finishReason: 'stop', usage: { totalTokens: 2_100 } },
          meta: {
            costUsd: 0.00085,
            attempts: 1,
            warnings: [{ field: null, issue: expect.stringContaining('MALFORMED_FUNCTION_CALL') }],
          },
        },
      })
      expect(upstream.requests.filter(({ method }) => method === 'POST')).toHaveLength(1)
    },
  )

  test('Gemini behind Fairlead gets the signatures of its calls and texts back with the message of an answer', async () => {
    const call = { functionCall: { id: 'fc_1', name: 'get_weather', args: { city: 'Bern' } }, thoughtSignature: 'EqQB' }
    const fairlead = behindGemini([{ text: 'I look.' }, call], { promptTokenCount: 9, candidatesTokenCount: 5 })
    const question = { role: 'user' as const, content: 'Weather in Bern?' }
    const asked = {
      model: 'gemini-3.8-flash',
      tools: [{ name: 'get_weather', inputSchema: { type: 'object' } }],
    }
    const { message, toolCalls, finishReason } = await fairlead.generate({ ...asked, messages: [question] })
    expect({ toolCalls, finishReason }).toEqual({
      toolCalls: [{ id: 'fc_1', name: 'get_weather', input: { city: 'Bern' } }],
      finishReason: 'tool_calls',
    })
    const result = { type: 'tool_result' as const, toolCallId: 'fc_1', content: 'Rain.' }
    const messages = [question, message!, { role: 'tool' as const, content: [result] }]
    await fairlead.generate({ ...asked, messages })
    expect(upstream.requests.at(-1)?.body).toMatchObject({
      contents: [
        { role: 'user', parts: [{ text: 'Weather in Bern?' }] },
        { role: 'model', parts: [{ text: 'I look.' }, call] },
        { role: 'user', parts: [{ functionResponse: { id: 'fc_1', response: { output: 'Rain.' } } }] },
      ],
    })
  })

  test('Gemini behind Fairlead returns a PNG of the requested size at the counted price', async () => {
    const data = Buffer.from(blankPng(768, 1376)).toString('base64')
    const fairlead = behindGemini([{ inlineData: { mimeType: 'image/png', data } }], {
      promptTokenCount: 10,
      candidatesTokenCount: 1_120,
      candidatesTokensDetails: [{ modality: 'IMAGE', tokenCount: 1_120 }],
    })
    const input = { model: 'gemini-nano-banana-2.1', prompt: 'A lake at dawn.', size: '768x1376' }
    const { meta } = await fairlead.core.run(operations.generateImage, { kind: 'embedded' }, input)
    expect(meta).toMatchObject({ provider: 'google', costUsd: 0.033615 })
  })
})
