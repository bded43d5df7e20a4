import { once } from 'node:events'
import { type Provider, textEvents } from '@fairlead/core/provider'
import { fakeTextModel } from '@fairlead/testing'
import { describe, expect, test } from 'vitest'
import { runServer } from './testing/run-server.ts'

/** Writes a word, and takes an hour for the next. */
const slow: Provider = {
  contract: 2,
  id: 'slow',
  dialects: ['openai-chat', 'openai-responses', 'anthropic'],
  models: [fakeTextModel({ chat: true, streaming: true })],
  streamText: (_request, { signal }) => textEvents(words(signal)),
}

async function* words(signal: AbortSignal) {
  yield 'one'
  await once(signal, 'abort')
  throw signal.reason
}

const messages = [{ role: 'user', content: 'Hi' }]
const query =
  'subscription($input: GenerateInput!) { generateStream(input: $input) { ... on GenerationChunk { content } } }'

describe('a stop', () => {
  test.each([
    ['/generate', { model: 'any', messages, stream: true }],
    ['/openai/v1/chat/completions', { model: 'any', messages, stream: true }],
    ['/openai/v1/responses', { model: 'any', input: 'Hi', stream: true }],
    ['/anthropic/v1/messages', { model: 'any', max_tokens: 100, messages, stream: true }],
    ['/graphql', { query, variables: { input: { model: 'any', prompt: 'Hi' } } }],
  ])('a stop ends streams that take too long with an error, and logs how many: %s', async (path, body) => {
    const server = await runServer({ FAIRLEAD_DRAIN_TIMEOUT: '0' }, [slow])
    const response = await fetch(server.baseUrl + path, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${server.firstAdmin!.apiKey}`,
        'content-type': 'application/json',
        accept: 'text/event-stream',
      },
      body: JSON.stringify(body),
    })
    expect(response.status).toBe(200)
    const reading = response.text()
    await server.stop()
    expect(await reading).toContain('The service stopped during the call. Send it again.')
    const lines = server.logged().split('\n')
    const [line] = lines.filter((each) => each.includes('FAIRLEAD_DRAIN_TIMEOUT'))
    expect(JSON.parse(line ?? '{}')).toMatchObject({ level: 40, calls: 1 })
  })
})
