import type { Counts } from './counts.ts'

/**
 * The most that a request may allocate and create, checked by `budget.test.ts`. Lower a figure when `npm run bench:profile --
 * --counts` prints a lower one. A commit that raises one says why.
 */
export const budget = {
  'POST /generate': { kB: 125, promises: 82, timers: 4, AbortControllers: 1 },
  'each streamed piece': { kB: 9, promises: 16, timers: 0, AbortControllers: 0 },
  'POST /shipments': { kB: 129, promises: 87, timers: 2, AbortControllers: 0 },
  'GET /models': { kB: 78, promises: 57, timers: 2, AbortControllers: 0 },
} satisfies Counts
