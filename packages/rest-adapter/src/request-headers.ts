import type { IncomingHttpHeaders } from 'node:http'
import { isIP } from 'node:net'
import type { IfMatch } from '@fairlead/core'

/**
 * The address of the client. Each trusted proxy appends the address that called it to `X-Forwarded-For`, so only as many
 * entries as there are trusted proxies count: a client can write anything before them.
 *
 * @param remoteAddress the address at the other end of the connection
 */
export function clientAddress(
  headers: IncomingHttpHeaders,
  remoteAddress: string | undefined,
  trustedProxies: number,
): string {
  const forwarded = trustedProxies === 0 ? [] : [headers['x-forwarded-for'] ?? []].flat().join().split(',')
  const trusted = [...forwarded.slice(-trustedProxies).map(bareAddress), bareAddress(remoteAddress ?? '')]
  return trusted.find((address) => isIP(address) !== 0) ?? 'unknown'
}

/** An address without white space, brackets and port, and IPv4 without its IPv6 form. */
function bareAddress(text: string): string {
  const address = text.trim()
  const [, bracketed] = /^\[(.+)\](?::\d+)?$/.exec(address) ?? []
  const [, beforePort] = /^([\d.]+):\d+$/.exec(address) ?? []
  return (bracketed ?? beforePort ?? address).replace(/^::ffff:(?=[\d.]+$)/i, '')
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
