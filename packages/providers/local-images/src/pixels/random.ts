/** A repeatable source of chance: the same seed gives the same run of numbers on every platform. */
export interface Random {
  /** From 0 up to, and without, 1. */
  next(): number
  between(low: number, high: number): number
  /** From 0 up to, and without, `count`. */
  index(count: number): number
  pick<Item>(items: readonly [Item, ...Item[]]): Item
  chance(probability: number): boolean
  /** 1 or -1. */
  sign(): 1 | -1
  /** A separate source, so that drawing more here does not move things that are drawn there. */
  fork(salt: number): Random
}

/** The mulberry32 generator. */
export function randomFrom(seed: number): Random {
  let state = seed | 0
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
  return {
    next,
    between: (low, high) => low + (high - low) * next(),
    index: (count) => Math.floor(next() * count),
    pick: (items) => items[Math.floor(next() * items.length)] ?? items[0],
    chance: (probability) => next() < probability,
    sign: () => (next() < 0.5 ? -1 : 1),
    fork: (salt) => randomFrom(Math.imul(seed ^ salt, 0x9e3779b1) ^ (salt << 7)),
  }
}
