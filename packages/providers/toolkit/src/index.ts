/**
 * The common parts of providers over HTTP: requests with limits, key rotation, error classification, and the model
 * catalog.
 */
export { createHttpClient } from './http/create-http-client.ts'
export { hasGrown, mapEvents } from './http/map-events.ts'
export {
  isNoReason,
  readFinishReason,
  reasoningWarning,
  requireAnswer,
  unknownReasonWarning,
  plainReason,
} from './finish-reasons.ts'
export { exceedsContext } from './http/too-long.ts'
export { failureOfStatus } from './http/upstream-failure.ts'
export { defaultTimeouts, httpOptionNames, requireApiKey } from './http/http-client-options.ts'
export {
  blockWarnings,
  fitTools,
  isSet,
  newCallId,
  unsupported,
  unsupportedFields,
  withOptions,
} from './fit-request.ts'
export { toOutputSchema } from './schemas/anthropic-schema.ts'
export { toGoogleSchema } from './schemas/google-schema.ts'
export { toObjectSchema } from './schemas/object-schema.ts'
export { outsideStrict, toFunctionSchema } from './schemas/openai-schema.ts'
export { catalog, catalogModels, findEntry, findModel } from './catalog/catalog.ts'
export { offeredModels } from './catalog/offered-models.ts'
export type {
  Authorize,
  AuthorizeCall,
  ErrorReading,
  HttpClientOptions,
  HttpProviderOptions,
  HttpTimeouts,
  UpstreamError,
} from './http/http-client-options.ts'
export type { EventReader } from './http/map-events.ts'
export type { HttpClient } from './http/http-client.ts'
export type {
  BytesGet,
  BytesPost,
  HttpRequests,
  JsonGet,
  JsonPoll,
  JsonPost,
  ReadEvents,
  ReadReply,
  ReplyBytes,
  StreamedReply,
  StreamPost,
} from './http/http-requests.ts'
export type { FittedTools, ToolLimits } from './fit-request.ts'
export type { Publisher } from './catalog/catalog.ts'
export type { FetchModels, FindKnown, ModelChoice, ModelSources, OfferedModels } from './catalog/offered-models.ts'
export type { CatalogEntry, Day, ImageTokenPrices } from './catalog/catalog-entry.ts'
