import { chmodSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, onTestFinished, test } from 'vitest'
import { copyToPostgres } from './copy-to-postgres.ts'
import { postgresStores } from './postgres/postgres-stores.ts'
import { sqliteStores } from './sqlite/sqlite-stores.ts'
import { findPostgres } from './testing/find-postgres.ts'
import { temporaryDirectory } from './testing/temporary-directory.ts'
import { createTestDatabase } from './testing/test-database.ts'

const server = await findPostgres()

describe.skipIf(!server)('copyToPostgres', () => {
  test('copyToPostgres copies every table, whose rows the stores then read', async () => {
    const path = await filledFile()
    const database = await emptyDatabase()
    const copied = await copyToPostgres({ path, url: database.url })
    const tables = listTables(path)
    expect(tables.length).toBeGreaterThan(15)
    expect(copied).toEqual(Object.fromEntries(tables.map((table) => [table, table === 'counters' ? 1_202 : 2])))
    for (const table of tables) {
      const [row] = await database.query<{ count: string }>(`select count(*) from ${table}`)
      expect([table, Number(row!.count)]).toEqual([table, copied[table]])
    }
    const stores = await postgresStores({ url: database.url })
    onTestFinished(() => stores.close())
    expect((await stores.read((view) => view.counters.peek('counter 7'))).used).toBe(1)
  })

  test('copyToPostgres keeps the order of events', async () => {
    const path = await filledFile()
    const database = await emptyDatabase()
    await copyToPostgres({ path, url: database.url })
    const rows = await database.query('select id from events order by transaction_id, position')
    expect(rows).toEqual([{ id: 'a' }, { id: 'b' }])
  })

  test('copyToPostgres refuses a database that has records, and leaves them', async () => {
    const path = await filledFile()
    const database = await emptyDatabase()
    await copyToPostgres({ path, url: database.url })
    await expect(copyToPostgres({ path, url: database.url })).rejects.toThrow(
      'the table users already has records: create an empty database',
    )
    expect(await database.query('select id from users order by id')).toEqual([{ id: 'a' }, { id: 'b' }])
  })

  test('copyToPostgres refuses a file of an earlier version, and says to migrate it', async () => {
    const path = await filledFile()
    run(path, "delete from migrations where name like '0016%'")
    await expect(copyToPostgres({ path, url: 'postgres://127.0.0.1:1/none' })).rejects.toThrow(
      `The database ${path} can't be used: an earlier version wrote it; run "fairlead migrate" first`,
    )
  })

  test('copyToPostgres refuses a file that a service has open, because later writes would be missing', async () => {
    const path = await filledFile()
    const stores = await sqliteStores({ path })
    const database = await emptyDatabase()
    const copying = copyToPostgres({ path, url: database.url })
    await expect(copying).rejects.toThrow(
      `The database ${path} can't be used: another process uses it; stop the service`,
    )
    await stores.close()
    expect(await copyToPostgres({ path, url: database.url })).toMatchObject({ users: 2 })
  })

  // Root may write every file.
  test.skipIf(process.getuid?.() === 0)('copyToPostgres says so if the file cannot be written', async () => {
    const path = await filledFile()
    chmodSync(path, 0o400)
    await expect(copyToPostgres({ path, url: 'postgres://127.0.0.1:1/none' })).rejects.toThrow(
      `The database ${path} can't be used: this user may not write there`,
    )
  })

  test('copyToPostgres creates no file where there is none', async () => {
    const path = join(temporaryDirectory(), 'fairlead.db')
    await expect(copyToPostgres({ path, url: 'postgres://127.0.0.1:1/none' })).rejects.toThrow("can't be used")
    expect(existsSync(path)).toBe(false)
  })

  test('copyToPostgres names the server that cannot be reached', async () => {
    const path = await filledFile()
    await expect(copyToPostgres({ path, url: 'postgres://ada:secret@127.0.0.1:1/none' })).rejects.toThrow(
      /^PostgreSQL at 127\.0\.0\.1:1\/none cannot be used: /,
    )
  })
})

/** Two rows in each table, and many counters. */
async function filledFile(): Promise<string> {
  const path = join(temporaryDirectory(), 'fairlead.db')
  const stores = await sqliteStores({ path })
  for (let index = 0; index < 1_200; index++) await stores.reserve(`counter ${index}`, null)
  await stores.close()
  const connection = new DatabaseSync(path)
  connection.exec('pragma foreign_keys = off')
  for (const table of listTables(path)) {
    const columns = connection.prepare('select name, type from pragma_table_info(?)').all(table)
    for (const [index, word] of ['a', 'b'].entries()) {
      const values = columns.map(({ type }) =>
        type === 'TEXT' || type === 'text' ? word : index + 0.5 * Number(type === 'REAL'),
      )
      const places = columns.map(() => '?').join(', ')
      connection.prepare(`insert into "${table}" values (${places})`).run(...values)
    }
  }
  connection.close()
  return path
}

function listTables(path: string): readonly string[] {
  const connection = new DatabaseSync(path, { readOnly: true })
  const rows = connection
    .prepare("select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'")
    .all()
  connection.close()
  return rows.map(({ name }) => String(name)).filter((name) => name !== 'migrations')
}

function run(path: string, statement: string): void {
  const connection = new DatabaseSync(path)
  connection.exec(statement)
  connection.close()
}

async function emptyDatabase() {
  const database = await createTestDatabase(server!)
  onTestFinished(() => database.drop())
  return database
}
