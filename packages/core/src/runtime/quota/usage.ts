import type { ErrorCode } from '../errors.ts'
import { earliestId } from '../id.ts'
import type { Tags } from '../schema/tags.ts'
import type { Position, Slice } from '../schema/slice.ts'

/** `partial`: a stream that failed or was closed after it began. `aborted`: the caller closed the request. */
export type Outcome = 'ok' | 'partial' | 'aborted' | ErrorCode

/** The record of one run of a metered operation. Rejected runs are not in the totals. */
export interface UsageRecord {
  /** Unique: a run can be settled only once. */
  readonly runId: string
  /** One request can run several operations. */
  readonly requestId: string
  readonly userId: string
  /** The id of the API key, or of the user for all sessions of that user. */
  readonly counter: string
  readonly operation: string
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly durationMs: number
  /** Time from the start of the run to the first chunk of its stream; null if it had none. */
  readonly firstTokenMs: number | null
  readonly outcome: Outcome
  readonly charged: boolean
  readonly model: string | null
  readonly provider: string | null
  readonly promptTokens: number
  readonly completionTokens: number
  /** The completion tokens that were reasoning; null if they were not counted. */
  readonly reasoningTokens: number | null
  /** The prompt tokens that the provider read from its cache; null if unknown. */
  readonly cachedPromptTokens: number | null
  readonly costUsd: number
  /** Whether the caller asked for a stream; null for operations without a model, and if the input was not accepted. */
  readonly stream: boolean | null
  /** Whether the response came from the cache; null if no provider was chosen. */
  readonly cached: boolean | null
  /** Null for a success with at most one attempt and no tags, so that most records are small. */
  readonly details: UsageDetails | null
}

/** Why a run failed, which providers it called, and its tags. */
export interface UsageDetails {
  /** The message that the caller got; null for a success. At most 300 characters. */
  readonly message: string | null
  /** The HTTP status of the upstream behind the failure; null if there was none. */
  readonly upstreamStatus: number | null
  /** In order. Of more than ten, the last ten. */
  readonly attempts: readonly UsageAttempt[]
  /** How long it waited for a free slot of a target. Absent if it did not wait. */
  readonly queuedMs?: number
  /** The tags of the request and of its API key. Absent if it has none. */
  readonly tags?: Tags
}

/** One call to a provider. */
export interface UsageAttempt {
  readonly provider: string
  readonly model: string
  /** `ok`, `canceled`, or how it failed. */
  readonly outcome: string
  /** The HTTP status of the upstream; null for a success, and if it is unknown. */
  readonly upstreamStatus: number | null
  readonly durationMs: number
}

/** Upper bounds of the latency histogram in milliseconds. Histograms can be added up, so totals of any period have percentiles. */
export const latencyBoundsMs = [
  1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100, 150, 200, 300, 500, 700, 1_000, 1_500, 2_000, 3_000, 5_000, 7_000, 10_000,
  15_000, 20_000, 30_000, 60_000, 120_000,
] as const

export function latencyBucket(durationMs: number): number {
  const index = latencyBoundsMs.findIndex((bound) => durationMs <= bound)
  return index < 0 ? latencyBoundsMs.length : index
}

/** Estimates a percentile of a latency histogram, in milliseconds; null if it is empty. `share` is between 0 and 1. */
export function percentile(counts: readonly number[], share: number): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0)
  if (total === 0) return null
  let rank = Math.max(1, Math.ceil(total * share))
  for (const [index, count] of counts.entries()) {
    if (rank > count) {
      rank -= count
      continue
    }
    const low = latencyBoundsMs[index - 1] ?? 0
    // The last bucket has no upper bound.
    const high = latencyBoundsMs[index] ?? low
    return Math.round(low + ((high - low) * rank) / count)
  }
  return null
}

export interface UsageView {
  ofRequest(requestId: string): Promise<readonly UsageRecord[]>
  /** Finds the records of these runs in one query. Runs without a record are skipped. The order is undefined. */
  findMany(runIds: readonly string[]): Promise<readonly UsageRecord[]>
  /**
   * Lists records in the order of their run ids. Filters without an index examine at most `maxExamined` records, so that
   * each page costs about the same.
   */
  list(filters: UsageFilters, slice: Slice, maxExamined: number): Promise<UsageList>
  /** Returns usage totals from `from` to `to`, from totals that are updated with each record. Rejected runs are not part of them. */
  totals(query: UsageQuery): Promise<readonly UsageTotal[]>
}

export interface UsageList {
  readonly records: readonly UsageRecord[]
  /** The last record examined, if the search stopped before the slice was full and before the end of the list. */
  readonly examinedTo?: Position | undefined
}

export interface UsageFilters {
  readonly userId?: string | undefined
  readonly requestId?: string | undefined
  /** Only runs after this time, in milliseconds since the epoch. The run id contains the time. */
  readonly after?: number | undefined
  /** Only runs before this time, in milliseconds since the epoch. */
  readonly before?: number | undefined
  /** The id of an API key, or `sessions` for runs with an access token. */
  readonly credential?: string | undefined
  readonly model?: string | undefined
  readonly operation?: string | undefined
  readonly charged?: boolean | undefined
  /** An outcome, or `error` for all but `ok`. */
  readonly status?: string | undefined
  /** Only runs with this tag, or with this value of it. */
  readonly tag?: TagFilter | undefined
}

