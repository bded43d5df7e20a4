import { describe, expect, test } from 'vitest'
import { nextReset, spendPeriod, toAmount, toUsd } from './budget.ts'

const at = (instant: string) => Date.parse(instant)

describe('spendPeriod', () => {
  test.each([
    ['day', '2026-11-27T23:59:59.999Z', '2026-11-27'],
    ['day', '2026-11-28T00:00:00.000Z', '2026-11-28'],
    ['month', '2026-11-30T23:59:59.999Z', '2026-11'],
    ['week', '2026-11-27T12:00:00.000Z', '2026-W48'],
    ['week', '2026-11-29T23:59:59.999Z', '2026-W48'],
    ['week', '2026-11-30T00:00:00.000Z', '2026-W49'],
    // A week belongs to the year of its Thursday.
    ['week', '2027-01-03T12:00:00.000Z', '2026-W53'],
    ['week', '2024-12-30T00:00:00.000Z', '2025-W01'],
    [null, '2026-11-27T12:00:00.000Z', 'total'],
  ] as const)('spendPeriod of a %s at %s is %s', (period, instant, name) => {
    expect(spendPeriod(period, at(instant))).toBe(name)
  })
})

describe('nextReset', () => {
  test.each([
    ['day', '2026-11-28T00:00:00.000Z'],
    ['week', '2026-11-30T00:00:00.000Z'],
    ['month', '2026-12-01T00:00:00.000Z'],
  ] as const)('nextReset of a %s is the start of the next one', (period, reset) => {
    expect(nextReset(period, at('2026-11-27T12:00:00.000Z'))).toBe(at(reset))
    expect(spendPeriod(period, at(reset) - 1)).not.toBe(spendPeriod(period, at(reset)))
  })

  test('nextReset does not exist for a total', () => {
    expect(nextReset(null, 0)).toBeNull()
  })
})

describe('amounts', () => {
  test('amounts are sums without the errors of binary fractions', () => {
    expect(toUsd(toAmount(0.1) + toAmount(0.2))).toBe(0.3)
    expect(toAmount(0.00000001)).toBe(1)
  })
})
