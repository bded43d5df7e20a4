import { type Clock, ended, PolledIterator, ProviderError } from '@fairlead/core/provider'
import { createEventInbox, type EventInbox } from './event-inbox.ts'
import { createJsonInbox } from './json-inbox.ts'
import type { Reply } from './upstream-exchange.ts'
import { sniffForm, type ReplyBody } from './reply-body.ts'

/** The events of a stream that are no pieces of its answer. */
export interface StreamMarks<Output> {
  /** The data of the event that only ends the stream: `[DONE]`. Default: none. */
  readonly endMark?: string
  /** The event that stands for the end mark. Default: none. */
  readonly atEndMark?: Output
  /** The event that ends the stream. Default: none, the stream ends with the reply. */
  readonly isLast?: (event: Output) => boolean
  /** The event that stands for a comment of the stream, with which servers say that they are alive. Default: none. */
  readonly ping?: Output
  /**
   * The events that a whole reply stands for, which some servers send although a stream was asked for; undefined for a
   * value that is an event. Default: a reply that is JSON is an error.
   */
  readonly eventsOf?: (reply: unknown) => readonly unknown[] | undefined
}

/** The form of stream that was asked for. `lines` are values of JSON, one after the other, or in a list. */
export type StreamForm = 'events' | 'lines'

/** How long JSON in the place of events may be incomplete without another byte. */
const maxSilenceMs = 5_000

/** The events of a reply, as they arrive. Ends with the body or the last event. The bytes say what the reply is. */
export class SentEvents<Output> extends PolledIterator<Output> {
  readonly #reply: Pick<Reply, 'headers' | 'body'>
  readonly #body: ReplyBody
  readonly #read: (data: string) => Output
  readonly #marks: StreamMarks<Output>
  readonly #expected: StreamForm
  #inbox: EventInbox | undefined
  /** The data of events, and undefined for comments. */
  #unread: readonly (string | undefined)[] = []
  #at = 0
  #isComplete = false
  readonly #clock: Clock
  #stopWaiting = () => {}

  constructor(
    reply: Pick<Reply, 'headers' | 'body'>,
    read: (data: string) => Output,
    marks: StreamMarks<Output>,
    expected: StreamForm,
    clock: Clock,
  ) {
    super()
    this.#clock = clock
    this.#reply = reply
    this.#body = reply.body
    this.#read = read
    this.#marks = marks
    this.#expected = expected
  }

  poll(): IteratorResult<Output, undefined> | undefined {
    while (this.#at === this.#unread.length) {
      if (this.#isComplete) {
        if (this.#inbox?.isPartial) throw new ProviderError('retry', 'the reply ends within a value of JSON')
        return this.#end()
      }
      const next = this.#body.poll()
      if (!next) return undefined
      this.#isComplete = next.done === true
      this.#inbox ??= next.value && this.#open(next.value)
      this.#unread = this.#inbox?.receive(next.value) ?? []
      this.#at = 0
      const isPartial = this.#expected === 'events' ? this.#inbox?.isPartial : undefined
      if (isPartial !== undefined) this.#limitSilence(isPartial && !this.#isComplete)
    }
    const { endMark, atEndMark, isLast, ping } = this.#marks
    const data = this.#unread[this.#at++]
    if (data === undefined) return { done: false, value: ping! }
    if (data.trim() === endMark) {
      this.#end()
      return atEndMark === undefined ? ended : { done: false, value: atEndMark }
    }
    const event = this.#read(data)
    if (isLast?.(event)) this.#end()
    return { done: false, value: event }
  }

  ready(): Promise<void> {
    return this.#body.ready()
  }

  /** Closes the connection, unless the stream has ended. */
  async return(): Promise<IteratorResult<Output, undefined>> {
    this.#stopWaiting()
    if (!this.#isComplete) void this.#body.return()
    return ended
  }

  #limitSilence(isPartial: boolean): void {
    this.#stopWaiting()
    if (isPartial) this.#stopWaiting = this.#clock.schedule(maxSilenceMs, () => void this.#body.return())
  }

  /** Undefined as long as nothing but space has arrived. */
  #open(bytes: Buffer): EventInbox | undefined {
    const type = this.#reply.headers['content-type'] ?? ''
    const isEvents = type === '' || /\btext\/event-stream\b/.test(type)
    const { eventsOf, endMark, ping } = this.#marks
    const keepsPings = ping !== undefined
    const form = sniffForm(bytes)
    if (form === undefined) return undefined
    const isLines = this.#expected === 'lines'
    if (form === 'json' || (form === 'other' && (/json/.test(type) || (isLines && type === '')))) {
      const refuse = (value: unknown) => this.#refuse(value)
      return createJsonInbox(eventsOf ?? (isLines ? undefined : refuse), endMark, keepsPings)
    }
    if (form === 'other' && !isEvents) throw new ProviderError('retry', `the reply is ${type}: ${bytes.toString()}`)
    return createEventInbox(keepsPings)
  }

  /** An upstream that fails before it streams may send its error as JSON with a status of success. */
  #refuse(value: unknown): never {
    this.#read(JSON.stringify(value))
    throw new ProviderError('give_up', 'the reply is JSON instead of a stream')
  }

  #end(): IteratorReturnResult<undefined> {
    this.#stopWaiting()
    this.#isComplete = true
    this.#inbox = undefined
    this.#unread = []
    this.#at = 0
    this.#body.finish()
    return ended
  }
}
