import type { UpstreamFacts } from '@fairlead/core/provider'

/** What the reader of a reply tells its client. */
export interface EventsOwner<Event> {
  /** Sends the post. Called by the first read. The facts are for the event `start`. */
  open(): Promise<{ readonly items: AsyncIterator<Event>; readonly facts: UpstreamFacts | undefined }>
  /** The error for the reader. */
  failed(error: unknown): unknown
  /** The reply has ended, or its reader has left early: what was received of it is valid. */
  ended(): void
}

/** The events of a post, whose `start` has the facts of the reply's headers; only pings precede it. */
export class PostedEvents<Event> implements AsyncIterableIterator<Event, undefined, undefined> {
  readonly #owner: EventsOwner<Event>
  #items: AsyncIterator<Event> | undefined = undefined
  /** Until the start. */
  #facts: UpstreamFacts | undefined = undefined
  /** What follows a start that the upstream did not send. */
  #next: IteratorResult<Event, unknown> | undefined = undefined
  #isOver = false

  constructor(owner: EventsOwner<Event>) {
    this.#owner = owner
  }

  async next(): Promise<IteratorResult<Event, undefined>> {
    if (this.#isOver) return { done: true, value: undefined }
    try {
      const items = this.#items ?? (await this.#open())
      const next = this.#next ?? (await items.next())
      this.#next = undefined
      if (next.done) return await this.return()
      return this.#facts ? this.#started(next) : next
    } catch (error) {
      this.#isOver = true
      throw this.#owner.failed(error)
    }
  }

  async return(): Promise<IteratorResult<Event, undefined>> {
    if (!this.#isOver && this.#items) {
      this.#isOver = true
      this.#owner.ended()
      await this.#items.return?.()
    }
    this.#isOver = true
    return { done: true, value: undefined }
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  async #open(): Promise<AsyncIterator<Event>> {
    const { items, facts } = await this.#owner.open()
    this.#facts = facts
    return (this.#items = items)
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
