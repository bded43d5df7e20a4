import { isId } from '../../runtime/id.ts'
import { createKeyring, type Keyring, type SecretKeys } from '../../runtime/keyring.ts'
import { signedTokens } from './tokens.ts'

export const signInTokenLifeMs = 15 * 60_000

export type SignInTokens = ReturnType<typeof createSignInTokens>

/** One-time tokens that begin a session. They are signed, not stored; a used one is recorded until it expires. */
export function createSignInTokens(keyring: Pick<Keyring, 'mac' | 'macs'>) {
  const tokens = signedTokens(keyring, { prefix: 'fli_', purpose: 'sign-in token', idPrefix: 'usr', digits: 8 })
  return {
    issue: (userId: string, at: number) => tokens.issue(userId, at + signInTokenLifeMs),
    /** Undefined if the signature is invalid or the token has expired. Does not check whether it was used. */
    read(text: string, at: number): { readonly userId: string } | undefined {
      const token = tokens.read(text)
      const leftMs = token ? token.number - at : 0
      return token && leftMs > 0 && leftMs <= signInTokenLifeMs && isId(token.id, 'usr')
        ? { userId: token.id }
        : undefined
    },
  }
}

/** A one-time token that begins a session of the user, within 15 minutes: for operators, who have the secret key of the service. */
export function issueSignInToken(secretKeys: SecretKeys, userId: string, now: number): string {
  return createSignInTokens(createKeyring(secretKeys)).issue(userId, now)
}
