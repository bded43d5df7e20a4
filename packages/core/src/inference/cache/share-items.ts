import { letGo } from '../routing/let-go.ts'

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
      letGo(source)
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
