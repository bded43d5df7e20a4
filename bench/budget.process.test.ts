import { beforeAll, describe, expect, test } from 'vitest'
import { budget } from './budget.ts'
import { type Count, type Counts, countRequests } from './counts.ts'

/** Versions of dependencies change the sizes of objects a little. */
const tolerance = { kB: 1.05, promises: 1, timers: 1, AbortControllers: 1 }

describe('the budget of a request', () => {
  let counts: Counts
  beforeAll(async () => {
    counts = await countRequests(20)
  })

  test.each(Object.entries(budget))('%s allocates and creates at most what the budget allows', (name, most) => {
    const exceeded = (Object.keys(tolerance) as (keyof Count)[])
      .filter((figure) => !((counts[name]?.[figure] ?? NaN) <= most[figure] * tolerance[figure]))
      .map((figure) => `${figure}: ${counts[name]?.[figure]} instead of ${most[figure]}`)
    expect(exceeded).toEqual([])
  })
})
