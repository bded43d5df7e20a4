import { readFile, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { SecretKeys } from '@fairlead/core'
import { adoptSecretKey, beginAuditLog, expectSecretKey } from '@fairlead/accounts/server'
import type { Stores } from '@fairlead/storage'
import { type Config, ConfigError } from './config.ts'
import { createRandomFile, hasCode } from './random-file.ts'

type KeyConfig = Pick<Config, 'dataDirectory' | 'secretKey' | 'previousSecretKey'>

/**
 * The secret keys of the stores: from the environment, or else from the data directory, where the first start creates one.
 * Throws `ConfigError` for any other key, with which every session and every encrypted secret would be lost.
 */
export async function ownSecretKeys(config: KeyConfig, stores: Stores): Promise<SecretKeys> {
  const current = config.secretKey ?? (await storedKey(secretKeyPath(config.dataDirectory), stores))
  const { previousSecretKey: previous } = config
  const keys: SecretKeys = { current, ...(previous !== undefined && { previous }) }
  await beginAuditLog(stores, keys)
  if (await adoptSecretKey(stores, keys)) return keys
  throw new ConfigError(
    'FAIRLEAD_SECRET_KEY is not the key of this database: set the previous key again, ' +
      'or set FAIRLEAD_SECRET_KEY_PREVIOUS to it together with the new one.',
  )
}

/** The file of the key, unless the environment sets one. */
export function secretKeyPath(dataDirectory: string): string {
  return join(dataDirectory, 'secret-key')
}

async function storedKey(path: string, stores: Stores): Promise<string> {
  const found = await readKey(path)
  const state = await expectSecretKey(stores, found !== undefined)
  if (state === 'records missing') throw emptyDatabase(path)
  // Another process may have created one since.
  const kept = found ?? (await readKey(path)) ?? (state === 'key missing' ? undefined : await createRandomFile(path))
  if (kept === undefined) {
    throw new ConfigError(
      `${path} is missing, and the database belongs to the key in it: restore that file from a backup, ` +
        'or set FAIRLEAD_SECRET_KEY to what it contained.',
    )
  }
  if (kept.length >= 32) return kept
  throw new ConfigError(`${path} does not contain a secret key: restore it from a backup.`)
}

async function readKey(path: string): Promise<string | undefined> {
  try {
    const { mode } = await stat(path)
    if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
      throw new ConfigError(`${path} can be read by other users: run "chmod 600 ${path}".`)
    }
    return (await readFile(path, 'utf8')).trim()
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}

/** An empty database next to a file of an earlier one must not be treated as a first start. */
export function emptyDatabase(leftover: string): ConfigError {
  return new ConfigError(
    `The database is empty, but ${leftover} belongs to an earlier one: restore the database from a backup, ` +
      `or move ${dirname(leftover)} away to start with an empty one.`,
  )
}
