import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Stores } from '../stores.ts'
import { describe, expect, onTestFinished, test } from 'vitest'
import { readDatabaseState } from '../database-state.ts'
import { findPostgres } from '../testing/find-postgres.ts'
import { createTestDatabase } from '../testing/test-database.ts'
import { postgresStores } from '../postgres/postgres-stores.ts'
import { sqliteStores } from '../sqlite/sqlite-stores.ts'

const server = await findPostgres()

async function databaseFile(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'fairlead-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  return join(directory, 'fairlead.db')
}

async function emptyDatabase() {
  const database = await createTestDatabase(server!)
  onTestFinished(() => database.drop())
  return database
}

/** Processes that open the same stores when all of them are up; tells what each had to say. */
async function openAtOnce(open: string, processes = 3): Promise<readonly string[]> {
  const program = `
    import { postgresStores, sqliteStores } from '@fairlead/storage'
    process.send('up')
    await new Promise((resolve) => process.once('message', resolve))
    const stores = await ${open}
    await stores.reserve('m', null)
    await stores.close()
    process.stdout.write('done')
    process.exit()
  `
  const args = ['--conditions=@fairlead/source', '--no-warnings', '--input-type=module', '--eval', program]
  const children = Array.from({ length: processes }, () =>
    spawn(process.execPath, args, { cwd: import.meta.dirname, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] }),
  )
  const said = children.map((child) => Promise.all([text(child.stdout!), text(child.stderr!)]))
  await Promise.all(children.map((child) => Promise.race([once(child, 'message'), once(child, 'exit')])))
  for (const child of children) if (child.connected) child.send('go')
  return Promise.all(said.map(async (streams) => (await streams).join('')))
}

/** A usage record as versions without reasoning tokens, cached tokens, and details write it. */
const earlierRecord = `
  insert into usage_records (run_id, request_id, user_id, counter, operation, at, duration_ms, outcome, charged,
    model, provider, prompt_tokens, completion_tokens, cost_usd)
  values ('run_1', 'req_1', 'usr_1', 'key_1', 'generate', 1, 1, 'ok', 1, 'any', 'calm', 2, 3, 0.25)`
const insertUser = (role: string) => `
  insert into users (id, email, name, role, tier, quota_scope, status, created_at, updated_at, version)
  values ('usr_${role}', '${role}@example.com', 'Ada', '${role}', 'free', 'key', 'active', 1, 1, 1)`

const withoutVerifiedEmails = [
  'alter table users drop column email_verified',
  "delete from migrations where name like '0033%'",
  insertUser('admin'),
].join(';')

/** Keys of an admin and of a member, as versions without the scope `admin` write them. */
const earlierKeys = [
  "delete from migrations where name like '0030%'",
  ...['admin', 'member'].map(insertUser),
  ...[
    ['key_1', 'usr_admin', '["generate","models"]'],
    ['key_2', 'usr_admin', '["generate"]'],
    ['key_3', 'usr_member', '["generate","models"]'],
  ].map(
    ([id, user, scopes]) => `insert into api_keys (id, user_id, name, prefix, secret_hash, scopes, created_at)
      values ('${id}', '${user}', 'key', 'fl_12345678', '${id}', '${scopes}', 1)`,
  ),
].join(';')
const readScopes = async (stores: Pick<Stores, 'read'>) =>
  Promise.all(['key_1', 'key_2', 'key_3'].map((id) => stores.read(async ({ keys }) => (await keys.find(id))?.scopes)))
const scopesToReload = [['generate', 'models', 'admin'], ['generate'], ['generate', 'models']]

const unknownDetails = {
  promptTokens: 2,
  completionTokens: 3,
  reasoningTokens: null,
  cachedPromptTokens: null,
  stream: null,
  cached: null,
  details: null,
}

const earlierImage = `insert into images (id, user_id, model, created_at) values ('img_1', 'usr_1', 'vista', 1)`

