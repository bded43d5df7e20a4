import { hash } from 'node:crypto'
import { type OperationRun, FairleadError, type Keyring } from '@fairlead/core'
import type { FailureReason } from '@fairlead/core/feature'
import { bucketName } from '../sessions/throttles.ts'
import { signedTokens } from '../sessions/tokens.ts'
import type { AccountTransaction } from '../account-stores.ts'

/** How long a user has for a ceremony, and after the password for the passkey. */
const ceremonyLifeMs = 5 * 60_000

export type PasskeyTokens = ReturnType<typeof createPasskeyTokens>

/** The purpose of a challenge. Its token is valid for nothing else. */
export type ChallengePurpose =
  | readonly ['add', sessionId: string]
  | readonly ['sign in']
  | readonly ['second factor', userId: string, passwordHash: string]

/** The tokens of passkeys. They are signed, not stored; a used one is recorded until it expires. */
export function createPasskeyTokens(keyring: Pick<Keyring, 'mac' | 'macs'>) {
  const challenges = signedTokens(keyring, {
    prefix: 'flc_',
    purpose: 'passkey challenge',
    idPrefix: 'chl',
    digits: 8,
  })
  const factors = signedTokens(keyring, { prefix: 'flf_', purpose: 'second factor', idPrefix: 'usr', digits: 8 })
  const toChallenge = (token: string) => hash('sha256', token, 'base64url')
  return {
    /** A token for one ceremony, and its challenge, which cannot be guessed without the secret key. */
    issue({ at, newId }: Pick<OperationRun, 'at' | 'newId'>, purpose: ChallengePurpose) {
      const token = challenges.issue(newId('chl'), at + ceremonyLifeMs, JSON.stringify(purpose))
      return { token, challenge: toChallenge(token) }
    },
    /** The challenge of a token. Undefined if it has expired, or is for another purpose. Does not check whether it was used. */
    challengeFor(token: string, at: number, purpose: ChallengePurpose): string | undefined {
      return isValid(challenges.read(token, JSON.stringify(purpose)), at) ? toChallenge(token) : undefined
    },
    /** A token for who knows the password of a user, until it changes. */
    issueFactor: (userId: string, passwordHash: string, at: number) =>
      factors.issue(userId, at + ceremonyLifeMs, passwordHash),
    /** The id in such a token, which is not checked yet. */
    userOfFactor: (token: string) => factors.idOf(token),
    isFactor: (token: string, passwordHash: string, at: number) => isValid(factors.read(token, passwordHash), at),
  }
}

function isValid(token: { readonly number: number } | undefined, at: number): boolean {
  const leftMs = token ? token.number - at : 0
  return leftMs > 0 && leftMs <= ceremonyLifeMs
}

/** Throws if the token was used before. */
export async function useChallenge({ throttles }: AccountTransaction, token: string, at: number): Promise<void> {
  // The window is longer than the token lives, so that a used token stays used while clocks differ.
  const rule = { at, windowMs: 2 * ceremonyLifeMs, max: 1 }
  const { granted } = await throttles.hit(bucketName('passkey challenge', token), rule)
  if (!granted) throw refusedPasskey()
}

/** The error for a correct password of a user with passkeys. It has a token for the passkey. */
export function secondFactorRequired(
  tokens: PasskeyTokens,
  userId: string,
  passwordHash: string,
  at: number,
): FairleadError {
  const reason: FailureReason = 'second_factor_required'
  return new FairleadError('UNAUTHORIZED', 'The password is correct. Now use a passkey of the account.', {
    facts: { reason, token: tokens.issueFactor(userId, passwordHash, at) },
  })
}

/** One error for all reasons: it must not tell which passkeys and accounts there are. */
export function refusedPasskey(): FairleadError {
  return new FairleadError('UNAUTHORIZED', 'The passkey was not accepted. Try again within five minutes.')
}

export function noPasskeys(): FairleadError {
  return new FairleadError('FORBIDDEN', 'Passkeys are not available at the address of this service.')
}
