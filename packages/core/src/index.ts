/** The core, its operations, and the types of their inputs and results, for embedding programs and adapters. */
export { createFairlead } from './fairlead/create-fairlead.ts'
export { defineTool } from './gateway/text/run-tools.ts'
export { accounts } from './accounts/accounts.ts'
export { shipments } from './shipments/shipments.ts'
export { webhooks } from './webhooks/webhooks.ts'
export { defineFeature } from './runtime/feature.ts'
export { loaders, operations } from './fairlead/operations.ts'
export { acceptedInput, action, canStream, costOf, read, subscription, write } from './runtime/operation.ts'
export { defineEvent, exampleOf } from './runtime/events/event-type.ts'
export { modelCallEvents } from './runtime/events/model-call-events.ts'
export { typeNames } from './runtime/schema/field-schemas.ts'
export { errorsOf, takesIdempotencyKey } from './runtime/errors-of.ts'
export { bearerCredentials, credentialsReader } from './runtime/access.ts'
export type { AdapterAccess, ReadCredentials } from './runtime/access.ts'
export { makeFirstAdmin } from './accounts/users/first-admin.ts'
export { adoptSecretKey, expectSecretKey } from './accounts/sessions/adopt-secret-key.ts'
export { setPassword } from './accounts/sessions/check-login.ts'
export { refreshLifeMs } from './accounts/sessions/session.ts'
export { isReservedOption } from './gateway/options/reserved-options.ts'
export { maxCallMs, routingOptions } from './gateway/routing/route-options.ts'
export { rateLimitOptions } from './runtime/quota/rate-limit.ts'
export { webhookLimits } from './webhooks/webhook-limits.ts'
export { errorCodes, FairleadError, invalidRequest } from './runtime/errors.ts'
export { defineConfig } from './fairlead/define-config.ts'
export { requireCore, requireOptions } from './runtime/schema/require-options.ts'
export { issuesOf } from './runtime/schema/validate.ts'
export { toSnakeCase, wireNames } from './runtime/schema/wire-names.ts'
export { createIds, isId } from './runtime/id.ts'
export { suggestField } from './runtime/schema/unknown-field.ts'
export { clip, maxMessageLength, maxNameLength, nearest } from './runtime/schema/names.ts'
export { passwordIssue } from './accounts/sessions/passwords.ts'
export { isNetworkOrHost } from './runtime/outbound/address-rules.ts'
export { systemClock } from './runtime/clock.ts'
export { networkOf } from './accounts/sessions/network-of.ts'
export type { WebhooksOptions } from './webhooks/webhooks.ts'
export type { WebhookLimits } from './webhooks/webhook-limits.ts'
export type { AccountsOptions } from './accounts/accounts.ts'
export type { FirstAdmin } from './accounts/users/first-admin.ts'
export type { GatewayServices } from './gateway/gateway.ts'
export type { TextGeneration, TextPlan } from './gateway/text/generate-text.ts'
export type { AssistantMessage, GeneratedText, ToolCall } from './gateway/text/generated-text.ts'
export type { WithAnswer } from './gateway/text/generation.ts'
export type {
  RunnableTool,
  RunTools,
  RunToolsInput,
  RunToolsOptions,
  ToolContext,
  ToolRun,
  ToolRunEvent,
} from './gateway/text/run-tools.ts'
export type { Feature, FeatureContext, FeatureParts, OperationTree, ReferenceSection } from './runtime/feature.ts'
export type { Fairlead, FairleadCore } from './fairlead/create-fairlead.ts'
export type { FairleadOptions } from './fairlead/fairlead-options.ts'
export type { FairleadConfig, ProviderEntry, ProviderUse } from './fairlead/define-config.ts'
export type { MethodsOf } from './fairlead/embedded-methods.ts'
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
export type { Call, Services } from './runtime/run/call.ts'
export type { LoaderReply, Reply } from './runtime/run/run.ts'
export type { Found, Loader } from './runtime/loaders.ts'
export type { IfMatch, ModelCall, NativeRequest, OpenCall, RunOptions } from './runtime/run/run-options.ts'
export type { Keyring, SecretKeys } from './runtime/keyring.ts'
export type { PasswordHasher } from './accounts/sessions/passwords.ts'
export type {
  RouteOptions,
  RoutingOptions,
  Strategy,
  TargetOptions,
  Timeouts,
} from './gateway/routing/route-options.ts'
export type { Cache } from './gateway/caching/cache-entries.ts'
export type { Clock } from './runtime/clock.ts'
export type { MediaOptions } from './gateway/messages/load-media.ts'
export type { RateLimiter, RateLimitOptions } from './runtime/quota/rate-limit.ts'
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
} from './runtime/run/envelope.ts'
export type { ErrorCode, FairleadErrorOptions, Issue, UpstreamFacts, UpstreamFailure } from './runtime/errors.ts'
export type { NewId } from './runtime/id.ts'
export type { EventSchema, EventType } from './runtime/events/event-type.ts'
export type { ModelCallEvents } from './runtime/events/model-call-events.ts'
export type { WireNames } from './runtime/schema/wire-names.ts'
export type { DeliveryMeter, DeliveryQueue } from './webhooks/deliveries/deliver.ts'
