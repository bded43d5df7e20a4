/** Items by a count that each has, and those of one count in the order in which they came to it. */
export interface Ranking<Item> {
  /** Takes the item from one count to another; undefined is outside of the ranking. */
  move(item: Item, from: number | undefined, to: number | undefined): void
  /** The first item of the count that `choose` picks, such as `Math.min`; undefined where there are no items. */
  first(choose: (...counts: number[]) => number): Item | undefined
}

/**
 * Moves take constant time. To choose takes as long as there are different counts: at most some √(2n) where all counts
 * add up to n.
 */
export function createRanking<Item>(): Ranking<Item> {
  const byCount = new Map<number, Set<Item>>()
  return {
    move(item, from, to) {
      if (from === to) return
      if (from !== undefined) {
        const left = byCount.get(from)
        left?.delete(item)
        if (left?.size === 0) byCount.delete(from)
      }
      if (to === undefined) return
      const joined = byCount.get(to)
      if (joined) joined.add(item)
      else byCount.set(to, new Set([item]))
    },
    first(choose) {
      if (byCount.size === 0) return undefined
      const [item] = byCount.get(choose(...byCount.keys())) ?? []
      return item
    },
  }
}
