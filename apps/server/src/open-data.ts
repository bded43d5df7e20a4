import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Log } from '@fairlead/core'
import type { Blobs, Stores } from '@fairlead/core/stores'
import { diskBlobs, postgresStores, sqliteStores } from '@fairlead/storage'
import type { Config } from './config.ts'
import { ConfigError } from './config.ts'
import { emptyDatabase, secretKeyPath } from './secret-keys.ts'

/**
 * Opens what the configuration names: a data directory, which is its owner's alone, and a PostgreSQL database where the
 * records are not in that directory too. What keeps us from our data is for the operator to mend: it is told in a
 * sentence, not as a stack.
 */
export async function openData(
  { databaseUrl, dataDirectory }: Pick<Config, 'databaseUrl' | 'dataDirectory'>,
  log?: Log,
): Promise<{ readonly stores: Stores; readonly blobs: Blobs }> {
  const blobs = await told(`FAIRLEAD_DATA_DIR names ${dataDirectory}`, () => diskBlobs(join(dataDirectory, 'images')))
  if (databaseUrl === undefined) {
    const path = join(dataDirectory, 'fairlead.db')
    await refuseMissingFile(path, dataDirectory)
    const stores = await told(`FAIRLEAD_DATA_DIR names ${dataDirectory}`, () =>
      sqliteStores({ path, ...(log && { log }) }),
    )
    return { blobs, stores: await unlessEmptied(stores, blobs, dataDirectory) }
  }
  const options = { url: databaseUrl, ...(log && { log }) }
  const stores = await told('DATABASE_URL names a database', () => postgresStores(options))
  return { blobs, stores: await unlessEmptied(stores, blobs, dataDirectory) }
}

/** Before SQLite makes the file: a backup is not to be restored beside what SQLite would add to it. */
async function refuseMissingFile(path: string, dataDirectory: string): Promise<void> {
  const secretKey = secretKeyPath(dataDirectory)
  // In this order: another process that starts now makes the database before the key.
  if ((await sizeOf(secretKey)) > 0 && (await sizeOf(path)) === 0) throw emptyDatabase(secretKey)
}

/** Images come after the first account, whose database this is not if it has none. */
async function unlessEmptied(stores: Stores, blobs: Blobs, dataDirectory: string): Promise<Stores> {
  try {
    // Images first: another process may make both in between.
    const image = await firstOf(blobs.names())
    const users = await stores.read((view) => view.users.count())
    if (image !== undefined && users === 0) throw emptyDatabase(join(dataDirectory, 'images'))
    return stores
  } catch (error) {
    await stores.close()
    throw error
  }
}

async function firstOf<Item>(items: AsyncIterable<Item>): Promise<Item | undefined> {
  for await (const item of items) return item
  return undefined
}

/** In bytes; 0 where there is no such file. */
async function sizeOf(path: string): Promise<number> {
  const found = await stat(path).catch(() => undefined)
  return found?.size ?? 0
}

async function told<Result>(what: string, open: () => Promise<Result>): Promise<Result> {
  try {
    return await open()
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new ConfigError(`${what}, which can't be used.\n${reason}`, { cause: error })
  }
}
