import { LRUCache } from 'lru-cache'
import type { Clock } from '../runtime/clock.ts'
import type { Log } from '../runtime/log.ts'
import type { AccessGrant, KeyGrant, AccountStores } from './stores.ts'
import { maxGraceMs } from './key.ts'
import { isFuture } from '../runtime/clock.ts'
import { FairleadError } from '../runtime/errors.ts'
import { monthlyLimit } from './user.ts'
import type { User } from './user.ts'
import { type Account, scopes, type Authenticator } from '../runtime/access.ts'
import { accessLifeMs } from './session.ts'
import { hashToken, prefixOfToken, type TokenPrefix } from './tokens.ts'

/** How long a token's record is believed before it is read again; a revocation elsewhere counts from then on. */
const cachedForMs = 5_000
/** How long "no such token" is believed. */
const unknownCachedForMs = 1_000
const remembered = 10_000
/** How seldom it is noted that a key was used. */
const notedEveryMs = 60_000

/** What a token opens, as read a moment ago. It is replaced as a whole, never changed. */
interface Entry {
  /** Undefined where the token is unknown. */
  readonly account: Account | undefined
  readonly refusal: FairleadError | undefined
  /** When the token ends, in milliseconds since the epoch; null is never. */
  readonly endsAt: number | null
  /** The earliest instant that it can have been issued at, where it ends after a fixed time. */
  readonly startsAt: number | null
  readonly lastUsedAt: number | null
}

type Remembered = Entry & { readonly readAt: number; readonly trustedForMs: number }

/** Whose access has changed: a user's, or that of one key or session. */
export type Whose = { readonly userId: string } | { readonly credentialId: string }

/** Knows the accounts of tokens, and can forget them. */
export interface AccountAuthenticator extends Authenticator {
  /** Forgets what is remembered of a user or credential: the next request reads it again. */
  forget(whose: Whose): void
}

/** Remembers the tokens in use for a few seconds, so that most requests need no look-up. */
export function createAuthenticator(stores: AccountStores, clock: Clock, log: Log): AccountAuthenticator {
  const entries = new LRUCache<string, Remembered>({ max: remembered })
  const noted = new LRUCache<string, number>({ max: remembered })
  /** Rises with all that is forgotten: what was read before may be older than the change. */
  let epoch = 0

  async function lookUp(secretHash: string, prefix: TokenPrefix): Promise<Entry> {
    const begunAt = clock.now()
    const begunIn = epoch
    const entry = await stores.read(async (view) =>
      prefix === 'fl_'
        ? ofKey(await view.keys.findBySecretHash(secretHash))
        : ofSession(await view.sessions.findByAccessHash(secretHash)),
    )
    const trustedForMs = entry.account ? cachedForMs : unknownCachedForMs
    if (begunIn === epoch) entries.set(secretHash, { ...entry, readAt: begunAt, trustedForMs })
    return entry
  }

  function admit({ account, refusal, endsAt, startsAt, lastUsedAt }: Entry, what: string): Account {
    const now = clock.now()
    if (!account) throw refused(`The ${what} is unknown.`)
    if (refusal) throw refusal
    if (endsAt !== null && endsAt <= now) throw refused(`The ${what} has expired.`)
    // Otherwise a token that was issued while the clock was wrong would outlive its time by as much.
    if (startsAt !== null && isFuture(startsAt, now)) throw refused(`The ${what} is not valid yet.`)
    if (account.credential.kind === 'key') noteUse(account.credential.id, lastUsedAt, now)
    return account
  }

  /** Beside the request, which neither waits for it nor fails with it. */
  function noteUse(id: string, lastUsedAt: number | null, now: number): void {
    const unlessSince = now - notedEveryMs
    const isRecent = (instant = -Infinity) => instant > unlessSince && !isFuture(instant, now)
    if (isRecent(lastUsedAt ?? undefined) || isRecent(noted.get(id))) return
    noted.set(id, now)
    stores
      .transact((tx) => tx.keys.touch(id, now, unlessSince))
      .catch((error: unknown) => log.warn({ error }, 'the use of a key could not be noted'))
  }

  return {
    authenticate(token) {
      const prefix = prefixOfToken(token)
      const what = token.startsWith('fls_') ? 'access token' : 'API key'
      if (!prefix) throw refused(`The ${what} is malformed or mistyped.`)
      const secretHash = hashToken(token)
      const entry = entries.get(secretHash)
      // The absolute difference, so that nothing is believed for long after the clock was set back.
      if (entry && Math.abs(clock.now() - entry.readAt) < entry.trustedForMs) return admit(entry, what)
      return lookUp(secretHash, prefix).then((fresh) => admit(fresh, what))
    },
    forget(whose) {
      epoch += 1
      for (const [secretHash, { account }] of entries.entries()) {
        if (account && belongsTo(account, whose)) entries.delete(secretHash)
      }
    },
  }
}

function belongsTo({ userId, credential }: Account, whose: Whose): boolean {
  return 'userId' in whose ? whose.userId === userId : whose.credentialId === credential.id
}

const unknown: Entry = { account: undefined, refusal: undefined, endsAt: null, startsAt: null, lastUsedAt: null }

function ofKey(grant: KeyGrant | undefined): Entry {
  if (!grant) return unknown
  const { key, user, secretExpiresAt } = grant
  return {
    account: {
      kind: 'account',
      userId: user.id,
      role: user.role,
      tier: user.tier,
      scopes: key.scopes,
      credential: { kind: 'key', id: key.id },
      counter: key.id,
      limit: monthlyLimit(user),
    },
    refusal: key.revokedAt === null ? ifSuspended(user) : refused('The API key was revoked.'),
    endsAt: earlier(key.expiresAt, secretExpiresAt),
    startsAt: secretExpiresAt === null ? null : secretExpiresAt - maxGraceMs,
    lastUsedAt: key.lastUsedAt,
  }
}

function ofSession(grant: AccessGrant | undefined): Entry {
  if (!grant) return unknown
  const { session, user, expiresAt } = grant
  return {
    account: {
      kind: 'account',
      userId: user.id,
      role: user.role,
      tier: user.tier,
      scopes,
      credential: { kind: 'session', id: session.id },
      // All sessions of a user count together.
      counter: user.id,
      limit: monthlyLimit(user),
    },
    refusal: ifSuspended(user),
    endsAt: expiresAt,
    startsAt: expiresAt - accessLifeMs,
    lastUsedAt: null,
  }
}

function earlier(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.min(one, other)
}

function ifSuspended({ status }: User): FairleadError | undefined {
  return status === 'suspended' ? new FairleadError('FORBIDDEN', 'This account is suspended.') : undefined
}

function refused(message: string): FairleadError {
  return new FairleadError('UNAUTHORIZED', message)
}
