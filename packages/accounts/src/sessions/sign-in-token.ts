import * as z from 'zod'
import { isId, createKeyring } from '@fairlead/core/feature'
import type { Keyring, SecretKeys } from '@fairlead/core'
import { signedTokens } from './tokens.ts'

/** The secret that a browser keeps while its user signs in elsewhere. */
export const browserSecret = z.string().min(16).max(2_000)

export const signInTokenLifeMs = 15 * 60_000

export type SignInTokens = ReturnType<typeof createSignInTokens>

/** One-time tokens that begin a session. They are signed, not stored; a used one is recorded until it expires. */
export function createSignInTokens(keyring: Pick<Keyring, 'mac' | 'macs'>) {
  const shared = { prefix: 'fli_', digits: 8 } as const
  const ofUsers = signedTokens(keyring, { ...shared, purpose: 'sign-in token', idPrefix: 'usr' })
  const ofSessions = signedTokens(keyring, { ...shared, purpose: 'sign-in token of a session', idPrefix: 'ses' })
  return {
    issue: (userId: string, at: number) => ofUsers.issue(userId, at + signInTokenLifeMs),
    /**
     * A token for a session that has begun, and has no other token yet.
     *
     * @param browser a secret of the browser that it is for. Default: it is for any
     */
    issueFor: (sessionId: string, at: number, browser?: string) =>
      ofSessions.issue(sessionId, at + signInTokenLifeMs, browser),
    /**
     * The id of the user or session. Undefined if the signature is invalid, the token has expired, or it is for another browser.
     * Does not check whether it was used.
     */
    read(text: string, at: number, browser?: string): string | undefined {
      const token = ofUsers.read(text) ?? ofSessions.read(text) ?? (browser && ofSessions.read(text, browser))
      const leftMs = token ? token.number - at : 0
      return token && leftMs > 0 && leftMs <= signInTokenLifeMs && isId(token.id) ? token.id : undefined
    },
  }
}

/** A one-time token that begins a session of the user, within 15 minutes: for operators, who have the secret key of the service. */
export function issueSignInToken(secretKeys: SecretKeys, userId: string, now: number): string {
  return createSignInTokens(createKeyring(secretKeys)).issue(userId, now)
}
