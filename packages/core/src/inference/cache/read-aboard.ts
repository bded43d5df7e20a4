import { raceAbort } from '../routing/deadline.ts'
import type { Boarding } from './flights.ts'
import type { SharedItems } from './share-items.ts'

/**
 * What one of several reads of a stream. It gets off when its signal aborts or its iterator is returned, be that before
 * the first read, of which a generator would never hear.
 */
export function readAboard<Item>(
  shared: SharedItems<Item>,
  boarding: Boarding<unknown>,
  signal: AbortSignal,
): AsyncIterableIterator<Item, void, undefined> {
  const items = shared.open()
  const leave = () => boarding.leave(signal.reason)
  if (signal.aborted) leave()
  else signal.addEventListener('abort', leave, { once: true })
  let isOver = false
  const end = () => {
    isOver = true
    signal.removeEventListener('abort', leave)
  }
  return {
    async next() {
      if (isOver) return { done: true, value: undefined }
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
      if (!isOver) leave()
      end()
      return { done: true, value: undefined }
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}
