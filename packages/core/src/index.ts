/** For programs that embed Fairlead: the core, its features, declarations of your own, and the types of options and results. */
export { createFairlead } from './fairlead/create-fairlead.ts'
export { operations } from './gateway/gateway.ts'
export { FairleadError } from './runtime/errors.ts'
export { defineTool } from './gateway/tools/runnable-tool.ts'
export { hasToolCall, isStepCount } from './gateway/tools/run-tools.ts'
export { action, defineFeature, list, operationsFor, read, subscription, write } from './gateway/own-features.ts'
export { defineEvent } from './runtime/events/event-type.ts'
export { modelCallEvents } from './runtime/events/model-call-events.ts'
export { typeNames } from './runtime/schema/field-schemas.ts'
export { systemClock } from './runtime/clock.ts'
export type { Fairlead } from './fairlead/create-fairlead.ts'
export type { FairleadOptions, LimitOptions, TestingOptions } from './fairlead/fairlead-options.ts'
export type { ChangedIds, Reconfigurable, Reconfiguration } from './gateway/configuration.ts'
export type { ErrorCode, FairleadErrorOptions, Issue, UpstreamFailure } from './runtime/errors.ts'
export type {
  RouteOptions,
  RoutingOptions,
  Strategy,
  TargetOptions,
  Timeouts,
} from './gateway/routing/route-options.ts'
export type { Cache } from './gateway/caching/cache-entries.ts'
export type { MediaOptions } from './gateway/messages/load-media.ts'
export type { RetentionPeriods } from './runtime/retention.ts'
export type { RateLimiter, RateLimitOptions } from './runtime/quota/rate-limit.ts'
export type { SecretKeys, Keyring } from './runtime/keyring.ts'
export type { Clock } from './runtime/clock.ts'
export type { Log } from './runtime/log.ts'
export type { Observer } from './fairlead/observer.ts'
export type {
  AccessLogRecord,
  DeliveryObserver,
  DeliveryQueue,
  LoggedModelCall,
  ObservedCall,
} from './runtime/observer.ts'
export type { ObservedAttempt, ObservedTarget } from './gateway/routing/attempt-observer.ts'
export type { AuditedChange, AuditedFields, AuditEntryRow, AuditSink, AuditedTarget } from './runtime/audit-entry.ts'
export type { Mail, Mailer } from './runtime/mail.ts'
export type {
  EmbeddedOptions,
  Method,
  ResultStream,
  StreamingMethod,
  SubscriptionMethod,
  WithMeta,
} from './runtime/method.ts'
export type { MethodsOf } from './fairlead/embedded-methods.ts'
export type { EmbeddedGenerate, EmbeddedGenerateInput } from './gateway/text/embedded-generate.ts'
export type { Generated, GeneratedObject } from './gateway/text/generated-text.ts'
export type { InferOutput, StandardSchema } from './gateway/text/standard-schema.ts'
export type { AssistantMessage, GeneratedText, ToolCall } from './gateway/text/generated-text.ts'
export type { RunnableTool, ToolContext } from './gateway/tools/runnable-tool.ts'
export type {
  NextStep,
  RunTools,
  RunToolsInput,
  RunToolsOptions,
  StepSettings,
  ToolRun,
  ToolRunEvent,
  ToolRunStream,
} from './gateway/tools/run-tools.ts'
export type { StopCondition } from './gateway/tools/run-tools.ts'
export type { Approval, Approve, ToolResult, ToolStep } from './gateway/tools/tool-calls.ts'
export type { Credentials, Access, Account, Authenticator, Caller } from './runtime/access.ts'
export type { Tags } from './runtime/schema/tags.ts'
export type { RunOptions } from './runtime/run/run-options.ts'
export type { Reply } from './runtime/run/run.ts'
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
export type { Feature, FeatureContext, FeatureParts, OperationTree, ReferenceSection } from './runtime/feature.ts'
export type {
  ActionOperation,
  ChunkOf,
  ChunkSource,
  DataOf,
  Deprecation,
  GraphqlField,
  InputOf,
  MutationPayload,
  NodeSource,
  Operation,
  ReadOperation,
  RestMethod,
  RestRoute,
  SubscriptionOperation,
  WriteOperation,
} from './runtime/operation.ts'
export type { OperationRun, Services } from './runtime/run/operation-run.ts'
export type { GatewayServices, ServicesWith } from './gateway/own-features.ts'
export type { TextGeneration, TextPlan } from './gateway/text/generate-text.ts'
export type { EventSchema, EventType } from './runtime/events/event-type.ts'
export type { ModelCallEvents } from './runtime/events/model-call-events.ts'
export type { Edge, Edges, Found, Loader } from './runtime/loaders.ts'
