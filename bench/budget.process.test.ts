import { beforeAll, describe, expect, test } from 'vitest'
import { budget } from './budget.ts'
import { combine, type Count, countRequests } from './counts.ts'

/** Versions of dependencies change the sizes of objects a little. */
const tolerance = { kB: 1.05, promises: 1, timers: 1, AbortControllers: 1 }
const maxRounds = 3

describe('the budget of a request', () => {
  /** The least of several rounds: on a busy machine, other work of the service falls between the two ends of a request. */
  const counts: Record<string, Count> = {}
  beforeAll(async () => {
    for (let round = 0; round < maxRounds; round++) {
      for (const [name, count] of Object.entries(await countRequests(20)))
        counts[name] = combine(count, counts[name] ?? count, Math.min)
      if (Object.entries(budget).every(([name, most]) => exceeding(counts[name], most).length === 0)) return
    }
  })

  test.each(Object.entries(budget))('%s allocates and creates at most what the budget allows', (name, most) => {
    expect(exceeding(counts[name], most)).toEqual([])
  })
})

const figures = Object.keys(tolerance) as (keyof Count)[]

function exceeding(count: Count | undefined, most: Count): readonly string[] {
  return figures
    .filter((figure) => !((count?.[figure] ?? NaN) <= most[figure] * tolerance[figure]))
    .map((figure) => `${figure}: ${count?.[figure]} instead of ${most[figure]}`)
}
