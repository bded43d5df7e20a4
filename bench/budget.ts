import type { Counts } from './counts.ts'

/**
 * The most that a request may allocate and create, checked by `budget.process.test.ts`. Lower a figure when `npm run bench:profile --
 * --counts` prints a lower one. A commit that raises one says why.
 */
export const budget = {
  'POST /generate': { kB: 82, promises: 33, timers: 3, AbortControllers: 1 },
  'each streamed piece': { kB: 8, promises: 2, timers: 0, AbortControllers: 0 },
  'each streamed piece of several': { kB: 2.5, promises: 0, timers: 0, AbortControllers: 0 },
  'opening a stream of chat completions': { kB: 142, promises: 88, timers: 4, AbortControllers: 1 },
  'each of its pieces': { kB: 8.2, promises: 2, timers: 0, AbortControllers: 0 },
  'agent turn of 460 kB': { kB: 7_720, promises: 33, timers: 4, AbortControllers: 1 },
  'POST /shipments': { kB: 110, promises: 67, timers: 2, AbortControllers: 0 },
  'GET /models': { kB: 60, promises: 19, timers: 2, AbortControllers: 0 },
} satisfies Counts
