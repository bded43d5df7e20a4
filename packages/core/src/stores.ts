/** The store interfaces, their records, and the reference implementation in memory. */
export { memoryStores } from './fairlead/memory-stores.ts'
export { hasAll, MemoryTable, recordView, takeSlice } from './runtime/stores/memory-table.ts'
export { memoryBlobs } from './gateway/images/images.ts'
export { createBulkhead } from './gateway/routing/bulkhead.ts'
export { memoryRateLimiter, rateToleranceMs, releaseOnce, toRateReading } from './runtime/quota/rate-limit.ts'
export { CircuitBreaker } from './runtime/stores/circuit-breaker.ts'
export { isFuture, maxClockSkewMs, withTimeout } from './runtime/clock.ts'
export { toPeriod, runningMonths } from './runtime/quota/quota.ts'
export { earliestId, madeAt } from './runtime/id.ts'
export { requireOptions } from './runtime/schema/require-options.ts'
export {
  latencyBoundsMs,
  latencyBucket,
  percentile,
  usagePosition,
  runIdBounds,
  sliceOfUsage,
} from './runtime/quota/usage.ts'
export type { StoresFor } from './fairlead/memory-stores.ts'
export type { UndoLog } from './runtime/stores/memory-table.ts'
export type {
  RuntimeStores,
  RuntimeTransaction,
  RuntimeView,
  ConnectionCounts,
  StoredPage,
  StoredUsage,
  TransactionOptions,
  SettingStore,
  SettingView,
  WriteCheckStore,
  ClaimStore,
  ClaimView,
  Claim,
} from './runtime/stores/stores.ts'
export type {
  Blobs,
  GatewayTransaction,
  GatewayView,
  GatewayStores,
  ImageRow,
  ImageStore,
  ImageView,
} from './gateway/images/images.ts'
export type { Hold, Spend, SpendKey, SpendStore, SpendView } from './runtime/budgets/budget.ts'
export type {
  CounterStore,
  CounterView,
  QuotaMark,
  Reading,
  Reservation,
  Period,
  RunningMonths,
} from './runtime/quota/quota.ts'
export type {
  UsageDimension,
  TagFilter,
  UsageFilters,
  UsageQuery,
  UsageStore,
  UsageTotal,
  UsageView,
  UsageAttempt,
  UsageDetails,
  UsageRecord,
} from './runtime/quota/usage.ts'
export type { CircuitBreakerOptions, ServerFailure } from './runtime/stores/circuit-breaker.ts'
export type {
  Lease,
  MemoryRateLimiter,
  MemoryRateLimiterOptions,
  RateLimit,
  RateLimiter,
  RateReading,
} from './runtime/quota/rate-limit.ts'
export type { KeyLimits } from './runtime/key-limits.ts'
export type { ProjectRole, Role, Scope, Tier } from './runtime/access.ts'
export type { EventRow } from './runtime/events/event-type.ts'
export type { Position, RecordView, Slice } from './runtime/schema/slice.ts'