export interface TagFilter {
  readonly name: string
  /** Default: any. */
  readonly value?: string | undefined
}

/** The bounds of the run ids that the time filters allow: the first is included, the second is not. */
export function runIdBounds({ after, before }: UsageFilters): readonly [string | undefined, string | undefined] {
  return [
    after === undefined ? undefined : earliestId('run', withinIds(after + 1)),
    before === undefined ? undefined : earliestId('run', withinIds(before)),
  ]
}

/** Ids of other times have another number of digits, and would not sort by time. */
function withinIds(at: number): number {
  return Math.min(Math.max(at, Date.UTC(2005, 0)), Date.UTC(2230, 0))
}

function matchesUsage(record: UsageRecord, filters: UsageFilters): boolean {
  const { userId, requestId, credential, model, operation, charged, status, tag } = filters
  const [first, end] = runIdBounds(filters)
  return (
    (userId === undefined || record.userId === userId) &&
    (requestId === undefined || record.requestId === requestId) &&
    (first === undefined || record.runId >= first) &&
    (end === undefined || record.runId < end) &&
    (credential === undefined || record.counter === (credential === 'sessions' ? record.userId : credential)) &&
    (model === undefined || record.model === model) &&
    (operation === undefined || record.operation === operation) &&
    (charged === undefined || record.charged === charged) &&
    (status === undefined || (status === 'error' ? record.outcome !== 'ok' : record.outcome === status)) &&
    (tag === undefined || hasTag(record.details?.tags, tag))
  )
}

function hasTag(tags: Tags = {}, { name, value }: TagFilter): boolean {
  return Object.hasOwn(tags, name) && (value === undefined || tags[name] === value)
}

/** Filters and sorts records that were found by other means, such as the records of one request. */
export function sliceOfUsage(
  records: Iterable<UsageRecord>,
  filters: UsageFilters,
  { first, after, limit }: Slice,
): UsageRecord[] {
  const order = first === 'oldest' ? 1 : -1
  const compare = (one: string, other: string) => (one === other ? 0 : one < other ? -order : order)
  return [...records]
    .filter((record) => matchesUsage(record, filters) && (!after || compare(record.runId, after.id) > 0))
    .sort((one, other) => compare(one.runId, other.runId))
    .slice(0, limit)
}

/** Where a slice ends. */
export function usagePosition({ runId, at }: UsageRecord): Position {
  return { createdAt: at, id: runId }
}

export interface UsageQuery {
  /** Default: all users. */
  readonly userId?: string | undefined
  /** A full hour, in milliseconds since the epoch. */
  readonly from: number
  /** A full hour, exclusive, in milliseconds since the epoch. */
  readonly to: number
  readonly by: readonly UsageDimension[]
  /**
   * Only runs with this tag, or with this value of it. The period then consists of days in UTC, the dimensions are the day,
   * the user, and the value, and the totals have no histograms. Default: all runs.
   */
  readonly tag?: TagFilter | undefined
}

export type UsageDimension = 'day' | 'hour' | 'user' | 'model' | 'operation' | 'counter' | 'value'

/** The usage of one group. Of the dimensions, only those grouped by are set. */
export interface UsageTotal {
  /** The start of the day in UTC, in milliseconds since the epoch. */
  readonly day?: number
  /** The start of the hour, in milliseconds since the epoch. */
  readonly hour?: number
  /** The id of the user. */
  readonly user?: string
  /** Null for runs without a model. */
  readonly model?: string | null
  readonly operation?: string
  readonly counter?: string
  /** The value of the tag of the query. */
  readonly value?: string
  readonly requests: number
  /** Number of failed requests. */
  readonly errors: number
  /** Number of charged requests. */
  readonly charged: number
  readonly promptTokens: number
  readonly completionTokens: number
  readonly costUsd: number
  /** The latency histogram: one count per entry of `latencyBoundsMs`, and one for higher latencies. */
  readonly latencies: readonly number[]
  /** The same of the time to the first token of streams. */
  readonly firstTokens: readonly number[]
}

/** The sum of two totals, without their dimensions. */
export function addTotals(one: UsageTotal, other: UsageTotal | undefined): UsageTotal {
  const add = (histogram: readonly number[], counts: readonly number[] = []) =>
    histogram.map((count, bucket) => count + (counts[bucket] ?? 0))
  return {
    requests: one.requests + (other?.requests ?? 0),
    errors: one.errors + (other?.errors ?? 0),
    charged: one.charged + (other?.charged ?? 0),
    promptTokens: one.promptTokens + (other?.promptTokens ?? 0),
    completionTokens: one.completionTokens + (other?.completionTokens ?? 0),
    costUsd: one.costUsd + (other?.costUsd ?? 0),
    latencies: add(one.latencies, other?.latencies),
    firstTokens: add(one.firstTokens, other?.firstTokens),
  }
}

export interface UsageStore {
  /** Returns false and changes nothing if the run already has a record. */
  add(record: UsageRecord): Promise<boolean>
  /** Adds the records of rejected runs, but not to the totals. Skips runs that have a record. */
  addRejected(records: readonly UsageRecord[]): Promise<void>
  /** Removes at most `limit` records of runs before that time, the oldest first, but not from the totals. Returns how many. */
  purge(before: number, limit: number): Promise<number>
  /** Removes at most `limit` totals of hours before that time. Returns how many. */
  purgeTotals(before: number, limit: number): Promise<number>
}
