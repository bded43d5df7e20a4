/**
 * An iterator whose reader takes what has arrived without a promise, and waits only for what has not. A chain of them waits
 * for an item once, where a chain of asynchronous generators waits in each of them.
 */
export abstract class PolledIterator<Item, End = undefined> implements AsyncIterableIterator<Item, End, undefined> {
  /** The next item, or the end. Undefined if neither has arrived. Throws the error that `next` rejects with. */
  abstract poll(): IteratorResult<Item, End> | undefined
  /** Resolves as soon as `poll` may return more, and when the iterator is closed. Never rejects. */
  abstract ready(): Promise<unknown>
  abstract return(): Promise<IteratorResult<Item, End>>

  async next(): Promise<IteratorResult<Item, End>> {
    for (;;) {
      const next = this.poll()
      if (next) return next
      await this.ready()
    }
  }

  [Symbol.asyncIterator](): this {
    return this
  }
}

/** The end of an iterator. */
export const ended: IteratorReturnResult<undefined> = Object.freeze({ done: true, value: undefined })

/** Any iterator as one that can be polled. An item is requested when the reader waits for it. */
export function polled<Item, End>(items: AsyncIterator<Item, End>): PolledIterator<Item, End | undefined> {
  return isPolled(items) ? items : new AwaitedIterator(items)
}

/** Its class may come from another version of this package. */
function isPolled<Item, End>(items: AsyncIterator<Item, End>): items is PolledIterator<Item, End> {
  return 'poll' in items && 'ready' in items
}

/** An iterator that gives only promises. */
class AwaitedIterator<Item, End> extends PolledIterator<Item, End | undefined> {
  readonly #items: AsyncIterator<Item, End>
  #arrived: IteratorResult<Item, End | undefined> | undefined = undefined
  #failure: { readonly error: unknown } | undefined = undefined
  #waiting: Promise<void> | undefined = undefined
  #wake = () => {}
  #isClosed = false

  constructor(items: AsyncIterator<Item, End>) {
    super()
    this.#items = items
  }

  poll(): IteratorResult<Item, End | undefined> | undefined {
    if (this.#isClosed) return ended
    if (this.#failure) {
      const { error } = this.#failure
      this.#failure = undefined
      throw error
    }
    const next = this.#arrived
    this.#arrived = undefined
    return next
  }

  ready(): Promise<void> {
    if (this.#waiting) return this.#waiting
    const waiting = new Promise<void>((resolve) => (this.#wake = resolve))
    this.#waiting = waiting
    void this.#request()
    return waiting
  }

  /** Also ends a wait for an iterator that ignores it. */
  async return(): Promise<IteratorResult<Item, End | undefined>> {
    this.#isClosed = true
    this.#wake()
    await this.#items.return?.()
    return ended
  }

  async #request(): Promise<void> {
    try {
      this.#arrived = await this.#items.next()
    } catch (error) {
      this.#failure = { error }
    }
    this.#waiting = undefined
    this.#wake()
  }
}
