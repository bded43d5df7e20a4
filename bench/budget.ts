import type { Counts } from './counts.ts'

/**
 * The most that a request may allocate and create, checked by `budget.test.ts`. Lower a figure when `npm run bench:profile --
 * --counts` prints a lower one. A commit that raises one says why.
 */
export const budget = {
  'POST /generate': { kB: 142, promises: 108, timers: 4, AbortControllers: 2 },
  'each streamed piece': { kB: 13.6, promises: 30, timers: 0, AbortControllers: 0 },
  'POST /shipments': { kB: 143, promises: 119, timers: 2, AbortControllers: 1 },
  'GET /models': { kB: 93, promises: 87, timers: 2, AbortControllers: 1 },
} satisfies Counts
