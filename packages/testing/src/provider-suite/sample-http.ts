import { createParser } from 'eventsource-parser'
import { ProviderError, type ProviderFailure } from '@fairlead/core/provider'
import type { SuiteUpstream } from './suite-options.ts'
import { toWire } from './sample-wire.ts'

/** Where the connection of a provider can go wrong. Each default is right. */
export interface HttpHabits {
  readonly redirect?: 'manual' | 'follow'
  /** How often it sends a request that fails. */
  readonly tries?: number
  /** Creates the error that it throws for a failing status. */
  readonly toError?: (status: number, words: string, apiKey: string, headers: Headers) => unknown
  /** Gets a token with its key, which it sends with each further request. */
  readonly signsIn?: boolean
  readonly tokens?: (fetchToken: (signal: AbortSignal) => Promise<string>) => Tokens
  /** Splits the body of a stream into the texts of its events or lines. */
  readonly split?: (body: AsyncIterable<Uint8Array>) => AsyncIterable<string>
  /** Reads the text of a reply. */
  readonly decode?: (body: AsyncIterable<Uint8Array>) => AsyncIterable<string>
}

/** The token of all calls. */
export interface Tokens {
  get(signal: AbortSignal): Promise<string>
  /** Called when the API has rejected the token. */
  forget(): void
}

export interface SampleHttp {
  /** @returns the text of the reply */
  send(method: string, path: string, body: object | undefined, signal: AbortSignal): Promise<string>
  /** @returns the texts of the events or lines of the reply */
  stream(path: string, body: object, signal: AbortSignal): AsyncGenerator<string, void, undefined>
}

export function sampleHttp({ url, apiKey }: SuiteUpstream, habits: HttpHabits): SampleHttp {
  const { redirect = 'manual', tries = 1, toError = toFailure, signsIn = false } = habits
  const { tokens = sharedTokens, split = splitEvents, decode = decodeText } = habits
  const shared = tokens((signal) => fetchToken(signal))

  async function fetchToken(signal: AbortSignal): Promise<string> {
    const body = new URLSearchParams({ grant_type: 'client_credentials', client_secret: apiKey })
    const response = await request('POST', '/token', body, {}, signal)
    const { access_token: token } = readObject(await readText(response, signal))
    if (typeof token !== 'string') throw new ProviderError('retry', 'the reply lacks access_token')
    return token
  }

  async function request(
    method: string,
    path: string,
    body: object | undefined,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<Response> {
    signal.throwIfAborted()
    const isForm = body instanceof URLSearchParams
    const sent = isForm ? body : body && JSON.stringify(toWire(body))
    const type = sent === undefined || isForm ? {} : { 'content-type': 'application/json' }
    const options = { method, headers: { ...headers, ...type }, body: sent ?? null, signal, redirect }
    const response = await fetch(url + path, options).catch((error: unknown) => fail(error, signal))
    if (response.status === 200) return response
    throw toError(response.status, await response.text(), apiKey, response.headers)
  }

  async function authorized(method: string, path: string, body: object | undefined, signal: AbortSignal, left = tries) {
    const headers = signsIn ? { authorization: `Bearer ${await shared.get(signal)}` } : { 'x-key': apiKey }
    try {
      return await request(method, path, body, headers, signal)
    } catch (error) {
      if (error instanceof ProviderError && error.failure === 'credential') shared.forget()
      if (left > 1 && !signal.aborted) return authorized(method, path, body, signal, left - 1)
      throw error
    }
  }

  async function readText(response: Response, signal: AbortSignal): Promise<string> {
    let text = ''
    for await (const piece of decode(readBody(response, signal))) {
      text += piece
      requireShort(text.length)
    }
    return text
  }

  return {
    send: async (...args) => readText(await authorized(...args), args[3]),
    async *stream(path, body, signal) {
      yield* split(readBody(await authorized('POST', path, body, signal), signal))
    },
  }
}

async function* readBody(response: Response, signal: AbortSignal): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    for await (const chunk of response.body ?? []) yield chunk as Uint8Array
  } catch (error) {
    fail(error, signal)
  }
}

function fail(error: unknown, signal: AbortSignal): never {
  signal.throwIfAborted()
  throw error instanceof ProviderError ? error : new ProviderError('retry', 'the connection failed')
}

const maxLength = 4 * 1024 * 1024

function requireShort(length: number): void {
  if (length > maxLength) throw new ProviderError('give_up', 'the reply is too long')
}

export async function* decodeText(body: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder()
  for await (const chunk of body) yield decoder.decode(chunk, { stream: true })
  yield decoder.decode()
}

export async function* splitEvents(body: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, undefined> {
  let found: string[] = []
  let length = 0
  const parser = createParser({ onEvent: ({ data }) => void found.push(data) })
  for await (const text of decodeText(body)) {
    parser.feed(text)
    length = found.length > 0 ? 0 : length + text.length
    requireShort(length)
    yield* found
    found = []
  }
}

export async function* splitLines(body: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, undefined> {
  let rest = ''
  for await (const text of decodeText(body)) {
    const lines = (rest + text).split('\n')
    rest = lines.pop()!
    requireShort(rest.length)
    yield* lines.filter((line) => line.trim() !== '')
  }
  if (rest.trim() !== '') yield rest
}

/** One token for all calls. A call that no longer waits does not end the request of the others. */
export function sharedTokens(fetchToken: (signal: AbortSignal) => Promise<string>): Tokens {
  let token: Promise<string> | undefined
  return {
    async get(signal) {
      signal.throwIfAborted()
      if (!token) {
        const fetched = fetchToken(new AbortController().signal)
        fetched.catch(() => {
          if (token === fetched) token = undefined
        })
        token = fetched
      }
      const aborted = Promise.withResolvers<never>()
      const stop = () => aborted.reject(signal.reason)
      signal.addEventListener('abort', stop)
      return Promise.race([token, aborted.promise]).finally(() => signal.removeEventListener('abort', stop))
    },
    forget: () => void (token = undefined),
  }
}

export function readObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const json: unknown = JSON.parse(text)
    if (typeof json === 'object' && json !== null) return json as Readonly<Record<string, unknown>>
  } catch {
    // It is no JSON.
  }
  throw new ProviderError('retry', 'the reply is no JSON object')
}

const failures: Readonly<Record<number, ProviderFailure>> = {
  400: 'invalid_request',
  401: 'credential',
  402: 'credential',
  403: 'credential',
  408: 'timeout',
  409: 'retry',
  413: 'too_long',
  422: 'invalid_request',
  429: 'rate_limited',
}

export function toFailure(status: number, _words: string, _apiKey: string, headers: Headers): ProviderError {
  const after = headers.get('retry-after')
  const seconds = after === null ? undefined : Number(after)
  const retryAfterMs =
    seconds === undefined ? undefined : Number.isNaN(seconds) ? Date.parse(after!) - Date.now() : seconds * 1_000
  const failure = failures[status] ?? (status >= 500 ? 'retry' : 'give_up')
  return new ProviderError(failure, `answered ${status}`, {
    upstream: { status },
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  })
}
