/**
 * For the authors of features: what an operation with records needs besides the declarations of `@fairlead/core`.
 */
export { gateway } from './gateway/gateway.ts'
export {
  actingUser,
  authorize,
  credentialName,
  includesRole,
  listedOwner,
  projectRoles,
  rejectionOf,
  requireAccount,
  requireScopes,
  tiers,
  visibleOwner,
  visibleUserId,
} from './runtime/access.ts'
export { auditEntry, serviceEntry } from './runtime/audit-entry.ts'
export { budgetEvents, budgetKind } from './runtime/budgets/budget-events.ts'
export { budgetsOf, resetOf, runningSpend, spendPeriod, toAmount, toUsd } from './runtime/budgets/budget.ts'
export type { Budget, BudgetLimit, BudgetPeriod } from './runtime/budgets/budget.ts'
export { pause } from './runtime/clock.ts'
export type { FailureReason } from './runtime/errors.ts'
export { createEvent, titleOf } from './runtime/events/event-type.ts'
export type { EventSink } from './runtime/events/events.ts'
export { operationsByName } from './runtime/feature.ts'
export type { Job } from './runtime/feature.ts'
export { base62, isId, numberOf, readBase62 } from './runtime/id.ts'
export { applied, isWithin } from './runtime/key-limits.ts'
export type { Cipher } from './runtime/keyring.ts'
export { defineLoader, mergeEdges, toFound } from './runtime/loaders.ts'
export { createOutageLog, silentLog } from './runtime/log.ts'
export { lruCache } from './runtime/lru-cache.ts'
export { OutboundError } from './runtime/outbound/exchange.ts'
export type { OutboundRequest } from './runtime/outbound/exchange.ts'
export { coversNetwork, parseNetwork, parseNetworks } from './runtime/outbound/networks.ts'
export { createOutbound } from './runtime/outbound/outbound.ts'
export type { Outbound } from './runtime/outbound/outbound.ts'
export { quotaEvents } from './runtime/quota/quota-events.ts'
export { endOf, startOf } from './runtime/quota/quota.ts'
export { addTotals } from './runtime/quota/usage.ts'
export { ownerOf } from './runtime/run/operation-run.ts'
export { isUnavailable } from './runtime/run/pending-settlements.ts'
export { oneOf } from './runtime/schema/explain-issue.ts'
export {
  dateTime,
  deletion,
  instant,
  instantOf,
  integerBetween,
  namedEnum,
  namedObject,
  namedStrictObject,
  recordUpTo,
  recordVersion,
  scopeName,
  smallCount,
  textAtMost,
  textUpTo,
  toInstant,
  withoutDefaults,
} from './runtime/schema/field-schemas.ts'
export { coversPattern } from './runtime/schema/name-pattern.ts'
export type { RecordView } from './runtime/schema/slice.ts'
export { tagsSchema } from './runtime/schema/tags.ts'
export { requireMatch, requireUnchanged, withFields } from './runtime/schema/versions.ts'
export { hasAll, recordView, sliceOf } from './runtime/stores/memory-table.ts'
export type { RuntimeTransaction, RuntimeView } from './runtime/stores/stores.ts'
export { hostOf, networkOf } from './runtime/outbound/network-of.ts'
export { computingMs } from './runtime/clock.ts'
export type {
  Declaration,
  ListDeclaration,
  ReadFunctions,
  SubscriptionFunctions,
  WriteFunctions,
} from './runtime/declare.ts'
export type { FeatureBuilders, MemoryContext } from './runtime/feature.ts'
export type { InferenceServices } from './gateway/services.ts'
