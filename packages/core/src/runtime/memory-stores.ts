import type { ClaimStore, Claim } from './stores.ts'
import type { Position, RecordView, Slice } from './slice.ts'
import { type Clock, isFuture } from './clock.ts'
import { type CounterStore, type Period, type Reading, runningMonths } from './quota.ts'
import {
  type UsageStore,
  type UsageRecord,
  type UsageDimension,
  type UsageQuery,
  type UsageTotal,
  latencyBoundsMs,
  latencyBucket,
  positionOf,
  sliceOfUsage,
} from './usage.ts'

/** Records how to undo the changes of a transaction. */
export interface UndoLog {
  /** Sets an entry of a map, and records its previous value. */
  set<Key, Value>(map: Map<Key, Value>, key: Key, value: Value): void
  /** Deletes an entry of a map, and records its value. */
  delete<Key, Value>(map: Map<Key, Value>, key: Key): void
  rollBack(): void
  /** Discards the recorded steps, after a commit. */
  clear(): void
}

export function createUndoLog(): UndoLog {
  const steps: (() => void)[] = []
  return {
    set(map, key, value) {
      const had = map.has(key)
      const before = map.get(key)
      map.set(key, value)
      steps.push(() => {
        if (had) map.set(key, before as typeof value)
        else map.delete(key)
      })
    },
    delete(map, key) {
      const before = map.get(key)
      if (map.delete(key)) steps.push(() => map.set(key, before as NonNullable<typeof before>))
    },
    rollBack() {
      while (steps.length > 0) steps.pop()?.()
    },
    clear() {
      steps.length = 0
    },
  }
}

/** Selects a slice of records given in any order. */
export function sliceOf<Item extends Position>(records: Iterable<Item>, { first, after, limit }: Slice): Item[] {
  const compare = first === 'oldest' ? byPosition : (a: Position, b: Position) => byPosition(b, a)
  return [...records]
    .filter((record) => after === undefined || compare(record, after) > 0)
    .sort(compare)
    .slice(0, limit)
}

/** The records in a map. */
export function recordView<Item extends Position, Filters extends object>(
  records: ReadonlyMap<string, Item>,
  matches: (item: Item, filters: Filters) => boolean = hasAll,
): RecordView<Item, Filters> {
  return {
    find: async (id) => records.get(id),
    findMany: async (ids) => [...new Set(ids)].flatMap((id) => records.get(id) ?? []),
    list: async (filters, slice) =>
      sliceOf(
        [...records.values()].filter((item) => matches(item, filters)),
        slice,
      ),
  }
}

/** Whether a record has the value of each filter that is not undefined. */
export function hasAll(record: object, filters: object): boolean {
  return Object.entries(filters).every(
    ([name, value]) => value === undefined || record[name as keyof typeof record] === value,
  )
}

function byPosition(a: Position, b: Position): number {
  if (a.createdAt !== b.createdAt) return a.createdAt - b.createdAt
  if (a.id === b.id) return 0
  return a.id < b.id ? -1 : 1
}

/** Removes at most `limit` entries older than `before`, the oldest first. Returns their keys. */
export function purgeOldest<Value>(
  undo: UndoLog,
  map: Map<string, Value>,
  {
    before,
    limit,
    timeOf,
  }: { readonly before: number; readonly limit: number; readonly timeOf: (value: Value) => number },
): readonly string[] {
  const purged = [...map]
    .filter(([, value]) => timeOf(value) < before)
    .sort(([, one], [, other]) => timeOf(one) - timeOf(other))
    .slice(0, limit)
    .map(([key]) => key)
  for (const key of purged) undo.delete(map, key)
  return purged
}

export function memoryClaims(undo: UndoLog, clock: Clock): ClaimStore {
  const claims = new Map<string, Claim>()

  function change(id: string, owner: string, facts: Partial<Claim>): boolean {
    const claim = claims.get(id)
    if (claim?.owner !== owner || claim.outcome !== null) return false
    undo.set(claims, id, { ...claim, ...facts })
    return true
  }

  function find(id: string, keptForMs: number): Claim | undefined {
    const claim = claims.get(id)
    if (!claim) return undefined
    const now = clock.now()
    const isValid =
      claim.outcome === null ? claim.leaseUntil > now && !isFuture(claim.at, now) : claim.at + keptForMs > now
    return isValid ? claim : undefined
  }

  return {
    find: async (id, keptForMs) => find(id, keptForMs),
    async take(claim, { leaseMs, keptForMs }) {
      const existing = find(claim.id, keptForMs)
      if (existing) return existing
      const at = clock.now()
      undo.set(claims, claim.id, { ...claim, at, leaseUntil: at + leaseMs, outcome: null })
      return undefined
    },
    renew: async (id, owner, leaseMs) => change(id, owner, { at: clock.now(), leaseUntil: clock.now() + leaseMs }),
    keep: async (id, owner, outcome) => change(id, owner, { outcome, at: clock.now() }),
    async release(id, owner) {
      const claim = claims.get(id)
      if (claim?.owner === owner && claim.outcome === null) undo.delete(claims, id)
    },
    async purge(before, limit) {
      const old = [...claims.values()].filter(({ at }) => at < before).sort((a, b) => a.at - b.at)
      const purged = old.slice(0, limit)
      for (const { id } of purged) undo.delete(claims, id)
      return purged.length
    },
  }
}

