import type { Clock, ProviderFailure } from '@fairlead/core/provider'
import type { Dispatcher } from 'undici'

/** The options that all HTTP providers share. */
export interface HttpProviderOptions {
  /** The API key, or several: while one is rate limited, the others are used. Default: none. */
  readonly apiKey?: string | readonly string[] | undefined
  /** The base URL of the upstream. A request can never change it. */
  readonly baseUrl?: string | undefined
  /** Headers to send with every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly timeouts?: Partial<HttpTimeouts> | undefined
  /**
   * Whether callers get the headers of the upstream that begin with `x-ratelimit-` or `anthropic-ratelimit-`. They tell how
   * much of the limits of your account is used. Default: false.
   */
  readonly rateLimitHeaders?: boolean | undefined
  /**
   * Whether streams whose caller has left are read to their final usage, for so many milliseconds at most, so that their
   * cost is exact. You pay for the rest of these answers. Default: they are aborted.
   */
  readonly readOn?: { readonly maxMs: number } | undefined
  /** An undici dispatcher, for your own certificates; the provider does not close it. Default: a connection pool, through the
   * proxy of `HTTPS_PROXY` or `HTTP_PROXY` unless `NO_PROXY` lists the host. */
  readonly dispatcher?: Dispatcher | undefined
  /**
   * Sends the requests instead of a connection pool, such as the `fetch` of a platform or of a test. It must not follow
   * redirects if `redirect` is `manual`. `timeouts.connectMs` does not apply. Default: the pool; on platforms other than
   * Node.js, their own `fetch`.
   */
  readonly fetch?: typeof fetch | undefined
  /** Default: the system's. */
  readonly clock?: Clock | undefined
}

/** The names of `HttpProviderOptions`, for `requireOptions`. */
export const httpOptionNames = [
  'apiKey',
  'baseUrl',
  'headers',
  'timeouts',
  'rateLimitHeaders',
  'readOn',
  'dispatcher',
  'fetch',
  'clock',
] as const satisfies readonly (keyof HttpProviderOptions)[]

/** Throws a `TypeError` without an API key, unless `baseUrl` names another server, which may need none. */
export function requireApiKey({ apiKey, baseUrl }: HttpProviderOptions, example: string): void {
  if (apiKey === undefined && baseUrl === undefined) throw new TypeError(`apiKey: is required: ${example}`)
}

/**
 * How long to wait for the upstream, in milliseconds. The timeouts of the route limit the reply, so only the connection has a
 * limit by default.
 */
export interface HttpTimeouts {
  /** Until the connection is established. Default: 5,000. */
  readonly connectMs: number
  /** From the connection to the headers of the reply. Default: none. */
  readonly firstByteMs: number
  /** Between two chunks of the reply. Default: none. */
  readonly idleMs: number
}

export const defaultTimeouts: HttpTimeouts = { connectMs: 5_000, firstByteMs: Infinity, idleMs: Infinity }

/** The options that a provider adds. */
export interface HttpClientOptions extends Omit<HttpProviderOptions, 'baseUrl'> {
  /** The provider's id, for messages. */
  readonly id: string
  /** `http` or `https`, without user, query or fragment: all paths go below it. */
  readonly baseUrl: string
  /** The header with the key. Default: `authorization`, with `Bearer` before the key. */
  readonly apiKeyHeader?: string | undefined
  /** Returns the headers that authorize a request. Default: the key. */
  readonly authorize?: Authorize | undefined
  /** Reads an upstream's error body, where it says more than the status. */
  readonly explainError?: (error: UpstreamError) => ErrorReading | undefined
}

/**
 * Returns the headers that authorize a request. It is called for each, and returns a promise only to renew them: all calls
 * with the same key then wait for one renewal. If the upstream rejects a request with 401, it is called with `rejected`, and
 * the request is sent once more with other headers. Their values never appear in errors. A `ProviderError` fails the call.
 *
 * @example
 * let token: { text: string; expiresAt: number } | undefined
 * const authorize: Authorize = async ({ signal, rejected }) => {
 *   if (rejected || !token || token.expiresAt < Date.now()) token = await requestToken(signal)
 *   return { authorization: `Bearer ${token.text}` }
 * }
 */
export type Authorize = (
  call: AuthorizeCall,
) => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>

export interface AuthorizeCall {
  /** The key of this request; undefined if the client has none. */
  readonly apiKey: string | undefined
  /** Whether the upstream rejected the headers that were returned last. */
  readonly rejected: boolean
  /** Aborts when no call waits for the headers any more. */
  readonly signal: AbortSignal
}

export interface UpstreamError {
  /** 200 if the error is the body of a success or part of a stream. */
  readonly status: number
  /** The body as JSON; undefined if it is not JSON. */
  readonly body: unknown
}

/** Missing facts follow from the status. */
export interface ErrorReading {
  readonly failure?: ProviderFailure | undefined
  /** The upstream's message. Callers see it with `invalid_request` and `content_refused`, operators always. */
  readonly message?: string | undefined
  /** The invalid field, as core names it: `maxTokens`. With `give_up`, `model` means that the upstream does not have it. */
  readonly field?: string | undefined
  /** The upstream's own code of the error, for clients of its API. */
  readonly code?: string | undefined
  /** The invalid parameter, as the upstream names it. */
  readonly param?: string | undefined
  /** The status that the upstream documents for the error, if it sent another, as within a stream. */
  readonly status?: number | undefined
  readonly retryAfterMs?: number | undefined
}
