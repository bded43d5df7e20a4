/** What an author of storage needs: the ports, what is kept behind them, and the stores in memory that others must match. */
export { memoryStores } from './memory/memory-stores.ts'
export { memoryBlobs } from './memory/memory-blobs.ts'
export { memoryRateLimiter } from './memory/memory-rate-limiter.ts'
export { rateToleranceMs, toRateReading } from './values/rate-limit.ts'
export { isFuture, maxClockSkewMs } from './values/clock-skew.ts'
export { periodOf, runningMonths } from './values/period.ts'
export { readThrottle } from './ports/throttle-store.ts'
export { earliestId } from './values/id.ts'
export { latencyBoundsMs, latencyBucket } from './values/latency.ts'
export type {
  CounterStore,
  CounterView,
  ImageStore,
  ImageView,
  KeyFilters,
  KeyGrant,
  KeyStore,
  KeyView,
  NewSecret,
  Outbox,
  OutboxView,
  Reading,
  Reservation,
  ShipmentStore,
  ShipmentView,
  Stores,
  Transaction,
  TransactionOptions,
  UsageDimension,
  UsageQuery,
  UsageStore,
  UsageTotal,
  UsageView,
  UserFilters,
  UserStore,
  UserView,
  View,
} from './ports/stores.ts'
export type { AccessGrant, SessionStore, SessionView } from './ports/session-store.ts'
export type { SettingStore, SettingView } from './ports/setting-store.ts'
export type { ThrottleReading, ThrottleRule, ThrottleStore, ThrottleView } from './ports/throttle-store.ts'
export type { Blobs } from './ports/blobs.ts'
export type { MemoryRateLimiterOptions } from './memory/memory-rate-limiter.ts'
export type { RateLimiter } from './ports/rate-limiter.ts'
export type { RateLimit, RateReading } from './values/rate-limit.ts'
export type { ClaimStore, ClaimView } from './ports/claim-store.ts'
export type { ApiKey, Scope } from './values/api-key.ts'
export type { Claim } from './values/claim.ts'
export type { Event } from './values/event.ts'
export type { Image } from './values/image.ts'
export type { Period, RunningMonths } from './values/period.ts'
export type { Session } from './values/session.ts'
export type { UsageRecord } from './values/usage-record.ts'
export type { Address, Parcel, Shipment, ShipmentFilters, ShipmentStatus, StatusChange } from './values/shipment.ts'
export type { Position, Slice } from './values/slice.ts'
export type { Role, Tier, User, UserStatus } from './values/user.ts'
