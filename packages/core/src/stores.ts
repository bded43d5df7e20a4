/** The store interfaces, their records, and the reference implementation in memory. */
export { memoryStores } from './fairlead/memory-stores.ts'
export { MemoryTable } from './runtime/stores/memory-table.ts'
export { memoryBlobs } from './gateway/images/images.ts'
export { emptyMonth } from './audit/audit-store.ts'
export { createBulkhead } from './gateway/routing/bulkhead.ts'
export {
  BlockedKeys,
  memoryRateLimiter,
  rateToleranceMs,
  releaseOnce,
  toRateReading,
} from './runtime/quota/rate-limit.ts'
export { CircuitBreaker } from './runtime/stores/circuit-breaker.ts'
export { isFuture, maxClockSkewMs, withTimeout } from './runtime/clock.ts'
export { periodOf, runningMonths } from './runtime/quota/quota.ts'
export { readThrottle } from './accounts/stores.ts'
export { patternsFor } from './webhooks/events/event-pattern.ts'
export { earliestId, madeAt } from './runtime/id.ts'
export { requireOptions } from './runtime/schema/require-options.ts'
export { shipmentNames } from './shipments/shipment.ts'
export { hashToken } from './accounts/sessions/tokens.ts'
export {
  latencyBoundsMs,
  latencyBucket,
  percentile,
  positionOf,
  runIdBounds,
  sliceOfUsage,
} from './runtime/quota/usage.ts'
export type { Stores, StoresFor, Transaction, View } from './fairlead/feature-stores.ts'
export type { UndoLog } from './runtime/stores/memory-table.ts'
export type { RuntimeStores } from './runtime/stores/stores.ts'
export type {
  AccessGrant,
  AccountStores,
  CountersView,
  Identity,
  IdentityStore,
  IdentityView,
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
  OwnerStore,
  OwnerView,
  UserFilters,
  UserStore,
  UserView,
} from './accounts/stores.ts'
export type {
  AuditFilters,
  AuditMonth,
  AuditStore,
  AuditStores,
  AuditView,
  ChainedEntry,
  SignedHead,
} from './audit/audit-store.ts'
export type { Blobs, GatewayStores, Image, ImageStore, ImageView } from './gateway/images/images.ts'
export type { ShipmentStore, ShipmentStores, ShipmentView } from './shipments/shipment-store.ts'
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
  WebhookStores,
  WebhookView,
} from './webhooks/webhook-store.ts'
export type { Hold, Spend, SpendKey, SpendStore, SpendView } from './runtime/budgets/budget.ts'
export type { CounterStore, CounterView, QuotaMark, Reading, Reservation } from './runtime/quota/quota.ts'
export type {
  UsageDimension,
  TagFilter,
  UsageFilters,
  UsageQuery,
  UsageStore,
  UsageTotal,
  UsageView,
} from './runtime/quota/usage.ts'
export type { CircuitBreakerOptions, ServerFailure } from './runtime/stores/circuit-breaker.ts'
export type { ConnectionCounts, StoredPage, StoredUsage, TransactionOptions } from './runtime/stores/stores.ts'
export type { SettingStore, SettingView, WriteCheckStore } from './runtime/stores/stores.ts'
export type {
  Lease,
  MemoryRateLimiter,
  MemoryRateLimiterOptions,
  RateLimit,
  RateLimiter,
  RateReading,
} from './runtime/quota/rate-limit.ts'
export type { ClaimStore, ClaimView } from './runtime/stores/stores.ts'
export type { KeyLimits } from './runtime/key-limits.ts'
export type { ApiKey } from './accounts/keys/key.ts'
export type { ProjectRole, Role, Scope, Tier } from './runtime/access.ts'
export type { Claim } from './runtime/stores/stores.ts'
export type { Event } from './runtime/events/events.ts'
export type { Period, RunningMonths } from './runtime/quota/quota.ts'
export type { UsageAttempt, UsageDetails, UsageRecord } from './runtime/quota/usage.ts'
export type { Address, Parcel, Shipment, ShipmentFilters, ShipmentStatus, StatusChange } from './shipments/shipment.ts'
export type { Position, Slice } from './runtime/schema/slice.ts'
export type { Owner } from './accounts/owner.ts'
export type { Project } from './accounts/projects/project.ts'
export type {
  Invitation,
  InvitationStore,
  InvitationView,
  Member,
  MemberStore,
  MemberView,
  NamedMember,
  ProjectStore,
  ProjectView,
} from './accounts/projects/project-stores.ts'
export type { Passkey, PasskeyStore, PasskeyView } from './accounts/passkeys/passkey.ts'
export type { User, UserStatus } from './accounts/users/user.ts'
