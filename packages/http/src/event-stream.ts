import type { ServerResponse } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Clock } from '@fairlead/core'
import { endResponse, untilRead } from './slow-reader.ts'

/** Sends server-sent events to one client (HTML standard, 9.2). */
export interface EventStream {
  /**
   * Sends an event, whose data is on one line. Events of the same tick are sent in one chunk.
   *
   * @returns a promise to await before the next event, if the client is slower than the stream
   */
  send(event: SentEvent): Promise<void> | undefined
  /** Sends buffered events, and ends the response. */
  end(): void
}

export interface SentEvent {
  /** Default: none, which is a `message`. */
  readonly type?: string
  readonly data: string
  /** Default: none. */
  readonly id?: string
}

/** The text of an event (HTML standard, 9.2.5). */
export function eventText({ type, data, id }: SentEvent): string {
  return `${id === undefined ? '' : `id: ${id}\n`}${type === undefined ? '' : `event: ${type}\n`}data: ${data}\n\n`
}

/** A stream without events sends a comment this often: proxies close connections that are silent for long. */
const pingMs = 15_000
/** In characters. A larger buffer would hide that the client is slow. */
const maxBuffered = 16_384

/** Streams events as the body of a response whose head has been written. */
export function openEventStream(response: ServerResponse, clock: Clock): EventStream {
  const stopPinging = keepPinging(response, clock)
  // The headers are sent together with the first event if there is one already.
  const head = setImmediate(() => response.flushHeaders())
  let hasBegun = false
  let buffered = ''

  function take(): string {
    const taken = buffered
    buffered = ''
    return taken
  }

  function write(): void {
    clearImmediate(head)
    if (buffered !== '') response.write(take())
  }

  return {
    send(event) {
      // Each write is an HTTP chunk, which costs more than its event. A tick comes after all pending promises.
      if (buffered === '') process.nextTick(write)
      buffered += eventText(event)
      if (buffered.length > maxBuffered) write()
      if (response.writableNeedDrain) return untilRead(response, 'drain', clock)
      if (hasBegun) return undefined
      hasBegun = true
      // Events that follow at once would delay the first one.
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
