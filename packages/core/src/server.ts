/** For servers: how they read their configuration and limit clients, besides what `@fairlead/core/adapter` has. */
export { budgetOptions } from './runtime/budgets/budget-options.ts'
export { BlockedKeys, rateLimitOptions } from './runtime/quota/rate-limit.ts'
export { maxCallMs, routingOptions } from './gateway/routing/route-options.ts'
export { findIssues } from './runtime/schema/validate.ts'
export { isNetworkOrHost } from './runtime/outbound/address-rules.ts'
export type { IdentifiedCaller } from './runtime/access.ts'
