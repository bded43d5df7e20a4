import { hash } from 'node:crypto'
import type { AuditEntry, AuditSink } from '../runtime/audit-entry.ts'
import type { Clock } from '../runtime/clock.ts'
import { type Period, periodOf } from '../runtime/quota/quota.ts'
import { memoryRateLimiter } from '../runtime/quota/rate-limit.ts'
import type { AuditMonth, AuditStores, AuditTransaction, ChainedEntry } from './audit-store.ts'

/** Failures of each process. An attacker could otherwise fill the log. */
const failureLimit = { limit: 1_000, windowMs: 3_600_000 }

export interface ChainingSink extends AuditSink {
  add(tx: AuditTransaction, entries: readonly AuditEntry[]): Promise<void>
}

/** Adds entries to the chain of their month, under a lock that the transaction holds until it ends. */
export function createAuditSink(clock: Clock): ChainingSink {
  const failures = memoryRateLimiter({ clock, maxKeys: 1 })
  return {
    admitsFailure: () => failures.take('failures', failureLimit).granted,
    async add(tx, entries) {
      const stored = new Set((await tx.audit.findMany(entries.map(({ id }) => id))).map(({ id }) => id))
      const ends = new Map<Period, AuditMonth>()
      for (const entry of entries) {
        if (stored.has(entry.id)) continue
        const month = periodOf(entry.createdAt)
        const end = ends.get(month) ?? (await lockedEnd(tx, month))
        const chained = chain(entry, end)
        await tx.audit.add(chained)
        ends.set(month, { month, entries: chained.number, hash: chained.hash })
      }
      for (const end of ends.values()) await tx.audit.setEnd(end)
    },
  }
}

async function lockedEnd(tx: AuditTransaction, month: Period): Promise<AuditMonth> {
  await tx.lock(`audit ${month}`)
  return tx.audit.end(month)
}

function chain(entry: AuditEntry, end: AuditMonth): ChainedEntry {
  const next = { ...entry, month: end.month, number: end.entries + 1 }
  return { ...next, hash: hashOf(next, end.hash) }
}

/** SHA-256 of the hash before, and of the entry as a list in JSON. */
function hashOf(entry: Omit<ChainedEntry, 'hash'>, before: string): string {
  const { month, number, id, createdAt, action, outcome, actor, credential, targetType, targetId } = entry
  const who = [actor, credential, entry.address, entry.requestId]
  const what = [action, outcome, targetType, targetId, entry.before, entry.after]
  // Entries of users, and all of those from before there were projects, have none.
  const where = entry.projectId === null ? [] : [entry.projectId]
  return hash('sha256', JSON.stringify([before, month, number, id, createdAt, ...who, ...what, ...where]), 'hex')
}

/** The state of a month's chain. */
export interface AuditCheck extends AuditMonth {
  /** What is wrong first. Undefined if the chain is whole. */
  readonly fault?: string
}

const pageSize = 500

/** Checks the chains of all months, the oldest first. */
export async function verifyAudit(stores: AuditStores): Promise<readonly AuditCheck[]> {
  const checks: AuditCheck[] = []
  for (const end of await stores.read((view) => view.audit.months())) checks.push(await verifyMonth(stores, end))
  return checks
}

async function verifyMonth(stores: AuditStores, end: AuditMonth): Promise<AuditCheck> {
  const fault = await faultOf(stores, end)
  if (fault === undefined) return end
  // Retention may have shortened the month meanwhile.
  const now = await stores.read((view) => view.audit.end(end.month))
  return now.entries < end.entries ? verifyMonth(stores, now) : { ...end, fault }
}

async function faultOf(stores: AuditStores, { month, entries, hash: last }: AuditMonth): Promise<string | undefined> {
  let number = 0
  let before = ''
  while (number < entries) {
    const page = await stores.read((view) => view.audit.ofMonth(month, number, Math.min(pageSize, entries - number)))
    for (const entry of page) {
      if (entry.number !== number + 1) break
      if (entry.hash !== hashOf(entry, before)) return `entry ${entry.number} (${entry.id}) was changed`
      number = entry.number
      before = entry.hash
    }
    if (number < entries && page.at(-1)?.number !== number) return `entry ${number + 1} is missing`
  }
  if (before !== last) return 'the last entry was replaced'
  const isNoted = entries > 0 || (await stores.read((view) => view.audit.ofMonth(month, 0, 1))).length === 0
  return isNoted ? undefined : 'the end of the month is not noted'
}
