import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { damageTable } from '../testing/damage-file.ts'
import { temporaryDirectory } from '../testing/temporary-directory.ts'
import { sqliteStores } from './sqlite-stores.ts'

async function damagedFile(table: string): Promise<string> {
  const path = join(temporaryDirectory(), 'f.db')
  const stores = await sqliteStores({ path })
  await stores.reserve('k', null)
  await stores.close()
  damageTable(path, table)
  return path
}

describe('a database file with a damaged page', () => {
  test('a database file with a damaged page is reported once with its name and the fix, serves other reads, and takes no more writes', async () => {
    const path = await damagedFile('shipments')
    const logged: unknown[] = []
    const stores = await sqliteStores({
      path,
      log: { error: ({ file }, message) => void logged.push({ file, message }) },
    })
    onTestFinished(() => stores.close())
    expect(await stores.reserve('k', null)).toMatchObject({ granted: true })
    for (let n = 0; n < 3; n++) {
      await expect(stores.read((view) => view.shipments.find('shp_1'))).rejects.toMatchObject({
        code: 'SERVICE_UNAVAILABLE',
        cause: { errcode: 11 },
      })
    }
    expect(logged).toEqual([{ file: path, message: expect.stringContaining('restore it from a backup') }])
    expect((await stores.read((view) => view.counters.peek('k'))).used).toBe(2)
    const refused = { code: 'SERVICE_UNAVAILABLE', message: 'The database is damaged.' }
    await expect(stores.reserve('k', null)).rejects.toMatchObject(refused)
    await expect(stores.transact((tx) => tx.settings.set('a', 'b'))).rejects.toMatchObject(refused)
  })

  test('a database file with a damaged page fails the start with the fix where a migration needs the page', async () => {
    const path = await damagedFile('migrations')
    await expect(sqliteStores({ path })).rejects.toThrow(
      `The database ${path} can't be used: database disk image is malformed; restore the file from a backup`,
    )
  })
})
