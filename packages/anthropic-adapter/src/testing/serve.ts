import {
  answerEvents,
  type Dialect,
  type Provider,
  type TextAnswer,
  type TextEvent,
  type TextRequest,
} from '@fairlead/core/provider'
import { testCore, fakeTextModel } from '@fairlead/testing'
import { anthropicAdapter, type AnthropicAdapterOptions } from '../anthropic-adapter.ts'

const usage = { promptTokens: 7, completionTokens: 5 }
const capabilities = { chat: true, tools: true, vision: true, urls: true, structured: true, reasoning: true }

/** A model called `any` that can do everything, and the requests that it got. */
export function able(
  facts: Partial<TextAnswer> = {},
  events?: readonly Exclude<TextEvent, { readonly type: 'finish' }>[],
  dialects: readonly Dialect[] = [],
) {
  const answer: TextAnswer = { parts: [{ type: 'text', text: 'Hello.' }], finishReason: 'stop', usage, ...facts }
  const requests: TextRequest[] = []
  const provider: Provider = {
    contract: 2,
    id: 'able',
    dialects,
    models: [fakeTextModel({ streaming: true, maxTokens: 1_000, ...capabilities })],
    async generateText(request) {
      requests.push(request)
      return answer
    },
    async *streamText(request) {
      requests.push(request)
      if (!events) return yield* answerEvents(answer)
      yield* events
      const { parts: _parts, ...finish } = answer
      yield { type: 'finish', ...finish }
    },
  }
  return { provider, requests }
}

/** The adapter over a test core, and a client of it with a valid key. */
export async function serve(core: Parameters<typeof testCore>[0] = {}, options: AnthropicAdapterOptions = {}) {
  const world = await testCore(core)
  const adapter = anthropicAdapter(world.core, options)
  const ask = async (path: string, body?: object, headers: Readonly<Record<string, string>> = {}) => {
    const request = new Request(`http://localhost${path}`, {
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
      headers: { 'x-api-key': world.caller.token, 'content-type': 'application/json', ...headers },
    })
    const response = await adapter.handle(request)
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.startsWith('application/json')
    return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : undefined }
  }
  /** The data of the events of a stream. */
  const stream = async (body: object) => {
    const { text } = await ask('/v1/messages', { ...body, stream: true })
    return [...text.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data))
  }
  return { ...world, ask, stream }
}
