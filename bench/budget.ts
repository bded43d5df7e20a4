import type { Counts } from './counts.ts'

/**
 * The most that a request may allocate and create, checked by `budget.test.ts`. Lower a figure when `npm run bench:profile --
 * --counts` prints a lower one. A commit that raises one says why.
 */
export const budget = {
  'POST /generate': { kB: 142, promises: 82, timers: 4, AbortControllers: 1 },
  'each streamed piece': { kB: 8.2, promises: 16, timers: 0, AbortControllers: 0 },
  'POST /shipments': { kB: 135, promises: 89, timers: 2, AbortControllers: 0 },
  'GET /models': { kB: 86, promises: 61, timers: 2, AbortControllers: 0 },
} satisfies Counts
