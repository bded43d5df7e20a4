/** The core, its operations, and the types of their inputs and results, for embedding programs and adapters. */
export { createFairlead } from './create-fairlead.ts'
export { defineTool } from './gateway/run-tools.ts'
export { accounts } from './accounts/accounts.ts'
export { shipments } from './shipments/shipments.ts'
export { webhooks } from './webhooks/webhooks.ts'
export { defineFeature } from './runtime/feature.ts'
export { loaders, operations } from './operations.ts'
export { acceptedInput, canStream, costOf, defineOperation } from './runtime/operation.ts'
export { defineEvent, exampleOf } from './runtime/event-type.ts'
export { modelCallEvents } from './runtime/model-call-events.ts'
export { typeNames } from './runtime/field-schemas.ts'
export { errorsOf, takesIdempotencyKey } from './runtime/errors-of.ts'
export { bearerCredentials, credentialsReader } from './runtime/access.ts'
export type { AdapterAccess, ReadCredentials } from './runtime/access.ts'
export { makeFirstAdmin } from './accounts/first-admin.ts'
export { adoptSecretKey, expectSecretKey } from './accounts/adopt-secret-key.ts'
export { setPassword } from './accounts/check-login.ts'
export { refreshLifeMs } from './accounts/session.ts'
export { isReservedOption } from './gateway/reserved-options.ts'
export { maxCallMs, routingOptions } from './gateway/routing/route-options.ts'
export { rateLimitOptions } from './runtime/rate-limit.ts'
export { webhookLimits } from './webhooks/webhook-limits.ts'
export { errorCodes, FairleadError, invalidRequest } from './runtime/errors.ts'
export { defineConfig } from './define-config.ts'
export { requireCore, requireOptions } from './runtime/require-options.ts'
export { issuesOf } from './runtime/validate.ts'
export { toSnakeCase, wireNames } from './runtime/wire-names.ts'
export { createIds, isId } from './runtime/id.ts'
export { suggestField } from './runtime/unknown-field.ts'
export { clip, maxMessageLength, maxNameLength, nearest } from './runtime/names.ts'
export { passwordIssue } from './accounts/passwords.ts'
export { isNetworkOrHost } from './runtime/outbound/address-rules.ts'
export { systemClock } from './runtime/clock.ts'
export { networkOf } from './accounts/network-of.ts'
export type { WebhooksOptions } from './webhooks/webhooks.ts'
export type { WebhookLimits } from './webhooks/webhook-limits.ts'
export type { AccountsOptions } from './accounts/accounts.ts'
export type { FirstAdmin } from './accounts/first-admin.ts'
export type { GatewayServices } from './gateway/gateway.ts'
export type { TextGeneration, TextPlan } from './gateway/generate-text.ts'
export type { AssistantMessage, GeneratedText, ToolCall } from './gateway/generated-text.ts'
export type { WithAnswer } from './gateway/generation.ts'
export type {
  RunnableTool,
  RunTools,
  RunToolsInput,
  RunToolsOptions,
  ToolContext,
  ToolRun,
  ToolRunEvent,
} from './gateway/run-tools.ts'
export type { Feature, FeatureContext, FeatureParts, OperationTree, ReferenceSection } from './runtime/feature.ts'
export type { Fairlead, FairleadCore } from './create-fairlead.ts'
export type { FairleadOptions } from './fairlead-options.ts'
export type { FairleadConfig, ProviderEntry, ProviderUse } from './define-config.ts'
export type { MethodsOf } from './embedded-methods.ts'
export type {
  EmbeddedOptions,
  Method,
  ResultStream,
  StreamingMethod,
  SubscriptionMethod,
  WithMeta,
} from './runtime/method.ts'
export type { Account, Authenticator, Caller, Credentials, IdentifiedCaller } from './runtime/access.ts'
export type { ChunkOf, DataOf, Deprecation, InputOf, Operation } from './runtime/operation.ts'
export type { GraphqlField, RestMethod, RestRoute } from './runtime/operation.ts'
export type { Call, Services } from './runtime/call.ts'
export type { LoaderReply, Reply } from './runtime/run.ts'
export type { Found, Loader } from './runtime/loaders.ts'
export type { IfMatch, ModelCall, NativeRequest, OpenCall, RunOptions } from './runtime/run-options.ts'
export type { Keyring, SecretKeys } from './runtime/keyring.ts'
export type { PasswordHasher } from './accounts/passwords.ts'
export type {
  RouteOptions,
  RoutingOptions,
  Strategy,
  TargetOptions,
  Timeouts,
} from './gateway/routing/route-options.ts'
export type { Cache } from './gateway/caching/cache-entries.ts'
export type { Clock } from './runtime/clock.ts'
export type { MediaOptions } from './gateway/load-media.ts'
export type { RateLimiter, RateLimitOptions } from './runtime/rate-limit.ts'
export type { Log } from './runtime/log.ts'
export type { ProviderMeter, TargetMeter, WatchedTarget } from './gateway/routing/targets.ts'
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
} from './runtime/envelope.ts'
export type { ErrorCode, FairleadErrorOptions, Issue, UpstreamFacts, UpstreamFailure } from './runtime/errors.ts'
export type { NewId } from './runtime/id.ts'
export type { EventSchema, EventType } from './runtime/event-type.ts'
export type { ModelCallEvents } from './runtime/model-call-events.ts'
export type { WireNames } from './runtime/wire-names.ts'
export type { DeliveryMeter, DeliveryQueue } from './webhooks/deliver.ts'
