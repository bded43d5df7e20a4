import { memorySpend } from '../budgets/memory-spend.ts'
import { type Clock, isFuture } from '../clock.ts'
import { MemoryTable, type UndoLog } from './memory-table.ts'
import { type CounterStore, type Period, type Reading, runningMonths } from '../quota/quota.ts'
import type { Feature } from '../feature.ts'
import type {
  Claim,
  ClaimStore,
  RuntimeStores,
  RuntimeTransaction,
  SettingStore,
  StoredPage,
  WriteCheckStore,
} from './stores.ts'
import {
  type UsageDimension,
  type UsageQuery,
  type UsageRecord,
  type UsageStore,
  type UsageTotal,
  type UsageView,
  addTotals,
  latencyBoundsMs,
  latencyBucket,
  usagePosition,
  sliceOfUsage,
} from '../quota/usage.ts'

/** Opens stores in memory with the tables of the features. Transactions run one after the other. A rejected one is rolled back. */
export function openMemoryStores(features: readonly Pick<Feature, 'memoryTables'>[], clock: Clock): RuntimeStores {
  const undo: UndoLog = []
  const records = new MemoryTable<UsageRecord>(undo)
  const tx: RuntimeTransaction = {
    settings: memorySettings(undo),
    writeChecks: memoryWriteChecks(undo),
    counters: memoryCounters(undo, clock),
    spend: memorySpend(undo),
    usage: memoryUsage(undo, records),
    claims: memoryClaims(undo, clock),
    // Transactions run one after the other, so locks are not needed.
    lock: async () => {},
  }
  for (const { memoryTables } of features) Object.assign(tx, memoryTables?.({ undo, clock, tables: () => tx }))
  let last: Promise<unknown> = Promise.resolve()

  function queue<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = last.then(work)
    last = result.catch(() => {})
    return result
  }

  const transact: RuntimeStores['transact'] = (work) =>
    queue(async () => {
      try {
        const result = await work(tx)
        undo.length = 0
        return result
      } catch (error) {
        while (undo.length > 0) undo.pop()?.()
        throw error
      }
    })

  return {
    transact,
    reserve: (counter, limit) => transact(() => tx.counters.reserve(counter, limit)),
    addUsage: (record) => transact(() => tx.usage.add(record)),
    read: (work) => queue(() => work(tx)),
    storedUsage: {
      prepare: async () => {},
      after: (position, limit, upTo) => queue(async () => pageAfter([...records.values()], position, limit, upTo)),
    },
    close: async () => {
      await last
    },
  }
}

/** The records are in the order in which they were added. */
function pageAfter(
  records: readonly UsageRecord[],
  position: string | undefined,
  limit: number,
  upTo: string | undefined,
): StoredPage {
  const start = records.findIndex(({ runId }) => runId === position) + 1
  const last = records.findIndex(({ runId }) => runId === upTo)
  const found = records.slice(start, Math.min(start + limit, last < 0 ? Infinity : last + 1))
  return { records: found, position: found.at(-1)?.runId }
}

function memoryClaims(undo: UndoLog, clock: Clock): ClaimStore {
  const claims = new MemoryTable<Claim>(undo)

  function change(id: string, owner: string, facts: Partial<Claim>): boolean {
    const claim = claims.get(id)
    if (claim?.owner !== owner || claim.outcome !== null) return false
    claims.set(id, { ...claim, ...facts })
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
      claims.set(claim.id, { ...claim, at, leaseUntil: at + leaseMs, outcome: null })
      return undefined
    },
    renew: async (id, owner, leaseMs) => change(id, owner, { at: clock.now(), leaseUntil: clock.now() + leaseMs }),
    keep: async (id, owner, outcome) => change(id, owner, { outcome, at: clock.now() }),
    async release(id, owner) {
      const claim = claims.get(id)
      if (claim?.owner === owner && claim.outcome === null) claims.delete(id)
    },
    purge: async (before, limit) => claims.purge(before, limit, ({ at }) => at).length,
  }
}

