import type { IncomingHttpHeaders } from 'node:http'
import { isIP } from 'node:net'
import { FairleadError } from '@fairlead/core'
import { type IfMatch, invalidRequest, parseTags, type Tags } from '@fairlead/core/adapter'

/** Splits a request target into path and query. The host of the absolute form (RFC 9112, 3.2.2) is ignored, as is `Host`. */
export function requestTarget(url: string) {
  const target = url.replace(/^https?:\/\/[^/?]*/i, '')
  const end = target.indexOf('?')
  const pathname = end < 0 ? target : target.slice(0, end)
  return { pathname: pathname || '/', search: end < 0 ? '' : target.slice(end + 1) }
}

/** The path below a base path. A framework that mounts handlers may have removed the base path already. */
export function belowBasePath(pathname: string, basePath: string): string {
  const isBelow = basePath !== '' && (pathname === basePath || pathname.startsWith(`${basePath}/`))
  return isBelow ? pathname.slice(basePath.length) || '/' : pathname
}

/** The fields of a query. A repeated field is a list, which no field with one value accepts. */
export function queryOf(search: string): Record<string, unknown> {
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
  const fields = Object.keys(queryOf(search)).slice(0, maxIssues)
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

/** What a quoted string of a structured field may escape (RFC 9651, 3.3.3). */
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
