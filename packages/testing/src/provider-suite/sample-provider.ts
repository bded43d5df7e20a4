import type { RecordedReply } from '../fakes/recorded-exchange.ts'
import { blankPng } from '../fakes/blank-png.ts'
import { fakeImageModel, fakeTextModel } from '../fakes/fake-providers.ts'
import { EventSourceParserStream } from 'eventsource-parser/stream'
import {
  type AnalysisAnswer,
  type Provider,
  ProviderError,
  type ProviderFailure,
  type TextEvent,
  type TextRequest,
  textAnswer,
} from '@fairlead/core/provider'
import { parseWire, toAnswer, toEvents, toWire, wireText } from './sample-wire.ts'
import type { ProviderSuiteOptions, SuiteUpstream } from './suite-options.ts'

/** Where a provider can go wrong. Each default is right. */
export interface Habits {
  readonly toBody?: (request: TextRequest) => object
  readonly redirect?: 'manual' | 'follow'
  /** How often it sends a request that fails. */
  readonly tries?: number
  /** Creates the error that it throws for a failing status. */
  readonly toError?: (status: number, words: string, apiKey: string) => unknown
}

export type SampleProvider = Required<
  Omit<
    Provider,
    | 'knownModels'
    | 'findModel'
    | 'dialects'
    | 'takesDialect'
    | 'notices'
    | 'readOn'
    | 'capacities'
    | 'countTokens'
    | 'warmUp'
    | 'close'
  >
>

const chat = { chat: true, tools: true, vision: true, urls: true, structured: true, reasoning: true }
const vectors = fakeTextModel({ id: 'vectors', embedding: { dimensions: 3, minDimensions: 2 } })

/** A provider of a small HTTP API with text, streams, images, analyses, and embeddings. */
export function sampleProvider({ url, apiKey }: SuiteUpstream, habits: Habits = {}): SampleProvider {
  const { toBody = (request) => request, redirect = 'manual', tries = 1, toError = toFailure } = habits

  async function send(path: string, body: object, signal: AbortSignal, left = tries): Promise<Response> {
    const headers = { 'x-key': apiKey, 'content-type': 'application/json' }
    try {
      const response = await fetch(url + path, {
        method: 'POST',
        headers,
        body: JSON.stringify(toWire(body)),
        signal,
        redirect,
      })
      if (response.status === 200) return response
      throw toError(response.status, await response.text(), apiKey)
    } catch (error) {
      signal.throwIfAborted()
      if (left > 1) return send(path, body, signal, left - 1)
      throw error instanceof TypeError ? new ProviderError('retry', 'the connection failed') : error
    }
  }

  async function reply(path: string, body: object, signal: AbortSignal): Promise<never> {
    return (await (await send(path, body, signal)).json()) as never
  }

  return {
    contract: 2,
    id: 'sample',
    webSearch: true,
    models: [fakeTextModel(chat), fakeTextModel({ id: 'other' }), fakeImageModel(), vectors],
    analyzers: [{ id: 'eyes', tasks: { sentiment: ['en'], entities: ['en'] } }],
    async generateText(request, { signal }) {
      const response = await send('/write', toBody(request), signal)
      return toAnswer(parseWire(wireText, await response.text()))
    },
    async *streamText(request, { signal }) {
      const response = await send('/write', { ...toBody(request), stream: true }, signal)
      yield* toEvents(readEvents(response))
    },
    async generateImage(request, { signal }) {
      const { png }: { png: string } = await reply('/paint', request, signal)
      return { png: Buffer.from(png, 'base64') }
    },
    async analyze(request, { signal }): Promise<AnalysisAnswer> {
      return { analysis: await reply('/read', request, signal) }
    },
    async embed(request, { signal }) {
      const { found, read }: { found: number[][]; read: number } = await reply('/embed', request, signal)
      return { embeddings: found, promptTokens: read }
    },
    async health({ signal }) {
      await send('/health', {}, signal)
    },
  }
}

async function* readEvents(response: Response): AsyncGenerator<string, void, undefined> {
  const events = response.body!.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream())
  for await (const { data } of events) yield data
}

function toFailure(status: number): ProviderError {
  const failures: Readonly<Record<number, ProviderFailure>> = { 401: 'credential', 402: 'credential', 409: 'retry' }
  return new ProviderError(failures[status] ?? (status >= 500 ? 'retry' : 'give_up'), `answered ${status}`)
}

const request = { model: 'any', prompt: 'Greet me.', maxTokens: 64, temperature: 0.7, topP: 1 } as const
const messages = [{ role: 'user', content: [{ type: 'text', text: 'Greet me.' }] }]
const { prompt: _prompt, ...settings } = request
const whole = { ...settings, messages, frequencyPenalty: 0, presencePenalty: 0 }
const end = { ended: 'done', tokens: { read: 4, written: 2 } }
const answer = textAnswer('Hello there', { usage: { promptTokens: 4, completionTokens: 2 } })
const png = blankPng(256, 256)
const picture = {
  model: 'picture',
  prompt: 'A lake.',
  width: 256,
  height: 256,
  quality: 'standard',
  style: 'natural',
} as const
const texts = { model: 'vectors', texts: ['A lake.', 'A city.'] }
const embeddings = [
  [0.5, 0.25, 0],
  [0, 0.125, 1],
]
const text = { analyzer: 'eyes', text: 'I love Berlin.', tasks: ['sentiment'], language: 'en' } as const
const analysis = { sentiment: { score: 0.9, label: 'positive' } } as const

function exchange(path: string, body: object, reply: RecordedReply) {
  return { request: { method: 'POST', path, body }, reply }
}

/** The replays of the suite for it. */
export const sampleReplay: Required<NonNullable<ProviderSuiteOptions['replay']>> = {
  text: { request, exchange: exchange('/write', whole, { json: { text: 'Hello there', ...end } }), answer },
  stream: {
    request,
    exchange: exchange(
      '/write',
      { ...whole, stream: true },
      { events: [{ data: { piece: 'Hello' } }, { data: { piece: ' there' } }, { data: end }] },
    ),
    answer,
  },
  image: {
    request: picture,
    exchange: exchange('/paint', picture, { json: { png: Buffer.from(png).toString('base64') } }),
    answer: { png: Buffer.from(png) },
  },
  analysis: { request: text, exchange: exchange('/read', text, { json: analysis }), answer: { analysis } },
  embedding: {
    request: texts,
    exchange: exchange('/embed', texts, { json: { found: embeddings, read: 6 } }),
    answer: { embeddings, promptTokens: 6 },
  },
}

/** The same events, with each two pieces of text exchanged. */
export async function* swapped(events: AsyncIterable<TextEvent>): AsyncGenerator<TextEvent, void, undefined> {
  let held: TextEvent | undefined
  for await (const event of events) {
    if (event.type !== 'part_delta') {
      if (held) yield held
      held = undefined
      yield event
    } else if (held) {
      yield event
      yield held
      held = undefined
    } else {
      held = event
    }
  }
}