describe('migrations of SQLite', () => {
  test('migrations of SQLite run once when several processes start at once', async () => {
    const path = await databaseFile()
    expect(await openAtOnce(`sqliteStores({ path: ${JSON.stringify(path)} })`)).toEqual(Array(3).fill('done'))
    const stores = await sqliteStores({ path })
    onTestFinished(() => stores.close())
    expect((await stores.read((view) => view.counters.peek('m'))).used).toBe(3)
  })

  test('migrations of SQLite leave what earlier versions do not write unknown', async () => {
    const path = await databaseFile()
    await (await sqliteStores({ path })).close()
    const file = new DatabaseSync(path)
    file.exec(earlierRecord)
    file.close()
    const stores = await sqliteStores({ path })
    onTestFinished(() => stores.close())
    expect(await stores.read((view) => view.usage.findMany(['run_1']))).toMatchObject([unknownDetails])
  })

  test('migrations of SQLite count an image that an earlier version adds as 1 MB', async () => {
    const path = await databaseFile()
    await (await sqliteStores({ path })).close()
    const file = new DatabaseSync(path)
    file.exec(`
      drop index images_of_account;
      alter table images drop column bytes;
      alter table images drop column payer;
      delete from migrations where name like '0031%';
      ${earlierImage}`)
    file.close()
    const stores = await sqliteStores({ path })
    onTestFinished(() => stores.close())
    expect(await stores.read((view) => view.images.bytesOf('usr_1'))).toBe(1_000_000)
  })

  test('migrations of SQLite keep sessions without an end in a database that has users', async () => {
    const path = await databaseFile()
    const defaults = async () => {
      const stores = await sqliteStores({ path })
      const found = await stores.read((view) => view.settings.get('defaults'))
      await stores.close()
      return found
    }
    expect(await defaults()).toBeUndefined()
    const file = new DatabaseSync(path)
    file.exec(`
      alter table users drop column admin_by_identity;
      alter table sessions drop column confirmed_at;
      alter table sessions drop column issuer_token;
      delete from migrations where name like '0023%';
      insert into users (id, email, name, role, tier, quota_scope, status, created_at, updated_at, version)
      values ('usr_1', 'ada@example.com', 'Ada', 'admin', 'free', 'key', 'active', 1, 1, 1)`)
    file.close()
    expect(await defaults()).toBe('1')
  })

  test('migrations of SQLite let keys that could reload the configuration do so', async () => {
    const path = await databaseFile()
    await (await sqliteStores({ path })).close()
    const file = new DatabaseSync(path)
    file.exec(earlierKeys)
    file.close()
    const stores = await sqliteStores({ path })
    onTestFinished(() => stores.close())
    expect(await readScopes(stores)).toEqual(scopesToReload)
  })

  test('migrations of SQLite take the email addresses of users from before as verified', async () => {
    const path = await databaseFile()
    await (await sqliteStores({ path })).close()
    const file = new DatabaseSync(path)
    file.exec(withoutVerifiedEmails)
    file.close()
    const stores = await sqliteStores({ path })
    onTestFinished(() => stores.close())
    expect(await stores.read(({ users }) => users.find('usr_admin'))).toMatchObject({ emailVerified: true })
  })

  test('migrations of SQLite reject a database of a later version, and do not change it', async () => {
    const path = await databaseFile()
    await (await sqliteStores({ path })).close()
    const file = new DatabaseSync(path)
    file.exec("insert into migrations (name, at) values ('9999-of-tomorrow', 1)")
    file.close()
    await expect(sqliteStores({ path })).rejects.toThrow(
      'written by a newer version of Fairlead (it has 9999-of-tomorrow)',
    )
  })

  test('migrations of SQLite let a version use a database of a later version if all that it lacks is compatible with it', async () => {
    const path = await databaseFile()
    await (await sqliteStores({ path })).close()
    const file = new DatabaseSync(path)
    onTestFinished(() => file.close())
    const later = file.prepare('insert into migrations (name, at, compatible_from) values (?, 1, ?)')
    later.run('9998-of-tomorrow', '0013-request-details')
    for (const migrate of [true, false]) await (await sqliteStores({ path, migrate })).close()
    expect(await readDatabaseState({ path })).toMatchObject({ pendingMigrations: [] })
    later.run('9999-of-tomorrow', '9998-of-tomorrow')
    for (const migrate of [true, false]) {
      await expect(sqliteStores({ path, migrate })).rejects.toThrow(
        'written by a newer version of Fairlead (it has 9999-of-tomorrow)',
      )
    }
    await expect(readDatabaseState({ path })).rejects.toThrow('(it has 9999-of-tomorrow)')
  })

  test('migrations of SQLite name the one that an earlier version must have', async () => {
    const path = await databaseFile()
    await (await sqliteStores({ path })).close()
    const file = new DatabaseSync(path)
    onTestFinished(() => file.close())
    const named = file.prepare("select distinct compatible_from as named from migrations where name > '0014'").all()
    expect(named.map((row) => row['named'])).toEqual(['0013-request-details'])
  })

  test('migrations of SQLite do not run with migrate: false, which rejects a database that lacks some and names them', async () => {
    const path = await databaseFile()
    await expect(sqliteStores({ path, migrate: false })).rejects.toThrow(
      'The database lacks migrations (all): run "fairlead migrate", and start again.',
    )
    await (await sqliteStores({ path })).close()
    await (await sqliteStores({ path, migrate: false })).close()
    const file = new DatabaseSync(path)
    file.exec("delete from migrations where name like '0013%'")
    file.close()
    await expect(sqliteStores({ path, migrate: false })).rejects.toThrow('lacks migrations (0013-request-details)')
  })
})

