import { describe, expect, test } from 'vitest'
import { failureCounts } from './failure-counts.ts'

describe('failureCounts', () => {
  test('failureCounts forgets the script that has gone unused longest once there are too many', () => {
    const counts = failureCounts(2)
    for (const script of ['a', 'b', 'c']) counts.failsNow(script, 1)
    expect(counts.failsNow('b', 1)).toBe(false)
    expect(counts.failsNow('a', 1)).toBe(true)
  })
})
