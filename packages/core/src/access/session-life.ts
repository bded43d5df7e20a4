import type { Transaction } from '../ports/stores.ts'
import { isFuture } from '../values/clock-skew.ts'
import type { Session } from '../values/session.ts'
import { hashToken } from './checked-token.ts'
import type { SessionTokens } from './session-tokens.ts'

/** How long an access token is good for. */
export const accessLifeMs = 15 * 60_000
export const refreshLifeMs = 30 * 24 * 3_600_000
/** How long a token that was just used still gets the answer that its first use got: two tabs may share it. */
const graceMs = 10_000
/** The oldest goes when a user has this many. */
export const mostSessions = 100

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
  tx: Transaction,
  tokens: SessionTokens,
  { id, userId, at }: { readonly id: string; readonly userId: string; readonly at: number },
): Promise<{ readonly pair: TokenPair; readonly ended: readonly string[] }> {
  const others = await tx.sessions.ofUser(userId)
  const ended = others
    .filter((other, index) => isOver(other, at) || index >= mostSessions - 1)
    .map((session) => session.id)
  await tx.sessions.remove(ended)
  const session = { id, userId, generation: 1, createdAt: at, refreshedAt: at, expiresAt: at + refreshLifeMs }
  await tx.sessions.add(session)
  return { pair: await openAccess(tx, tokens, session, at), ended }
}

/** Whether a session has expired, or was carried on while the clock was wrong, by which it would outlive its time. */
export function isOver({ expiresAt, refreshedAt }: Session, at: number): boolean {
  return expiresAt <= at || isFuture(refreshedAt, at)
}

/** How a refresh token of a generation stands to its session. */
export type Standing = 'good' | 'just used' | 'replayed' | 'over'

export function standingOf(session: Session | undefined, generation: number, at: number): Standing {
  if (!session || isOver(session, at) || generation > session.generation) return 'over'
  if (generation === session.generation) return 'good'
  const justUsed = generation === session.generation - 1 && at - session.refreshedAt < graceMs
  return justUsed ? 'just used' : 'replayed'
}

/** Carries a session on: a good token begins the next generation, one that was just used gets what that began. */
export async function carryOn(
  tx: Transaction,
  tokens: SessionTokens,
  session: Session,
  { standing, at }: { readonly standing: 'good' | 'just used'; readonly at: number },
): Promise<TokenPair> {
  if (standing === 'just used') return openAccess(tx, tokens, session, at)
  const next = { ...session, generation: session.generation + 1, refreshedAt: at, expiresAt: at + refreshLifeMs }
  await tx.sessions.replace(next)
  return openAccess(tx, tokens, next, at)
}

async function openAccess(tx: Transaction, tokens: SessionTokens, session: Session, at: number): Promise<TokenPair> {
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
