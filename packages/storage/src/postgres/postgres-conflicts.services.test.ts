import { createIds } from '@fairlead/core/adapter'
import { someUsage } from '@fairlead/testing'
import { describe, expect, onTestFinished, test } from 'vitest'
import { findPostgres } from '../testing/find-postgres.ts'
import { createTestDatabase } from '../testing/test-database.ts'
import { postgresStores } from './postgres-stores.ts'

const server = await findPostgres()

describe.skipIf(!server)('statements that conflict with concurrent ones', () => {
  test.each(['40001', '40P01'])(
    'statements that conflict (%s) are repeated for units and usage records',
    async (state) => {
      const { stores, conflicts } = await world()
      await stores.reserve('key_1', 5)
      await conflicts('counters', state, 2)
      expect(await stores.reserve('key_1', 5)).toMatchObject({ granted: true, used: 2 })
      await conflicts('usage_records', state, 2)
      const usage = someUsage(createIds(Date.now))
      expect(await stores.addUsage(usage)).toBe(true)
      expect(await stores.read((view) => view.usage.findMany([usage.runId]))).toHaveLength(1)
    },
  )

  test('statements that keep conflicting are unavailable after three attempts', async () => {
    const { stores, conflicts } = await world()
    await conflicts('counters', '40001', 3)
    await expect(stores.reserve('key_1', 5)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfterMs: 1_000 })
    expect(await stores.reserve('key_1', 5)).toMatchObject({ granted: true, used: 1 })
  })

  test('statements that conflict within a transaction reject it, because its work runs once', async () => {
    const { stores, conflicts } = await world()
    await conflicts('settings', '40001', 1)
    let runs = 0
    const change = () =>
      stores.transact((tx) => {
        runs += 1
        return tx.settings.set('name', 'value')
      })
    await expect(change()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfterMs: 1_000 })
    expect(runs).toBe(1)
    await change()
  })
})

async function world() {
  const database = await createTestDatabase(server!)
  onTestFinished(() => database.drop())
  const stores = await postgresStores({ url: database.url })
  onTestFinished(() => stores.close())
  return {
    stores,
    /** Fails so many writes to the table. A sequence counts them, because the server does not roll it back. */
    async conflicts(table: string, state: string, times: number): Promise<void> {
      await database.query(`create sequence ${table}_writes`)
      await database.query(`
        create function fail_${table}() returns trigger language plpgsql as $$ begin
          if nextval('${table}_writes') <= ${times} then raise exception 'conflict' using errcode = '${state}'; end if;
          return new;
        end $$`)
      await database.query(
        `create trigger fail_${table} before insert or update on ${table} for each row execute function fail_${table}()`,
      )
    },
  }
}
