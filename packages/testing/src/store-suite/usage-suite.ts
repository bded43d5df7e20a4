import { createIds } from '@fairlead/core/adapter'
import { type TestClock, someUsage } from '@fairlead/core/fakes'
import {
  type AccountStores,
  type Slice,
  type UsageFilters,
  type UsageQuery,
  type UsageRecord,
  percentile,
} from '@fairlead/core/stores'
import { describe, expect, test } from 'vitest'

const hour = 3_600_000
const day = 24 * hour

/** The part of the store suite for usage as its readers see it: records, totals, and the counters of many keys. */
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

    test('count the first tokens of streams alone', async () => {
      await use({ durationMs: 900 }, { durationMs: 900, firstTokenMs: 40 }, { durationMs: 900, firstTokenMs: 90 })
      await use({ durationMs: 900, firstTokenMs: 90, at: noon + hour })
      const [total] = await totals({ from: noon - hour })
      expect(total?.firstTokens.reduce((sum, count) => sum + count, 0)).toBe(3)
      expect([percentile(total?.firstTokens ?? [], 0.3), percentile(total?.firstTokens ?? [], 1)]).toEqual([50, 100])
      expect(percentile(total?.latencies ?? [], 0.01)).toBe(775)
    })

    test('are empty without usage', async () => {
      expect(await totals({})).toEqual([])
    })

    test('count a run once', async () => {
      await use({ runId: 'run_1' }, { runId: 'run_1' })
      expect(await totals({})).toMatchObject([{ requests: 1 }])
    })

    test('count each run once when it is added concurrently', async () => {
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

    test('add up what is added concurrently for one key, in each hour and bucket', async () => {
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

    test('are purged in batches, the oldest first, independently of the records', async () => {
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

    test('are rolled back with the transaction of the run', async () => {
      const record = someUsage(newId, { userId: 'usr_9' })
      const work = stores().transact(async (tx) => {
        await tx.usage.add(record)
        throw new Error('no')
      })
      await expect(work).rejects.toThrow('no')
      expect(await totals({ userId: 'usr_9' })).toEqual([])
    })
  })

  describe('lists of usage records', () => {
    /** Adds four runs, one second apart, the third of another user. */
    async function fourRuns(): Promise<readonly string[]> {
      const runs = [
        { model: 'small', outcome: 'PROVIDER_ERROR', charged: false },
        { counter: 'usr_1', operation: 'analyze' },
        { userId: 'usr_2', counter: 'key_2' },
        { outcome: 'partial' },
      ] as const
      const ids = runs.map((_, second) => createIds(() => noon + second * 1_000)('run'))
      await use(...runs.map((run, index) => ({ ...run, runId: ids[index]!, requestId: `req_of_${index}` })))
      return ids
    }

    const list = (filters: UsageFilters, slice: Partial<Slice> = {}, maxExamined = 100) =>
      stores().read((view) => view.usage.list(filters, { first: 'newest', limit: 10, ...slice }, maxExamined))

    test.each<readonly [string, UsageFilters, readonly number[]]>([
      ['of all users, newest first', {}, [3, 2, 1, 0]],
      ['of one user', { userId: 'usr_1' }, [3, 1, 0]],
      ['of one request', { requestId: 'req_of_1' }, [1]],
      ['of a request of another user', { requestId: 'req_of_1', userId: 'usr_2' }, []],
      ['of one key', { credential: 'key_1' }, [3, 0]],
      ['of sessions', { credential: 'sessions' }, [1]],
      ['of one model', { model: 'small' }, [0]],
      ['of one operation', { operation: 'analyze' }, [1]],
      ['that succeeded', { status: 'ok' }, [2, 1]],
      ['that failed', { status: 'error' }, [3, 0]],
      ['with one outcome', { status: 'partial' }, [3]],
      ['after a time', { after: noon + 1_000 }, [3, 2]],
      ['before a time', { before: noon + 1_000 }, [0]],
      ['after a time long ago and before one far away', { after: 0, before: Date.parse('2400-01-01') }, [3, 2, 1, 0]],
    ])('contain the runs %s', async (_case, filters, expected) => {
      const ids = await fourRuns()
      const { records, examinedTo } = await list(filters)
      expect(records.map(({ runId }) => ids.indexOf(runId))).toEqual(expected)
      expect(examinedTo).toBeUndefined()
    })

    test('continue after a run, in both orders, with and without filters', async () => {
      const ids = await fourRuns()
      const after = (index: number) => ({ createdAt: noon, id: ids[index]! })
      const found = async (...query: Parameters<typeof list>) =>
        (await list(...query)).records.map(({ runId }) => ids.indexOf(runId))
      expect(await found({}, { after: after(3), limit: 2 })).toEqual([2, 1])
      expect(await found({}, { after: after(1), first: 'oldest' })).toEqual([2, 3])
      expect(await found({ operation: 'generate' }, { after: after(3), limit: 2 })).toEqual([2, 0])
      expect(await found({ requestId: 'req_of_1' }, { after: after(1) })).toEqual([])
    })

    test('stop a search after the maximum number of records, and continue it from there', async () => {
      const ids = await fourRuns()
      const first = await list({ model: 'small' }, {}, 3)
      expect(first).toMatchObject({ records: [], examinedTo: { id: ids[1] } })
      const rest = await list({ model: 'small' }, { after: first.examinedTo! }, 3)
      expect(rest.records.map(({ runId }) => runId)).toEqual([ids[0]])
      expect(rest.examinedTo).toBeUndefined()
    })

    test('are found by their request', async () => {
      const runs = [{ model: null, provider: null, outcome: 'NOT_FOUND', charged: false }, {}] as const
      const records = runs.map((run) => someUsage(newId, { requestId: 'req_1', ...run }))
      await use(...records, {})
      const found = await stores().read((view) => view.usage.ofRequest('req_1'))
      expect(new Set(found)).toEqual(new Set(records))
    })

    test('keep the reasoning and cached tokens, as far as they are known', async () => {
      const counts = { reasoningTokens: 40, cachedPromptTokens: 0 }
      await use({ runId: 'run_1', ...counts }, { runId: 'run_2' })
      const found = await stores().read((view) => view.usage.findMany(['run_1', 'run_2']))
      expect(found.toSorted((one, other) => (one.runId < other.runId ? -1 : 1))).toMatchObject([
        counts,
        { reasoningTokens: null, cachedPromptTokens: null },
      ])
    })

    test('find the records of several runs by their ids', async () => {
      const ids = await fourRuns()
      const found = await stores().read((view) => view.usage.findMany([ids[0]!, ids[2]!, 'run_none']))
      expect(found.map(({ runId }) => runId).toSorted()).toEqual([ids[0], ids[2]])
    })
  })

  describe('counters', () => {
    const reserve = (counter: string) => stores().transact((tx) => tx.counters.reserve(counter, null))

    test('of many keys are read at once', async () => {
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
