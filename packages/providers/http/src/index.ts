/** The basis of HTTP providers: requests with limits, key rotation, and error classification. */
export { createHttpClient } from './http-client.ts'
export { failureOfStatus } from './upstream-failure.ts'
export { reasoningWarning } from './reasoning-warning.ts'
export { defaultTimeouts, httpOptionNames, requireApiKey } from './http-client-options.ts'
export type {
  ErrorReading,
  HttpClientOptions,
  HttpProviderOptions,
  HttpTimeouts,
  UpstreamError,
} from './http-client-options.ts'
export type { HttpClient, JsonGet, JsonPost, ReadEvents, ReadReply, StreamPost } from './http-client.ts'
