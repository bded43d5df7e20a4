import { openTestUpstream, type TestUpstream, type UpstreamAnswer } from '@fairlead/testing'
import { beforeEach, onTestFinished } from 'vitest'
import * as z from 'zod'
import { createHttpClient, type HttpClientOptions } from '../index.ts'

export const apiKey = 'sk-canary-7f3a9b2c'
const signal = new AbortController().signal
/** The documented reply of the upstream in these tests. */
export const schema = z.object({ text: z.string() })

let transport: Pick<HttpClientOptions, 'fetch'> = {}

/** Lets the clients of this file send their requests so. */
export function useTransport(chosen: Pick<HttpClientOptions, 'fetch'>): void {
  transport = chosen
}

/** An upstream for each test, and clients of it that are closed after it. */
export function textUpstream() {
  let upstream: TestUpstream
  beforeEach(async () => {
    upstream = await openTestUpstream()
    return () => upstream.close()
  })

  function client(options: Partial<HttpClientOptions> = {}) {
    const made = createHttpClient({ id: 'acme', baseUrl: `${upstream.url}/v1/`, apiKey, ...transport, ...options })
    onTestFinished(() => made.close())
    return made
  }

  /** Asks an upstream that answers so. */
  function ask(answer: UpstreamAnswer, options: Partial<HttpClientOptions> = {}, abort: AbortSignal = signal) {
    upstream.answer(answer)
    return client(options).postJson({ path: '/chat', body: { prompt: 'hi' }, schema, signal: abort })
  }

  /** The items of a stream from an upstream that answers so, and its failure. */
  async function stream(answer: UpstreamAnswer, abort: AbortSignal = signal) {
    upstream.answer(answer)
    const seen: string[] = []
    const events = client().postForEvents({ path: '/chat', body: {}, schema, signal: abort, endMark: '[DONE]' })
    try {
      for await (const { text } of events) seen.push(text)
      return { seen }
    } catch (error) {
      return { seen, error }
    }
  }

  return { upstream: () => upstream, client, ask, stream }
}

export const textEvents = (...texts: string[]) => texts.map((text) => ({ data: { text } }))
