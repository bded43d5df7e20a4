import { createIds } from '@fairlead/core/adapter'
import type { TestClock } from '../fakes/test-clock.ts'
import { someUsage } from '../fakes/some-usage.ts'
import type { AccountStores } from '@fairlead/accounts/stores'
import type { Slice, UsageFilters, UsageRecord } from '@fairlead/core/stores'
import { describe, expect, test } from 'vitest'

/** The part of the store suite for lists of usage records. */
export function usageListSuite(stores: () => AccountStores, clock: TestClock): void {
  const newId = createIds(clock.now)
  const noon = Date.parse('2026-03-14T12:00:00.000Z')

  async function use(...runs: readonly Partial<UsageRecord>[]): Promise<void> {
    await stores().transact(async (tx) => {
      for (const run of runs) await tx.usage.add(someUsage(newId, { at: noon, ...run }))
    })
  }

  describe('lists of usage records', () => {
    const noDetails = { message: null, upstreamStatus: null, attempts: [] }

    /** Adds four runs, one second apart, the third of another user. */
    async function fourRuns(): Promise<readonly string[]> {
      const runs = [
        { model: 'small', outcome: 'PROVIDER_ERROR', charged: false },
        { counter: 'usr_1', operation: 'analyze', details: { ...noDetails, tags: { team: 'ads' } } },
        { userId: 'usr_2', counter: 'key_2' },
        { outcome: 'partial', details: { ...noDetails, tags: { team: 'search', 'it’s "x"': '' } } },
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
      ['that were charged', { charged: true }, [3, 2, 1]],
      ['that were not charged', { charged: false, userId: 'usr_1' }, [0]],
      ['with a tag', { tag: { name: 'team' } }, [3, 1]],
      ['with a value of a tag', { tag: { name: 'team', value: 'ads' } }, [1]],
      ['with a tag of any characters', { tag: { name: 'it’s "x"', value: '' } }, [3]],
      ['with a tag that none has', { tag: { name: 'constructor' } }, []],
      ['of one request with a tag', { requestId: 'req_of_1', tag: { name: 'team', value: 'search' } }, []],
      ['after a time', { after: noon + 1_000 }, [3, 2]],
      ['before a time', { before: noon + 1_000 }, [0]],
      ['after a time long ago and before one far away', { after: 0, before: Date.parse('2400-01-01') }, [3, 2, 1, 0]],
    ])('lists of usage records contain the runs %s', async (_case, filters, expected) => {
      const ids = await fourRuns()
      const { records, examinedTo } = await list(filters)
      expect(records.map(({ runId }) => ids.indexOf(runId))).toEqual(expected)
      expect(examinedTo).toBeUndefined()
    })

    test('lists of usage records continue after a run, in both orders, with and without filters', async () => {
      const ids = await fourRuns()
      const after = (index: number) => ({ createdAt: noon, id: ids[index]! })
      const found = async (...query: Parameters<typeof list>) =>
        (await list(...query)).records.map(({ runId }) => ids.indexOf(runId))
      expect(await found({}, { after: after(3), limit: 2 })).toEqual([2, 1])
      expect(await found({}, { after: after(1), first: 'oldest' })).toEqual([2, 3])
      expect(await found({ operation: 'generate' }, { after: after(3), limit: 2 })).toEqual([2, 0])
      expect(await found({ requestId: 'req_of_1' }, { after: after(1) })).toEqual([])
    })

    test('lists of usage records stop a search after the maximum number of records, and continue it from there', async () => {
      const ids = await fourRuns()
      const first = await list({ model: 'small' }, {}, 3)
      expect(first).toMatchObject({ records: [], examinedTo: { id: ids[1] } })
      const rest = await list({ model: 'small' }, { after: first.examinedTo! }, 3)
      expect(rest.records.map(({ runId }) => runId)).toEqual([ids[0]])
      expect(rest.examinedTo).toBeUndefined()
    })

    test('lists of usage records are found by their request', async () => {
      const runs = [{ model: null, provider: null, outcome: 'NOT_FOUND', charged: false }, {}] as const
      const records = runs.map((run) => someUsage(newId, { requestId: 'req_1', ...run }))
      await use(...records, {})
      const found = await stores().read((view) => view.usage.ofRequest('req_1'))
      expect(new Set(found)).toEqual(new Set(records))
    })

    test('lists of usage records keep the reasoning and cached tokens, as far as they are known', async () => {
      const counts = { reasoningTokens: 40, cachedPromptTokens: 0 }
      await use({ runId: 'run_1', ...counts }, { runId: 'run_2' })
      const found = await stores().read((view) => view.usage.findMany(['run_1', 'run_2']))
      expect(found.toSorted((one, other) => (one.runId < other.runId ? -1 : 1))).toMatchObject([
        counts,
        { reasoningTokens: null, cachedPromptTokens: null },
      ])
    })

    test('lists of usage records keep how a run was made and why it failed', async () => {
      const details = {
        message: 'model: unknown model "größe 🎈"',
        upstreamStatus: 404,
        attempts: [
          { provider: 'a', model: 'any', outcome: 'retry', upstreamStatus: null, durationMs: 3 },
          { provider: 'b', model: 'any', outcome: 'ok', upstreamStatus: null, durationMs: 12 },
        ],
      }
      const records = [
        someUsage(newId, { stream: true, cached: true, details }),
        someUsage(newId, { stream: null, cached: null, details: null }),
      ]
      await use(records[0]!)
      await stores().addUsage(records[1]!)
      const found = await stores().read((view) => view.usage.findMany(records.map(({ runId }) => runId)))
      expect(found.map((record) => ({ ...record, at: 0 }))).toEqual(
        expect.arrayContaining(records.map((record) => ({ ...record, at: 0 }))),
      )
    })

    test('lists of usage records contain rejected runs, also of a user without others', async () => {
      const rejected = { outcome: 'FORBIDDEN', charged: false } as const
      const runs = [
        someUsage(newId, { at: clock.now(), userId: 'usr_1' }),
        someUsage(newId, { at: clock.now(), userId: 'usr_1', ...rejected }),
        someUsage(newId, { at: clock.now(), userId: 'usr_3', ...rejected }),
      ] as const
      await stores().addUsage(runs[0])
      await stores().transact((tx) => tx.usage.addRejected(runs.slice(1)))
      const of = async (userId: string) => new Set((await list({ userId })).records.map(({ runId }) => runId))
      expect(await of('usr_1')).toEqual(new Set([runs[0].runId, runs[1].runId]))
      expect(await of('usr_3')).toEqual(new Set([runs[2].runId]))
    })

    test('lists of usage records find the records of several runs by their ids', async () => {
      const ids = await fourRuns()
      const found = await stores().read((view) => view.usage.findMany([ids[0]!, ids[2]!, 'run_none']))
      expect(found.map(({ runId }) => runId).toSorted()).toEqual([ids[0], ids[2]])
    })
  })
}
