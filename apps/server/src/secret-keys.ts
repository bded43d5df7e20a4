import { randomBytes } from 'node:crypto'
import { link, open, readFile, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { adoptSecretKey, expectSecretKey, type SecretKeys } from '@fairlead/core'
import type { Stores } from '@fairlead/core/stores'
import type { Config } from './config.ts'
import { ConfigError } from './config.ts'

type KeyConfig = Pick<Config, 'dataDirectory' | 'secretKey' | 'previousSecretKey'>

/**
 * The secret keys that the stores were begun with: from the environment, else from the data directory, where the first
 * start leaves one. Refused with any other, since every session and every sealed secret would be lost.
 */
export async function ownSecretKeys(config: KeyConfig, stores: Stores): Promise<SecretKeys> {
  const current = config.secretKey ?? (await keptKey(secretKeyPath(config.dataDirectory), stores))
  const { previousSecretKey: previous } = config
  const keys: SecretKeys = { current, ...(previous !== undefined && { previous }) }
  if (await adoptSecretKey(stores, keys)) return keys
  throw new ConfigError(
    'FAIRLEAD_SECRET_KEY is not the key that this database was begun with: give that one back, ' +
      'or name it as FAIRLEAD_SECRET_KEY_PREVIOUS beside the new one.',
  )
}

/** Where the key is kept unless the environment names one. */
export function secretKeyPath(dataDirectory: string): string {
  return join(dataDirectory, 'secret-key')
}

async function keptKey(path: string, stores: Stores): Promise<string> {
  const found = await readKey(path)
  const state = await expectSecretKey(stores, found !== undefined)
  if (state === 'records missing') throw emptyDatabase(path)
  // Another process may have made one since.
  const kept = found ?? (await readKey(path)) ?? (state === 'key missing' ? undefined : await makeKey(path))
  if (kept === undefined) {
    throw new ConfigError(
      `${path} is missing, and the database belongs to the key in it: restore that file from a backup, ` +
        'or set FAIRLEAD_SECRET_KEY to what it contained.',
    )
  }
  if (kept.length >= 32) return kept
  throw new ConfigError(`${path} holds no secret key: restore it from a backup.`)
}

async function readKey(path: string): Promise<string | undefined> {
  try {
    const { mode } = await stat(path)
    if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
      throw new ConfigError(`${path} can be read by others: run "chmod 600 ${path}".`)
    }
    return (await readFile(path, 'utf8')).trim()
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}

/** Written beside and linked into place, so that of several processes that start at once all read the same key, whole. */
async function makeKey(path: string): Promise<string> {
  const key = randomBytes(32).toString('hex')
  const draft = `${path}.${randomBytes(6).toString('hex')}.part`
  try {
    await writeSynced(draft, `${key}\n`)
    await link(draft, path)
    await syncDirectory(dirname(path))
    return key
  } catch (error) {
    const theirs = hasCode(error, 'EEXIST') ? await readKey(path) : undefined
    if (theirs === undefined) throw error
    return theirs
  } finally {
    await rm(draft, { force: true })
  }
}

/** An empty database beside a file that an earlier one belonged to must not become a first start. */
export function emptyDatabase(leftover: string): ConfigError {
  return new ConfigError(
    `The database is empty, but ${leftover} belongs to an earlier one: restore the database from a backup, ` +
      `or, to begin with an empty one, move ${dirname(leftover)} away.`,
  )
}

async function writeSynced(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** The name of a new file is durable only then. Windows cannot sync a directory, and need not. */
async function syncDirectory(path: string): Promise<void> {
  if (process.platform === 'win32') return
  const directory = await open(path, 'r')
  await directory.sync().finally(() => directory.close())
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
