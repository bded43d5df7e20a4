import type { IncomingHttpHeaders } from 'node:http'
import { isIP } from 'node:net'
import { type AccessLogRecord, type Clock, type Failure, FairleadError } from '@fairlead/core'
import {
  clip,
  type IfMatch,
  invalidRequest,
  type NewId,
  type OpenCall,
  parseTags,
  type Tags,
  toIdentified,
  type JsonScan,
} from '@fairlead/core/adapter'
import type { BodyHold, BodyOwner, BodyRoom } from './request-body.ts'

/** A request as the adapter reads it, whichever server received it. */
export abstract class HttpRequest {
  readonly method: string
  /** Below `basePath`, not decoded. */
  readonly pathname: string
  /** The part after the first question mark. */
  readonly search: string
  /** The path under which the adapter is mounted, such as `/ai`. Empty at the root. */
  readonly basePath: string
  readonly headers: IncomingHttpHeaders
  /** The network address of the client, or of the proxy in front. */
  readonly remoteAddress: string | undefined

  constructor(
    method: string,
    url: string,
    basePath: string,
    headers: IncomingHttpHeaders,
    remoteAddress: string | undefined,
  ) {
    const { pathname, search } = requestTarget(url)
    this.method = method
    this.pathname = belowBasePath(pathname, basePath)
    this.search = search
    this.basePath = basePath
    this.headers = headers
    this.remoteAddress = remoteAddress
  }

  /** Ends a call when the client disconnects. */
  abstract follow(call: OpenCall): void
  /**
   * Reads the body. Undefined if it has more than `maxBytes`, or the scan of JSON rejects it. Rejects with
   * `SERVICE_UNAVAILABLE` if there is no room to hold it.
   */
  abstract readBody(maxBytes: number, scan?: JsonScan, hold?: BodyHold): Promise<Uint8Array | undefined>
}

/**
 * Decides whether a request is answered at all, before anything else is done for it. Throws or rejects with a `FairleadError`
 * if not.
 *
 * @param authorization the credential of the request, as a value of `Authorization`
 */
export type Admit = (
  address: string,
  headers: IncomingHttpHeaders,
  authorization: string | undefined,
) => void | Promise<void>

export interface ExchangeOptions {
  readonly newId: NewId
  readonly clock: Clock
  readonly trustedProxies: number
  /** Default: bodies have no common limit. */
  readonly bodyRoom?: BodyRoom | undefined
}

const unknownRoute = '(unknown)'
const maxPathLength = 200

/** A request, and what becomes known of it while it is answered. */
export class Exchange implements BodyOwner {
  readonly request: HttpRequest
  readonly requestId: string
  /** Milliseconds since the epoch. */
  readonly at: number
  /** The client's address. */
  readonly address: string
  /** The path's pattern, for the log: ids are left out. */
  route = unknownRoute
  /** The run of the operation. Undefined until it has begun. */
  call: OpenCall | undefined = undefined
  /** Why the response is an error, or its stream ended with one. */
  failure: Failure | undefined = undefined
  #bodyHold: BodyHold | undefined = undefined
  readonly #bodyRoom: BodyRoom | undefined

  constructor(request: HttpRequest, { newId, clock, trustedProxies, bodyRoom }: ExchangeOptions) {
    this.request = request
    this.requestId = newId('req')
    this.at = clock.now()
    this.address = clientAddress(request.headers, request.remoteAddress, trustedProxies)
    this.#bodyRoom = bodyRoom
  }

  /** Known once the call is authenticated. */
  get account(): string | undefined {
    const caller = this.call?.caller
    return caller?.kind === 'account' ? caller.userId : undefined
  }

