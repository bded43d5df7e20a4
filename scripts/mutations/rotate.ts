/** The same items, of which the one at `from` is the first; beyond the last, counting goes on at the first. */
export function rotate<Item>(items: readonly Item[], from: number): readonly Item[] {
  const start = items.length === 0 ? 0 : from % items.length
  return [...items.slice(start), ...items.slice(0, start)]
}
