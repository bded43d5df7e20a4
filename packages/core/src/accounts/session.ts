import { timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { base62, numberOf, readBase62 } from '../runtime/id.ts'
import { isFuture } from '../runtime/clock.ts'
import type { Keyring } from '../runtime/keyring.ts'
import { checkedToken, hashToken } from './tokens.ts'
import { userRecord } from './user.ts'
import type { AccountTransaction, Session } from './stores.ts'

/** How long an access token is good for. */
export const accessLifeMs = 15 * 60_000
export const refreshLifeMs = 30 * 24 * 3_600_000
/** How long a token that was just used still gets the answer that its first use got: two tabs may share it. */
const graceMs = 10_000
/** The oldest goes when a user has this many. */
export const maxSessions = 100

/** What a client goes on with. */
export interface TokenPair {
  readonly accessToken: string
  readonly tokenType: 'Bearer'
  /** Seconds that the access token is good for. */
  readonly expiresIn: number
  readonly refreshToken: string
}

/** Begins a session, and ends those of the user that are over or too many; their ids are told. */
export async function beginSession(
  tx: AccountTransaction,
  tokens: SessionTokens,
  { id, userId, at }: { readonly id: string; readonly userId: string; readonly at: number },
): Promise<{ readonly pair: TokenPair; readonly ended: readonly string[] }> {
  const others = await tx.sessions.ofUser(userId)
  const ended = others
    .filter((other, index) => isEnded(other, at) || index >= maxSessions - 1)
    .map((session) => session.id)
  await tx.sessions.remove(ended)
  const session = { id, userId, generation: 1, createdAt: at, refreshedAt: at, expiresAt: at + refreshLifeMs }
  await tx.sessions.add(session)
  return { pair: await openAccess(tx, tokens, session, at), ended }
}

/** Whether a session has expired, or was carried on while the clock was wrong, by which it would outlive its time. */
export function isEnded({ expiresAt, refreshedAt }: Session, at: number): boolean {
  return expiresAt <= at || isFuture(refreshedAt, at)
}

/** How a refresh token of a generation stands to its session. */
export type Standing = 'good' | 'just used' | 'replayed' | 'over'

export function refreshTokenState(session: Session | undefined, generation: number, at: number): Standing {
  if (!session || isEnded(session, at) || generation > session.generation) return 'over'
  if (generation === session.generation) return 'good'
  const justUsed = generation === session.generation - 1 && at - session.refreshedAt < graceMs
  return justUsed ? 'just used' : 'replayed'
}

/** Carries a session on: a good token begins the next generation, one that was just used gets what that began. */
export async function renewSession(
  tx: AccountTransaction,
  tokens: SessionTokens,
  session: Session,
  { standing, at }: { readonly standing: 'good' | 'just used'; readonly at: number },
): Promise<TokenPair> {
  if (standing === 'just used') return openAccess(tx, tokens, session, at)
  const next = { ...session, generation: session.generation + 1, refreshedAt: at, expiresAt: at + refreshLifeMs }
  await tx.sessions.replace(next)
  return openAccess(tx, tokens, next, at)
}

async function openAccess(
  tx: AccountTransaction,
  tokens: SessionTokens,
  session: Session,
  at: number,
): Promise<TokenPair> {
  const { id, generation, refreshedAt } = session
  const accessToken = tokens.accessToken(id, generation)
  const until = refreshedAt + accessLifeMs
  await tx.sessions.addAccess(hashToken(accessToken), id, { from: at, until })
  return {
    accessToken,
    tokenType: 'Bearer',
    expiresIn: Math.floor((until - at) / 1000),
    refreshToken: tokens.refreshToken(id, generation),
  }
}

/**
 * The tokens of sessions. None is stored: each is derived from the secret key, the session and its generation, so that
 * every node makes the same.
 */
export interface SessionTokens {
  accessToken(sessionId: string, generation: number): string
  refreshToken(sessionId: string, generation: number): string
  /** What a refresh token says, if this house made it. Whether it is still good, the session tells. */
  readRefreshToken(text: string): { readonly sessionId: string; readonly generation: number } | undefined
}

const refreshPattern = /^flr_([0-9A-Za-z]{22})([0-9A-Za-z]{6})([0-9A-Za-z]{43})$/
const refreshPurpose = 'refresh token'

export function createSessionTokens(keyring: Keyring): SessionTokens {
  return {
    accessToken: (sessionId, generation) =>
      checkedToken('fls_', keyring.mac('access token', messageOf(sessionId, generation))),
    refreshToken(sessionId, generation) {
      const mac = keyring.mac(refreshPurpose, messageOf(sessionId, generation))
      const session = base62(BigInt(sessionId.slice('ses_'.length)), 22)
      return `flr_${session}${base62(BigInt(generation), 6)}${base62(numberOf(mac), 43)}`
    },
    readRefreshToken(text) {
      const [, session, generationDigits, signature] = refreshPattern.exec(text) ?? []
      if (!session || !generationDigits || !signature) return undefined
      const sessionId = `ses_${readBase62(session)}`
      const generation = Number(readBase62(generationDigits))
      const candidates = keyring.macs(refreshPurpose, messageOf(sessionId, generation))
      const genuine = candidates.some((mac) => sameText(base62(numberOf(mac), 43), signature))
      return genuine ? { sessionId, generation } : undefined
    },
  }
}

function messageOf(sessionId: string, generation: number): string {
  return `${sessionId}|${generation}`
}

/** In the same time wherever the first difference is. */
function sameText(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))
}

/** What a session goes on with. */
export const tokenPair = z
  .object({
    accessToken: z.string().describe('Access token. Send it as `Authorization: Bearer …`, like an API key.'),
    tokenType: z.literal('Bearer').describe('Token type.'),
    expiresIn: z.int().describe('Lifetime of the access token in seconds.'),
    refreshToken: z.string().describe('Refresh token: single-use, valid for 30 days.'),
  })
  .meta({ id: 'TokenPair', description: 'An access token and a refresh token.' })

/** What somebody gets who has just come in. */
export const signedIn = z
  .object({ user: userRecord.describe('The user who logged in.'), ...tokenPair.shape })
  .meta({ id: 'SignedIn', description: 'The result of logging in.' })
