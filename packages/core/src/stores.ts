/** The store interfaces, their records, and the reference implementation in memory. */
export { memoryStores } from './memory-stores.ts'
export { memoryBlobs } from './gateway/images.ts'
export { createBulkhead } from './gateway/routing/bulkhead.ts'
export { BlockedKeys, memoryRateLimiter, rateToleranceMs, toRateReading } from './runtime/rate-limit.ts'
export { isFuture, maxClockSkewMs } from './runtime/clock.ts'
export { periodOf, runningMonths } from './runtime/quota.ts'
export { readThrottle } from './accounts/stores.ts'
export { patternsFor } from './webhooks/event-pattern.ts'
export { earliestId, madeAt } from './runtime/id.ts'
export { latencyBoundsMs, latencyBucket, positionOf, runIdBounds, sliceOfUsage } from './runtime/usage.ts'
export type { Stores, Transaction, View } from './feature-stores.ts'
export type {
  AccessGrant,
  KeyFilters,
  KeyGrant,
  KeyStore,
  KeyView,
  NewSecret,
  Session,
  SessionStore,
  SessionView,
  ThrottleReading,
  ThrottleRule,
  ThrottleStore,
  ThrottleView,
  UserFilters,
  UserStore,
  UserView,
} from './accounts/stores.ts'
export type { Blobs, Image, ImageStore, ImageView } from './gateway/images.ts'
export type { ShipmentStore, ShipmentView } from './shipments/shipment-store.ts'
export type {
  ClaimedDelivery,
  ClaimRequest,
  Delivery,
  DeliveryAttempt,
  DeliveryFilters,
  DeliveryStatus,
  DeliveryStore,
  DeliveryView,
  DisabledReason,
  EventFilters,
  EventStore,
  EventView,
  Subscription,
  Webhook,
  WebhookFilters,
  WebhookHealth,
  WebhookStore,
  WebhookView,
} from './webhooks/webhook-store.ts'
export type { CounterStore, CounterView, QuotaMark, Reading, Reservation } from './runtime/quota.ts'
export type { UsageDimension, UsageFilters, UsageQuery, UsageStore, UsageTotal, UsageView } from './runtime/usage.ts'
export type { TransactionOptions } from './runtime/stores.ts'
export type { SettingStore, SettingView, WriteCheckStore } from './runtime/stores.ts'
export type {
  MemoryRateLimiter,
  MemoryRateLimiterOptions,
  RateLimit,
  RateLimiter,
  RateReading,
} from './runtime/rate-limit.ts'
export type { ClaimStore, ClaimView } from './runtime/stores.ts'
export type { ApiKey } from './accounts/key.ts'
export type { Role, Scope, Tier } from './runtime/access.ts'
export type { Claim } from './runtime/stores.ts'
export type { Event } from './runtime/events.ts'
export type { Period, RunningMonths } from './runtime/quota.ts'
export type { UsageRecord } from './runtime/usage.ts'
export type { Address, Parcel, Shipment, ShipmentFilters, ShipmentStatus, StatusChange } from './shipments/shipment.ts'
export type { Position, Slice } from './runtime/slice.ts'
export type { User, UserStatus } from './accounts/user.ts'
