import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { prepared } from '../sql/statements.ts'
import { findPostgres } from '../testing/find-postgres.ts'
import { openDatabase, openPool } from './pool.ts'

const url = await findPostgres()

describe.skipIf(!url)('a connection to PostgreSQL', () => {
  test('a connection to PostgreSQL keeps the plans of prepared statements, and of no others', async () => {
    const pool = openPool({ url: url!, size: 1, connectionTimeoutMs: 2_000, onLost: () => {} })
    onTestFinished(() => pool.end())
    const db = openDatabase(pool)
    const double = prepared<{ readonly n: number }, { readonly doubled: number }>(
      (_db, slot) => sql<{ doubled: number }>`select 2 * cast(${slot('n')} as int) as doubled`,
    )
    expect((await double(db, { n: 2 })).rows).toEqual([{ doubled: 4 }])
    expect((await double(db, { n: 3 })).rows).toEqual([{ doubled: 6 }])
    await sql`select cast(${1} as int)`.execute(db)
    const kept = await sql<{ statement: string }>`select statement from pg_prepared_statements`.execute(db)
    expect(kept.rows).toEqual([{ statement: 'select 2 * cast($1 as int) as doubled' }])
  })
})
