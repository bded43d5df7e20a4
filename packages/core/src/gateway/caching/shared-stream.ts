import { raceAbort } from '../../runtime/deadline.ts'
import { closeIterator } from '../routing/router.ts'
import type { Waiter } from './single-flight.ts'

/** One iterator for several readers, each of whom gets everything from the beginning. */
export interface SharedItems<Item> {
  /** Asks for more only when a reader does: the fastest reader sets the pace. */
  open(): AsyncGenerator<Item, void, undefined>
  /** Ends the iterator before its end: what came of it is not everything. */
  cancel(): void
}

/** Told, once, how the iterator ended: with everything, or broken. */
export interface SharedEnd<Item> {
  complete(items: readonly Item[]): void
  broken(): void
}

export function shareItems<Item>(source: AsyncIterator<Item>, end: SharedEnd<Item>): SharedItems<Item> {
  const items: Item[] = []
  // Kept once the iterator has ended: whoever gets there later finds out how.
  let pulling: Promise<boolean> | undefined
  let isCancelled = false

  async function pull(): Promise<boolean> {
    const next = await nextOf(source, end)
    if (next.done) {
      if (!isCancelled) end.complete(items)
      return false
    }
    items.push(next.value)
    pulling = undefined
    return true
  }

  return {
    async *open() {
      for (let at = 0; at < items.length || (await (pulling ??= pull())); at++) yield items[at] as Item
    },
    cancel() {
      isCancelled = true
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
 * What one of several reads of a stream. It gets off when its signal aborts or its iterator is returned, be that before
 * the first read, of which a generator would never hear.
 */
export function readShared<Item>(
  shared: SharedItems<Item>,
  waiter: Waiter<unknown>,
  signal: AbortSignal,
): AsyncIterableIterator<Item, void, undefined> {
  const items = shared.open()
  const leave = () => waiter.leave(signal.reason)
  if (signal.aborted) leave()
  else signal.addEventListener('abort', leave, { once: true })
  let isEnded = false
  const end = () => {
    isEnded = true
    signal.removeEventListener('abort', leave)
  }
  return {
    async next() {
      if (isEnded) return { done: true, value: undefined }
      try {
        const next = await raceAbort(items.next(), signal)
        if (next.done) end()
        return next
      } catch (error) {
        end()
        leave()
        throw error
      }
    },
    async return() {
      if (!isEnded) leave()
      end()
      return { done: true, value: undefined }
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}
