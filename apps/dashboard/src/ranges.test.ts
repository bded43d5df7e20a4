import { describe, expect, test } from 'vitest'
import { countDays, dayRangeIssue, currentMonths, readDay, startOfDay } from './ranges.ts'

describe('readDay', () => {
  test('readDay returns undefined for a text that is not a day', () => {
    expect(['2026-03-14', '2026-3-14', '2026-13-01', 'today', ''].map(readDay)).toEqual([
      '2026-03-14',
      undefined,
      undefined,
      undefined,
      undefined,
    ])
  })
})

describe('dayRangeIssue', () => {
  test('dayRangeIssue accepts one day, and at most 400', () => {
    expect(dayRangeIssue({ from: '2026-03-14', to: '2026-03-14' })).toBeUndefined()
    expect(countDays({ from: '2025-01-01', to: '2026-02-04' })).toBe(400)
    expect(dayRangeIssue({ from: '2025-01-01', to: '2026-02-04' })).toBeUndefined()
    expect(dayRangeIssue({ from: '2025-01-01', to: '2026-02-05' })).toMatchObject({ field: 'to' })
  })

  test('dayRangeIssue names the field that has no day, and a last day before the first', () => {
    expect(dayRangeIssue({ from: '', to: '2026-03-14' })).toMatchObject({ field: 'from' })
    expect(dayRangeIssue({ from: '2026-03-14', to: '2026-03-13' })).toMatchObject({ field: 'to' })
  })
})

describe('startOfDay', () => {
  test('startOfDay continues in the next month', () => {
    expect(startOfDay('2026-02-28', 'utc', 1)).toBe(Date.UTC(2026, 2, 1))
    expect(startOfDay('2026-02-28', 'local', 1)).toBe(new Date(2026, 2, 1).getTime())
  })
})

describe('currentMonths', () => {
  test('currentMonths returns the month so far, and the whole month before', () => {
    expect(currentMonths(Date.UTC(2026, 2, 14, 9, 26), 'utc')).toEqual({
      current: { from: '2026-03-01', to: '2026-03-14' },
      previous: { from: '2026-02-01', to: '2026-02-28' },
    })
  })
})