/** With the view of the counters of many credentials, which features with API keys have. */
function memoryCounters(
  undo: UndoLog,
  clock: Clock,
): CounterStore & { used(counters: readonly string[]): Promise<ReadonlyMap<string, number>> } {
  const counts = new MemoryTable<number>(undo)
  const marks = new MemoryTable<true>(undo)

  const periodKey = (counter: string, period: Period) => `${counter}/${period}`
  const read = (counter: string, period: Period): Reading => ({
    period,
    used: counts.get(periodKey(counter, period)) ?? 0,
  })

  function running(counter: string): Period {
    const { month, soon } = runningMonths(clock.now())
    return counts.has(periodKey(counter, soon)) ? soon : month
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
      counts.set(periodKey(counter, period), used + 1)
      return { granted: true, period, used: used + 1 }
    },
    async add(counter, units) {
      const { period, used } = read(counter, running(counter))
      counts.set(periodKey(counter, period), used + units)
      return { period, used: used + units }
    },
    async refund(counter, period) {
      const { used } = read(counter, period)
      if (used > 0) counts.set(periodKey(counter, period), used - 1)
    },
    async mark(counter, period, mark) {
      const key = `${periodKey(counter, period)}/${mark}`
      if (marks.has(key)) return false
      marks.set(key, true)
      return true
    },
    async purge(before, limit) {
      const old = [...counts.keys()].filter((key) => key.slice(key.lastIndexOf('/') + 1) < before).slice(0, limit)
      for (const key of old) counts.delete(key)
      return old.length
    },
  }
}

function memoryUsage(undo: UndoLog, records: MemoryTable<UsageRecord>): UsageStore & UsageView {
  /** The records behind the totals, which are kept for longer. */
  const summed = new MemoryTable<UsageRecord>(undo)
  return {
    ofRequest: async (requestId) => records.filter((record) => record.requestId === requestId),
    findMany: async (runIds) => records.findMany(runIds),
    async list(filters, slice, maxExamined) {
      const { userId, requestId, after, before } = filters
      const examined = sliceOfUsage(
        records.values(),
        { userId, requestId, after, before },
        { ...slice, limit: maxExamined },
      )
      const found = sliceOfUsage(examined, filters, slice)
      const last = found.length < slice.limit ? examined[maxExamined - 1] : undefined
      return { records: found, examinedTo: last && usagePosition(last) }
    },
    totals: async (query) => totalUsage(summed.values(), query),
    async add(record) {
      if (records.has(record.runId)) return false
      records.set(record.runId, record)
      summed.set(record.runId, record)
      return true
    },
    async addRejected(rejected) {
      for (const record of rejected) if (!records.has(record.runId)) records.set(record.runId, record)
    },
    purge: async (before, limit) => records.purge(before, limit, ({ at }) => at).length,
    purgeTotals: async (before, limit) => summed.purge(before, limit, ({ at }) => at).length,
  }
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs

const readDimension: Readonly<
  Record<Exclude<UsageDimension, 'value'>, (record: UsageRecord) => string | number | null>
> = {
  day: ({ at }) => at - (at % dayMs),
  hour: ({ at }) => at - (at % hourMs),
  user: ({ userId }) => userId,
  model: ({ model }) => model,
  operation: ({ operation }) => operation,
  counter: ({ counter }) => counter,
}

/** Adds up records, one total for each combination of the dimensions' values. */
function totalUsage(records: Iterable<UsageRecord>, { userId, from, to, by, tag }: UsageQuery): UsageTotal[] {
  const totals = new Map<string, UsageTotal>()
  for (const record of records) {
    const hour = Number(readDimension.hour(record))
    if ((userId !== undefined && record.userId !== userId) || hour < from || hour >= to) continue
    const value = tag && record.details?.tags?.[tag.name]
    if (tag && (value === undefined || value !== (tag.value ?? value))) continue
    const read = (dimension: UsageDimension) => (dimension === 'value' ? value : readDimension[dimension](record))
    const dimensions = Object.fromEntries(by.map((dimension) => [dimension, read(dimension)]))
    const name = JSON.stringify(dimensions)
    const total = { ...toTotal(record), ...(tag && { latencies: [], firstTokens: [] }) }
    totals.set(name, { ...dimensions, ...addTotals(total, totals.get(name)) })
  }
  return [...totals.values()]
}

function toTotal({ outcome, charged, promptTokens, completionTokens, costUsd, ...times }: UsageRecord): UsageTotal {
  return {
    requests: 1,
    errors: outcome === 'ok' ? 0 : 1,
    charged: charged ? 1 : 0,
    promptTokens,
    completionTokens,
    costUsd,
    latencies: toHistogram(times.durationMs),
    firstTokens: toHistogram(times.firstTokenMs),
  }
}

function toHistogram(ms: number | null): readonly number[] {
  const bucket = ms === null ? undefined : latencyBucket(ms)
  return Array.from({ length: latencyBoundsMs.length + 1 }, (_, index) => (index === bucket ? 1 : 0))
}

function memoryWriteChecks(undo: UndoLog): WriteCheckStore {
  const checks = new MemoryTable<number>(undo)
  return {
    set: async (node, at) => void checks.set(node, at),
    purge: async (before, limit) => checks.purge(before, limit, (at) => at).length,
  }
}

function memorySettings(undo: UndoLog): SettingStore {
  const settings = new MemoryTable<string>(undo)
  return {
    get: async (name) => settings.get(name),
    set: async (name, value) => void settings.set(name, value),
  }
}
