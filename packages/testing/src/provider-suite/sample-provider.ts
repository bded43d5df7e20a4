import { fakeImageModel, fakeTextModel } from '../fakes/fake-providers.ts'
import {
  type Analysis,
  type Provider,
  ProviderError,
  type TextEvent,
  type TextRequest,
  providerResponses,
} from '@fairlead/core/provider'
import * as z from 'zod'
import { type HttpHabits, sampleHttp, splitEvents, splitLines, readObject } from './sample-http.ts'
import { parseWire, toAnswer, toEvents, wireText } from './sample-wire.ts'
import type { SuiteUpstream } from './suite-options.ts'

/** Where a provider can go wrong. Each default is right. */
export interface Habits extends HttpHabits {
  readonly toBody?: (request: TextRequest) => object
  /** How its API sends streams and whole texts. Default: `events`, and each reply at once. */
  readonly protocol?: Protocol
  /** The time before it asks for a job again. */
  readonly pause?: (signal: AbortSignal) => Promise<void>
  /** Puts the vectors of a reply in the order of the texts. */
  readonly sort?: (found: z.output<typeof wireVectors>['found']) => z.output<typeof wireVectors>['found']
  /** Reads the state of a job; undefined while it is pending. */
  readonly readJob?: (job: Readonly<Record<string, unknown>>) => string | undefined
}

/** `jobs` are started, and asked for until they have ended. */
export type Protocol = 'events' | 'lines' | 'jobs'

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
const wireAnalysis = z
  .unknown()
  .transform((analysis): unknown => ({ analysis }))
  .pipe(providerResponses.analysis)
const wireImage = z.object({ png: z.base64() })
const wireVectors = z.object({
  found: z
    .array(z.object({ at: z.int(), vector: z.array(z.number()).min(1) }))
    .min(1)
    .refine((all) => all.every(({ vector }) => vector.length === all[0]!.vector.length)),
  read: z.int().min(0),
})

/** A provider of a small HTTP API with text, streams, images, analyses, and embeddings. */
export function sampleProvider(upstream: SuiteUpstream, habits: Habits = {}): SampleProvider {
  const { toBody = (request) => request, protocol = 'events', pause = pauseShortly, readJob = readState } = habits
  const { sort = (found) => found.toSorted((one, other) => one.at - other.at) } = habits
  const http = sampleHttp(upstream, { split: protocol === 'lines' ? splitLines : splitEvents, ...habits })

  async function runJob(body: object, signal: AbortSignal): Promise<string> {
    const { job } = readObject(await http.send('POST', '/jobs', body, signal))
    if (typeof job !== 'string') throw new ProviderError('retry', 'the reply lacks job')
    for (;;) {
      const ended = readJob(readObject(await http.send('GET', `/jobs/${job}`, undefined, signal)))
      if (ended !== undefined) return ended
      await pause(signal)
    }
  }

  return {
    contract: 2,
    id: 'sample',
    webSearch: true,
    models: [fakeTextModel(chat), fakeTextModel({ id: 'other' }), fakeImageModel(), vectors],
    analyzers: [{ id: 'eyes', tasks: { sentiment: ['en'], entities: ['en'] } }],
    async generateText(request, { signal }) {
      const body = toBody(request)
      const text = protocol === 'jobs' ? runJob(body, signal) : http.send('POST', '/write', body, signal)
      return toAnswer(parseWire(wireText, await text))
    },
    async *streamText(request, { signal }) {
      yield* toEvents(http.stream('/write', { ...toBody(request), stream: true }, signal))
    },
    async generateImage(request, { signal }) {
      const { png } = parseWire(wireImage, await http.send('POST', '/paint', request, signal))
      return { png: Buffer.from(png, 'base64') }
    },
    async analyze(request, { signal }) {
      const { analysis } = parseWire(wireAnalysis, await http.send('POST', '/read', request, signal))
      if (request.tasks.every((task) => analysis[task] === undefined))
        throw new ProviderError('retry', 'it lacks all tasks')
      return { analysis: analysis as Analysis }
    },
    async embed(request, { signal }) {
      const { found, read } = parseWire(wireVectors, await http.send('POST', '/embed', request, signal))
      return { embeddings: sort(found).map(({ vector }) => vector), promptTokens: read }
    },
    async health({ signal }) {
      await http.send('POST', '/health', {}, signal)
    },
  }
}

/** The state of a job: `pending`, `done` with the reply, or `failed`. */
export function readState({ state, ...reply }: Readonly<Record<string, unknown>>): string | undefined {
  if (state === 'pending') return undefined
  if (state === 'done') return JSON.stringify(reply)
  throw new ProviderError('retry', state === 'failed' ? 'the job failed' : 'the reply has no known state')
}

async function pauseShortly(signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, 1)
  const stop = () => reject(signal.reason)
  signal.addEventListener('abort', stop)
  await promise.finally(() => {
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
  })
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
