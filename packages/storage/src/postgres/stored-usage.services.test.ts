import { createIds } from '@fairlead/core/adapter'
import type { Stores } from '../stores.ts'
import type { UsageRecord } from '@fairlead/core/stores'
import { someUsage } from '@fairlead/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { findPostgres } from '../testing/find-postgres.ts'
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts'
import { postgresStores } from './postgres-stores.ts'

const server = await findPostgres()
const newId = createIds(Date.now)
const hourMs = 3_600_000

describe.skipIf(!server)('stored usage records on PostgreSQL', () => {
  let template: TestDatabase
  let database: TestDatabase
  let stores: Stores
  beforeAll(async () => {
    template = await createTestDatabase(server!)
    await (await postgresStores({ url: template.url })).close()
  })
  afterAll(() => template.drop())
  beforeEach(async () => {
    database = await createTestDatabase(server!, template)
    stores = await postgresStores({ url: database.url })
    onTestFinished(async () => {
      await stores.close()
      await database.drop()
    })
  })

  const usageAt = (at: number) =>
    someUsage(
      createIds(() => at),
      { at },
    )
  /** Once the transactions that other tests have open on the server have ended. */
  const runsAfter = (position?: string) => expect.poll(() => after(position).then(({ runs }) => runs))
  const after = async (position?: string) => {
    const page = await stores.storedUsage!.after(position, 100)
    return { runs: page.records.map(({ runId }) => runId), position: page.position }
  }

  test('stored usage records on PostgreSQL are read only once all transactions before theirs have ended', async () => {
    await stores.storedUsage!.prepare()
    // They lock the sums of their users.
    const [slow, quick] = ['usr_1', 'usr_2'].map((userId) => someUsage(newId, { userId })) as [UsageRecord, UsageRecord]
    const isOpen = Promise.withResolvers<void>()
    const mayCommit = Promise.withResolvers<void>()
    const slowly = stores.transact(async (tx) => {
      await tx.usage.add(slow)
      isOpen.resolve()
      await mayCommit.promise
    })
    await isOpen.promise
    await stores.addUsage(quick)
    expect((await after()).runs).toEqual([])
    mayCommit.resolve()
    await slowly
    await runsAfter().toEqual([slow.runId, quick.runId])
  })

  test('stored usage records on PostgreSQL begin with those from before the service noted their transactions', async () => {
    const [second, first] = [usageAt(Date.now() - hourMs), usageAt(Date.now() - 2 * hourMs)]
    for (const usage of [second, first]) await stores.addUsage(usage)
    await database.query('update usage_records set stored_in = null')
    await stores.storedUsage!.prepare()
    const third = usageAt(Date.now() - 3 * hourMs)
    await stores.addUsage(third)
    const page = await after()
    expect(page.runs).toEqual([first.runId, second.runId])
    await runsAfter(page.position).toEqual([third.runId])
  })

  test('stored usage records on PostgreSQL are found by an index, also in months to come', async () => {
    await stores.storedUsage!.prepare()
    await stores.storedUsage!.prepare()
    await database.query(`create table usage_records_next (like usage_records including all)`)
    const indexes = await database.query<{ name: string }>(
      `select indexrelid::regclass::text as name from pg_index
       where indrelid::regclass::text like 'usage_records%' and pg_get_indexdef(indexrelid) like '%(stored_in)%' and indisvalid`,
    )
    const partitions = await database.query<{ name: string }>(
      `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'usage_records'::regclass`,
    )
    expect(indexes).toHaveLength(partitions.length + 2)
  })

  test('stored usage records on PostgreSQL go on a day earlier once a dump was restored to another server', async () => {
    const [old, exported, next] = [usageAt(Date.now() - 48 * hourMs), usageAt(Date.now() - hourMs), usageAt(Date.now())]
    for (const usage of [old, exported, next]) await stores.addUsage(usage)
    // A server that was used for longer has higher numbers.
    await database.query(`update usage_records set stored_in = ((stored_in::text)::bigint + 1000000000)::text::xid8`)
    const [row] = await database.query<{ stored_in: string }>(
      `select stored_in::text from usage_records where run_id = '${exported.runId}'`,
    )
    const position = `postgres:${row!.stored_in}:${exported.runId}`
    await stores.storedUsage!.prepare()
    const later = usageAt(Date.now())
    await stores.addUsage(later)
    const page = await after(position)
    expect(page.runs).toEqual([exported.runId, next.runId])
    await runsAfter(page.position).toEqual([later.runId])
  })
})
