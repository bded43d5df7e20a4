import { timingSafeEqual } from 'node:crypto'
import { isId, numberOf, base62, readBase62 } from '../runtime/id.ts'
import type { Keyring } from '../runtime/keyring.ts'

export const signInTokenLifeMs = 15 * 60_000

/** One-time tokens that begin a session. They are signed, not stored; a used one is recorded until it expires. */
export interface SignInTokens {
  /** Creates a token for a user, valid for 15 minutes. */
  issue(userId: string, at: number): string
  /** Reads a token; undefined if its signature is invalid or it has expired. Does not check whether it was used. */
  read(text: string, at: number): { readonly userId: string } | undefined
}

const tokenPattern = /^fli_([0-9A-Za-z]{22})([0-9A-Za-z]{8})([0-9A-Za-z]{43})$/
const purpose = 'sign-in token'

export function createSignInTokens(keyring: Pick<Keyring, 'mac' | 'macs'>): SignInTokens {
  const bodyOf = (userId: string, expiresAt: number) =>
    base62(BigInt(userId.slice('usr_'.length)), 22) + base62(BigInt(expiresAt), 8)
  const signatureOf = (mac: Uint8Array) => base62(numberOf(mac), 43)
  return {
    issue(userId, at) {
      const body = bodyOf(userId, at + signInTokenLifeMs)
      return `fli_${body}${signatureOf(keyring.mac(purpose, body))}`
    },
    read(text, at) {
      const [, user, expiry, signature] = tokenPattern.exec(text) ?? []
      if (!user || !expiry || !signature) return undefined
      const sent = Buffer.from(signature)
      const genuine = keyring
        .macs(purpose, user + expiry)
        .some((mac) => timingSafeEqual(Buffer.from(signatureOf(mac)), sent))
      const leftMs = Number(readBase62(expiry)) - at
      const userId = `usr_${readBase62(user)}`
      return genuine && leftMs > 0 && leftMs <= signInTokenLifeMs && isId(userId, 'usr') ? { userId } : undefined
    },
  }
}
