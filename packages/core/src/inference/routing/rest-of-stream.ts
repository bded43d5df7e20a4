import type { Clock } from '../../ports/clock.ts'
import type { Attempt } from './attempt.ts'
import { letGo } from './let-go.ts'

/** A stream whose first item is there. */
export interface BegunStream<Item> {
  readonly first: IteratorResult<Item, unknown>
  readonly items: AsyncIterator<Item>
}

export interface StreamWatch {
  readonly clock: Clock
  readonly attempt: Attempt
  readonly idleMs: number
  /** What the caller is told of an error. */
  readonly fail: (error: unknown) => unknown
}

/** All items, from the first: each within the idle time of the one before was asked for, all before the call's end. */
export async function* restOfStream<Item>(
  { first, items }: BegunStream<Item>,
  { clock, attempt, idleMs, fail }: StreamWatch,
): AsyncGenerator<Item, void, undefined> {
  const { deadline, providerCall } = attempt
  let next = first
  try {
    while (!next.done) {
      // Nobody is idle while the reader takes its time.
      deadline.moveTo(providerCall.deadline)
      yield next.value
      deadline.signal.throwIfAborted()
      deadline.moveTo(Math.min(clock.now() + idleMs, providerCall.deadline))
      next = await deadline.race(items.next())
    }
    attempt.finished()
  } catch (error) {
    throw fail(error)
  } finally {
    attempt.close()
    if (!next.done) letGo(items)
  }
}
