import { defaultTimeouts, type HttpClientOptions, type HttpTimeouts } from './http-client-options.ts'

/** Visible ASCII, with spaces only inside (RFC 9110, 5.5). */
const safeValue = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/

/** The origin to connect to, and the path that all requests begin with, without a slash at its end. */
export function readBaseUrl({ id, baseUrl }: HttpClientOptions) {
  const url = URL.parse(baseUrl)
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new TypeError(`${id}: baseUrl must be an http or https address, such as https://api.example.com/v1`)
  }
  if (url.username !== '' || url.password !== '') {
    throw new TypeError(`${id}: baseUrl must not contain a user or password; use apiKey or headers`)
  }
  if (url.search !== '' || url.hash !== '') throw new TypeError(`${id}: baseUrl must have no query and no fragment`)
  return { origin: url.origin, path: url.pathname.replace(/\/+$/, '') }
}

export function readApiKeys({ id, apiKey = [] }: HttpClientOptions): readonly string[] {
  const apiKeys = typeof apiKey === 'string' ? [apiKey] : [...apiKey]
  for (const [index, key] of apiKeys.entries())
    requireSafe(key, `${id}: apiKey${typeof apiKey === 'string' ? '' : `[${index}]`}`)
  return apiKeys
}

export function readHeaders({ id, headers = {} }: HttpClientOptions): Record<string, string> {
  for (const [name, value] of Object.entries(headers)) requireSafe(value, `${id}: headers.${name}`)
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}

export function readTimeouts({ id, timeouts = {} }: HttpClientOptions): HttpTimeouts {
  const names = Object.keys(defaultTimeouts) as (keyof HttpTimeouts)[]
  for (const name of names) {
    const ms = timeouts[name]
    if (ms === undefined || (Number.isFinite(ms) && ms > 0)) continue
    throw new TypeError(`${id}: timeouts.${name} must be a number above 0`)
  }
  const read = names.map((name) => [name, timeouts[name] ?? defaultTimeouts[name]] as const)
  return Object.fromEntries(read) as Record<keyof HttpTimeouts, number>
}

export function readRateLimitHeaders({ id, rateLimitHeaders = false }: HttpClientOptions): boolean {
  if (typeof rateLimitHeaders === 'boolean') return rateLimitHeaders
  throw new TypeError(`${id}: rateLimitHeaders must be true or false`)
}

export function requireFetch({ id, fetch: given }: HttpClientOptions): void {
  if (given !== undefined && typeof given !== 'function') throw new TypeError(`${id}: fetch must be a function`)
}

function requireSafe(value: string, name: string): void {
  if (safeValue.test(value)) return
  const fault = value.trim() === '' ? 'is empty' : 'has spaces at its ends, line breaks, or non-ASCII characters'
  throw new TypeError(`${name} ${fault}`)
}
