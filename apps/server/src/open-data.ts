import { join } from 'node:path'
import type { Log } from '@fairlead/core'
import type { Blobs, Stores } from '@fairlead/core/stores'
import { diskBlobs, postgresStores, sqliteStores } from '@fairlead/storage'
import type { Config } from './config.ts'
import { ConfigError } from './config-error.ts'

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
    return {
      blobs,
      stores: await told(`FAIRLEAD_DATA_DIR names ${dataDirectory}`, () => sqliteStores({ path, ...(log && { log }) })),
    }
  }
  const options = { url: databaseUrl, ...(log && { log }) }
  return { blobs, stores: await told('DATABASE_URL names a database', () => postgresStores(options)) }
}

async function told<Result>(what: string, open: () => Promise<Result>): Promise<Result> {
  try {
    return await open()
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new ConfigError(`${what}, which can't be used.\n${reason}`, { cause: error })
  }
}
