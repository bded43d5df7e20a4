import * as z from 'zod'
import { smallCount, namedObject } from '@fairlead/core/feature'
import { isFuture } from '@fairlead/core/stores'
import type { Keyring } from '@fairlead/core'
import { checkedToken, hashToken, signedTokens } from './tokens.ts'
import { userRecord } from '../users/user.ts'
import type { AccountTransaction, SessionRow } from '../account-stores.ts'

export const accessLifeMs = 15 * 60_000
const refreshLifeMs = 30 * 24 * 3_600_000
/** How long a session lasts by default, however often it is refreshed. */
export const defaultSessionDays = 30
/** How long a session that began with an identity lasts before its issuer confirms it again. */
export const confirmedForMs = 24 * 3_600_000
/** How long a used refresh token gets the same response again, because two browser tabs can share it. */
const graceMs = 10_000
/** Maximum number of sessions of a user. A further one ends the oldest. */
export const maxSessions = 100

/** Whether a session has expired, or was refreshed while the clock was ahead and would expire too late. */
export function isEnded({ expiresAt, refreshedAt }: SessionRow, at: number): boolean {
  return expiresAt <= at || isFuture(refreshedAt, at)
}

/** The state of a refresh token: `just used` within the grace period, `replayed` after it. */
export type RefreshTokenState = 'valid' | 'just used' | 'replayed' | 'ended'

export function refreshTokenState(session: SessionRow | undefined, generation: number, at: number): RefreshTokenState {
  if (!session || isEnded(session, at) || generation > session.generation) return 'ended'
  if (generation === session.generation) return 'valid'
  const justUsed = generation === session.generation - 1 && at - session.refreshedAt < graceMs
  return justUsed ? 'just used' : 'replayed'
}

/** When a session that is refreshed at that time expires. */
export function sessionEnd(
  { createdAt, confirmedAt, issuerToken }: Pick<SessionRow, 'createdAt' | 'confirmedAt' | 'issuerToken'>,
  at: number,
  maxSessionMs: number,
): number {
  // With a token, the issuer confirms the session when it is refreshed.
  const confirmedUntil = confirmedAt === null || issuerToken !== null ? Infinity : confirmedAt + confirmedForMs
  return Math.min(at + refreshLifeMs, createdAt + maxSessionMs, confirmedUntil)
}

/** Refreshes a session. A valid token starts the next generation; one that was just used gets that generation's tokens. */
export async function renewSession(
  tx: AccountTransaction,
  { sessionTokens: tokens, maxSessionMs }: { readonly sessionTokens: SessionTokens; readonly maxSessionMs: number },
  session: SessionRow,
  { state, at }: { readonly state: 'valid' | 'just used'; readonly at: number },
): Promise<TokenPair> {
  if (state === 'just used') return issueTokens(tx, tokens, session, at)
  const times = { refreshedAt: at, expiresAt: sessionEnd(session, at, maxSessionMs) }
  const next = { ...session, generation: session.generation + 1, ...times }
  await tx.sessions.replace(next)
  return issueTokens(tx, tokens, next, at)
}

export async function issueTokens(
  tx: AccountTransaction,
  tokens: SessionTokens,
  session: SessionRow,
  at: number,
): Promise<TokenPair> {
  const { id, generation, refreshedAt, expiresAt } = session
  const accessToken = tokens.accessToken(id, generation)
  const until = Math.min(refreshedAt + accessLifeMs, expiresAt)
  await tx.sessions.addAccess(hashToken(accessToken), id, { from: at, until })
  return {
    accessToken,
    tokenType: 'Bearer',
    expiresIn: Math.floor((until - at) / 1000),
    refreshToken: tokens.refreshToken(id, generation),
  }
}

export type SessionTokens = ReturnType<typeof createSessionTokens>

/** Session tokens. They are not stored, but derived from the secret key, the session, and its generation. */
export function createSessionTokens(keyring: Keyring) {
  const refreshTokens = signedTokens(keyring, { prefix: 'flr_', purpose: 'refresh token', idPrefix: 'ses', digits: 6 })
  return {
    accessToken: (sessionId: string, generation: number) =>
      checkedToken('fls_', keyring.mac('access token', `${sessionId}|${generation}`)),
    refreshToken: refreshTokens.issue,
    /** Undefined if the signature is invalid. Does not check whether the session still exists. */
    readRefreshToken(text: string): { readonly sessionId: string; readonly generation: number } | undefined {
      const token = refreshTokens.read(text)
      return token && { sessionId: token.id, generation: token.number }
    },
  }
}

const tokenPair = {
  accessToken: z.string().describe('Access token. Send it as `Authorization: Bearer …`, like an API key.'),
  tokenType: z.literal('Bearer').describe('Token type.'),
  expiresIn: smallCount.describe('Lifetime of the access token in seconds.'),
  refreshToken: z.string().describe('Refresh token: single-use, valid for 30 days, or until the session ends.'),
}

type TokenPair = z.output<z.ZodObject<typeof tokenPair>>

const passkeyRequired = z
  .boolean()
  .describe(
    'Whether the session may only add a passkey, because the service requires one of admins, and the user has none.',
  )

export const refreshed = namedObject('TokenPair', 'An access token and a refresh token.', {
  ...tokenPair,
  user: userRecord.describe('The user of the session.'),
  passkeyRequired,
})

export const signedIn = namedObject('SignedIn', 'The result of logging in.', {
  user: userRecord.describe('The user who logged in.'),
  ...tokenPair,
  passkeyRequired,
})