  /** Reads the body, and holds room for it until `end`. */
  readBody(maxBytes: number, scan?: JsonScan): Promise<Uint8Array | undefined> {
    this.#bodyHold ??= this.#bodyRoom?.hold(this)
    return this.request.readBody(maxBytes, scan, this.#bodyHold)
  }

  /** The response has ended, or the client has disconnected. */
  end(): void {
    this.#bodyHold?.end()
  }

  toLogRecord(status: number, aborted: boolean, now: number): AccessLogRecord {
    const { request, requestId, at, address, route, call, failure } = this
    const { code, details } = failure?.error ?? {}
    const caller = call?.caller
    const model = call?.modelCall.model
    const queuedMs = call?.modelCall.queuedMs
    // A provider that was unavailable was not called.
    const provider = typeof details?.provider === 'string' ? details.provider : call?.modelCall.provider
    return {
      requestId,
      method: request.method,
      route,
      ...(route === unknownRoute && { path: shownPath(request.basePath + request.pathname) }),
      status,
      ...(code && { code }),
      ...(typeof details?.reason === 'string' && { reason: details.reason }),
      ...(model !== undefined && { model }),
      ...(provider !== undefined && { provider }),
      durationMs: now - at,
      ...(queuedMs !== undefined && { queuedMs }),
      aborted,
      address,
      ...(caller?.kind === 'account' && toIdentified(caller)),
    }
  }
}

/** The path that a client requested, truncated. */
export function requestPath({ basePath, pathname }: HttpRequest): string {
  return clip(basePath + pathname, maxPathLength)
}

/** A path for logs and traces. API keys and the ids of images, which suffice to download them, are longer than words. */
export function shownPath(path: string): string {
  const withoutSecrets = path.replaceAll(/[^/]{33,}/g, (segment) => `${segment.slice(0, 4)}…`)
  return clip(withoutSecrets, maxPathLength)
}

/** Splits a request target into path and query. The host of the absolute form (RFC 9112, 3.2.2) is ignored, as is `Host`. */
export function requestTarget(url: string) {
  const target = url.replace(/^https?:\/\/[^/?]*/i, '')
  const end = target.indexOf('?')
  const pathname = end < 0 ? target : target.slice(0, end)
  return { pathname: pathname || '/', search: end < 0 ? '' : target.slice(end + 1) }
}

/** The path below a base path. A framework that mounts handlers may have removed the base path already. */
function belowBasePath(pathname: string, basePath: string): string {
  const isBelow = basePath !== '' && (pathname === basePath || pathname.startsWith(`${basePath}/`))
  return isBelow ? pathname.slice(basePath.length) || '/' : pathname
}

/** The fields of a query. A repeated field is a list, which no field with one value accepts. */
export function parseQuery(search: string): Record<string, unknown> {
  requireUtf8(search)
  const query: Record<string, unknown> = Object.create(null)
  const parameters = new URLSearchParams(search)
  for (const name of new Set(parameters.keys())) {
    const values = parameters.getAll(name)
    query[name] = values.length === 1 ? values[0] : values
  }
  return query
}

/** `URLSearchParams` would replace other bytes by U+FFFD. */
function requireUtf8(search: string): void {
  try {
    decodeURIComponent(search)
    if (/^[\x21-\x7e]*$/.test(search)) return
  } catch {
    // Reported below.
  }
  throw new FairleadError('INVALID_REQUEST', 'The query must be percent-encoded UTF-8.')
}

/** As many issues are reported; the others would be cut from the message. */
const maxIssues = 100

/** Rejects the query of a request whose fields are in its body. */
export function rejectQuery(search: string): void {
  const fields = Object.keys(parseQuery(search)).slice(0, maxIssues)
  const issues = fields.map((field) => ({ field, issue: 'is not accepted in the query: send it in the body' }))
  if (issues.length > 0) throw new FairleadError('INVALID_REQUEST', 'The query must be empty.', { issues })
}

/**
 * The address of the client. Each trusted proxy appends the address that called it to `X-Forwarded-For`, so only as many
 * entries as there are trusted proxies count: a client can write anything before them.
 */
export function clientAddress(
  headers: IncomingHttpHeaders,
  remoteAddress: string | undefined,
  trustedProxies: number,
): string {
  const own = bareAddress(remoteAddress ?? '')
  if (trustedProxies === 0) return isIP(own) === 0 ? 'unknown' : own
  const forwarded = [headers['x-forwarded-for'] ?? []].flat().join().split(',')
  const trusted = [...forwarded.slice(-trustedProxies).map(bareAddress), own]
  return trusted.find((address) => isIP(address) !== 0) ?? 'unknown'
}

/** An address without white space, brackets and port, and IPv4 without its IPv6 form. */
function bareAddress(text: string): string {
  const address = text.trim().replace(/^\[(.+)\](?::\d+)?$/, '$1')
  return address.replace(/^([\d.]+):\d+$/, '$1').replace(/^::ffff:(?=[\d.]+$)/i, '')
}

/** The characters that a quoted string of a structured field may escape (RFC 9651, 3.3.3). */
const escaped = /\\(["\\])/g

/** Reads an `Idempotency-Key` header: the key, with or without quotes. Core validates it. */
export function idempotencyKeyFrom(header: string | string[] | undefined): string | undefined {
  // A key never contains a space, so a repeated header is rejected.
  const key = Array.isArray(header) ? header.join(', ') : header
  if (key === undefined || key.length < 2 || !key.startsWith('"') || !key.endsWith('"')) return key
  return key.slice(1, -1).replace(escaped, '$1')
}

/** Reads an `X-Fairlead-Tags` header: `team=search, env=prod`. Throws `INVALID_REQUEST` if it is malformed. */
export function tagsFrom(header: string | string[]): Tags {
  const tags = parseTags(String(header))
  if (tags) return tags
  throw invalidRequest({ field: 'tags', issue: 'must be a list of pairs such as team=search, env=prod' })
}

/** One entity tag (RFC 9110, 8.8.3), and what separates it from the next. */
const tag = /\s*(W\/)?"([\x21\x23-\x7e\x80-\u{10ffff}]*)"\s*(?:,|$)|\s*,/uy
const ownTag = /^(?:0|[1-9]\d{0,14})$/

/**
 * Reads an `If-Match` header: the versions in its tags. Weak tags and tags of other services match nothing, because the
 * comparison is the strong one (RFC 9110, 13.1.1).
 */
export function ifMatchFrom(header: string | undefined): IfMatch | 'malformed' | undefined {
  if (header === undefined) return undefined
  const text = header.trim()
  if (text === '*') return 'any'
  const versions: number[] = []
  let tags = 0
  tag.lastIndex = 0
  while (tag.lastIndex < text.length) {
    const found = tag.exec(text)
    if (!found) return 'malformed'
    const [, weak, version] = found
    if (version === undefined) continue
    tags += 1
    if (!weak && ownTag.test(version)) versions.push(Number(version))
  }
  return tags > 0 ? versions : 'malformed'
}

/** Whether `If-None-Match` names the tag (RFC 9110, 13.1.2): the comparison is weak, and `*` matches any tag. */
export function matchesTag(ifNoneMatch: string | undefined, etag: string): boolean {
  const tags = ifNoneMatch?.split(',').map((one) => one.trim().replace(/^W\//, '')) ?? []
  return tags.includes(etag) || tags.includes('*')
}
