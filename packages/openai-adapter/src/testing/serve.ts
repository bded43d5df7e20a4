import { type Provider, type TextAnswer, textAnswer, type TextRequest } from '@fairlead/core/provider'
import { eventsIn, testCore, fakeTextModel } from '@fairlead/testing'
import { openaiAdapter } from '../openai-adapter.ts'
import { toEvents, type Piece } from './pieces.ts'

const usage = { promptTokens: 7, completionTokens: 5 }

/**
 * A model called `any` that can do everything, and the requests that it got.
 *
 * @param answer whole, or what it streams
 * @param pieces what it streams; by default, core streams the whole answer
 */
export function able(answer: Partial<TextAnswer> | readonly Piece[] = textAnswer('Hello.'), pieces?: readonly Piece[]) {
  const requests: TextRequest[] = []
  const whole: TextAnswer = { parts: [], finishReason: 'stop', usage, ...(Array.isArray(answer) ? {} : answer) }
  const { parts: _parts, ...finish } = whole
  const streamed = pieces && [...pieces, { type: 'finish' as const, ...finish }]
  const events = Array.isArray(answer) ? (answer as readonly Piece[]) : streamed
  const capabilities = { chat: true, tools: true, vision: true, urls: true, structured: true, reasoning: true }
  const provider: Provider = {
    contract: 2,
    id: 'able',
    models: [fakeTextModel({ streaming: true, maxTokens: 1_000, ...capabilities })],
    async generateText(request) {
      requests.push(request)
      return whole
    },
    ...(events && {
      async *streamText(request: TextRequest) {
        requests.push(request)
        yield* toEvents(events)
      },
    }),
  }
  return { provider, requests }
}

/** The adapter over a test core, and a client of it with a valid key. */
export async function serve(
  options: Parameters<typeof testCore>[0] = {},
  adapterOptions?: Parameters<typeof openaiAdapter>[1],
) {
  const { core, caller, ...world } = await testCore(options)
  const adapter = openaiAdapter(core, adapterOptions)
  const ask = async (
    path: string,
    body?: object,
    headers: Readonly<Record<string, string>> = { authorization: `Bearer ${caller.token}` },
  ) => {
    const sent = body && { method: 'POST', body: JSON.stringify(body) }
    const request = new Request(`http://localhost${path}`, {
      ...sent,
      headers: { ...(sent && { 'content-type': 'application/json' }), ...headers },
    })
    const response = await adapter.handle(request)
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.startsWith('application/json')
    return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : undefined }
  }
  /** The data of the server-sent events of a stream; parsed, except for `[DONE]`. */
  const stream = async (path: string, body: object) => {
    const { text } = await ask(path, { ...body, stream: true })
    return eventsIn(text).map(({ data }) => data)
  }
  return { core, caller, ...world, ask, stream }
}
