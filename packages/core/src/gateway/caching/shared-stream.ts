import { closeIterator } from '../../runtime/run/task.ts'
import type { Waiter } from './single-flight.ts'

/** Exactly one method is called, once, when the iterator ends. */
export interface SharedEnd<Item> {
  complete(items: readonly Item[]): void
  broken(): void
}

export type SharedItems<Item> = ReturnType<typeof shareItems<Item>>

/** One iterator for several readers, each of which gets all items from the beginning. */
export function shareItems<Item>(source: AsyncIterator<Item>, end: SharedEnd<Item>) {
  const items: Item[] = []
  // Remains set after the iterator has ended, so that later readers see how it ended.
  let pulling: Promise<boolean> | undefined
  let isCanceled = false
  const over = Promise.withResolvers<readonly Item[]>()

  async function pull(): Promise<boolean> {
    const next = await nextOf(source, end).catch((error) => {
      over.resolve(items)
      throw error
    })
    if (next.done) {
      over.resolve(items)
      if (!isCanceled) end.complete(items)
      return false
    }
    items.push(next.value)
    pulling = undefined
    return true
  }

  return {
    /** Resolves with all items once the iterator has ended, has failed, or is closed. */
    over: over.promise,
    /** The iterator is read at the pace of the fastest reader. */
    async *open(): AsyncGenerator<Item, void, undefined> {
      for (let at = 0; at < items.length || (await (pulling ??= pull())); at++) yield items[at] as Item
    },
    /** Closes the iterator before its end, so that it does not count as complete. */
    cancel(): void {
      isCanceled = true
      over.resolve(items)
      closeIterator(source)
    },
  }
}

async function nextOf<Item>(source: AsyncIterator<Item>, end: SharedEnd<Item>): Promise<IteratorResult<Item, unknown>> {
  try {
    return await source.next()
  } catch (error) {
    end.broken()
    throw error
  }
}

/**
 * One reader of a shared stream. It leaves when its call is aborted or its iterator is closed, even before the first read,
 * which a generator could not notice.
 */
export function readShared<Item>(
  shared: SharedItems<Item>,
  waiter: Waiter<unknown>,
): AsyncIterableIterator<Item, void, undefined> {
  const items = shared.open()
  let isEnded = false
  return {
    async next() {
      if (isEnded) return { done: true, value: undefined }
      try {
        const next = await waiter.race(items.next())
        isEnded = next.done === true
        if (isEnded) waiter.end()
        return next
      } catch (error) {
        isEnded = true
        waiter.abort(error)
        throw error
      }
    },
    async return() {
      if (!isEnded) waiter.abort(undefined)
      isEnded = true
      return { done: true, value: undefined }
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}
