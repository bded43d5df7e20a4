import type { AccountStores } from './stores.ts'
import { type SecretKeys, createKeyring } from '../runtime/keyring.ts'

const setting = 'secret_key_fingerprint'
/** Stands for a fingerprint while the first start makes its key, so that a start that was killed can be repeated. */
const pending = 'pending'

/**
 * Ties stores to their secret key: the first start notes its fingerprint, and later ones are refused with another key,
 * because every session and every kept secret would be lost. A change of keys names the previous one.
 *
 * @returns whether the key is the stores' own
 */
export function adoptSecretKey(stores: AccountStores, keys: SecretKeys): Promise<boolean> {
  const { fingerprint, previousFingerprint } = createKeyring(keys)
  return stores.transact(async (tx) => {
    const kept = await tx.settings.get(setting)
    if (kept === fingerprint) return true
    if (kept !== undefined && kept !== pending && kept !== previousFingerprint) return false
    await tx.settings.set(setting, fingerprint)
    return true
  })
}

/**
 * Prepares stores for a secret key that is kept in a file: call it before the file is made.
 *
 * @param isKept whether there is such a file already
 * @returns `key missing` where the stores have a key and there is no file; `records missing` where there is a file, and
 * the stores are empty and never heard of a key: they are not the ones that the file belongs to
 */
export function expectSecretKey(
  stores: AccountStores,
  isKept: boolean,
): Promise<'as expected' | 'key missing' | 'records missing'> {
  return stores.transact(async (tx) => {
    const kept = await tx.settings.get(setting)
    if (kept === undefined) {
      if (isKept && (await tx.users.count()) === 0) return 'records missing'
      await tx.settings.set(setting, pending)
      return 'as expected'
    }
    return kept === pending || isKept ? 'as expected' : 'key missing'
  })
}
