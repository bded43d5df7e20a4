import { createKeyring } from '@fairlead/core/feature'
import type { SecretKeys } from '@fairlead/core'
import type { Period } from '@fairlead/core/stores'
import { type AuditMonth, type AuditStores, type ChainedEntry, emptyMonth } from './audit-store.ts'
import { hashEntry, linkAfter, hashWithoutLink } from './entry-hash.ts'
import { type AuditHead, type AuditSigner, createAuditSigner } from './head.ts'

/** The state of a month's chain. */
export interface AuditCheck {
  readonly month: Period
  readonly entries: number
  /** The hash of the last entry; empty without entries. */
  readonly hash: string
  /** How many entries have no signature, although they are from after the first one. */
  readonly unsigned: number
  /** The first fault. Undefined if the chain is whole. */
  readonly fault?: string
}

/** The state of the audit log. */
export interface AuditReport {
  /** The hash of the last entry, which covers all entries. Null without entries. */
  readonly head: string | null
  /** The part that retention removed: up to which month, how many entries in all, and the hash of the last one. */
  readonly removed: Pick<NonNullable<AuditHead['removed']>, 'month' | 'entries' | 'hash' | 'at'> | null
  readonly months: readonly AuditCheck[]
  /** The faults of the log as a whole. */
  readonly faults: readonly string[]
}

export interface AuditExpectation {
  /** A head that was noted before: the hash of an entry, or of the last entry that retention removed. Default: none. */
  readonly expect?: string | undefined
  /** How many entries a version before signatures added after the first signature. Default: 0. */
  readonly unsigned?: number | undefined
}

const pageSize = 500

/** Checks the whole audit log: its entries, its months, what retention removed, and its head. */
export async function verifyAudit(
  stores: AuditStores,
  secretKeys: SecretKeys,
  expected: AuditExpectation = {},
): Promise<AuditReport> {
  const signer = createAuditSigner(createKeyring(secretKeys))
  let log = await readLog(stores, signer)
  for (;;) {
    const report = await verifyLog(stores, signer, log, expected)
    if (report.faults.length === 0 && report.months.every(({ fault }) => fault === undefined)) return report
    // Retention may have removed entries meanwhile.
    const now = await readLog(stores, signer)
    if (JSON.stringify(now.head?.removed) === JSON.stringify(log.head?.removed)) return report
    log = now
  }
}

interface Log {
  readonly head: AuditHead | undefined
  readonly faults: readonly string[]
  readonly months: readonly AuditMonth[]
}

async function readLog(stores: AuditStores, signer: AuditSigner): Promise<Log> {
  const { signed, months } = await stores.read(async ({ audit }) => {
    // In this order: entries that are added meanwhile are then behind the head.
    const found = await audit.head()
    return { signed: found, months: await audit.months() }
  })
  if (!signed) return { head: undefined, months, faults: ['no head was signed, or it was removed'] }
  const opened = signer.openHead(signed)
  if (!opened) return { head: undefined, months, faults: ['the signed head of the log was changed'] }
  const { head, state } = opened
  const keyId = state === 'unknown' ? signed.keyId : head.unchecked?.keyId
  const faults = [
    ...(keyId === undefined
      ? []
      : [`the head is signed with the key ${keyId}, which is not the current or previous one`]),
    ...(head.fault ? [`${head.fault.text} (${head.fault.month})`] : []),
  ]
  return { head, months, faults }
}

async function verifyLog(
  stores: AuditStores,
  signer: AuditSigner,
  { head, faults, months }: Log,
  { expect, unsigned: known = 0 }: AuditExpectation,
): Promise<AuditReport> {
  const checks: AuditCheck[] = []
  const removed = head?.removed ?? null
  const walk = { stores, signer, head, expect, isExpectedFound: expect === undefined || expect === removed?.hash }
  const kept = addHeadMonth(head, months).filter(({ month }) => !removed || month > removed.month)
  let link: string | undefined = removed?.link ?? ''
  for (const end of kept) {
    const { closed, ...check } = await verifyMonth(walk, end, link)
    checks.push(check)
    link = check.fault === undefined && closed ? linkAfter(end.link ?? '', closed) : undefined
  }
  const rest = removed ? await countUntil(stores, months, removed.month) : 0
  const unsigned = checks.reduce((sum, check) => sum + check.unsigned, 0)
  return {
    head: checks.at(-1)?.hash || removed?.hash || null,
    removed: removed && { month: removed.month, entries: removed.entries, hash: removed.hash, at: removed.at },
    months: checks,
    faults: [
      ...faults,
      ...(removed && rest > removed.left ? ['entries were added to months that retention removed'] : []),
      ...(unsigned === known ? [] : [unsignedFault(unsigned, known)]),
      ...(walk.isExpectedFound ? [] : [`the expected head is not in the log: ${expect}`]),
    ],
  }
}

function unsignedFault(found: number, known: number): string {
  const many = found === 1 ? '1 entry has' : `${found} entries have`
  return `${many} no signature (expected: ${known}): a version before signatures wrote them, or somebody else`
}

