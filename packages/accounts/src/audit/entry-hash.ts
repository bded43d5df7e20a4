import { hash } from 'node:crypto'
import type { Period } from '@fairlead/core/stores'
import type { ChainedEntry } from './audit-store.ts'

type Hashed = Omit<ChainedEntry, 'hash' | 'keyId' | 'mac'>

/** The hash of a signed entry: of the hash before, of the months before, and of the entry, as a list in JSON. */
export function hashEntry(entry: Hashed, before: string, link: string): string {
  return sha256([before, link, ...hashedContent(entry), entry.projectId])
}

/** The hash of an entry that a version before signatures wrote. */
export function hashWithoutLink(entry: Hashed, before: string): string {
  // Entries of users, and all of those from before there were projects, have none.
  return sha256([before, ...hashedContent(entry), ...(entry.projectId === null ? [] : [entry.projectId])])
}

function hashedContent(entry: Hashed): readonly unknown[] {
  const { month, number, id, createdAt, action, outcome, actor, credential, targetType, targetId } = entry
  const who = [actor, credential, entry.address, entry.requestId]
  const what = [action, outcome, targetType, targetId, entry.before, entry.after]
  return [month, number, id, createdAt, ...who, ...what]
}

/** The link of the month after: a hash of the month's end and its link. */
export function linkAfter(link: string, { month, entries, hash: last }: MonthEnd): string {
  return sha256([link, month, entries, last])
}

export interface MonthEnd {
  readonly month: Period
  readonly entries: number
  readonly hash: string
}

function sha256(list: readonly unknown[]): string {
  return hash('sha256', JSON.stringify(list), 'hex')
}
