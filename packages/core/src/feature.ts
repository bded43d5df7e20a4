/**
 * For the authors of features with records: what their operations need besides the declarations of `@fairlead/core`.
 * docs/embedding.md has a feature from its beginning to its end.
 */

// Access: which records a caller may see, and who acts.
export {
  actingUser,
  authorize,
  credentialName,
  includesRole,
  listedOwner,
  requireAccount,
  tiers,
  visibleOwner,
} from './runtime/access.ts'
export { ownerOf } from './runtime/run/operation-run.ts'
export { isWithin } from './runtime/key-limits.ts'
export { coversPattern } from './runtime/schema/names.ts'
export { coversNetwork, parseNetwork, parseNetworks, readHost, readNetwork } from './runtime/outbound/networks.ts'

// Schemas of the fields of inputs and outputs.
export {
  dateTime,
  deletion,
  instant,
  parseInstant,
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
} from './runtime/schema/field-schemas.ts'
export { tagsSchema } from './runtime/schema/tags.ts'
export { isId } from './runtime/id.ts'
export { nearest } from './runtime/schema/names.ts'
export { explainChoices } from './runtime/schema/explain-issue.ts'

// Changes of records: their versions, which `If-Match` checks.
export { requireMatch, requireUnchanged, withFields } from './runtime/schema/versions.ts'

// References between records, as graphs show them.
export { defineLoader, toFound } from './runtime/loaders.ts'

// Events, and entries of the audit log.
export { createEvent } from './runtime/events/event-type.ts'
export type { EventSink } from './runtime/events/event-type.ts'
export { auditEntry } from './runtime/audit-entry.ts'

// Budgets, quotas, and usage.
export { budgetEvents, budgetKind } from './runtime/budgets/budget-events.ts'
export { nextReset, runningSpend, toAmount, toUsd } from './runtime/budgets/budget.ts'
export type { Budget, BudgetPeriod } from './runtime/budgets/budget.ts'
export { quotaEvents } from './runtime/quota/quota-events.ts'
export { periodEnd, periodStart } from './runtime/quota/quota.ts'
export { addTotals } from './runtime/quota/usage.ts'

// The feature itself: its operations by name, its jobs, and requests to other servers.
export { operationsByName } from './runtime/feature.ts'
export type { Job, MemoryContext } from './runtime/feature.ts'
export type {
  Declaration,
  ListDeclaration,
  ReadFunctions,
  SubscriptionFunctions,
  WriteFunctions,
} from './runtime/declare.ts'
export { createOutbound } from './runtime/outbound/outbound.ts'
export type { Outbound } from './runtime/outbound/outbound.ts'
export { OutboundError } from './runtime/outbound/send-outbound.ts'
export { createKeyring, keyringCipher } from './runtime/keyring.ts'
export type { Cipher } from './runtime/keyring.ts'
export type { FailureReason } from './runtime/errors.ts'
export { isUnavailable } from './runtime/run/pending-settlements.ts'
export { createOutageLog } from './runtime/log.ts'
export { lruCache } from './runtime/lru-cache.ts'
export { computingMs, pause } from './runtime/clock.ts'