/** With the month of the head, whose record may be gone. */
function addHeadMonth(head: AuditHead | undefined, months: readonly AuditMonth[]): readonly AuditMonth[] {
  if (!head?.month || months.some(({ month }) => month === head.month)) return months
  return [...months, emptyMonth(head.month)].toSorted((one, other) => (one.month < other.month ? -1 : 1))
}

/** How many entries of the months until this one are left. */
async function countUntil(stores: AuditStores, months: readonly AuditMonth[], last: Period): Promise<number> {
  let count = 0
  for (const { month } of months.filter((each) => each.month <= last)) {
    for await (const page of readPages(stores, month, Infinity)) count += page.length
  }
  return count
}

interface Walk {
  readonly stores: AuditStores
  readonly signer: AuditSigner
  readonly head: AuditHead | undefined
  readonly expect: string | undefined
  isExpectedFound: boolean
}

interface MonthCheck extends AuditCheck {
  /** The end that the next month is chained to. */
  readonly closed?: { readonly month: Period; readonly entries: number; readonly hash: string }
}

/** @param link of the months before; undefined if they are broken */
async function verifyMonth(walk: Walk, end: AuditMonth, link: string | undefined): Promise<MonthCheck> {
  const { head, stores } = walk
  const { month, entries, hash } = end
  const isLast = month === head?.month
  const length = isLast ? Math.max(entries, head.number) : entries
  const closedAt = end.closed ?? (isLast ? head.number : length)
  let [number, before, unsigned, closedHash] = [0, '', 0, '']
  const failed = (fault: string): MonthCheck => ({ month, entries, hash, unsigned, fault })

  if (entries === 0 && (await stores.read((view) => view.audit.ofMonth(month, 0, 1))).length > 0)
    return failed('the end of the month is not noted')
  if (head && month <= head.month && length > 0) {
    if (end.link === null || (isLast && end.link !== head.link)) {
      if (entries > 0) return failed('the month is not chained to the months before')
    } else if (link !== undefined && end.link !== link) {
      return failed('the months before were removed or changed')
    }
    if (!isLast && end.closed === null) return failed('the month is not chained to the months after')
  }
  for await (const entry of readEntries(stores, month, length)) {
    if (entry.number !== number + 1) break
    const fault = findFault(walk, entry, before, end)
    if (fault !== undefined) return failed(fault)
    if (isUnsigned(entry, head)) unsigned++
    number = entry.number
    before = entry.hash
    if (number === closedAt) closedHash = before
    if (isLast && number === head.number && before !== head.hash)
      return failed(`entry ${number} is not the signed head`)
    if (before === walk.expect) walk.isExpectedFound = true
  }
  if (number < length) return failed(`entry ${number + 1} is missing`)
  if (entries < length) return failed('the end of the month was set back')
  if (before !== hash) return failed('the last entry was replaced')
  return { month, entries, hash, unsigned, closed: { month, entries: closedAt, hash: closedHash } }
}

function findFault(
  { head, signer }: Walk,
  entry: ChainedEntry,
  before: string,
  { link, closed }: AuditMonth,
): string | undefined {
  const { number, id } = entry
  const isPlain = entry.mac === null
  if (entry.hash !== (isPlain ? hashWithoutLink(entry, before) : hashEntry(entry, before, link ?? '')))
    return `entry ${number} (${id}) was changed`
  if (isPlain) return undefined
  const isCovered = head !== undefined && !isAfter(entry, head)
  const isValid = signer.isEntryValid(entry) ?? isCovered
  const isPossible = (!head || !isBefore(entry, head.start)) && (closed === null || number <= closed)
  return isValid && isPossible ? undefined : `entry ${number} (${id}) has an invalid signature`
}

/** Whether an entry must be signed, and is not. */
function isUnsigned(entry: ChainedEntry, head: AuditHead | undefined): boolean {
  return entry.mac === null && head !== undefined && !isBefore(entry, head.start)
}

interface Position {
  readonly month: Period
  readonly number: number
}

function isBefore(one: Position, other: Position): boolean {
  return one.month === other.month ? one.number < other.number : one.month < other.month
}

function isAfter(one: Position, other: Position): boolean {
  return isBefore(other, one)
}

async function* readEntries(stores: AuditStores, month: Period, count: number): AsyncGenerator<ChainedEntry> {
  for await (const page of readPages(stores, month, count)) yield* page
}

/** The entries of a month in the order of their numbers, at most `count`. */
async function* readPages(stores: AuditStores, month: Period, count: number): AsyncGenerator<readonly ChainedEntry[]> {
  let after = 0
  for (let left = count; left > 0;) {
    const limit = Math.min(pageSize, left)
    const page = await stores.read((view) => view.audit.ofMonth(month, after, limit))
    yield page
    const last = page.at(-1)
    if (!last || page.length < limit) return
    after = last.number
    left -= page.length
  }
}
