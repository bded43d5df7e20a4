import { createIds } from '@fairlead/core/adapter'
import type { TestClock } from '../fakes/test-clock.ts'
import { someUsage } from '../fakes/some-usage.ts'
import type { AccountStores } from '@fairlead/accounts/stores'
import { type UsageQuery, type UsageRecord, percentile } from '@fairlead/core/stores'
import { describe, expect, test } from 'vitest'

const hour = 3_600_000
const day = 24 * hour

/** The part of the store suite for usage as its readers see it: totals, and the counters of many keys. */
export function usageSuite(stores: () => AccountStores, clock: TestClock): void {
  const newId = createIds(clock.now)
  const noon = Date.parse('2026-03-14T12:00:00.000Z')

  async function use(...runs: readonly Partial<UsageRecord>[]): Promise<void> {
    await stores().transact(async (tx) => {
      for (const run of runs) await tx.usage.add(someUsage(newId, { at: noon, ...run }))
    })
  }

  const totals = (query: Partial<UsageQuery>) =>
    stores().read((view) => view.usage.totals({ userId: 'usr_1', from: 0, to: noon + day, by: [], ...query }))

  describe('usage totals', () => {
    test('usage totals add up the usage of all runs', async () => {
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

    test('usage totals count the first tokens of streams alone', async () => {
      await use({ durationMs: 900 }, { durationMs: 900, firstTokenMs: 40 }, { durationMs: 900, firstTokenMs: 90 })
      await use({ durationMs: 900, firstTokenMs: 90, at: noon + hour })
      const [total] = await totals({ from: noon - hour })
      expect(total?.firstTokens.reduce((sum, count) => sum + count, 0)).toBe(3)
      expect([percentile(total?.firstTokens ?? [], 0.3), percentile(total?.firstTokens ?? [], 1)]).toEqual([50, 100])
      expect(percentile(total?.latencies ?? [], 0.01)).toBe(775)
    })

    test('usage totals of a tag count the runs with it, by day, user, and value', async () => {
      const tagged = (tags: Readonly<Record<string, string>>, facts: Partial<UsageRecord> = {}) => ({
        details: { message: null, upstreamStatus: null, attempts: [], tags },
        ...facts,
      })
      await use(
        {},
        tagged({ team: 'search', env: 'prod' }),
        tagged({ team: 'search' }, { outcome: 'PROVIDER_ERROR', charged: false, costUsd: 0 }),
        tagged({ team: 'ads' }, { at: noon + day }),
        tagged({ team: 'ads' }, { userId: 'usr_2' }),
      )
      const ofTeam = (query: Partial<UsageQuery>) => totals({ to: noon + 2 * day, tag: { name: 'team' }, ...query })
      const start = noon - (noon % day)
      const byName = (found: Awaited<ReturnType<typeof totals>>) =>
        found.toSorted((one, other) => ((one.value ?? '') < (other.value ?? '') ? -1 : 1))
      expect(byName(await ofTeam({ by: ['value'] }))).toMatchObject([
        { value: 'ads', requests: 1, errors: 0, charged: 1, promptTokens: 2, completionTokens: 3, costUsd: 0.25 },
        { value: 'search', requests: 2, errors: 1, charged: 1, costUsd: 0.25 },
      ])
      expect(await ofTeam({ by: ['day'], tag: { name: 'team', value: 'ads' } })).toMatchObject([
        { day: start + day, requests: 1 },
      ])
      const ofAll = await ofTeam({ userId: undefined, by: ['user', 'value'], tag: { name: 'team', value: 'ads' } })
      expect(ofAll.map(({ user }) => user).toSorted()).toEqual(['usr_1', 'usr_2'])
      expect(await ofTeam({ to: start + day, by: [] })).toMatchObject([{ requests: 2 }])
      expect(await totals({ tag: { name: 'none' } })).toEqual([])
    })

    test('usage totals of a tag are added up under concurrency, counted once for each run, and purged', async () => {
      const runs = Array.from({ length: 20 }, (_, index) =>
        someUsage(newId, {
          at: noon,
          runId: `run_${index >> 1}`,
          details: { message: null, upstreamStatus: null, attempts: [], tags: { team: 'search', env: `${index % 3}` } },
        }),
      )
      await Promise.all(runs.map((run) => stores().transact((tx) => tx.usage.add(run))))
      const ofTeam = () => totals({ tag: { name: 'team' } })
      expect(await ofTeam()).toMatchObject([{ requests: 10 }])
      await stores().transact((tx) => tx.usage.purgeTotals(noon + day, 1_000))
      expect(await ofTeam()).toEqual([])
    })

    test('usage totals are empty without usage', async () => {
      expect(await totals({})).toEqual([])
    })

    test('usage totals count a run once', async () => {
      await use({ runId: 'run_1' }, { runId: 'run_1' })
      expect(await totals({})).toMatchObject([{ requests: 1 }])
    })

    test('usage totals count each run once when it is added concurrently', async () => {
      const userId = newId('usr')
      const models = ['any', 'other', null]
      const usages = Array.from({ length: 30 }, (_, index) =>
        someUsage(newId, { userId, model: models[index % 3]!, durationMs: index * 10, at: noon }),
      )
      const added = await Promise.all([...usages, ...usages].map((usage) => stores().addUsage(usage)))
      expect(added.filter(Boolean)).toHaveLength(30)
      const byModel = await totals({ userId, by: ['model'] })
      expect(byModel.map(({ requests }) => requests)).toEqual([10, 10, 10])
      expect(byModel.map(({ promptTokens }) => promptTokens)).toEqual([20, 20, 20])
      const latencies = byModel.flatMap((total) => total.latencies)
      expect(latencies.reduce((sum, count) => sum + count)).toBe(30)
    })

    test('usage totals add up what is added concurrently for one key, in each hour and bucket', async () => {
      const userId = newId('usr')
      const usages = Array.from({ length: 12 }, (_, index) =>
        someUsage(newId, {
          userId,
          at: noon + (index % 2) * hour,
          durationMs: index < 6 ? 10 : 5_000,
          firstTokenMs: index < 4 ? 10 : null,
          outcome: index % 3 === 0 ? 'PROVIDER_ERROR' : 'ok',
          charged: index % 3 !== 0,
          promptTokens: index,
          costUsd: 0.25,
        }),
      )
      await Promise.all(usages.map((usage) => stores().addUsage(usage)))
      const byHour = await totals({ userId, by: ['hour'] })
      expect(byHour).toMatchObject([
        { requests: 6, errors: 2, charged: 4, promptTokens: 30, costUsd: 1.5 },
        { requests: 6, errors: 2, charged: 4, promptTokens: 36, costUsd: 1.5 },
      ])
      expect(byHour.map(({ latencies }) => latencies.filter((count) => count > 0))).toEqual([
        [3, 3],
        [3, 3],
      ])
      expect(byHour.map(({ firstTokens }) => firstTokens.filter((count) => count > 0))).toEqual([[2], [2]])
      expect(await totals({ userId })).toMatchObject([{ requests: 12, errors: 4, promptTokens: 66, costUsd: 3 }])
    })

    test('usage totals belong to one user', async () => {
      await use({}, { userId: 'usr_2' })
      expect(await totals({})).toMatchObject([{ requests: 1 }])
    })

    test('usage totals of all users can be grouped by user', async () => {
      await use({}, { userId: 'usr_2' }, { userId: 'usr_2', at: noon - 3 * day })
      const query = { userId: undefined, from: noon - 4 * day }
      expect(await totals(query)).toMatchObject([{ requests: 3, costUsd: 0.75 }])
      const byUser = await totals({ ...query, by: ['user', 'model'] })
      expect(byUser.toSorted((one, other) => one.requests - other.requests)).toMatchObject([
        { user: 'usr_1', model: 'any', requests: 1 },
        { user: 'usr_2', model: 'any', requests: 2 },
      ])
    })

    test('usage totals do not include rejected runs', async () => {
      await stores().transact((tx) => tx.usage.addRejected([someUsage(newId, { at: noon, outcome: 'FORBIDDEN' })]))
      expect(await totals({ by: ['hour'] })).toEqual([])
      expect(await totals({ by: ['day', 'counter'] })).toEqual([])
      await use({})
      expect(await totals({ by: ['hour'] })).toMatchObject([{ requests: 1, errors: 0 }])
    })

    test('usage totals include the first hour and exclude the last', async () => {
      await use({ at: noon - 1 }, { at: noon }, { at: noon + hour - 1 }, { at: noon + hour })
      expect(await totals({ from: noon, to: noon + hour })).toMatchObject([{ requests: 2 }])
    })

    test('usage totals are grouped by day and hour in UTC', async () => {
      await use({ at: noon - day }, { at: noon }, { at: noon + 12 * hour - 1 })
      const byDay = await totals({ by: ['day'] })
      expect(byDay.toSorted((a, b) => (a.day ?? 0) - (b.day ?? 0))).toMatchObject([
        { day: Date.parse('2026-03-13'), requests: 1 },
        { day: Date.parse('2026-03-14'), requests: 2 },
      ])
      const byHour = await totals({ by: ['hour'], from: noon })
      expect(byHour.map((total) => total.hour).toSorted()).toEqual([noon, noon + 11 * hour])
    })

    test('usage totals count each run of many days once, for any range', async () => {
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

    test('usage totals are grouped by several dimensions', async () => {
      await use({}, { counter: 'key_2' }, { counter: 'key_2', operation: 'models', model: null })
      const found = await totals({ by: ['counter', 'operation', 'model'] })
      const names = found.map(({ counter, operation, model }) => `${counter} ${operation} ${model}`)
      expect(names.toSorted()).toEqual(['key_1 generate any', 'key_2 generate any', 'key_2 models null'])
    })

    test('usage totals are purged in batches, the oldest first, independently of the records', async () => {
      const userId = newId('usr')
      await use(...[2024, 2022, 2023, 2026].map((year) => ({ userId, at: Date.UTC(year, 0) })))
      await stores().transact((tx) => tx.usage.purge(Date.UTC(2027, 0), 10))
      const total = async () => (await totals({ userId }))[0]?.requests
      const purge = () => stores().transact((tx) => tx.usage.purgeTotals(Date.UTC(2025, 0), 2))
      expect(await total()).toBe(4)
      const batches = [await purge()]
      while (batches.at(-1) !== 0) batches.push(await purge())
      expect(Math.max(...batches)).toBe(2)
      expect(await total()).toBe(1)
    })

    test('usage totals are rolled back with the transaction of the run', async () => {
      const record = someUsage(newId, { userId: 'usr_9' })
      const work = stores().transact(async (tx) => {
        await tx.usage.add(record)
        throw new Error('no')
      })
      await expect(work).rejects.toThrow('no')
      expect(await totals({ userId: 'usr_9' })).toEqual([])
    })
  })

  describe('counters', () => {
    const reserve = (counter: string) => stores().transact((tx) => tx.counters.reserve(counter, null))

    test('counters of many keys are read at once', async () => {
      await reserve('m')
      await reserve('n')
      await reserve('n')
      clock.jumpTo('2026-04-01T00:00:00.000Z')
      await reserve('n')
      await reserve('o')
      const read = (counters: readonly string[]) => stores().read((view) => view.counters.used(counters))
      expect(await read(['m', 'n', 'o', 'p'])).toEqual(
        new Map([
          ['n', 1],
          ['o', 1],
        ]),
      )
      expect(await read([])).toEqual(new Map())
      clock.jumpTo('2026-03-31T23:59:59.000Z')
      expect(await read(['m', 'n'])).toEqual(
        new Map([
          ['m', 1],
          ['n', 1],
        ]),
      )
    })
  })
}
