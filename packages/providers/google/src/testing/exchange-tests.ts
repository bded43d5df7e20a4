import { type GenerateContentParameters, GoogleGenAI } from '@google/genai'
import {
  type AnswerPart,
  collectAnswer,
  type FinishReason,
  type Message,
  type TextEvent,
  type TextRequest,
} from '@fairlead/core/provider'
import { openTestUpstream, replaying, type TestUpstream } from '@fairlead/testing'
import { beforeEach, describe, expect, test } from 'vitest'
import { google } from '../google.ts'

/** A documented request with its reply: https://ai.google.dev/api/generate-content and the guides of each feature. */
export interface Exchange {
  readonly request: TextRequest
  /** The same request to Google's own SDK. */
  readonly sdk: GenerateContentParameters
  /** The parts of each event of the stream. A complete reply has all of them. */
  readonly sent: readonly (readonly object[])[]
  readonly parts: readonly AnswerPart[]
  /** Default: stop. */
  readonly finishReason?: FinishReason
  /** Beside 20 tokens of the prompt and 6 of the answer. */
  readonly counted?: { readonly thoughtsTokenCount?: number; readonly cachedContentTokenCount?: number }
}

export const text = (words: string) => ({ type: 'text', text: words }) as const
export const user = (words: string): Message => ({ role: 'user', content: [text(words)] })
export const signed = (thoughtSignature: string) => ({ providerOptions: { google: { thoughtSignature } } })

const call = { signal: new AbortController().signal, deadline: Infinity, requestId: 'req_1' }

const tokens = { promptTokenCount: 20, candidatesTokenCount: 6, totalTokenCount: 26 }
const response = { id: 'kZgpaYm3N', model: 'gemini-3.8-flash' }

function createReply(parts: readonly object[], counted: object, finish: object = { finishReason: 'STOP' }) {
  return {
    candidates: [{ content: { parts, role: 'model' }, ...finish, index: 0 }],
    usageMetadata: { ...tokens, ...counted },
    modelVersion: 'gemini-3.8-flash',
    responseId: 'kZgpaYm3N',
  }
}

const wholeReply = ({ sent, counted = {} }: Exchange) => replaying({ json: createReply(sent.flat(), counted) })

function streamedReply({ sent, counted = {} }: Exchange, length = sent.length) {
  const events = sent.map((parts, at) => ({ data: createReply(parts, counted, at < sent.length - 1 ? {} : undefined) }))
  return replaying({ events: events.slice(0, length) })
}

function createFinish({ finishReason = 'stop', counted = {} }: Exchange) {
  const { thoughtsTokenCount = 0, cachedContentTokenCount = 0 } = counted
  const usage = {
    promptTokens: 20,
    completionTokens: 6 + thoughtsTokenCount,
    ...(thoughtsTokenCount > 0 && { reasoningTokens: thoughtsTokenCount }),
    cachedPromptTokens: cachedContentTokenCount,
    native: { google: { ...tokens, ...counted } },
  }
  return { finishReason, usage, response, warnings: [] }
}

async function collect(events: AsyncIterable<TextEvent>): Promise<TextEvent[]> {
  const collected: TextEvent[] = []
  for await (const event of events) collected.push(event)
  return collected
}

/** Compares requests with the requests of Google's own SDK, and reads their replies. */
export function exchangeTests(exchanges: Readonly<Record<string, Exchange>>): void {
  let upstream: TestUpstream
  beforeEach(async () => {
    upstream = await openTestUpstream()
    return () => upstream.close()
  })
  const openProvider = () =>
    google({ apiKey: 'AIza-canary', baseUrl: `${upstream.url}/v1beta`, allow: ['cachedContent'] })
  const openSdk = () =>
    new GoogleGenAI({ apiKey: 'AIza-canary', httpOptions: { baseUrl: upstream.url, apiVersion: 'v1beta' } })
  const lastRequests = () => upstream.requests.slice(-2).map(({ method, path, body }) => ({ method, path, body }))

  describe.each(Object.entries(exchanges))('%s', (_title, exchange) => {
    const { request, sdk, parts } = exchange

    test('an exchange with the API of Gemini is requested as Google’s own SDK requests it', async () => {
      upstream.answer(wholeReply(exchange))
      await openProvider().generateText!(request, call)
      await openSdk().models.generateContent(sdk)
      const [own, official] = lastRequests()
      expect(own).toEqual(official)
      upstream.answer(streamedReply(exchange))
      await collect(openProvider().streamText!(request, call))
      const officialEvents = await openSdk().models.generateContentStream(sdk)
      await officialEvents.return(undefined)
      const [ownStream, officialStream] = lastRequests()
      expect(ownStream).toEqual(officialStream)
      expect(ownStream?.body).toEqual(own?.body)
    })

    test('an exchange with the API of Gemini is read from a reply', async () => {
      upstream.answer(wholeReply(exchange))
      expect(await openProvider().generateText!(request, call)).toEqual({ parts, ...createFinish(exchange) })
    })

    test('an exchange with the API of Gemini is read from a stream', async () => {
      upstream.answer(streamedReply(exchange))
      const events = await collect(openProvider().streamText!(request, call))
      expect(events.slice(0, 2)).toEqual([
        { type: 'start', response },
        { type: 'usage', usage: createFinish(exchange).usage },
      ])
      expect(await collectAnswer(events)).toEqual({ parts, ...createFinish(exchange) })
    })

    test('an exchange with the API of Gemini fails if its stream is truncated', async () => {
      upstream.answer(streamedReply(exchange, exchange.sent.length - 1))
      const events = openProvider().streamText!(request, call)
      await expect(collect(events)).rejects.toMatchObject({ name: 'ProviderError', failure: 'retry' })
    })
  })
}
