import { createIds } from '@fairlead/core/adapter'
import { someUsage } from '@fairlead/testing'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { findPostgres } from '../testing/find-postgres.ts'
import { createTestDatabase } from '../testing/test-database.ts'
import { postgresStores } from './postgres-stores.ts'

const server = await findPostgres()
const database = server ? await createTestDatabase(server) : undefined
afterAll(() => database?.drop())

/** Stores, and how each transaction since the last look was committed. */
async function world() {
  const stores = await postgresStores({ url: database!.url })
  onTestFinished(() => stores.close())
  await database!.query(`
    create or replace function note_commit() returns trigger language plpgsql as $$
    begin
      insert into commits values (tg_argv[0], current_setting('synchronous_commit'));
      return null;
    end $$;
    drop table if exists commits;
    create table commits (changed text, mode text);
  `)
  // Deferred, so that they run when the transaction commits. The name is an argument, because rows are in partitions.
  for (const table of ['counters', 'usage_records', 'settings']) {
    await database!.query(`
      drop trigger if exists note_commit on ${table};
      create constraint trigger note_commit after insert or update on ${table}
      deferrable initially deferred for each row execute function note_commit('${table}');
    `)
  }
  return { stores, commits: () => database!.query<{ changed: string; mode: string }>('select * from commits') }
}

describe.skipIf(!database)('a commit on PostgreSQL', () => {
  test('a commit on PostgreSQL does not wait for the disk for a unit, nor for a usage record', async () => {
    const { stores, commits } = await world()
    // The first one adds the counter of the month.
    await stores.reserve('m', 10)
    await stores.reserve('m', 10)
    await stores.addUsage(someUsage(createIds(Date.now)))
    await stores.transact((tx) => tx.counters.reserve('m', 10), { durable: false })
    expect(await commits()).toEqual([
      { changed: 'counters', mode: 'off' },
      { changed: 'counters', mode: 'off' },
      { changed: 'usage_records', mode: 'off' },
      { changed: 'counters', mode: 'off' },
    ])
  })

  test('a commit on PostgreSQL waits for the disk for everything else, also where it takes a unit', async () => {
    const { stores, commits } = await world()
    // Uses the connection that committed without waiting before.
    await stores.reserve('m', 10)
    await stores.transact(async (tx) => {
      await tx.settings.set('a', 'b')
      await tx.counters.reserve('m', 10)
    })
    expect(await commits()).toEqual([
      { changed: 'counters', mode: 'off' },
      { changed: 'settings', mode: 'on' },
      { changed: 'counters', mode: 'on' },
    ])
  })
})
