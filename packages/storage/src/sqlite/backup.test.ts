import { statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, onTestFinished, test } from 'vitest'
import { temporaryDirectory } from '../testing/temporary-directory.ts'
import { backUpSqlite } from './backup.ts'
import { openConnection } from './open-connection.ts'

describe('backUpSqlite', () => {
  test('backUpSqlite copies the database as it was at the start, although another connection keeps writing', async () => {
    const folder = temporaryDirectory()
    const connection = await openConnection(join(folder, 'fairlead.db'))
    onTestFinished(() => connection.close())
    // More than the backup copies in one step.
    connection.exec('create table items (content text); insert into items values (hex(zeroblob(2200000)))')
    const writes = setInterval(() => connection.exec("insert into items values ('later')"), 0)
    onTestFinished(() => clearInterval(writes))
    await backUpSqlite(join(folder, 'fairlead.db'), join(folder, 'copy.db'))
    const copy = new DatabaseSync(join(folder, 'copy.db'), { readOnly: true })
    onTestFinished(() => copy.close())
    expect({ ...copy.prepare('select count(*) as items from items').get() }).toEqual({ items: 1 })
  })

  test('backUpSqlite leaves a file that exists as it is', async () => {
    const folder = temporaryDirectory()
    const path = join(folder, 'fairlead.db')
    const connection = await openConnection(path)
    onTestFinished(() => connection.close())
    const { size } = statSync(path)
    await expect(backUpSqlite(path, path)).rejects.toThrow('EEXIST')
    expect(statSync(path).size).toBe(size)
  })
})
