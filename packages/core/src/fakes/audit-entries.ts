import type { AuditTransaction } from '../audit/audit-store.ts'
import { createAuditSink } from '../audit/chain.ts'
import { plainHashOf } from '../audit/entry-hash.ts'
import type { AuditEntry } from '../runtime/audit-entry.ts'
import { systemClock } from '../runtime/clock.ts'
import { createKeyring, type SecretKeys } from '../runtime/keyring.ts'
import { periodOf } from '../runtime/quota/quota.ts'

/** Adds entries as a core with these keys does. */
export function addAuditEntries(
  tx: AuditTransaction,
  secretKeys: SecretKeys,
  entries: readonly AuditEntry[],
): Promise<void> {
  return createAuditSink({ clock: systemClock, keyring: createKeyring(secretKeys) }).add(tx, entries)
}

/** Adds an entry as versions before signatures do. */
export async function addPlainEntry(tx: AuditTransaction, entry: AuditEntry): Promise<void> {
  const month = periodOf(entry.createdAt)
  await tx.lock(`audit ${month}`)
  const end = await tx.audit.end(month)
  const next = { ...entry, month, number: end.entries + 1 }
  const hash = plainHashOf(next, end.hash)
  await tx.audit.add({ ...next, hash, keyId: null, mac: null })
  await tx.audit.setEnd({ ...end, entries: next.number, hash })
}
