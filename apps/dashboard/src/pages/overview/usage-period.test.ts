import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  fillGaps,
  latestPeriod,
  periodOfDays,
  splitRequests,
  sumUsage,
  toCsv,
  type UsageGroup,
} from './usage-period.ts'

const now = Date.UTC(2026, 2, 14, 9, 26)
const hour = 3_600_000

function group(at: string, requests: number): UsageGroup {
  return {
    group: at,
    requests,
    errors: 1,
    latency_p50_ms: 20,
    latency_p95_ms: 90,
    first_token_p50_ms: 8,
    first_token_p95_ms: null,
    prompt_tokens: 10,
    completion_tokens: 5,
    total_tokens: 15,
    cost_usd: 0.25,
  }
}

describe('latestPeriod', () => {
  test('latestPeriod covers whole hours that include the current one', () => {
    const { from, to, before, groupBy } = latestPeriod('24h', now, 'utc')
    expect([from, to].map((at) => new Date(at).toISOString())).toEqual([
      '2026-03-13T10:00:00.000Z',
      '2026-03-14T10:00:00.000Z',
    ])
    expect(groupBy).toBe('hour')
    expect(from - before).toBe(to - from)
  })

  test('latestPeriod covers whole days in UTC for longer ranges', () => {
    const { from, to, groupBy } = latestPeriod('30d', now, 'utc')
    expect([from, to].map((at) => new Date(at).toISOString())).toEqual([
      '2026-02-13T00:00:00.000Z',
      '2026-03-15T00:00:00.000Z',
    ])
    expect(groupBy).toBe('day')
  })
})

describe('periodOfDays', () => {
  test('periodOfDays includes the last day, and compares with the same number of days before', () => {
    const { from, to, before, groupBy } = periodOfDays({ from: '2026-03-01', to: '2026-03-14' }, 'utc')
    expect([before, from, to].map((at) => new Date(at).toISOString().slice(0, 10))).toEqual([
      '2026-02-15',
      '2026-03-01',
      '2026-03-15',
    ])
    expect(groupBy).toBe('day')
  })

  test('periodOfDays shows the hours of up to seven days', () => {
    const { times, groupBy } = periodOfDays({ from: '2026-03-14', to: '2026-03-14' }, 'utc')
    expect(groupBy).toBe('hour')
    expect(times).toHaveLength(24)
  })
})

describe('fillGaps', () => {
  test('fillGaps adds the hours without usage', () => {
    const period = latestPeriod('24h', now, 'utc')
    const filled = fillGaps(period.times, [group('2026-03-14T08:00:00.000Z', 3)])
    expect(filled).toHaveLength(24)
    expect(filled.filter(({ requests }) => requests > 0).map(({ at }) => at)).toEqual([period.to - 2 * hour])
  })

  test('fillGaps finds days by their date', () => {
    const filled = fillGaps(latestPeriod('30d', now, 'utc').times, [group('2026-03-14', 3)])
    expect(filled.at(-1)).toMatchObject({ at: Date.UTC(2026, 2, 14), requests: 3 })
  })
})

describe('days in another time zone', () => {
  beforeEach(() => vi.stubEnv('TZ', 'America/New_York'))
  afterEach(() => vi.unstubAllEnvs())

  test('days in another time zone start at its midnight, also on the day when its clocks change', () => {
    const { from, to, step, groupBy, times } = latestPeriod('30d', now, 'local')
    expect([step, groupBy, times.length]).toEqual(['day', 'hour', 30])
    expect([from, to].map((at) => new Date(at).toISOString())).toEqual([
      '2026-02-13T05:00:00.000Z',
      '2026-03-15T04:00:00.000Z',
    ])
    // The clocks of New York are set forward on 8 March 2026.
    expect(times.at(-6)! - times.at(-7)!).toBe(23 * hour)
  })

  test('days in another time zone are summed up of hours, for which percentiles stay', () => {
    const { times, groupTimes } = latestPeriod('30d', now, 'local')
    // The last hour of 12 March and the first of 13 March in New York are both on 13 March in UTC.
    const hours = [
      group('2026-03-13T02:00:00.000Z', 1),
      group('2026-03-13T03:00:00.000Z', 2),
      group('2026-03-13T04:00:00.000Z', 4),
    ]
    const days = fillGaps(times, hours)
    expect(days.slice(-3).map(({ requests, latency_p50_ms }) => [requests, latency_p50_ms])).toEqual([
      [3, null],
      [4, 20],
      [0, null],
    ])
    expect(fillGaps(groupTimes, hours).filter(({ latency_p50_ms }) => latency_p50_ms === 20)).toHaveLength(3)
  })

  test('days in another time zone are days in UTC for periods whose hours the service does not sum up', () => {
    expect(latestPeriod('90d', now, 'local')).toMatchObject({ step: 'day', groupBy: 'day', to: Date.UTC(2026, 2, 15) })
  })
})

describe('splitRequests', () => {
  test('splitRequests returns a series for each split, the most used first', () => {
    const period = latestPeriod('30d', now, 'utc')
    const series = splitRequests(
      period,
      [
        { ...group('2026-03-13', 1), split: null },
        { ...group('2026-03-13', 2), split: 'scribe' },
        { ...group('2026-03-14', 3), split: 'scribe' },
      ],
      'Without a model',
    )
    expect(series.map(({ label, values }) => [label, values.slice(-2), values.length])).toEqual([
      ['scribe', [2, 3], 30],
      ['Without a model', [1, 0], 30],
    ])
  })

  test('splitRequests sums up all but the five most used', () => {
    const groups = [1, 2, 3, 4, 5, 6, 7].map((count) => ({ ...group('2026-03-14', count), split: `model ${count}` }))
    const series = splitRequests(
      latestPeriod('30d', now, 'utc'),
      [...groups, { ...group('2026-03-14', 9), split: 'other' }],
      '',
    )
    expect(series.map(({ label, values }) => [label, values.at(-1)])).toEqual([
      ['model 7', 7],
      ['model 6', 6],
      ['model 5', 5],
      ['model 4', 4],
      ['model 3', 3],
      ['Other', 12],
    ])
  })
})

describe('sumUsage', () => {
  test('sumUsage adds requests, errors, tokens, and cost', () => {
    expect(sumUsage([group('a', 2), group('b', 3)])).toEqual({ requests: 5, errors: 2, tokens: 30, costUsd: 0.5 })
  })
})

describe('toCsv', () => {
  test('toCsv writes a line for each group, and leaves unknown latencies empty', () => {
    const [first, ...lines] = toCsv([{ ...group('x', 2), at: now, latency_p95_ms: null }]).split('\r\n')
    expect(first).toBe(
      'time,requests,errors,latency_p50_ms,latency_p95_ms,first_token_p50_ms,first_token_p95_ms,prompt_tokens,completion_tokens,total_tokens,cost_usd',
    )
    expect(lines).toEqual(['2026-03-14T09:26:00.000Z,2,1,20,,8,,10,5,15,0.25', ''])
  })
})
