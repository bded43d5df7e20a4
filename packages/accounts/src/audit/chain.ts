import type { AuditEntryRow, AuditSink, Clock, Keyring } from '@fairlead/core'
import { type Period, memoryRateLimiter } from '@fairlead/core/stores'
import type { AuditMonth, AuditStore, AuditTransaction, ChainedEntry } from './audit-store.ts'
import { hashEntry, linkAfter } from './entry-hash.ts'
import { type AuditHead, type AuditSigner, createAuditSigner, emptyHead, auditMonth } from './head.ts'

/** Failures of each process. An attacker could otherwise fill the log. */
const failureLimit = { limit: 1_000, windowMs: 3_600_000 }

export interface ChainingSink extends AuditSink {
  add(tx: AuditTransaction, entries: readonly AuditEntryRow[]): Promise<void>
  /** Removes at most `limit` entries of months before that one, and signs what was removed. Returns how many. */
  purge(tx: AuditTransaction, before: Period, limit: number): Promise<number>
  /** Signs the head with the current key, also if no entry was added. Returns it. */
  signHead(tx: AuditTransaction): Promise<AuditHead>
}

/** Adds entries to the chain, under a lock of its head that the transaction holds until it ends. */
export function createAuditSink({
  clock,
  keyring,
}: {
  readonly clock: Clock
  readonly keyring: Keyring
}): ChainingSink {
  const failures = memoryRateLimiter({ clock, maxKeys: 1 })
  const signer = createAuditSigner(keyring)
  const store = ({ audit }: AuditTransaction, head: AuditHead) => audit.setHead(signer.signHead(head))
  return {
    admitsFailure: () => failures.take('failures', failureLimit).granted,
    async add(tx, entries) {
      const stored = new Set((await tx.audit.findMany(entries.map(({ id }) => id))).map(({ id }) => id))
      const added = entries.filter(({ id }) => !stored.has(id))
      if (added.length === 0) return
      let head = await takeHead(tx, signer)
      let isReady = false
      for (const entry of added) {
        const month = auditMonth(entry.createdAt, head)
        if (month !== head.month) head = await continueIn(tx, head, month)
        else if (!isReady) head = await withPlainEntries(tx, head)
        isReady = true
        const chained = chain(entry, head, signer)
        await tx.audit.add(chained)
        head = { ...head, number: chained.number, hash: chained.hash }
      }
      await noteEnd(tx, head)
      await store(tx, head)
    },
    async purge(tx, before, limit) {
      const [oldest] = await tx.audit.ends()
      if (!oldest || oldest.month >= before) return 0
      let head = await takeHead(tx, signer)
      const last = (await tx.audit.ends()).at(-1)
      if (last && last.month > head.month) head = await continueIn(tx, head, last.month)
      else head = await withPlainEntries(tx, head)
      const old = (await tx.audit.ends()).filter(({ month }) => month < before)
      for (const end of old) head = await withRemoved(tx.audit, head, end, clock.now())
      const count = await tx.audit.purge(before, limit)
      if (head.removed) {
        const left = old.reduce((sum, { entries }) => sum + entries, 0) - count
        await store(tx, { ...head, removed: { ...head.removed, left } })
      }
      return count
    },
    async signHead(tx) {
      const head = await takeHead(tx, signer)
      await store(tx, head)
      return head
    },
  }
}

/** The head. If it was changed, the chain continues at the noted ends, with a fault. */
async function takeHead(tx: AuditTransaction, signer: AuditSigner): Promise<AuditHead> {
  let signed = await tx.audit.takeHead()
  if (!signed) {
    // Another transaction may be the first one.
    await tx.lock('audit head')
    signed = await tx.audit.takeHead()
  }
  if (!signed) return firstHead(tx)
  const opened = signer.openHead(signed)
  if (opened?.state === 'unknown') return { ...opened.head, unchecked: signed }
  if (opened) return opened.head
  const head = await firstHead(tx)
  return { ...head, fault: { month: head.month, text: 'the signed head of the log was changed' } }
}

/** The head of a log that versions before wrote: chains its months, whose entries are not signed. */
async function firstHead(tx: AuditTransaction): Promise<AuditHead> {
  const months = await tx.audit.ends()
  let head = emptyHead
  for (const { month } of months) head = await moveTo(tx, head, month)
  return { ...head, start: { month: head.month, number: head.number + 1 } }
}

/** Continues in a later month, after those that only versions before wrote. */
async function continueIn(tx: AuditTransaction, head: AuditHead, month: Period): Promise<AuditHead> {
  const later = (await tx.audit.ends()).map((end) => end.month).filter((each) => each > head.month)
  let reached = head
  for (const each of [...new Set([...later, month])].toSorted()) reached = await moveTo(tx, reached, each)
  return reached
}

/** Closes the month of the head, and begins the one after it, to which a version before may have added entries. */
async function moveTo(tx: AuditTransaction, before: AuditHead, month: Period): Promise<AuditHead> {
  const isRemoved = before.month === '' || (before.removed !== null && before.removed.month >= before.month)
  const head = isRemoved ? before : await withPlainEntries(tx, before)
  if (!isRemoved) await noteEnd(tx, head, head.number)
  const reached = head.month === '' ? head.link : linkAfter(head.link, { ...head, entries: head.number })
  await tx.lock(`audit ${month}`)
  const { entries, hash, link } = await tx.audit.end(month)
  // A link that is noted is in the hashes of signed entries.
  const moved = { ...head, month, link: link ?? reached, number: entries, hash }
  if (entries > 0) await noteEnd(tx, moved)
  return moved
}

function noteEnd({ audit }: AuditTransaction, { month, number, hash, link }: AuditHead, closed: number | null = null) {
  return audit.setEnd({ month, entries: number, hash, link, closed })
}

/** Moves the head behind the entries that versions before added to its month, which lock the same name. */
async function withPlainEntries(tx: AuditTransaction, head: AuditHead): Promise<AuditHead> {
  if (head.month === '') return head
  await tx.lock(`audit ${head.month}`)
  const { entries, hash } = await tx.audit.end(head.month)
  if (entries <= head.number) return head
  const moved = { ...head, number: entries, hash }
  if (head.number === 0 || (await hashAt(tx.audit, head.month, head.number)) === head.hash) return moved
  return { ...moved, fault: head.fault ?? { month: head.month, text: 'signed entries were replaced' } }
}

async function hashAt(audit: AuditStore, month: Period, number: number): Promise<string | undefined> {
  const [entry] = await audit.ofMonth(month, number - 1, 1)
  return entry?.number === number ? entry.hash : undefined
}

function chain(
  entry: AuditEntryRow,
  { month, number, hash: before, link }: AuditHead,
  signer: AuditSigner,
): ChainedEntry {
  const next = { ...entry, month, number: number + 1 }
  const hash = hashEntry(next, before, link)
  return { ...next, hash, ...signer.signEntry(hash) }
}

/** Notes a month that retention is about to remove, unless it was noted by an earlier round. */
async function withRemoved(audit: AuditStore, head: AuditHead, end: AuditMonth, at: number): Promise<AuditHead> {
  const { removed, fault } = head
  const { month, closed } = end
  if (removed && month <= removed.month) return head
  const entries = closed ?? end.entries
  const hash = entries === end.entries ? end.hash : ((await hashAt(audit, month, entries)) ?? '')
  const link = linkAfter(end.link ?? '', { month, entries, hash })
  return {
    ...head,
    removed: { month, hash, entries: (removed?.entries ?? 0) + end.entries, left: 0, link, at },
    fault: fault && fault.month <= month ? null : fault,
  }
}
