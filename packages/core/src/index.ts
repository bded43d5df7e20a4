/** What embedders and adapters need: the house itself, its operations, and the shapes of their answers. */
export { createFairlead } from './create-fairlead.ts'
export { operations } from './operations/operations.ts'
export { lookUps } from './operations/look-ups/look-ups.ts'
export { acceptedInput, canStream, costOf, defineOperation } from './runtime/define-operation.ts'
export { errorsOf, takesIdempotencyKey } from './runtime/errors-of.ts'
export { bearerCredentials } from './access/bearer-credentials.ts'
export { makeFirstAdmin } from './access/first-admin.ts'
export { adoptSecretKey, expectSecretKey } from './access/adopt-secret-key.ts'
export { setPassword } from './access/set-password.ts'
export { refreshLifeMs } from './access/session-life.ts'
export { routingOptions } from './inference/route-options.ts'
export { rateLimitOptions } from './quota/rate-limit-options.ts'
export { FairleadError } from './values/fairlead-error.ts'
export { defineConfig } from './define-config.ts'
export { issuesOf } from './runtime/validate.ts'
export { errorCodes } from './values/error-code.ts'
export { createIds, isId } from './values/id.ts'
export { nearest } from './values/nearest.ts'
export { clip, maxMessageLength, maxNameLength } from './values/clip.ts'
export { passwordIssue } from './values/password-rule.ts'
export { systemClock } from './ports/clock.ts'
export type { Fairlead, FairleadOptions } from './create-fairlead.ts'
export type { FairleadConfig, ProviderEntry, ProviderUse } from './define-config.ts'
export type { EmbeddedOptions } from './embedded-methods.ts'
export type { Credentials } from './access/caller.ts'
export type { ChunkOf, DataOf, Deprecation, InputOf, Operation } from './runtime/define-operation.ts'
export type { Call } from './runtime/call.ts'
export type { Reply } from './runtime/run.ts'
export type { Found, LookUp } from './runtime/define-look-up.ts'
export type { LookUpReply } from './runtime/run-look-up.ts'
export type { IdentifiedCaller, RunOptions } from './runtime/run-state.ts'
export type { Services } from './runtime/services.ts'
export type { SecretKeys } from './access/keyring.ts'
export type { PasswordHasher } from './ports/password-hasher.ts'
export type { RouteOptions, RoutingOptions, Strategy, TargetOptions, Timeouts } from './inference/route-options.ts'
export type { Cache } from './ports/cache.ts'
export type { Clock } from './ports/clock.ts'
export type { RateLimitOptions } from './quota/rate-limit-options.ts'
export type { RateLimiter } from './ports/rate-limiter.ts'
export type { Log } from './ports/log.ts'
export type { ProviderMeter, TargetMeter, WatchedTarget } from './ports/provider-meter.ts'
export type {
  BurstLimit,
  ErrorDetails,
  Failure,
  Limits,
  ListedRecord,
  Meta,
  PageMeta,
  StreamEvent,
  Streaming,
  Success,
} from './values/envelope.ts'
export type { ErrorCode } from './values/error-code.ts'
export type { FairleadErrorOptions } from './values/fairlead-error.ts'
export type { IdPrefix, NewId } from './values/id.ts'
export type { Issue } from './values/issue.ts'
export type { IfMatch } from './values/version.ts'