describe.skipIf(!server)('migrations of PostgreSQL', () => {
  test('migrations of PostgreSQL do not run with migrate: false, which rejects a database that lacks some and leaves it empty', async () => {
    const { url, query } = await emptyDatabase()
    await expect(postgresStores({ url, migrate: false })).rejects.toThrow(
      'The database lacks migrations (all): run "fairlead migrate", and start again.',
    )
    expect(await query('select from pg_tables where schemaname = current_schema()')).toEqual([])
    await (await postgresStores({ url })).close()
    await (await postgresStores({ url, migrate: false })).close()
  })

  test('migrations of PostgreSQL run once when several processes start at once', async () => {
    const { url } = await emptyDatabase()
    expect(await openAtOnce(`postgresStores({ url: ${JSON.stringify(url)} })`)).toEqual(Array(3).fill('done'))
    const stores = await postgresStores({ url })
    onTestFinished(() => stores.close())
    expect((await stores.read((view) => view.counters.peek('m'))).used).toBe(3)
  })

  test('migrations of PostgreSQL wait for a migration of another process that takes longer than a statement may', async () => {
    const { url, query } = await emptyDatabase()
    const other = query(`
      begin;
      select pg_advisory_xact_lock(hashtextextended('fairlead migrations', 0));
      select pg_sleep(0.8);
      commit;
    `)
    await expect.poll(() => query("select from pg_locks where locktype = 'advisory' and granted")).toHaveLength(1)
    const stores = await postgresStores({ url: `${url}?statement_timeout=600` })
    await other
    await stores.close()
  })

  test('migrations of PostgreSQL leave what earlier versions do not write unknown', async () => {
    const { url, query } = await emptyDatabase()
    const stores = await postgresStores({ url })
    onTestFinished(() => stores.close())
    await query(earlierRecord)
    expect(await stores.read((view) => view.usage.findMany(['run_1']))).toMatchObject([unknownDetails])
  })

  test('migrations of PostgreSQL let keys that could reload the configuration do so', async () => {
    const { url, query } = await emptyDatabase()
    await (await postgresStores({ url })).close()
    await query(earlierKeys)
    const stores = await postgresStores({ url })
    onTestFinished(() => stores.close())
    expect(await readScopes(stores)).toEqual(scopesToReload)
  })

  test('migrations of PostgreSQL count an image that an earlier version adds as 1 MB', async () => {
    const { url, query } = await emptyDatabase()
    const stores = await postgresStores({ url })
    onTestFinished(() => stores.close())
    await query(earlierImage)
    expect(await stores.read((view) => view.images.bytesOf('usr_1'))).toBe(1_000_000)
  })

  test('migrations of PostgreSQL take the email addresses of users from before as verified', async () => {
    const { url, query } = await emptyDatabase()
    await (await postgresStores({ url })).close()
    await query(withoutVerifiedEmails)
    const stores = await postgresStores({ url })
    onTestFinished(() => stores.close())
    expect(await stores.read(({ users }) => users.find('usr_admin'))).toMatchObject({ emailVerified: true })
    // One that the version before creates during the upgrade.
    await query(insertUser('late'))
    expect(await stores.read(({ users }) => users.find('usr_late'))).toMatchObject({ emailVerified: false })
  })

  test('migrations of PostgreSQL reject a database of a later version, and do not change it', async () => {
    const { url, query } = await emptyDatabase()
    await (await postgresStores({ url })).close()
    await query("insert into migrations (name, at) values ('9999-of-tomorrow', 1)")
    await expect(postgresStores({ url })).rejects.toThrow(
      'written by a newer version of Fairlead (it has 9999-of-tomorrow)',
    )
  })
})
