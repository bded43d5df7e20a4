import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, onTestFinished, test } from 'vitest'
import { temporaryDirectory } from '../testing/temporary-directory.ts'
import { openConnection } from './open-connection.ts'
import { sqliteStores } from './sqlite-stores.ts'

describe('a database file', () => {
  test('a database file has a write-ahead log, syncs past the cache of the disk, and enforces foreign keys', async () => {
    const connection = await opened(newFile())
    const setting = (name: string) => Object.values(connection.prepare(`pragma ${name}`).get() ?? {})[0]
    expect(['journal_mode', 'synchronous', 'fullfsync', 'foreign_keys'].map(setting)).toEqual(['wal', 2, 1, 1])
  })

  test.skipIf(process.platform === 'win32')(
    'a database file is readable only by its owner, as are the files beside it',
    async () => {
      const path = newFile()
      const connection = await opened(path)
      connection.exec('create table some (n)')
      for (const file of [path, `${path}-wal`, `${path}-shm`]) expect(statSync(file).mode & 0o777).toBe(0o600)
    },
  )

  test('a database file can be opened by several connections at once while it is new', async () => {
    const path = newFile()
    const all = await Promise.all(Array.from({ length: 8 }, () => opened(path)))
    expect(all).toHaveLength(8)
  })

  test('a database file is opened once another connection releases its lock', async () => {
    const path = newFile()
    const other = new DatabaseSync(path)
    onTestFinished(() => other.close())
    other.exec('create table some (n); begin exclusive')
    const opening = opened(path)
    await new Promise((resolve) => setImmediate(resolve))
    other.exec('commit')
    await expect(opening).resolves.toBeDefined()
  })

  test('a database file is rejected with the reason where it cannot be used', async () => {
    const directory = temporaryDirectory()
    const file = join(directory, 'notes.txt')
    writeFileSync(file, 'these are notes, and longer than the header of a database '.repeat(20))
    mkdirSync(join(directory, 'folder.db'))
    await expect(openConnection(join(directory, 'none', 'f.db'))).rejects.toThrow('its directory does not exist')
    await expect(openConnection(join(directory, 'folder.db'))).rejects.toThrow('it is a directory')
    await expect(openConnection(file)).rejects.toThrow(/notes\.txt can't be used: file is not a database/)
  })
})

describe('the tables', () => {
  test('the tables are created once when several stores start at once', async () => {
    const path = newFile()
    const all = await Promise.all(Array.from({ length: 4 }, () => sqliteStores({ path })))
    const counts = await Promise.all(all.map((stores) => stores.read((view) => view.users.count())))
    await Promise.all(all.map((stores) => stores.close()))
    expect(counts).toEqual([0, 0, 0, 0])
  })

  test('the tables of a newer version are rejected and not changed', async () => {
    const path = newFile()
    await (await sqliteStores({ path })).close()
    const connection = await opened(path)
    connection.exec("insert into migrations (name, at) values ('0099-of-tomorrow', 1)")
    await expect(sqliteStores({ path })).rejects.toThrow(/newer version of Fairlead \(it has 0099-of-tomorrow\)/)
    expect(connection.prepare('pragma integrity_check').get()).toEqual({ integrity_check: 'ok' })
  })
})

function newFile(): string {
  return join(temporaryDirectory(), 'new.db')
}

async function opened(path: string): Promise<DatabaseSync> {
  const connection = await openConnection(path)
  onTestFinished(() => connection.close())
  return connection
}
