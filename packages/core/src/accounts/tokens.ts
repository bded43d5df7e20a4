import { hash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { base62, numberOf } from '../runtime/id.ts'

/** How tokens begin: API keys, and the access tokens of sessions. */
export type TokenPrefix = 'fl_' | 'fls_'

const bodyLength = 43
const tokenPattern = /^fls?_[0-9A-Za-z]{49}$/

/**
 * A token of 256 bits: its prefix, 43 base62 characters and 6 of checksum, so that scanners can find a leaked one and a
 * mistyped one is refused without a look-up.
 */
export function checkedToken(prefix: TokenPrefix, bytes: Uint8Array): string {
  const body = prefix + base62(numberOf(bytes), bodyLength)
  return body + checksum(body)
}

/** Which kind of token a text could be, as far as its shape and checksum tell. */
export function prefixOfToken(text: string): TokenPrefix | undefined {
  if (!tokenPattern.test(text) || text.slice(-6) !== checksum(text.slice(0, -6))) return undefined
  return text.startsWith('fls_') ? 'fls_' : 'fl_'
}

/** What is stored of a token: its SHA-256 in hexadecimal. A slow hash adds nothing to 256 random bits. */
export function hashToken(token: string): string {
  return hash('sha256', token, 'hex')
}

function checksum(body: string): string {
  return base62(BigInt(crc32(body)), 6)
}

/** A new API key's secret. */
export function newApiKeyToken(random: (bytes: number) => Uint8Array = randomBytes): string {
  return checkedToken('fl_', random(32))
}

/** The beginning of a token, by which people tell keys apart. */
export function displayPrefix(token: string): string {
  return token.slice(0, 10)
}
