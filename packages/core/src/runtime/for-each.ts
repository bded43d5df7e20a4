/**
 * Works on all items, on several at a time. If the work on one fails, the signal of the others aborts, and the first
 * error is thrown.
 *
 * @param max maximum number of items in work at a time
 * @param signal aborts all work
 */
export async function forEach<Item>(
  items: Iterable<Item>,
  { max, signal: outer }: { readonly max: number; readonly signal: AbortSignal },
  work: (item: Item, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const waiting = [...items]
  const failed = new AbortController()
  const signal = AbortSignal.any([outer, failed.signal])
  async function workOnNext(): Promise<void> {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) {
      signal.throwIfAborted()
      await work(item, signal)
    }
  }
  try {
    await Promise.all(Array.from({ length: max }, workOnNext))
  } catch (error) {
    failed.abort(error)
    throw error
  }
}
