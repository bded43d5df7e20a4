import { ProviderError } from '@fairlead/core/provider'
import { createParser, type ParseError } from 'eventsource-parser'
import type { ReplyBody } from './reply-body.ts'

/** The events of a stream that are no pieces of its answer. */
export interface StreamMarks<Output> {
  /** The data of the event that only ends the stream: `[DONE]`. Default: none. */
  readonly endMark?: string
  /** The event that ends the stream. Default: none, the stream ends with the reply. */
  readonly isLast?: (event: Output) => boolean
  /** The event that stands for a comment of the stream, with which servers say that they are alive. Default: none. */
  readonly ping?: Output
}

/** The maximum length of an event, in characters. The last one of OpenAI's Responses API repeats the whole answer. */
const maxEventLength = 8 * 1024 * 1024
/** The maximum size of a stream: far more than the longest response with one event per token. */
const maxStreamBytes = 256 * 1024 * 1024

/**
 * The server-sent events of a body, as they arrive. Ends with the body or the last event; a reader that leaves earlier
 * closes the connection. It is an iterator because every chunk of every response passes through: as a generator it takes
 * three times as long.
 */
export function readEvents<Output>(
  body: ReplyBody,
  read: (data: string) => Output,
  { endMark, isLast, ping }: StreamMarks<Output>,
): AsyncIterableIterator<Output, undefined> {
  const inbox = createInbox(ping !== undefined)
  let unread: readonly (string | undefined)[] = []
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
          const { done, value } = body.poll() ?? (await body.next())
          isComplete = done === true
          unread = inbox.receive(value)
          at = 0
        }
        const data = unread[at++]
        if (data === undefined) return { done: false, value: ping! }
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

/** Parses bytes into the data of events, and undefined for comments. The last event needs no empty line after it. */
function createInbox(keepsComments: boolean) {
  let events: (string | undefined)[] = []
  const parser = createParser({
    onEvent: ({ data }) => void events.push(data),
    ...(keepsComments && { onComment: () => void events.push(undefined) }),
    onError: refuseEndless,
    maxBufferSize: maxEventLength,
  })
  const decoder = new TextDecoder()
  let bytes = 0
  return {
    receive(piece: Buffer | undefined): readonly (string | undefined)[] {
      bytes += piece?.length ?? 0
      if (bytes > maxStreamBytes) {
        throw new ProviderError('give_up', `the stream has more than ${maxStreamBytes} bytes`)
      }
      events = []
      parser.feed(piece ? decoder.decode(piece, { stream: true }) : `${decoder.decode()}\n\n`)
      return events
    },
  }
}

function refuseEndless({ type }: ParseError): void {
  if (type !== 'max-buffer-size-exceeded') return
  throw new ProviderError('give_up', `an event of the stream has more than ${maxEventLength} characters`)
}
