/** What a provider over HTTP is built on: requests with limits, keys that rest, and failures told apart. */
export { createHttpClient } from './http-client.ts'
export { failureOfStatus } from './status-failure.ts'
export { reasoningWarning } from './reasoning-warning.ts'
export { defaultTimeouts, httpOptionNames } from './http-client-options.ts'
export type {
  ErrorReading,
  HttpClientOptions,
  HttpProviderOptions,
  HttpTimeouts,
  UpstreamError,
} from './http-client-options.ts'
export type { HttpClient, JsonGet, JsonPost, ReadEvents, ReadReply, StreamPost } from './http-client.ts'
