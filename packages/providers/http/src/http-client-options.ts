import type { Clock, ProviderFailure } from '@fairlead/core/provider'
import type { Dispatcher } from 'undici'

/** What every provider over HTTP lets its users set. */
export interface HttpProviderOptions {
  /** The upstream's key, or several: while one is at its limit the others are used. Default: none is sent. */
  readonly apiKey?: string | readonly string[] | undefined
  /** Where the upstream is. It comes from here alone, never from a request. */
  readonly baseUrl?: string | undefined
  /** Sent with every request, besides what the provider sends. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly timeouts?: Partial<HttpTimeouts> | undefined
  /** Sends the requests, for a proxy or certificates of your own; it stays yours to close. Default: a pool of connections. */
  readonly dispatcher?: Dispatcher | undefined
  /** Default: the system's. */
  readonly clock?: Clock | undefined
}

/** The names of `HttpProviderOptions`, for `requireOptions`. */
export const httpOptionNames = [
  'apiKey',
  'baseUrl',
  'headers',
  'timeouts',
  'dispatcher',
  'clock',
] as const satisfies readonly (keyof HttpProviderOptions)[]

/** How long the upstream may be silent, in milliseconds. How long a call takes in all is the router's to bound. */
export interface HttpTimeouts {
  /** Until a connection stands. Default: 5,000. */
  readonly connectMs: number
  /** From the connection to the head of the reply. Default: 120,000. */
  readonly firstByteMs: number
  /** Between two pieces of the reply. Default: 120,000. */
  readonly idleMs: number
}

export const defaultTimeouts: HttpTimeouts = { connectMs: 5_000, firstByteMs: 120_000, idleMs: 120_000 }

/** What the author of a provider adds. */
export interface HttpClientOptions extends Omit<HttpProviderOptions, 'baseUrl'> {
  /** The provider's id, for messages. */
  readonly id: string
  /** `http` or `https`, without user, query or fragment: all paths go below it. */
  readonly baseUrl: string
  /** The headers that carry a key. Default: `authorization: Bearer <key>`. */
  readonly authorize?: (apiKey: string) => Readonly<Record<string, string>>
  /** What the upstream's own words for an error mean, where they say more than the status. */
  readonly explainError?: (error: UpstreamError) => ErrorReading | undefined
}

export interface UpstreamError {
  /** 200 where the error came in the body of a success or in a stream. */
  readonly status: number
  /** The body as JSON; undefined where it is none. */
  readonly body: unknown
}

/** What stays out is told by the status. */
export interface ErrorReading {
  readonly failure?: ProviderFailure
  /** The upstream's sentence. Callers read it with `invalid_request` and `content_refused`, operators always. */
  readonly message?: string
  /** The field at fault, as core spells it: `maxTokens`. */
  readonly field?: string
  readonly retryAfterMs?: number
}
