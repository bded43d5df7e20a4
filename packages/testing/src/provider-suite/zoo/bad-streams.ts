import type { TextEvent } from '@fairlead/core/provider'
import { swapped } from '../sample-provider.ts'
import { type BadProvider, changed, each, type Events, never, streamed } from './bad-provider.ts'

async function* collected(events: Events): AsyncGenerator<TextEvent, void, undefined> {
  const all: TextEvent[] = []
  for await (const event of events) all.push(event)
  yield* all
}

async function* finished(events: Events): AsyncGenerator<TextEvent, void, undefined> {
  try {
    yield* events
  } catch (error) {
    if ((error as Error).name !== 'ProviderError') throw error
  }
  yield { type: 'finish', finishReason: 'stop' }
}

async function* readAhead(events: Events): AsyncGenerator<TextEvent, void, undefined> {
  const read: TextEvent[] = []
  const state: { isDone: boolean; error?: unknown } = { isDone: false }
  let wake = () => {}
  const reading = (async () => {
    for await (const event of events) {
      read.push(event)
      wake()
    }
  })().catch((error: unknown) => void (state.error = error))
  void reading.finally(() => {
    state.isDone = true
    wake()
  })
  while (!state.isDone || read.length > 0) {
    const next = read.shift()
    if (next) yield next
    else await new Promise<void>((resolve) => (wake = resolve))
  }
  if (state.error !== undefined) throw state.error
}

export const badStreams: readonly BadProvider[] = [
  streamed(
    'lines',
    'drops pieces of white space',
    'keeps the order of the pieces',
    each((event) => (event.type === 'part_delta' && event.text?.trim() === '' ? [] : [event])),
  ),
  streamed('events', 'exchanges pieces', 'keeps the order of the pieces', swapped),
  streamed('jobs', 'collects its stream', 'passes on each piece as it arrives', collected),
  streamed(
    'token',
    'completes a stream that broke off',
    'never returns a truncated reply as complete (stream)',
    finished,
  ),
  streamed(
    'events',
    'adds a text after the finish',
    'sends nothing after the finish of its stream',
    each((event) =>
      event.type === 'finish' ? [event, { type: 'part_start', index: 9, part: { type: 'text', text: '' } }] : [event],
    ),
  ),
  streamed(
    'lines',
    'does not end its parts',
    'starts and ends each part of its stream',
    each((event) => (event.type === 'part_end' ? [] : [event])),
  ),
  streamed('lines', 'reads ahead without a limit', 'stops reading while its stream is not read', readAhead),
  changed(
    'lines',
    'hears no abort after the first piece',
    'hangs up within a second of an abort after each piece',
    ({ streamText }) => ({
      streamText: (request, call) => streamText(request, { ...call, signal: never() }),
    }),
  ),
]
