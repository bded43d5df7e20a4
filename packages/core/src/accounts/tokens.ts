import { hash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { base62, numberOf } from '../runtime/id.ts'

/** The prefix of API keys (`fl_`) and access tokens (`fls_`). */
export type TokenPrefix = 'fl_' | 'fls_'

const bodyLength = 43
const tokenPattern = /^fls?_[0-9A-Za-z]{49}$/

/** Encodes 32 bytes and a checksum, so that scanners find leaked tokens, and mistyped ones need no store query. */
export function checkedToken(prefix: TokenPrefix, bytes: Uint8Array): string {
  const body = prefix + base62(numberOf(bytes), bodyLength)
  return body + checksum(body)
}

/** The prefix of a well-formed token with a valid checksum; undefined for any other text. */
export function prefixOfToken(text: string): TokenPrefix | undefined {
  if (!tokenPattern.test(text) || text.slice(-6) !== checksum(text.slice(0, -6))) return undefined
  return text.startsWith('fls_') ? 'fls_' : 'fl_'
}

/** The stored form of a token: its SHA-256 in hexadecimal. A token of 256 random bits needs no slow hash. */
export function hashToken(token: string): string {
  return hash('sha256', token, 'hex')
}

function checksum(body: string): string {
  return base62(BigInt(crc32(body)), 6)
}

export function newApiKeyToken(random: (bytes: number) => Uint8Array = randomBytes): string {
  return checkedToken('fl_', random(32))
}

/** The first ten characters of a token, by which people recognize a key. */
export function displayPrefix(token: string): string {
  return token.slice(0, 10)
}
