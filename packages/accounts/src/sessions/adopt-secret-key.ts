import type { AccountStores } from '../account-stores.ts'
import type { Keyring, SecretKeys } from '@fairlead/core'
import type { RuntimeView } from '@fairlead/core/stores'
import { createKeyring } from '@fairlead/core/feature'

const setting = 'secret_key_fingerprint'
/** Stored in place of the fingerprint until the first start has created its key, so that a killed start can be repeated. */
const pending = 'pending'

/**
 * Binds stores to their secret key. The first start stores the key's fingerprint; a later start with another key would
 * invalidate every session and every stored secret. To change the key, pass the other one as `keys.previous`: a process
 * starts as long as it has the key of the process that started last.
 *
 * @returns false if the stores belong to another key
 */
export function adoptSecretKey(stores: AccountStores, keys: SecretKeys): Promise<boolean> {
  const { fingerprint } = createKeyring(keys)
  return stores.transact(async (tx) => {
    if (!(await acceptsSecretKeys(tx, keys))) return false
    if ((await tx.settings.get(setting)) !== fingerprint) await tx.settings.set(setting, fingerprint)
    return true
  })
}

/** Whether `adoptSecretKey` would accept the keys. Records without a key accept any, and none. */
export async function acceptsSecretKeys(
  view: Pick<RuntimeView, 'settings'>,
  keys: SecretKeys | undefined,
): Promise<boolean> {
  const kept = await view.settings.get(setting)
  if (kept === undefined || kept === pending) return true
  if (!keys) return false
  const { fingerprint, previousFingerprint } = createKeyring(keys)
  return kept === fingerprint || kept === previousFingerprint
}

/**
 * Stores the fingerprint of the current key again. While a rotation rolls over the nodes, one that still has the old key as its
 * current one may have started last.
 */
export async function renewFingerprint(
  stores: AccountStores,
  { fingerprint, previousFingerprint }: Pick<Keyring, 'fingerprint' | 'previousFingerprint'>,
): Promise<void> {
  if (previousFingerprint === undefined) return
  await stores.transact(async (tx) => {
    if ((await tx.settings.get(setting)) === previousFingerprint) await tx.settings.set(setting, fingerprint)
  })
}

/** Whether no key was adopted yet. */
export async function lacksSecretKey(view: Pick<RuntimeView, 'settings'>): Promise<boolean> {
  const kept = await view.settings.get(setting)
  return kept === undefined || kept === pending
}

/**
 * Prepares stores for a secret key that is kept in a file. Call it before the file is created.
 *
 * @param fileExists whether the key file exists
 * @returns `key missing` if the stores have a key but the file does not exist; `records missing` if the file exists but
 * the stores are empty and have no fingerprint, so that they are not the ones that the file belongs to
 */
export function expectSecretKey(
  stores: AccountStores,
  fileExists: boolean,
): Promise<'as expected' | 'key missing' | 'records missing'> {
  return stores.transact(async (tx) => {
    const kept = await tx.settings.get(setting)
    if (kept === undefined) {
      if (fileExists && (await tx.users.count()) === 0) return 'records missing'
      await tx.settings.set(setting, pending)
      return 'as expected'
    }
    return kept === pending || fileExists ? 'as expected' : 'key missing'
  })
}
