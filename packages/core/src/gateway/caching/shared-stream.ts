import { ended, PolledIterator, polled } from '../../runtime/polled.ts'
import { closeIterator } from '../../runtime/run/task.ts'
import type { Waiter } from './single-flight.ts'

/** Exactly one method is called, once, when the iterator ends. */
export interface SharedEnd<Item> {
  complete(items: readonly Item[]): void
  broken(): void
}

/** The items of one iterator, for several readers, each of which gets all of them. It is read at the pace of the fastest. */
export class SharedItems<Item> {
  /** Resolves with all items once the iterator has ended, has failed, or is closed. */
  readonly over: Promise<readonly Item[]>
  readonly #items: Item[] = []
  readonly #source: PolledIterator<Item, unknown>
  readonly #end: SharedEnd<Item>
  readonly #resolveOver: () => void
  /** Remains set, so that later readers see how the iterator ended. */
  #outcome: { readonly error?: unknown } | undefined = undefined
  #isCanceled = false
  /** A wait for the iterator, which all readers share. */
  #waiting: Promise<unknown> | undefined = undefined

  constructor(source: AsyncIterator<Item>, end: SharedEnd<Item>) {
    const { promise, resolve } = Promise.withResolvers<readonly Item[]>()
    this.over = promise
    this.#resolveOver = () => resolve(this.#items)
    this.#source = polled<Item, unknown>(source)
    this.#end = end
  }

  /** The item at an index, or the end. Undefined if neither has arrived. */
  poll(index: number): IteratorResult<Item, undefined> | undefined {
    if (index === this.#items.length && !this.#outcome) this.#take()
    if (index < this.#items.length) return { done: false, value: this.#items[index]! }
    if (!this.#outcome) return undefined
    if ('error' in this.#outcome) throw this.#outcome.error
    return ended
  }

  ready(): Promise<unknown> {
    return (this.#waiting ??= this.#source.ready().finally(() => (this.#waiting = undefined)))
  }

  /** Closes the iterator before its end, so that it does not count as complete. */
  abort(): void {
    this.#isCanceled = true
    this.#resolveOver()
    closeIterator(this.#source)
  }

  #take(): void {
    const next = this.#poll()
    if (next?.done === false) this.#items.push(next.value)
    if (!next?.done) return
    this.#outcome = {}
    this.#resolveOver()
    if (!this.#isCanceled) this.#end.complete(this.#items)
  }

  /** Undefined also if the iterator has failed. */
  #poll(): IteratorResult<Item, unknown> | undefined {
    try {
      return this.#source.poll()
    } catch (error) {
      this.#outcome = { error }
      this.#end.broken()
      this.#resolveOver()
      return undefined
    }
  }
}

/** One reader of a shared stream. It leaves when its call is aborted or its iterator is closed, even before the first read. */
export class SharedReader<Item> extends PolledIterator<Item> {
  readonly #shared: SharedItems<Item>
  readonly #waiter: Waiter<unknown>
  #index = 0
  #isOver = false

  constructor(shared: SharedItems<Item>, waiter: Waiter<unknown>) {
    super()
    this.#shared = shared
    this.#waiter = waiter
  }

  poll(): IteratorResult<Item, undefined> | undefined {
    if (this.#isOver) return ended
    try {
      this.#waiter.throwIfAborted()
      const next = this.#shared.poll(this.#index)
      if (next?.done) {
        this.#isOver = true
        this.#waiter.end()
      } else if (next) this.#index++
      return next
    } catch (error) {
      this.#isOver = true
      this.#waiter.abort(error)
      throw error
    }
  }

  ready(): Promise<unknown> {
    return this.#waiter.race(this.#shared.ready()).catch(() => {})
  }

  async return(): Promise<IteratorResult<Item, undefined>> {
    if (!this.#isOver) this.#waiter.abort(undefined)
    this.#isOver = true
    return ended
  }
}
