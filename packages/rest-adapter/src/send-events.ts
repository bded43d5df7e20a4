import { once } from 'node:events'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Streaming } from '@fairlead/core'
import type { Exchange } from './exchange.ts'
import { successHeaders } from './success-headers.ts'
import { failureBody, successBody } from './wire-envelope.ts'
import type { WireNames } from './wire-names.ts'

export interface EventNames {
  readonly data: WireNames
  readonly chunk: WireNames
}

/** A comment this often keeps proxies from taking a silent stream for a dead one. */
const pingMs = 15_000
/** A reader that takes nothing for so long is cut off: what it holds up would be held for ever. */
const patienceMs = 30_000

/** Streams as `text/event-stream` (HTML standard, 9.2): `chunk` events, then `done` with the whole body, or `error`. */
export async function sendEvents(
  exchange: Exchange,
  reply: Streaming<unknown, unknown>,
  names: EventNames,
  hoist: boolean,
): Promise<void> {
  const { response } = exchange
  response.writeHead(200, {
    ...successHeaders(exchange, reply),
    'Content-Type': 'text/event-stream; charset=utf-8',
    'X-Accel-Buffering': 'no',
  })
  const stopPinging = keepPinging(exchange)
  const gathered = gatherWrites(response)
  let begun = false
  try {
    for await (const event of reply.events) {
      if (event.type === 'error') exchange.code = event.reply.error.code
      gathered.write(`event: ${event.type}\ndata: ${JSON.stringify(bodyOf(event, names, hoist))}\n\n`)
      // What is written goes out when nothing is left to be done, and events that are there already would hold it up.
      if (!begun) await nextTurn()
      begun = true
      if (response.writableNeedDrain) await drained(exchange)
      if (response.destroyed) break
    }
  } finally {
    stopPinging()
    response.end(gathered.take())
  }
}

/** In characters; a reader's slowness must be felt before much has gathered. */
const mostGathered = 16_384

/** Events that come together go out together: each write is a chunk of its own to HTTP, and costs more than its event. */
function gatherWrites(response: Exchange['response']) {
  let text = ''
  const take = () => {
    const taken = text
    text = ''
    return taken
  }
  const send = () => {
    if (text !== '') response.write(take())
  }
  return {
    take,
    write(more: string): void {
      // A tick comes after all that promises have to do.
      if (text === '') process.nextTick(send)
      text += more
      if (text.length > mostGathered) send()
    },
  }
}

type Event = Streaming<unknown, unknown>['events'] extends AsyncIterable<infer Item> ? Item : never

function bodyOf(event: Event, names: EventNames, hoist: boolean): unknown {
  switch (event.type) {
    case 'chunk':
      return names.chunk.write(event.chunk)
    case 'done':
      return successBody(event.reply, names.data, hoist)
    case 'error':
      return failureBody(event.reply)
  }
}

/** Waits for a reader that is slower than the stream. */
async function drained({ response, clock }: Exchange): Promise<void> {
  // Nobody drains what is closed already, and no event will tell of it again.
  if (response.destroyed) return
  const waiting = new AbortController()
  const stop = () => waiting.abort()
  const calmDown = clock.alarm(patienceMs, () => response.destroy())
  response.once('close', stop)
  await once(response, 'drain', { signal: waiting.signal }).catch(() => {})
  response.off('close', stop)
  calmDown()
}

function keepPinging({ response, clock }: Exchange): () => void {
  let cancel: () => void
  const wait = () => {
    cancel = clock.alarm(pingMs, () => {
      response.write(': ping\n\n')
      wait()
    })
  }
  wait()
  return () => cancel()
}
