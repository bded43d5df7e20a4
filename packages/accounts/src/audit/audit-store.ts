import type { AuditEntryRow } from '@fairlead/core'
import {
  type Period,
  MemoryTable,
  type UndoLog,
  type RuntimeStores,
  type RecordView,
  hasAll,
  recordView,
  type RuntimeTransaction,
  type RuntimeView,
} from '@fairlead/core/stores'

/** An entry in the chain of its month (UTC). */
export interface ChainedEntry extends AuditEntryRow {
  readonly month: Period
  /** 1 for the first entry of the month, then counting on. */
  readonly number: number
  /** Of the entry and of the hash before it; see `hashEntry`. */
  readonly hash: string
  /** The secret key that signed the hash. Null if a version before signatures wrote the entry. */
  readonly keyId: string | null
  /** The message authentication code of the hash, in hex. */
  readonly mac: string | null
}

/** The end of a month's chain. */
export interface AuditMonth {
  readonly month: Period
  /** How many entries it has. */
  readonly entries: number
  /** The hash of the last one; empty without entries. */
  readonly hash: string
  /** Of all months before, which the signed entries of the month have in their hashes. Null until the month is chained to them. */
  readonly link: string | null
  /** How many entries it had when the next month was chained to it. Null while it is the last month. */
  readonly closed: number | null
}

/** The end of a month that has no entries. */
export function emptyMonth(month: Period): AuditMonth {
  return { month, entries: 0, hash: '', link: null, closed: null }
}

/** The record of the log's head, as JSON, with its signature. */
export interface SignedHead {
  readonly value: string
  readonly keyId: string
  readonly mac: string
}

export interface AuditFilters {
  readonly actor?: string | undefined
  readonly credential?: string | undefined
  readonly action?: string | undefined
  readonly outcome?: string | undefined
  readonly projectId?: string | undefined
  readonly targetId?: string | undefined
  /** Exclusive, in milliseconds since the epoch. */
  readonly createdAfter?: number | undefined
  readonly createdBefore?: number | undefined
}

export interface AuditView extends RecordView<ChainedEntry, AuditFilters> {
  /** The record of the head. Undefined if none was signed. */
  head(): Promise<SignedHead | undefined>
  /** The end of a month's chain, as it was noted with its last entry. */
  end(month: Period): Promise<AuditMonth>
  /** The noted ends of all months, in their order. */
  ends(): Promise<readonly AuditMonth[]>
  /** The ends of all months, in their order. A month whose entries have no noted end is empty. */
  months(): Promise<readonly AuditMonth[]>
  /** At most `limit` entries of a month with a number above `after`, in the order of their numbers. */
  ofMonth(month: Period, after: number, limit: number): Promise<readonly ChainedEntry[]>
}

export interface AuditStore extends AuditView {
  add(entry: ChainedEntry): Promise<void>
  setEnd(end: AuditMonth): Promise<void>
  /** Reads the record of the head. Other transactions that call this wait until the transaction ends. */
  takeHead(): Promise<SignedHead | undefined>
  setHead(head: SignedHead): Promise<void>
  /**
   * Removes at most `limit` entries of months before that one. Returns how many. A month loses its last entries first, so
   * that what is left of its chain is whole.
   */
  purge(before: Period, limit: number): Promise<number>
}

/** Read access to the audit log. */
export interface AuditLogView extends RuntimeView {
  readonly audit: AuditView
}

/** Read and write access to the audit log. */
export interface AuditTransaction extends RuntimeTransaction {
  readonly audit: AuditStore
}

export type AuditStores = RuntimeStores<AuditLogView, AuditTransaction>

export function memoryAudit(undo: UndoLog): AuditStore {
  const entries = new MemoryTable<ChainedEntry>(undo)
  const ends = new MemoryTable<AuditMonth>(undo)
  const heads = new MemoryTable<SignedHead>(undo)

  const inOrder = (month: Period) =>
    entries.filter((entry) => entry.month === month).sort((one, other) => one.number - other.number)
  const end = (month: Period) => ends.get(month) ?? emptyMonth(month)
  const head = async () => heads.get('head')

  return {
    ...recordView(entries),
    async list(filters, { first, after, limit }) {
      const sign = first === 'oldest' ? 1 : -1
      const last = after && entries.get(after.id)
      return entries
        .filter((entry) => matches(entry, filters) && (!last || sign * byChain(entry, last) > 0))
        .sort((one, other) => sign * byChain(one, other))
        .slice(0, limit)
    },
    head,
    takeHead: head,
    setHead: async (signed) => void heads.set('head', signed),
    end: async (month) => end(month),
    ends: async () => [...ends.keys()].sort().map(end),
    months: async () =>
      [...new Set([...ends.keys(), ...[...entries.values()].map(({ month }) => month)])].sort().map(end),
    ofMonth: async (month, after, limit) =>
      inOrder(month)
        .filter(({ number }) => number > after)
        .slice(0, limit),
    add: async (entry) => void entries.set(entry.id, entry),
    setEnd: async (noted) => void ends.set(noted.month, noted),
    async purge(before, limit) {
      let left = limit
      for (const month of [...ends.keys()].filter((each) => each < before).sort()) {
        if (left === 0) break
        const all = inOrder(month)
        const kept = all.slice(0, Math.max(0, all.length - left))
        for (const { id } of all.slice(kept.length)) entries.delete(id)
        left -= all.length - kept.length
        const last = kept.at(-1)
        if (last) ends.set(month, { ...end(month), entries: last.number, hash: last.hash })
        else ends.delete(month)
      }
      return limit - left
    },
  }
}

/** By their time and, of the same millisecond, in the order of their chain. */
function byChain(one: ChainedEntry, other: ChainedEntry): number {
  return one.createdAt - other.createdAt || one.number - other.number
}

function matches(
  entry: ChainedEntry,
  { createdAfter = -Infinity, createdBefore = Infinity, ...filters }: AuditFilters,
): boolean {
  return hasAll(entry, filters) && entry.createdAt > createdAfter && entry.createdAt < createdBefore
}
