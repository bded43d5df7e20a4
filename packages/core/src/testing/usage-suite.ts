import { describe, expect, test } from 'vitest'
import { createIds } from '../runtime/id.ts'
import { someUsage } from './some-usage.ts'
import type { TestClock } from './test-clock.ts'
import type { Stores } from '../feature-stores.ts'
import { type UsageQuery, percentile, type UsageRecord } from '../runtime/usage.ts'

const hour = 3_600_000
const day = 24 * hour

/** The part of the store suite for usage totals. */
export function usageSuite(clock: TestClock, current: () => Stores): void {
  const newId = createIds(clock.now)
  const noon = Date.parse('2026-03-14T12:00:00.000Z')

  async function use(...runs: readonly Partial<UsageRecord>[]): Promise<void> {
    await current().transact(async (tx) => {
      for (const run of runs) await tx.usage.add(someUsage(newId, { at: noon, ...run }))
    })
  }

  const totals = (query: Partial<UsageQuery>) =>
    current().read((view) => view.usage.totals({ userId: 'usr_1', from: 0, to: noon + day, by: [], ...query }))

  describe('usage totals', () => {
    test('add up the usage of all runs', async () => {
      await use({}, { outcome: 'PROVIDER_ERROR', charged: false, durationMs: 900 }, { costUsd: 0.5, promptTokens: 8 })
      const [total, ...others] = await totals({})
      expect(others).toEqual([])
      expect(total).toMatchObject({
        requests: 3,
        errors: 1,
        charged: 2,
        promptTokens: 12,
        completionTokens: 9,
        costUsd: 1,
      })
      expect(percentile(total?.latencies ?? [], 0.95)).toBe(1_000)
    })

    test('are empty without usage', async () => {
      expect(await totals({})).toEqual([])
    })

    test('count a run once', async () => {
      await use({ runId: 'run_1' }, { runId: 'run_1' })
      expect(await totals({})).toMatchObject([{ requests: 1 }])
    })

    test('belong to one user', async () => {
      await use({}, { userId: 'usr_2' })
      expect(await totals({})).toMatchObject([{ requests: 1 }])
    })

    test('include the first hour and exclude the last', async () => {
      await use({ at: noon - 1 }, { at: noon }, { at: noon + hour - 1 }, { at: noon + hour })
      expect(await totals({ from: noon, to: noon + hour })).toMatchObject([{ requests: 2 }])
    })

    test('are grouped by day and hour in UTC', async () => {
      await use({ at: noon - day }, { at: noon }, { at: noon + 12 * hour - 1 })
      const byDay = await totals({ by: ['day'] })
      expect(byDay.toSorted((a, b) => (a.day ?? 0) - (b.day ?? 0))).toMatchObject([
        { day: Date.parse('2026-03-13'), requests: 1 },
        { day: Date.parse('2026-03-14'), requests: 2 },
      ])
      const byHour = await totals({ by: ['hour'], from: noon })
      expect(byHour.map((total) => total.hour).toSorted()).toEqual([noon, noon + 11 * hour])
    })

    test('count each run of many days once, for any range', async () => {
      const every5Hours = Array.from({ length: 24 }, (_, n) => ({ at: noon - 5 * day + n * 5 * hour }))
      await use(...every5Hours)
      for (const [from, to] of [
        [noon - 4 * day, noon - day],
        [noon - 4 * day - 12 * hour, noon - 12 * hour],
        [noon - 5 * day + hour, noon + 3 * hour],
        [noon - 12 * hour, noon + 12 * hour],
        [noon - 8 * hour, noon - 4 * hour],
      ] as const) {
        const expected = every5Hours.filter(({ at }) => from <= at && at < to).length
        const byDay = await totals({ from, to, by: ['day'] })
        expect(byDay.reduce((sum, { requests }) => sum + requests, 0)).toBe(expected)
        expect(await totals({ from, to })).toMatchObject([{ requests: expected }])
      }
    })

    test('are grouped by several dimensions', async () => {
      await use({}, { counter: 'key_2' }, { counter: 'key_2', operation: 'models', model: null })
      const found = await totals({ by: ['counter', 'operation', 'model'] })
      const names = found.map(({ counter, operation, model }) => `${counter} ${operation} ${model}`)
      expect(names.toSorted()).toEqual(['key_1 generate any', 'key_2 generate any', 'key_2 models null'])
    })

    test('are rolled back with the transaction of the run', async () => {
      const record = { ...(await sample()), userId: 'usr_9', runId: 'run_9' }
      const work = current().transact(async (tx) => {
        await tx.usage.add(record)
        throw new Error('no')
      })
      await expect(work).rejects.toThrow('no')
      expect(await totals({ userId: 'usr_9' })).toEqual([])
    })
  })

  async function sample(): Promise<UsageRecord> {
    await use({ requestId: 'req_9' })
    const [record] = await current().read((view) => view.usage.ofRequest('req_9'))
    if (!record) throw new Error('the sample was not stored')
    return record
  }
}
