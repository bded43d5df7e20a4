import { openTestUpstream, type TestUpstream, type UpstreamAnswer } from '@fairlead/testing'
import { chatReply, chunk, finishChunk, startJson, startStream } from './chat-shapes.ts'

type Response = Parameters<UpstreamAnswer>[0]

/** A chat-completion API on this machine that misbehaves as the model's name says; by any other name it answers. */
export interface ChaosUpstream extends Omit<TestUpstream, 'answer' | 'forget'> {
  /** How many requests named each model. */
  count(model: string): number
  /** Every `slow-first-byte` that waits is answered; every `drip` says one more letter. */
  goOn(): void
}

interface ChaosCall {
  readonly response: Response
  /** Whether the request asked for a stream. */
  readonly streams: boolean
  /** How many requests named this model, this one included. */
  readonly count: number
  /** Defers a step until the test releases it. */
  readonly later: (step: () => void) => void
}

const behaviors = {
  /** Accepts the request, and never responds. */
  hang: () => {},
  /** Responds when the test calls `later`. */
  'slow-first-byte': (call) => call.later(() => answer(call)),
  /** Closes the connection in the middle of its response. */
  'reset-mid'({ response, streams }) {
    const begun = streams ? startStream(response) : startJson(response, 200, { 'content-length': '400' })
    begun.write(streams ? chunk('Hel') : '{"choices":[{"mess', () => response.destroy())
  },
  /** A clean end, after half of what was to be said. */
  'eof-no-done': ({ response, streams }) =>
    streams ? startStream(response).end(chunk('Hel')) : startJson(response).end('{"choices":[{"mess'),
  'html-200': ({ response }) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end('<html><title>Welcome to the hotel</title></html>'),
  'error-in-200': ({ response }) =>
    startJson(response).end('{"error":{"message":"Network connection lost.","type":"server_error","code":null}}'),
  'malformed-json': ({ response, streams }) =>
    streams
      ? startStream(response).end('data: {"choices":[{"delta":oops}]}\n\n')
      : startJson(response).end('{"choices":oops}'),
  '429-ra': ({ response }) =>
    startJson(response, 429, { 'retry-after': '7' }).end(
      '{"error":{"message":"Rate limit reached.","type":"requests","code":"rate_limit_exceeded"}}',
    ),
  /** Refuses every other request. */
  '503-half': (call) => (call.count % 2 === 1 ? refuse(call) : answer(call)),
  /** One answer of 5 MB. */
  big({ response, streams }) {
    const words = 'word '.repeat(1024)
    if (streams) pour(startStream(response), chunk(words), 1024)
    else startJson(response).end(chatReply(words.repeat(1024)))
  },
  /** A line that never ends. */
  'no-newline': ({ response }) => pour(startStream(response), `data: ${'a'.repeat(64 * 1024)}`, Infinity),
  /** One letter at once, and another one whenever the test requests it. */
  drip({ response, later }) {
    startStream(response).write(chunk('a'))
    later(() => response.write(chunk('a')))
  },
} as const satisfies Readonly<Record<string, (call: ChaosCall) => unknown>>

export type ChaosModel = keyof typeof behaviors

export async function openChaosUpstream(): Promise<ChaosUpstream> {
  const upstream = await openTestUpstream()
  const counts = new Map<string, number>()
  const steps = new Set<() => void>()
  upstream.answer((response, request) => {
    const { model, stream: streams = false } = request.body as { readonly model: string; readonly stream?: boolean }
    const count = (counts.get(model) ?? 0) + 1
    counts.set(model, count)
    const behave = model in behaviors ? behaviors[model as ChaosModel] : answer
    const later = (step: () => void) => {
      steps.add(step)
      response.on('close', () => steps.delete(step))
    }
    behave({ response, streams, count, later })
  })
  const { url, requests, close } = upstream
  return {
    url,
    requests,
    close,
    count: (model) => counts.get(model) ?? 0,
    goOn: () => steps.forEach((step) => step()),
  }
}

function answer({ response, streams }: ChaosCall): void {
  if (streams) startStream(response).end(chunk('Hello') + chunk(' there') + finishChunk)
  else startJson(response).end(chatReply('Hello there'))
}

function refuse({ response }: ChaosCall): void {
  startJson(response, 503).end('{"error":{"message":"The engine is overloaded.","type":"server_error"}}')
}

/** Writes as fast as it is read; ends after so many pieces. */
function pour(response: Response, piece: string, times: number): void {
  let left = times
  const more = () => {
    while (left > 0 && !response.destroyed) {
      left -= 1
      if (!response.write(piece)) return
    }
    if (!response.writableEnded) response.end(finishChunk)
  }
  response.on('drain', more)
  more()
}
