import { ended, PolledIterator, polled, type AnswerUsage } from '@fairlead/core/provider'

/** Turns the events of one upstream stream into provider events. */
export interface EventReader<Sent, Event> {
  /** The provider events for one event of the upstream. */
  read(sent: Sent): readonly Event[]
  /** The last provider events, after the upstream's last one. Throws if the stream is incomplete. */
  end(): readonly Event[]
}

/** The provider events of a stream. Events that have arrived take no promise. */
export function mapEvents<Sent, Event>(
  sent: AsyncIterable<Sent>,
  reader: EventReader<Sent, Event>,
): PolledIterator<Event> {
  return new MappedEvents(polled(sent[Symbol.asyncIterator]()), reader)
}

class MappedEvents<Sent, Event> extends PolledIterator<Event> {
  readonly #sent: PolledIterator<Sent, unknown>
  readonly #reader: EventReader<Sent, Event>
  #events: readonly Event[] = []
  #at = 0
  #hasEnded = false

  constructor(sent: PolledIterator<Sent, unknown>, reader: EventReader<Sent, Event>) {
    super()
    this.#sent = sent
    this.#reader = reader
  }

  poll(): IteratorResult<Event, undefined> | undefined {
    while (this.#at === this.#events.length) {
      if (this.#hasEnded) return ended
      const next = this.#sent.poll()
      if (!next) return undefined
      this.#hasEnded = next.done === true
      this.#events = next.done ? this.#reader.end() : this.#reader.read(next.value)
      this.#at = 0
    }
    return { done: false, value: this.#events[this.#at++]! }
  }

  ready(): Promise<unknown> {
    return this.#sent.ready()
  }

  async return(): Promise<IteratorResult<Event, undefined>> {
    this.#hasEnded = true
    this.#at = this.#events.length
    await this.#sent.return()
    return ended
  }
}

const minTokens = 16
const minShare = 1.1

/**
 * Whether the counts of a stream have grown enough since they were last reported to report them again. Each report
 * reaches clients, so one for every chunk would be too many.
 *
 * @param reported undefined before the first report
 */
export function hasGrown(reported: AnswerUsage | undefined, { completionTokens }: AnswerUsage): boolean {
  return reported === undefined || completionTokens >= reported.completionTokens * minShare + minTokens
}
