import { ended, PolledIterator, polled } from '@fairlead/core/provider'

/** Reads the events of one stream of an upstream as those of a provider. */
export interface EventReader<Sent, Event> {
  /** The events that one of the upstream stands for. */
  read(sent: Sent): readonly Event[]
  /** The last events, once the upstream's have ended. Throws if they are not complete. */
  end(): readonly Event[]
}

/** The events that a reader makes of those of an upstream, without a promise for those that have arrived. */
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
