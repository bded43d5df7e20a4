import { ProviderError } from '@fairlead/core/provider'
import { createParser, type ParseError } from 'eventsource-parser'
import type { ReplyBody } from './reply-body.ts'

export interface EventReading<Output> {
  /** Reads the data of an event. */
  readonly read: (data: string) => Output
  /** Data that ends the stream and says nothing else. */
  readonly endMark?: string | undefined
  /** The event that ends the stream. */
  readonly isLast?: ((event: Output) => boolean) | undefined
}

/** Characters of one event; no piece of an answer comes near. */
const longestEvent = 1024 * 1024
/** Bytes of one stream; the longest answers, a token an event, stay well below. */
const mostStreamBytes = 256 * 1024 * 1024

/**
 * Each server-sent event of a body, as it comes. Ends where the body does, or where the reading says; whoever leaves
 * before that ends the connection. Written as an iterator because every piece of every answer passes through: as a
 * generator it costs three times as much.
 */
export function readEvents<Output>(
  body: ReplyBody,
  { read, endMark, isLast }: EventReading<Output>,
): AsyncIterableIterator<Output, undefined> {
  const inbox = createInbox()
  let unread: readonly string[] = []
  let at = 0
  let isComplete = false

  function end(): { readonly done: true; readonly value: undefined } {
    isComplete = true
    unread = []
    at = 0
    body.finish()
    return { done: true, value: undefined }
  }

  return {
    async next() {
      try {
        while (at === unread.length) {
          if (isComplete) return end()
          const { done, value } = await body.next()
          isComplete = done === true
          unread = inbox.receive(value)
          at = 0
        }
        const data = unread[at++]!
        if (data === endMark) return end()
        const event = read(data)
        if (isLast?.(event)) end()
        return { done: false, value: event }
      } catch (error) {
        void body.return()
        throw error
      }
    },
    async return() {
      if (!isComplete) void body.return()
      return { done: true, value: undefined }
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}

/** Turns bytes into the data of events. The last one counts even where the body ends without the empty line after it. */
function createInbox() {
  let events: string[] = []
  const parser = createParser({
    onEvent: ({ data }) => void events.push(data),
    onError: refuseEndless,
    maxBufferSize: longestEvent,
  })
  const decoder = new TextDecoder()
  let bytes = 0
  return {
    receive(piece: Buffer | undefined): readonly string[] {
      bytes += piece?.length ?? 0
      if (bytes > mostStreamBytes) {
        throw new ProviderError('give_up', `the stream has more than ${mostStreamBytes} bytes`)
      }
      events = []
      parser.feed(piece ? decoder.decode(piece, { stream: true }) : `${decoder.decode()}\n\n`)
      return events
    },
  }
}

function refuseEndless({ type }: ParseError): void {
  if (type !== 'max-buffer-size-exceeded') return
  throw new ProviderError('give_up', `an event of the stream has more than ${longestEvent} characters`)
}
