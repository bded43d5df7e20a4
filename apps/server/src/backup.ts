import { createHash } from 'node:crypto'
import { constants, createReadStream } from 'node:fs'
import { copyFile, mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { acceptsSecretKeys } from '@fairlead/accounts/server'
import { backUpSqlite, copyToPostgres, type CopiedTables, readBackupSetting } from '@fairlead/storage'
import * as z from 'zod'
import { type Config, ConfigError } from './config.ts'
import { hasCode, syncDirectory } from './random-file.ts'

type DataConfig = Pick<Config, 'databaseUrl' | 'dataDirectory'> &
  Partial<Pick<Config, 's3' | 'secretKey' | 'previousSecretKey'>>

/** The content of `backup.json`. */
const manifest = z.object({
  createdAt: z.iso.datetime(),
  /** SHA-256 of `fairlead.db`, in hexadecimal. */
  database: z.string().regex(/^[0-9a-f]{64}$/),
  /** Those in the backup: images on S3 stay there. */
  images: z.int().min(0),
})

export type Backup = z.infer<typeof manifest>

const database = 'fairlead.db'

/**
 * Copies the database, the images and the secret key of a service that may be running to a new folder. The database comes
 * first, so that the backup has every image that the database names.
 */
export async function backUp({ databaseUrl, dataDirectory, s3 }: DataConfig, folder: string): Promise<Backup> {
  if (databaseUrl !== undefined)
    throw new ConfigError(
      `DATABASE_URL names a PostgreSQL database: back it up with pg_dump, and then copy ${s3 ? `the bucket ${s3.bucket}` : join(dataDirectory, 'images')}.`,
    )
  if (await exists(folder)) throw new ConfigError(`${folder} exists already: name a folder that does not.`)
  if (!(await exists(join(dataDirectory, database))))
    throw new ConfigError(`${dataDirectory} has no database: set FAIRLEAD_DATA_DIR to the data folder of the service.`)
  // Without the slash that a path may end in.
  const draft = `${resolve(folder)}.part`
  await rm(draft, { recursive: true, force: true })
  await mkdir(draft, { recursive: true, mode: 0o700 })
  try {
    await explained(() => backUpSqlite(join(dataDirectory, database), join(draft, database)))
    await secure(join(draft, database))
    const backup = {
      createdAt: new Date().toISOString(),
      database: await hashFile(join(draft, database)),
      images: s3 ? 0 : await copyImages(dataDirectory, draft),
    }
    await copyIfPresent(join(dataDirectory, 'secret-key'), join(draft, 'secret-key'))
    await writeFile(join(draft, 'backup.json'), `${JSON.stringify(backup, null, 2)}\n`, { flush: true })
    await rename(draft, folder)
    await syncDirectory(dirname(resolve(folder)))
    return backup
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    throw error
  }
}

/** Copies a backup into an empty data folder, after checking that the backup is complete, and that its secrets can be read. */
export async function restore(config: DataConfig, folder: string): Promise<Backup> {
  const { databaseUrl, dataDirectory } = config
  if (databaseUrl !== undefined)
    throw new ConfigError('DATABASE_URL names a PostgreSQL database: restore it with pg_restore.')
  const backup = await readBackup(folder)
  if ((await hashFile(join(folder, database))) !== backup.database)
    throw new ConfigError(`${join(folder, database)} has changed since the backup: use another backup.`)
  const images = (await imagesIn(folder)).length
  if (images !== backup.images)
    throw new ConfigError(`${folder} has ${images} of ${backup.images} images: use another backup.`)
  await requireSecretKey(config, folder)
  await mkdir(dataDirectory, { recursive: true, mode: 0o700 })
  if ((await readdir(dataDirectory)).length > 0)
    throw new ConfigError(`${dataDirectory} is not empty: stop the service, and move the folder away.`)
  await copyImages(folder, dataDirectory)
  await copyIfPresent(join(folder, 'secret-key'), join(dataDirectory, 'secret-key'))
  // Last: the service refuses to start on a folder with a key and without a database.
  await copyIfPresent(join(folder, database), join(dataDirectory, database))
  await syncDirectory(dataDirectory)
  return backup
}

/** Copies the records of the data folder to an empty PostgreSQL database. Images and the secret key stay where they are. */
export async function copyTo(url: string, { databaseUrl, dataDirectory }: DataConfig): Promise<CopiedTables> {
  if (databaseUrl !== undefined)
    throw new ConfigError('DATABASE_URL is set: unset it, so that the records of FAIRLEAD_DATA_DIR are copied.')
  const { protocol, pathname } = URL.parse(url) ?? { protocol: '', pathname: '' }
  // Without a name, the copy would go to the database that is named like the user.
  if (!/^postgres(ql)?:$/.test(protocol) || pathname.length < 2)
    throw new ConfigError(
      '--to must be the URL of a PostgreSQL database, with its name, such as postgres://user@db.example.com/fairlead.',
    )
  const path = join(dataDirectory, database)
  if (!(await exists(path)))
    throw new ConfigError(`${dataDirectory} has no database: set FAIRLEAD_DATA_DIR to the data folder of the service.`)
  return explained(() => copyToPostgres({ path, url }))
}

/** Throws `ConfigError` unless the service could start with the secret key that it would have after the restore. */
async function requireSecretKey({ secretKey, previousSecretKey: previous }: DataConfig, folder: string): Promise<void> {
  const settings = { get: async (name: string) => readBackupSetting(join(folder, database), name) }
  const accepts = (current: string | undefined) =>
    acceptsSecretKeys({ settings }, current === undefined ? undefined : { current, ...(previous && { previous }) })
  const file = join(folder, 'secret-key')
  const stored = (await exists(file)) ? (await readFile(file, 'utf8')).trim() : undefined
  const key = secretKey ?? stored
  if (await explained(() => accepts(key))) return
  const name = secretKey === undefined ? file : 'FAIRLEAD_SECRET_KEY'
  const fault = key === undefined ? `${name} is missing` : `${name} is not the secret key of this backup`
  const fix =
    key !== stored && (await accepts(stored))
      ? `unset it, because ${file} has the key`
      : 'set FAIRLEAD_SECRET_KEY to the key of the service that was backed up'
  throw new ConfigError(`${fault}: ${fix}.`)
}

async function readBackup(folder: string): Promise<Backup> {
  try {
    return manifest.parse(JSON.parse(await readFile(join(folder, 'backup.json'), 'utf8')))
  } catch (error) {
    throw new ConfigError(`${folder} is not a backup: its backup.json is missing or damaged.`, { cause: error })
  }
}

/** Returns how many there are. An image that is deleted meanwhile is left out. */
async function copyImages(from: string, to: string): Promise<number> {
  await mkdir(join(to, 'images'), { mode: 0o700 })
  let copied = 0
  for (const name of await imagesIn(from)) {
    if (await copyIfPresent(join(from, 'images', name), join(to, 'images', name))) copied++
  }
  return copied
}

/** The names of the images of a data folder or a backup. */
async function imagesIn(folder: string): Promise<readonly string[]> {
  try {
    const names = await readdir(join(folder, 'images'))
    return names.filter((name) => !name.endsWith('.part'))
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return []
    throw error
  }
}

async function copyIfPresent(from: string, to: string): Promise<boolean> {
  try {
    // Where the file system can, the copy shares its blocks.
    await copyFile(from, to, constants.COPYFILE_FICLONE)
    await secure(to)
    return true
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false
    throw error
  }
}

/** Lets only the owner read the file, whatever the mode of the original, and waits until it is on disk. */
async function secure(path: string): Promise<void> {
  const file = await open(path, 'r+')
  try {
    await file.chmod(0o600)
    await file.sync()
  } finally {
    await file.close()
  }
}

async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

/** The operator can fix what keeps a database from being read or written. */
async function explained<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw new ConfigError(error instanceof Error ? error.message : String(error), { cause: error })
  }
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined
}
