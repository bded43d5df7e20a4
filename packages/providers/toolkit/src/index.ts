/** What providers over HTTP share: requests with limits, key rotation, error classification, and the model catalogue. */
export { createHttpClient } from './http/http-client.ts'
export { failureOfStatus } from './http/upstream-failure.ts'
export { reasoningWarning } from './http/reasoning-warning.ts'
export { defaultTimeouts, httpOptionNames, requireApiKey } from './http/http-client-options.ts'
export { blockWarnings, isSet, unsupported, unsupportedFields, withOptions } from './request-fields.ts'
export { catalogue, catalogueModels, findEntry, findModel } from './catalogue/catalogue.ts'
export { offeredModels } from './catalogue/offered-models.ts'
export type {
  ErrorReading,
  HttpClientOptions,
  HttpProviderOptions,
  HttpTimeouts,
  UpstreamError,
} from './http/http-client-options.ts'
export type { HttpClient, JsonGet, JsonPost, ReadEvents, ReadReply, StreamPost } from './http/http-client.ts'
export type { Publisher } from './catalogue/catalogue.ts'
export type { FetchModels, FindKnown, ModelChoice, ModelSources, OfferedModels } from './catalogue/offered-models.ts'
export type { CatalogueEntry, Day, ImageTokenPrices } from './catalogue/catalogue-entry.ts'
