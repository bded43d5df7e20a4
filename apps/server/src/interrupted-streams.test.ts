import type { Observer } from '@fairlead/core'
import type { Provider, TextEvent } from '@fairlead/core/provider'
import { fakeTextModel } from '@fairlead/testing'
import { describe, expect, test } from 'vitest'
import { serveApp } from './testing/serve-app.ts'

const usage = { promptTokens: 50_000, completionTokens: 1, cachedPromptTokens: 20_000 }
/** Input at $2 a million tokens, a tenth for cached ones, and output at $10. */
const pricing = { input: 2, output: 10, cachedInput: 0.2 }

const prelude: readonly TextEvent[] = [
  { type: 'start', response: { id: 'up_1', model: 'any' } },
  { type: 'usage', usage },
]
const piece: readonly TextEvent[] = [
  { type: 'part_start', index: 0, part: { type: 'text', text: '' } },
  { type: 'part_delta', index: 0, text: 'well, well' },
]

/** Counts its prompt, may write a piece, and then hangs. */
function hanging(events: readonly TextEvent[]): Provider {
  return {
    contract: 2,
    id: 'hanging',
    dialects: ['openai-chat', 'openai-responses', 'anthropic'],
    models: [fakeTextModel({ chat: true, streaming: true, pricing })],
    async *streamText(_request, { signal }) {
      yield* events
      await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    },
  }
}

const messages = [{ role: 'user', content: 'Hi' }]
const query =
  'subscription($input: GenerateInput!) { generateStream(input: $input) { ... on GenerationChunk { content } } }'
const surfaces: readonly (readonly [path: string, body: object])[] = [
  ['/generate', { model: 'any', messages, stream: true }],
  ['/openai/v1/chat/completions', { model: 'any', messages, stream: true }],
  ['/openai/v1/completions', { model: 'any', prompt: 'Hi', stream: true }],
  ['/openai/v1/responses', { model: 'any', input: 'Hi', stream: true }],
  ['/anthropic/v1/messages', { model: 'any', max_tokens: 100, messages, stream: true }],
  ['/graphql', { query, variables: { input: { model: 'any', prompt: 'Hi' } } }],
]

/** Sends a request whose client leaves after it has read the text, or at once. Returns the usage record. */
async function leave(path: string, body: object, events: readonly TextEvent[], text: string | undefined) {
  const ended: string[] = []
  const observer: Observer = { callEnded: ({ requestId }) => void ended.push(requestId) }
  const { ask, stores, clock } = await serveApp({ core: { providers: [hanging(events)], observer } })
  const client = new AbortController()
  const headers = { 'content-type': 'application/json', accept: 'text/event-stream' }
  const asking = ask(path, { method: 'POST', headers, body: JSON.stringify(body), signal: client.signal })
  let response: Response | undefined
  void asking.then((begun) => (response = begun))
  // Without a piece, a stream begins after five seconds.
  await expect.poll(() => (clock.advance(text === undefined ? 1_000 : 0), response?.status)).toBe(200)
  if (text !== undefined) await readUntil(response!, text)
  client.abort()
  await expect.poll(() => ended.length).toBe(1)
  const [record] = await stores.read((view) => view.usage.ofRequest(ended[0]!))
  return record
}

async function readUntil({ body }: Response, text: string): Promise<void> {
  const reader = body!.pipeThrough(new TextDecoderStream()).getReader()
  for (let heard = ''; !heard.includes(text);) heard += (await reader.read()).value ?? text
}

describe.each(surfaces)('a stream of %s whose client leaves', (path, body) => {
  test('a stream whose client leaves after its first piece costs the prompt that the upstream has counted', async () => {
    expect(await leave(path, body, [...prelude, ...piece], 'well, well')).toMatchObject({
      outcome: 'partial',
      charged: true,
      promptTokens: 50_000,
      cachedPromptTokens: 20_000,
      completionTokens: 3,
      costUsd: 0.06403,
    })
  })

  test('a stream whose client leaves before its first piece costs that prompt, too', async () => {
    expect(await leave(path, body, prelude, undefined)).toMatchObject({
      outcome: 'aborted',
      charged: true,
      promptTokens: 50_000,
      costUsd: 0.06401,
    })
  })
})
