/** A queue between a producer that can't wait and a slow reader. */
export class EventQueue<Event> {
  readonly #events: Event[] = []
  #outcome: { readonly error?: unknown } | undefined
  #wake = () => {}

  push(event: Event): void {
    this.#events.push(event)
    this.#wake()
  }

  /** Ends the queue when the producer has ended, and fails it with the producer's error. */
  endWith(producer: Promise<void>): void {
    const end = (outcome: { readonly error?: unknown }) => {
      this.#outcome = outcome
      this.#wake()
    }
    producer.then(
      () => end({}),
      (error: unknown) => end({ error }),
    )
  }

  async *read(): AsyncGenerator<Event, void, undefined> {
    while (true) {
      while (this.#events.length > 0) yield this.#events.shift()!
      if (this.#outcome && 'error' in this.#outcome) throw this.#outcome.error
      if (this.#outcome) return
      await new Promise<void>((resolve) => void (this.#wake = resolve))
    }
  }
}
