import type { KeyView } from '../account-stores.ts'
import type { ApiKeyRow } from './key.ts'

/** The most keys that a key can descend from. */
export const maxAncestors = 8

/** A key, and the keys that it descends from. */
export async function findLineage(
  view: { readonly keys: Pick<KeyView, 'find'> },
  key: ApiKeyRow,
): Promise<readonly ApiKeyRow[]> {
  return [key, ...(await findAncestors(view, key))]
}

/** The keys that a key descends from, nearest first. Its requests count toward their limits, also if they were revoked. */
export async function findAncestors(
  { keys }: { readonly keys: Pick<KeyView, 'find'> },
  { createdBy }: Pick<ApiKeyRow, 'createdBy'>,
): Promise<readonly ApiKeyRow[]> {
  const found: ApiKeyRow[] = []
  let next = createdBy
  while (next?.startsWith('key_') && found.length < maxAncestors) {
    const key = await keys.find(next)
    if (!key) break
    found.push(key)
    next = key.createdBy
  }
  return found
}
