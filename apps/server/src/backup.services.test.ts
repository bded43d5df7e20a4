import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTestDatabase, findPostgres } from '@fairlead/storage/testing'
import { describe, expect, onTestFinished, test } from 'vitest'
import { backUp, copyTo, restore } from './backup.ts'
import { readConfig } from './config.ts'
import { openData } from './open-data.ts'
import { openOffline } from './offline.ts'

const postgres = await findPostgres()
const ada = { email: 'ada@example.com', name: 'Ada', password: 'a password of a user' }
const image = new TextEncoder().encode('an image')

describe('backUp', () => {
  test('backUp copies the data of a service that runs, and restore brings it back', async () => {
    const { config, offline } = await running()
    const folder = join(temporaryFolder(), 'backup')
    expect(await backUp(config, folder)).toMatchObject({ images: 1 })
    await offline.createUser({ ...ada, email: 'eve@example.com' })
    const restored = createConfig(join(temporaryFolder(), 'data'))
    await restore(restored, folder)
    const { images, stores } = await openData(restored)
    expect(await images.blobs.get('img_1')).toEqual(Buffer.from(image))
    await stores.close()
    const again = await openOffline(restored)
    onTestFinished(() => again.close())
    expect((await again.listUsers()).map(({ email }) => email)).toEqual([ada.email])
  })

  test.skipIf(process.platform === 'win32')('backUp writes files that only their owner can read', async () => {
    const { config } = await running()
    const folder = join(temporaryFolder(), 'backup')
    await backUp(config, folder)
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    for (const name of ['fairlead.db', 'secret-key']) expect(statSync(join(folder, name)).mode & 0o077).toBe(0)
  })

  test('backUp takes a path that ends in a slash', async () => {
    const { config } = await running()
    const parent = temporaryFolder()
    await backUp(config, `${parent}/backup/`)
    expect(readdirSync(parent)).toEqual(['backup'])
  })

  test('backUp leaves nothing behind if it fails', async () => {
    const { config } = await running()
    const parent = temporaryFolder()
    const secretKey = join(config.dataDirectory, 'secret-key')
    rmSync(secretKey)
    mkdirSync(secretKey)
    await expect(backUp(config, join(parent, 'backup'))).rejects.toThrow('secret-key')
    expect(readdirSync(parent)).toEqual([])
  })

  test('backUp refuses a folder that exists', async () => {
    const { config } = await running()
    const folder = temporaryFolder()
    await expect(backUp(config, folder)).rejects.toThrow(`${folder} exists already: name a folder that does not.`)
    expect(readdirSync(folder)).toEqual([])
  })

  test('backUp refuses a data folder without a database, and creates nothing in it', async () => {
    const config = createConfig(temporaryFolder())
    await expect(backUp(config, join(temporaryFolder(), 'backup'))).rejects.toThrow('has no database')
    expect(readdirSync(config.dataDirectory)).toEqual([])
  })

  test('backUp says to use pg_dump for PostgreSQL', async () => {
    const config = { ...createConfig(temporaryFolder()), databaseUrl: 'postgres://127.0.0.1:1/none' }
    await expect(backUp(config, join(temporaryFolder(), 'backup'))).rejects.toThrow('pg_dump')
  })
})

