import { ended, PolledIterator, polled, type UpstreamFacts } from '@fairlead/core/provider'

/** The callbacks from the reader of a reply to its client. */
export interface EventsOwner<Event> {
  /** Sends the post. Called by the first read. The facts are for the event `start`. */
  open(): Promise<{ readonly items: AsyncIterator<Event>; readonly facts: UpstreamFacts | undefined }>
  /** The error for the reader. */
  failed(error: unknown): unknown
  /** The reply has ended, or its reader has left early: what was received of it is valid. */
  ended(): void
}

/** The events of a post, whose `start` has the facts of the reply's headers; only pings precede it. */
export class PostedEvents<Event> extends PolledIterator<Event> {
  readonly #owner: EventsOwner<Event>
  #opening: Promise<void> | undefined = undefined
  #items: PolledIterator<Event, unknown> | undefined = undefined
  #failure: { readonly error: unknown } | undefined = undefined
  /** Until the start. */
  #facts: UpstreamFacts | undefined = undefined
  /** The event after a start that the upstream did not send. */
  #next: IteratorYieldResult<Event> | undefined = undefined
  #isOver = false

  constructor(owner: EventsOwner<Event>) {
    super()
    this.#owner = owner
  }

  poll(): IteratorResult<Event, undefined> | undefined {
    if (this.#isOver) return ended
    try {
      if (this.#failure) throw this.#failure.error
      const next = this.#next ?? this.#items?.poll()
      this.#next = undefined
      if (!next) return undefined
      if (!next.done) return this.#facts ? this.#started(next) : next
    } catch (error) {
      this.#isOver = true
      this.#close()
      throw this.#owner.failed(error)
    }
    this.#isOver = true
    this.#owner.ended()
    this.#close()
    return ended
  }

  ready(): Promise<unknown> {
    return this.#items ? this.#items.ready() : (this.#opening ??= this.#open())
  }

  async return(): Promise<IteratorResult<Event, undefined>> {
    if (this.#isOver) return ended
    this.#isOver = true
    if (this.#items) {
      this.#owner.ended()
      await this.#items.return()
    }
    return ended
  }

  async #open(): Promise<void> {
    try {
      const { items, facts } = await this.#owner.open()
      this.#items = polled(items)
      this.#facts = facts
      // The reader has left meanwhile.
      if (this.#isOver) this.#close()
    } catch (error) {
      this.#failure = { error }
    }
  }

  #close(): void {
    this.#items?.return().catch(() => {})
  }

  #started(next: IteratorYieldResult<Event>): IteratorYieldResult<Event> {
    const { type, response } = next.value as { readonly type?: unknown; readonly response?: object }
    if (type === 'alive') return next
    if (type !== 'start') this.#next = next
    const start = { type: 'start', response: { ...response, ...this.#facts } }
    this.#facts = undefined
    return { done: false, value: start as Event }
  }
}
