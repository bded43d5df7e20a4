import { mkdir, readdir, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expectSecretKey } from '@fairlead/accounts/server'
import { sqliteStores } from '@fairlead/storage'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from './testing/run-main.ts'
import { runServer } from './testing/run-server.ts'

const secretKey = `${'a'.repeat(64)}\n`
const start = (folder: string, environment: Readonly<Record<string, string>> = {}) =>
  runServer({ FAIRLEAD_DATA_DIR: folder, ...environment })

async function makeDatabase(folder: string, expectsKey: boolean): Promise<void> {
  const stores = await sqliteStores({ path: join(folder, 'fairlead.db') })
  if (expectsKey) await expectSecretKey(stores, false)
  await stores.close()
}

const writeKey = (folder: string) => writeFile(join(folder, 'secret-key'), secretKey, { mode: 0o600 })

/** A data directory that was in use and holds an image. */
async function usedFolder(): Promise<string> {
  const folder = temporaryFolder()
  const server = await start(folder)
  const { status } = await server.ask('POST', '/generate/image', { prompt: 'x', model: 'picture' }, adminKey(server))
  expect(status).toBe(200)
  await server.stop()
  return folder
}

function adminKey({ firstAdmin }: { readonly firstAdmin: { readonly apiKey: string } | undefined }): string {
  return firstAdmin?.apiKey ?? ''
}

describe('a first start that was killed', () => {
  test.each<[string, (folder: string) => Promise<unknown>]>([
    ['when it had made its folders', (folder) => mkdir(join(folder, 'images'))],
    ['when it had created the database file', (folder) => writeFile(join(folder, 'fairlead.db'), '')],
    ['when it had made the tables', (folder) => makeDatabase(folder, false)],
    ['before it wrote the secret key', (folder) => makeDatabase(folder, true)],
    [
      'when it had written the secret key',
      async (folder) => {
        await makeDatabase(folder, true)
        await writeKey(folder)
      },
    ],
  ])('%s is completed by the next', async (_case, prepare) => {
    const folder = temporaryFolder()
    await prepare(folder)
    const server = await start(folder)
    const { status } = await server.ask('GET', '/models', undefined, adminKey(server))
    expect(status).toBe(200)
    await server.stop()
    expect((await start(folder)).firstAdmin).toBeUndefined()
  })
})

describe('processes that start at once on an empty directory', () => {
  test('processes that start at once on an empty directory create one admin and share one secret key', async () => {
    const folder = temporaryFolder()
    const servers = await Promise.all(Array.from({ length: 4 }, () => start(folder)))
    const admins = servers.flatMap(({ firstAdmin }) => firstAdmin ?? [])
    expect(admins).toHaveLength(1)
    for (const { ask } of servers) {
      expect((await ask('GET', '/models', undefined, admins[0]?.apiKey)).status).toBe(200)
    }
  })
})

describe('a start beside data of an earlier database', () => {
  test.each<[string, (folder: string) => Promise<unknown>]>([
    ['is gone', (folder) => rm(join(folder, 'fairlead.db'))],
    ['was emptied', (folder) => truncate(join(folder, 'fairlead.db'))],
  ])(
    'a start beside data of an earlier database is refused, and changes nothing, where the database %s',
    async (_case, harm) => {
      const folder = await usedFolder()
      await harm(folder)
      const before = await readdir(folder)
      await expect(start(folder)).rejects.toThrow(
        `The database is empty, but ${join(folder, 'secret-key')} belongs to an earlier one: restore the database from a backup`,
      )
      expect(await readdir(folder)).toEqual(before)
    },
  )

  test('a start beside data of an earlier database fails every time where the database was replaced by an empty one', async () => {
    const folder = await usedFolder()
    await rm(join(folder, 'fairlead.db'))
    await rm(join(folder, 'images'), { recursive: true })
    await makeDatabase(folder, false)
    for (let n = 0; n < 2; n++) await expect(start(folder)).rejects.toThrow('The database is empty')
  })

  test('a start beside data of an earlier database fails where only images are left', async () => {
    const folder = await usedFolder()
    await rm(join(folder, 'fairlead.db'))
    await rm(join(folder, 'secret-key'))
    const withKey = { FAIRLEAD_SECRET_KEY: 'k'.repeat(32) }
    await expect(start(folder, withKey)).rejects.toThrow(`${join(folder, 'images')} belongs to an earlier one`)
    await rm(join(folder, 'images'), { recursive: true })
    expect((await start(folder, withKey)).firstAdmin).toBeDefined()
  })
})

describe('a start without the secret key of its database', () => {
  test('a start without the secret key of its database fails without creating a key, and succeeds once the key is restored', async () => {
    const folder = await usedFolder()
    const path = join(folder, 'secret-key')
    await rename(path, join(folder, 'backup'))
    const before = (await readdir(folder)).sort()
    await expect(start(folder)).rejects.toThrow(`${path} is missing`)
    expect((await readdir(folder)).sort()).toEqual(before)
    const kept = await readFile(join(folder, 'backup'), 'utf8')
    await (await start(folder, { FAIRLEAD_SECRET_KEY: kept.trim() })).stop()
    await rename(join(folder, 'backup'), path)
    expect((await start(folder)).firstAdmin).toBeUndefined()
  })
})
