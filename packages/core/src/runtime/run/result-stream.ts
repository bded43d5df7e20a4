/** An iterator whose end can be had without reading what comes before. */
export type WithResult<Item, Returned, Result> = AsyncGenerator<Item, Returned, undefined> & {
  result(): Promise<Result>
}

/**
 * Adds `result()`, which resolves with the end of an iterator once it was read, and discards the items that were not read
 * before. It rejects as the iterator did.
 *
 * @param toReturned what the loop's own return value is
 */
export function withResult<Item, Result, Returned>(
  items: AsyncGenerator<Item, Result, undefined>,
  toReturned: (result: Result) => Returned,
): WithResult<Item, Returned, Result> {
  let end: { readonly result: Result } | undefined
  let failure: unknown = new Error('The stream was closed before its end.')

  async function* read(): AsyncGenerator<Item, Returned, undefined> {
    try {
      const result = yield* items
      end = { result }
      return toReturned(result)
    } catch (error) {
      failure = error
      throw error
    }
  }

  const reader = read()
  return Object.assign(reader, {
    async result(): Promise<Result> {
      while (!(await reader.next()).done);
      if (!end) throw failure
      return end.result
    },
  })
}
