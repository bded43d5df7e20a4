import { mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { FairleadError, type Log } from '@fairlead/core'
import { type Stores, postgresStores, sqliteStores } from '@fairlead/storage'
import { type Config, ConfigError } from './config.ts'
import { type ImageStorage, openImageStorage } from './image-storage.ts'
import { emptyDatabase, secretKeyPath } from './secret-keys.ts'
import { canPass } from './wait-until-available.ts'

type DataConfig = Pick<Config, 'databaseUrl' | 'dataDirectory' | 's3'> & Partial<Pick<Config, 'poolSize' | 'migrate'>>

type UntilAvailable = <Opened>(open: () => Promise<Opened>) => Promise<Opened>

/**
 * Opens the images, in the data directory or on S3, and the database: SQLite in that directory, or PostgreSQL. If
 * either cannot be used, throws `ConfigError` with one sentence instead of a stack.
 *
 * @param untilAvailable calls its argument, perhaps again after PostgreSQL or S3 could not be reached. Default: calls it once
 */
export async function openData(
  { databaseUrl, dataDirectory, s3, poolSize, migrate }: DataConfig,
  log?: Log,
  untilAvailable: UntilAvailable = (open) => open(),
): Promise<{ readonly stores: Stores; readonly images: ImageStorage }> {
  if (s3)
    await explained(`FAIRLEAD_DATA_DIR names ${dataDirectory}`, () =>
      mkdir(dataDirectory, { recursive: true, mode: 0o700 }),
    )
  const images = await explained(`FAIRLEAD_DATA_DIR names ${dataDirectory}`, () =>
    openImageStorage({ s3, dataDirectory }),
  )
  if (databaseUrl === undefined) {
    const path = join(dataDirectory, 'fairlead.db')
    await rejectMissingFile(path, dataDirectory)
    const stores = await explained(`FAIRLEAD_DATA_DIR names ${dataDirectory}`, () =>
      sqliteStores({ path, migrate, ...(log && { log }) }),
    )
    return { images, stores: await rejectEmptied(stores, images, untilAvailable, log) }
  }
  const options = { url: databaseUrl, poolSize, migrate, ...(log && { log }) }
  const opened = await untilAvailable(() => explained('DATABASE_URL names a database', () => postgresStores(options)))
  return { images, stores: await rejectEmptied(opened, images, untilAvailable, log) }
}

/** Checked before SQLite creates the file: a backup must not be restored next to files of another database. */
async function rejectMissingFile(path: string, dataDirectory: string): Promise<void> {
  const secretKey = secretKeyPath(dataDirectory)
  // In this order: another process that starts now creates the database before the key.
  if ((await measureFile(secretKey)) > 0 && (await measureFile(path)) === 0) throw emptyDatabase(secretKey)
}

/**
 * There are no images before the first account: an empty database next to images has lost its records. While S3 cannot be
 * reached, only such a database waits for it: a service with accounts starts, and refuses images alone.
 */
async function rejectEmptied(
  stores: Stores,
  { blobs, name }: ImageStorage,
  untilAvailable: UntilAvailable,
  log: Log | undefined,
): Promise<Stores> {
  const countUsers = () => stores.read((view) => view.users.count())
  const firstImage = async () => {
    try {
      return await explained(`The images are in ${name}`, () => takeFirst(blobs.names()))
    } catch (error) {
      if (!canPass(error) || (await countUsers()) === 0) throw error
      log?.warn({ reason: (error as Error).message }, 'image storage unavailable, starting without it')
      return undefined
    }
  }
  try {
    // Images first: another process may create both in between.
    const image = await untilAvailable(firstImage)
    if (image !== undefined && (await countUsers()) === 0) throw emptyDatabase(name)
    return stores
  } catch (error) {
    await stores.close()
    throw error
  }
}

async function takeFirst<Item>(items: AsyncIterable<Item>): Promise<Item | undefined> {
  for await (const item of items) return item
  return undefined
}

/** In bytes; 0 if the file does not exist. */
async function measureFile(path: string): Promise<number> {
  const found = await stat(path).catch(() => undefined)
  return found?.size ?? 0
}

async function explained<Result>(what: string, open: () => Promise<Result>): Promise<Result> {
  try {
    return await open()
  } catch (error) {
    // The cause names what S3 answered.
    const first = error instanceof FairleadError ? error.cause : error
    const reason = first instanceof Error ? first.message || first.name : String(first)
    throw new ConfigError(`${what}, which cannot be used.\n${reason}`, { cause: error })
  }
}