describe('restore', () => {
  async function backedUp(environment = {}): Promise<string> {
    const { config } = await running(environment)
    const folder = join(temporaryFolder(), 'backup')
    await backUp(config, folder)
    return folder
  }

  test.skipIf(process.platform === 'win32')(
    'restore lets only the owner read the files, whatever their mode was',
    async () => {
      const folder = await backedUp()
      const config = createConfig(temporaryFolder())
      for (const name of ['fairlead.db', 'secret-key']) chmodSync(join(folder, name), 0o644)
      await restore(config, folder)
      for (const name of ['fairlead.db', 'secret-key', 'images/img_1'])
        expect(statSync(join(config.dataDirectory, name)).mode & 0o077).toBe(0)
    },
  )

  test('restore refuses a data folder that is not empty, and changes nothing in it', async () => {
    const config = createConfig(temporaryFolder())
    writeFileSync(join(config.dataDirectory, 'notes'), 'mine')
    await expect(restore(config, await backedUp())).rejects.toThrow('is not empty')
    expect(readdirSync(config.dataDirectory)).toEqual(['notes'])
  })

  test('restore refuses a backup whose database has changed', async () => {
    const folder = await backedUp()
    appendFileSync(join(folder, 'fairlead.db'), 'x')
    await expect(restore(createConfig(temporaryFolder()), folder)).rejects.toThrow('has changed since the backup')
  })

  test('restore refuses a backup that has lost an image', async () => {
    const folder = await backedUp()
    rmSync(join(folder, 'images'), { recursive: true })
    await expect(restore(createConfig(temporaryFolder()), folder)).rejects.toThrow(
      'has 0 of 1 images: use another backup',
    )
  })

  const keyed = { FAIRLEAD_SECRET_KEY: 'the secret key of the service, long enough' }
  const otherKey = 'the secret key of another service, long enough'

  test('restore takes the key of the environment, also as the one before a rotation', async () => {
    const folder = await backedUp(keyed)
    const rotating = { FAIRLEAD_SECRET_KEY: otherKey, FAIRLEAD_SECRET_KEY_PREVIOUS: keyed.FAIRLEAD_SECRET_KEY }
    for (const environment of [keyed, rotating])
      await expect(restore(createConfig(temporaryFolder(), environment), folder)).resolves.toMatchObject({ images: 1 })
  })

  test.each([
    ['without a key', keyed, {}, /secret-key is missing: set FAIRLEAD_SECRET_KEY to the key of the service/],
    [
      'with the key of another service',
      keyed,
      { FAIRLEAD_SECRET_KEY: otherKey },
      /^FAIRLEAD_SECRET_KEY is not the secret key of this backup: set FAIRLEAD_SECRET_KEY to the key of the service/,
    ],
    [
      'whose own key is hidden by the environment',
      {},
      { FAIRLEAD_SECRET_KEY: otherKey },
      /^FAIRLEAD_SECRET_KEY is not the secret key of this backup: unset it, because .*secret-key has the key/,
    ],
  ])('restore refuses a backup %s, and changes nothing', async (_which, before, environment, message) => {
    const folder = await backedUp(before)
    const files = readdirSync(folder)
    const config = createConfig(temporaryFolder(), environment)
    await expect(restore(config, folder)).rejects.toThrow(message)
    expect([readdirSync(config.dataDirectory), readdirSync(folder)]).toEqual([[], files])
  })

  test('restore refuses a backup with a key that is not of its database', async () => {
    const folder = await backedUp()
    writeFileSync(join(folder, 'secret-key'), otherKey)
    await expect(restore(createConfig(temporaryFolder()), folder)).rejects.toThrow(
      `${join(folder, 'secret-key')} is not the secret key of this backup: set FAIRLEAD_SECRET_KEY`,
    )
  })

  test('restore refuses a folder that is no backup', async () => {
    const folder = temporaryFolder()
    await expect(restore(createConfig(temporaryFolder()), folder)).rejects.toThrow(`${folder} is not a backup`)
  })
})

describe('copyTo', () => {
  test.skipIf(!postgres)(
    'copyTo copies the records to PostgreSQL, where the service reads them with the same key',
    async () => {
      const { config, offline: source } = await running()
      await source.close()
      const target = await createTestDatabase(postgres!)
      onTestFinished(() => target.drop())
      expect(await copyTo(target.url, config)).toMatchObject({ users: 1, passwords: 1 })
      const secretKey = readFileSync(join(config.dataDirectory, 'secret-key'), 'utf8').trim()
      const offline = await openOffline({ ...config, databaseUrl: target.url, secretKey })
      onTestFinished(() => offline.close())
      expect((await offline.listUsers()).map(({ email }) => email)).toEqual([ada.email])
    },
  )

  test.each(['mysql://127.0.0.1/none', 'postgres://postgres@127.0.0.1:5432/', 'postgres://127.0.0.1', 'none'])(
    'copyTo refuses %s, which names no database of PostgreSQL',
    async (url) => {
      await expect(copyTo(url, createConfig(temporaryFolder()))).rejects.toThrow(
        '--to must be the URL of a PostgreSQL database, with its name',
      )
    },
  )
})

/** A service with a user and an image. */
async function running(environment = {}) {
  const config = createConfig(temporaryFolder(), environment)
  const offline = await openOffline(config)
  onTestFinished(() => offline.close())
  await offline.createUser(ada)
  mkdirSync(join(config.dataDirectory, 'images'), { recursive: true })
  writeFileSync(join(config.dataDirectory, 'images', 'img_1'), image)
  return { config, offline }
}

function createConfig(dataDirectory: string, environment = {}) {
  return readConfig({ FAIRLEAD_DATA_DIR: dataDirectory, ...environment })
}

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'fairlead-backup-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
