import type { AuditTransaction } from '@fairlead/accounts/stores'
import { createAuditSink, hashWithoutLink } from '@fairlead/accounts/workspace'
import { type AuditEntryRow, systemClock, type SecretKeys } from '@fairlead/core'
import { createKeyring } from '@fairlead/core/feature'
import { toPeriod } from '@fairlead/core/stores'

/** Adds entries as a core with these keys does. */
export function addAuditEntries(
  tx: AuditTransaction,
  secretKeys: SecretKeys,
  entries: readonly AuditEntryRow[],
): Promise<void> {
  return createAuditSink({ clock: systemClock, keyring: createKeyring(secretKeys) }).add(tx, entries)
}

/** Adds an entry as versions before signatures do. */
export async function addPlainEntry(tx: AuditTransaction, entry: AuditEntryRow): Promise<void> {
  const month = toPeriod(entry.createdAt)
  await tx.lock(`audit ${month}`)
  const end = await tx.audit.end(month)
  const next = { ...entry, month, number: end.entries + 1 }
  const hash = hashWithoutLink(next, end.hash)
  await tx.audit.add({ ...next, hash, keyId: null, mac: null })
  await tx.audit.setEnd({ ...end, entries: next.number, hash })
}