export function memoryCounters(undo: UndoLog, clock: Clock): CounterStore {
  const counts = new Map<string, number>()
  const marks = new Map<string, true>()

  const keyOf = (counter: string, period: Period) => `${counter}/${period}`
  const read = (counter: string, period: Period): Reading => ({
    period,
    used: counts.get(keyOf(counter, period)) ?? 0,
  })

  function running(counter: string): Period {
    const { month, soon } = runningMonths(clock.now())
    return counts.has(keyOf(counter, soon)) ? soon : month
  }

  return {
    peek: async (counter) => read(counter, running(counter)),
    async used(counters) {
      const readings = counters.map((counter) => [counter, read(counter, running(counter)).used] as const)
      return new Map(readings.filter(([, used]) => used > 0))
    },
    async reserve(counter, limit) {
      const { period, used } = read(counter, running(counter))
      if (limit !== null && used >= limit) return { granted: false, period, used }
      undo.set(counts, keyOf(counter, period), used + 1)
      return { granted: true, period, used: used + 1 }
    },
    async giveBack(counter, period) {
      const { used } = read(counter, period)
      if (used > 0) undo.set(counts, keyOf(counter, period), used - 1)
    },
    async mark(counter, period, mark) {
      const key = `${keyOf(counter, period)}/${mark}`
      if (marks.has(key)) return false
      undo.set(marks, key, true)
      return true
    },
    async purge(before, limit) {
      const old = [...counts.keys()].filter((key) => key.slice(key.lastIndexOf('/') + 1) < before).slice(0, limit)
      for (const key of old) undo.delete(counts, key)
      return old.length
    },
  }
}

export function memoryUsage(undo: UndoLog): UsageStore {
  const records = new Map<string, UsageRecord>()
  /** The records behind the totals, which are kept for longer. */
  const summed = new Map<string, UsageRecord>()
  return {
    ofRequest: async (requestId) => [...records.values()].filter((record) => record.requestId === requestId),
    findMany: async (runIds) => runIds.flatMap((id) => records.get(id) ?? []),
    async list(filters, slice, maxExamined) {
      const { userId, requestId, after, before } = filters
      const examined = sliceOfUsage(
        records.values(),
        { userId, requestId, after, before },
        { ...slice, limit: maxExamined },
      )
      const found = sliceOfUsage(examined, filters, slice)
      const last = found.length < slice.limit ? examined[maxExamined - 1] : undefined
      return { records: found, examinedTo: last && positionOf(last) }
    },
    totals: async (query) => totalUsage(summed.values(), query),
    async add(record) {
      if (records.has(record.runId)) return false
      undo.set(records, record.runId, record)
      undo.set(summed, record.runId, record)
      return true
    },
    purge: async (before, limit) => purgeOldest(undo, records, { before, limit, timeOf: ({ at }) => at }).length,
    purgeTotals: async (before, limit) => purgeOldest(undo, summed, { before, limit, timeOf: ({ at }) => at }).length,
  }
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs

const readDimension: Readonly<Record<UsageDimension, (record: UsageRecord) => string | number | null>> = {
  day: ({ at }) => at - (at % dayMs),
  hour: ({ at }) => at - (at % hourMs),
  model: ({ model }) => model,
  operation: ({ operation }) => operation,
  counter: ({ counter }) => counter,
}

/** Adds up records, one total for each combination of the dimensions' values. */
function totalUsage(records: Iterable<UsageRecord>, { userId, from, to, by }: UsageQuery): UsageTotal[] {
  const totals = new Map<string, UsageTotal>()
  for (const record of records) {
    const hour = Number(readDimension.hour(record))
    if (record.userId !== userId || hour < from || hour >= to) continue
    const dimensions = Object.fromEntries(by.map((dimension) => [dimension, readDimension[dimension](record)]))
    const name = JSON.stringify(dimensions)
    totals.set(name, addToTotal(totals.get(name) ?? { ...dimensions, ...emptyTotal }, record))
  }
  return [...totals.values()]
}

const emptyHistogram = Array.from({ length: latencyBoundsMs.length + 1 }, () => 0)

const emptyTotal = {
  requests: 0,
  errors: 0,
  charged: 0,
  promptTokens: 0,
  completionTokens: 0,
  costUsd: 0,
  latencies: emptyHistogram,
  firstTokens: emptyHistogram,
}

function addToTotal(total: UsageTotal, record: UsageRecord): UsageTotal {
  const { durationMs, firstTokenMs } = record
  return {
    ...total,
    requests: total.requests + 1,
    errors: total.errors + (record.outcome === 'ok' ? 0 : 1),
    charged: total.charged + (record.charged ? 1 : 0),
    promptTokens: total.promptTokens + record.promptTokens,
    completionTokens: total.completionTokens + record.completionTokens,
    costUsd: total.costUsd + record.costUsd,
    latencies: countIn(total.latencies, durationMs),
    firstTokens: firstTokenMs === null ? total.firstTokens : countIn(total.firstTokens, firstTokenMs),
  }
}

function countIn(histogram: readonly number[], ms: number): readonly number[] {
  const bucket = latencyBucket(ms)
  return histogram.with(bucket, (histogram[bucket] ?? 0) + 1)
}
