import { existsSync, readdirSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, onTestFinished, test } from 'vitest'
import { temporaryDirectory } from '../testing/temporary-directory.ts'
import { openLogFile } from './log-file.ts'

function database() {
  const connection = new DatabaseSync(join(temporaryDirectory(), 'some.db'))
  onTestFinished(() => connection.close())
  connection.exec('pragma journal_mode = wal; pragma synchronous = normal')
  const log = openLogFile(connection.location())
  onTestFinished(() => log.close())
  return { connection, log }
}

describe('the log of a database', () => {
  test('is flushed from its first transaction on, also when it was emptied', async () => {
    const { connection, log } = database()
    await expect(log.flush()).rejects.toThrow('ENOENT')
    connection.exec('create table some (n)')
    await log.flush()
    connection.exec('pragma wal_checkpoint(truncate); insert into some values (1)')
    await log.flush()
  })

  test.skipIf(!existsSync('/proc/self/fd'))('is the file that SQLite writes, until it is closed', async () => {
    const { connection, log } = database()
    const open = () => readdirSync('/proc/self/fd').filter((fd) => target(fd) === `${connection.location()}-wal`)
    connection.exec('create table some (n)')
    expect(open()).toHaveLength(1)
    await log.flush()
    await log.flush()
    expect(open()).toHaveLength(2)
    await log.close()
    expect(open()).toHaveLength(1)
    connection.exec('insert into some values (1)')
    const other = new DatabaseSync(connection.location() ?? '')
    onTestFinished(() => other.close())
    expect(other.prepare('select n from some').all()).toEqual([{ n: 1 }])
  })

  test('is none for a database in memory', async () => {
    const connection = new DatabaseSync(':memory:')
    onTestFinished(() => connection.close())
    const log = openLogFile(connection.location())
    await expect(log.flush()).resolves.toBeUndefined()
    await log.close()
  })
})

function target(fd: string): string {
  try {
    return readlinkSync(join('/proc/self/fd', fd))
  } catch {
    return ''
  }
}
