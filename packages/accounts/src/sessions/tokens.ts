import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { Keyring } from '@fairlead/core'

/** The prefix of API keys (`fl_`) and access tokens (`fls_`). */
export type TokenPrefix = 'fl_' | 'fls_'

/** The prefix of the tokens of invitations. */
const invitationPrefix = 'flp_'

const bodyLength = 43
const tokenPattern = /^fls?_[0-9A-Za-z]{49}$/

/** Encodes 32 bytes and a checksum, so that scanners find leaked tokens, and mistyped ones need no store query. */
export function checkedToken(prefix: TokenPrefix | typeof invitationPrefix, bytes: Uint8Array): string {
  const body = prefix + base62(toNumber(bytes), bodyLength)
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

export function newInvitationToken(): string {
  return checkedToken(invitationPrefix, randomBytes(32))
}

/** The first ten characters of a token, by which people recognize a key. */
export function displayPrefix(token: string): string {
  return token.slice(0, 10)
}

/**
 * Tokens that are not stored: they contain the id of a record, a number, and a signature of both.
 *
 * @param idPrefix the prefix of the ids, such as `ses`
 * @param digits the length of the number in base 62
 */
export function signedTokens(
  keyring: Pick<Keyring, 'mac' | 'macs'>,
  {
    prefix,
    purpose,
    idPrefix,
    digits,
  }: Readonly<Record<'prefix' | 'purpose' | 'idPrefix', string>> & { digits: number },
) {
  const pattern = new RegExp(`^${prefix}([0-9A-Za-z]{22})([0-9A-Za-z]{${digits}})([0-9A-Za-z]{${bodyLength}})$`)
  const signature = (mac: Uint8Array) => base62(toNumber(mac), bodyLength)
  const signed = (id: string, number: number, holder: string | undefined) =>
    holder === undefined ? `${id}|${number}` : `${id}|${number}|${hashToken(holder)}`
  return {
    /** @param holder a secret without which the token is not valid. Default: none */
    issue(id: string, number: number, holder?: string): string {
      const body = base62(BigInt(id.slice(idPrefix.length + 1)), 22) + base62(BigInt(number), digits)
      return prefix + body + signature(keyring.mac(purpose, signed(id, number, holder)))
    },
    /** The id of the record, which is not checked: the token may be forged. Undefined for a text of another form. */
    idOf(text: string): string | undefined {
      const [, record] = pattern.exec(text) ?? []
      return record && `${idPrefix}_${readBase62(record)}`
    },
    /** Undefined if the signature is invalid. */
    read(text: string, holder?: string): { readonly id: string; readonly number: number } | undefined {
      const [, record, digitsOfNumber, sent] = pattern.exec(text) ?? []
      if (!record || !digitsOfNumber || !sent) return undefined
      const id = `${idPrefix}_${readBase62(record)}`
      const number = Number(readBase62(digitsOfNumber))
      const codes = keyring.macs(purpose, signed(id, number, holder))
      const isGenuine = codes.some((mac) => timingSafeEqual(Buffer.from(signature(mac)), Buffer.from(sent)))
      return isGenuine ? { id, number } : undefined
    },
  }
}

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Encodes a number in base 62, padded with zeros to the length. */
function base62(value: bigint, length: number): string {
  let digits = ''
  for (let rest = value; digits.length < length; rest /= 62n) digits = alphabet[Number(rest % 62n)] + digits
  return digits
}

function readBase62(digits: string): bigint {
  let value = 0n
  for (const digit of digits) value = value * 62n + BigInt(alphabet.indexOf(digit))
  return value
}

/** Reads bytes as one big-endian number. */
function toNumber(bytes: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(bytes).toString('hex')}`)
}
