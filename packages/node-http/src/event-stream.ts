import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Clock } from '@fairlead/core'

/** Server-sent events on their way to one reader (HTML standard, 9.2). */
export interface EventStream {
  /**
   * Sends an event; those that come together go out together.
   *
   * @returns what to wait for before the next one: a reader who is slower than the stream
   */
  send(type: string, data: string): Promise<void> | undefined
  /** Sends what is left, and ends the response. */
  end(): void
}

/** A comment this often keeps proxies from taking a silent stream for a dead one. */
const pingMs = 15_000
/** A reader that does not catch up for so long is cut off: what it holds up would be held for ever. */
const patienceMs = 30_000
/** In characters; a reader's slowness must be felt before much has gathered. */
const mostGathered = 16_384

/** Streams events as the body of a response whose head was written. */
export function openEventStream(response: ServerResponse, clock: Clock): EventStream {
  const stopPinging = keepPinging(response, clock)
  // Headers go out with the first event where it is there already.
  const head = setImmediate(() => response.flushHeaders())
  let begun = false
  let gathered = ''

  function take(): string {
    const taken = gathered
    gathered = ''
    return taken
  }

  function write(): void {
    clearImmediate(head)
    if (gathered !== '') response.write(take())
  }

  return {
    send(type, data) {
      // Each write is a chunk of its own to HTTP, and costs more than its event. A tick comes after all that promises
      // have to do.
      if (gathered === '') process.nextTick(write)
      gathered += `event: ${type}\ndata: ${data}\n\n`
      if (gathered.length > mostGathered) write()
      if (response.writableNeedDrain) return drained(response, clock)
      if (begun) return undefined
      begun = true
      // Those that are there already would hold the first one up.
      return nextTurn()
    },
    end() {
      stopPinging()
      clearImmediate(head)
      response.end(take())
    },
  }
}

async function drained(response: ServerResponse, clock: Clock): Promise<void> {
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

function keepPinging(response: ServerResponse, clock: Clock): () => void {
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
