import type { ServerResponse } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Clock } from '@fairlead/core'
import { endResponse, untilTaken } from './slow-reader.ts'

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
      if (response.writableNeedDrain) return untilTaken(response, 'drain', clock)
      if (begun) return undefined
      begun = true
      // Those that are there already would hold the first one up.
      return nextTurn()
    },
    end() {
      stopPinging()
      clearImmediate(head)
      endResponse(response, take(), clock)
    },
  }
}

function keepPinging(response: ServerResponse, clock: Clock): () => void {
  let cancel: () => void
  const wait = () => {
    cancel = clock.schedule(pingMs, () => {
      response.write(': ping\n\n')
      wait()
    })
  }
  wait()
  return () => cancel()
}
