import { StringDecoder } from 'node:string_decoder'
import { ended, PolledIterator, ProviderError } from '@fairlead/core/provider'
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

/** The server-sent events of a body, as they arrive. Ends with the body or the last event. */
export class SentEvents<Output> extends PolledIterator<Output> {
  readonly #body: ReplyBody
  readonly #read: (data: string) => Output
  readonly #marks: StreamMarks<Output>
  readonly #inbox: Inbox
  /** The data of events, and undefined for comments. */
  #unread: readonly (string | undefined)[] = []
  #at = 0
  #isComplete = false

  constructor(body: ReplyBody, read: (data: string) => Output, marks: StreamMarks<Output>) {
    super()
    this.#body = body
    this.#read = read
    this.#marks = marks
    this.#inbox = createInbox(marks.ping !== undefined)
  }

  poll(): IteratorResult<Output, undefined> | undefined {
    while (this.#at === this.#unread.length) {
      if (this.#isComplete) return this.#end()
      const next = this.#body.poll()
      if (!next) return undefined
      this.#isComplete = next.done === true
      this.#unread = this.#inbox.receive(next.value)
      this.#at = 0
    }
    const { endMark, isLast, ping } = this.#marks
    const data = this.#unread[this.#at++]
    if (data === undefined) return { done: false, value: ping! }
    if (data === endMark) return this.#end()
    const event = this.#read(data)
    if (isLast?.(event)) this.#end()
    return { done: false, value: event }
  }

  ready(): Promise<void> {
    return this.#body.ready()
  }

  /** Closes the connection, unless the stream has ended. */
  async return(): Promise<IteratorResult<Output, undefined>> {
    if (!this.#isComplete) void this.#body.return()
    return ended
  }

  #end(): IteratorReturnResult<undefined> {
    this.#isComplete = true
    this.#unread = []
    this.#at = 0
    this.#body.finish()
    return ended
  }
}

type Inbox = ReturnType<typeof createInbox>

/** Parses bytes into the data of events, and undefined for comments. The last event needs no empty line after it. */
function createInbox(keepsComments: boolean) {
  let events: (string | undefined)[] = []
  const add = (data: string | undefined) => {
    // An array that grows takes room for 17 events.
    if (events.length === 0) events = [data]
    else events.push(data)
  }
  const parser = createParser({
    onEvent: ({ data }) => add(data),
    ...(keepsComments && { onComment: () => add(undefined) }),
    onError: refuseEndless,
    maxBufferSize: maxEventLength,
  })
  const decoder = new StringDecoder('utf8')
  let bytes = 0
  return {
    receive(piece: Buffer | undefined): readonly (string | undefined)[] {
      bytes += piece?.length ?? 0
      if (bytes > maxStreamBytes) {
        throw new ProviderError('give_up', `the stream has more than ${maxStreamBytes} bytes`)
      }
      events = []
      parser.feed(piece ? decoder.write(piece) : `${decoder.end()}\n\n`)
      return events
    },
  }
}

function refuseEndless({ type }: ParseError): void {
  if (type !== 'max-buffer-size-exceeded') return
  throw new ProviderError('give_up', `an event of the stream has more than ${maxEventLength} characters`)
}
