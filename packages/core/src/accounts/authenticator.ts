import { LRUCache } from 'lru-cache'
import { budgetsOf } from '../runtime/budgets/budget.ts'
import { isFuture } from '../runtime/clock.ts'
import type { FeatureContext } from '../runtime/feature.ts'
import type { AccessGrant, KeyGrant, AccountStores } from './stores.ts'
import { maxGraceMs } from './keys/key.ts'
import { FairleadError } from '../runtime/errors.ts'
import { applied, type KeyLimits } from '../runtime/key-limits.ts'
import { monthlyLimit, type User } from './users/user.ts'
import { type Account, type Authenticator, credentialName, rejectionOf, type Scope } from '../runtime/access.ts'
import { accessLifeMs } from './sessions/session.ts'
import { hashToken, prefixOfToken, type TokenPrefix } from './sessions/tokens.ts'

/** How long the account of a token is cached: another node's revocation takes effect within this time. */
const knownCachedForMs = 5_000
/** How long an unknown token is cached. */
const unknownCachedForMs = 1_000
const maxEntries = 10_000
/** How often `lastUsedAt` of a key is updated at most. */
const touchEveryMs = 60_000

/** The stored state of a token. Immutable: a fresh read replaces the whole entry. */
interface Entry {
  /** Undefined where the token is unknown. */
  readonly account: Account | undefined
  readonly rejection: FairleadError | undefined
  /** When the token expires, in milliseconds since the epoch; null is never. */
  readonly endsAt: number | null
  /** The earliest possible time of issue, for tokens with a fixed lifetime. */
  readonly startsAt: number | null
  readonly lastUsedAt: number | null
}

type CachedEntry = Entry & { readonly readAt: number; readonly cachedForMs: number }

/** A user whose access has changed, or one of a user's keys or sessions. */
export type AccessSubject = { readonly userId: string } | { readonly credentialId: string }

/** An authenticator with a cache that can be invalidated. */
export interface AccountAuthenticator extends Authenticator {
  /** Removes a user or credential from the cache: the next request reads it from the store. */
  forget(subject: AccessSubject): void
}

/** Caches tokens for a few seconds, so that most requests need no store query. */
export function createAuthenticator({
  stores,
  clock,
  log,
  scopes,
}: FeatureContext<AccountStores>): AccountAuthenticator {
  const entries = new LRUCache<string, CachedEntry>({ max: maxEntries })
  const touched = new LRUCache<string, number>({ max: maxEntries })
  /** Incremented by `forget`: a read that began before it may return outdated data and is not cached. */
  let epoch = 0
  const listeners = new Set<{ readonly account: Account; readonly call: () => void }>()

  async function readEntry(secretHash: string, prefix: TokenPrefix): Promise<Entry> {
    const begunAt = clock.now()
    const begunIn = epoch
    const entry = await stores.read(async (view) =>
      prefix === 'fl_'
        ? ofKey(await view.keys.findBySecretHash(secretHash))
        : ofSession(await view.sessions.findByAccessHash(secretHash), scopes),
    )
    const cachedForMs = entry.account ? knownCachedForMs : unknownCachedForMs
    if (begunIn === epoch) entries.set(secretHash, { ...entry, readAt: begunAt, cachedForMs })
    return entry
  }

  function admit({ account, rejection, endsAt, startsAt, lastUsedAt }: Entry, tokenKind: string): Account {
    const now = clock.now()
    if (!account) throw unauthorized(`The ${tokenKind} is unknown.`)
    if (rejection) throw rejectionOf(account, rejection)
    if (endsAt !== null && endsAt <= now) {
      throw rejectionOf(account, unauthorized(`The ${tokenKind} has expired.`))
    }
    // Otherwise a token that was issued while the clock was ahead would be valid for too long.
    if (startsAt !== null && isFuture(startsAt, now)) throw unauthorized(`The ${tokenKind} is not valid yet.`)
    if (account.credential.kind === 'key') touchKey(account.credential.id, lastUsedAt, now)
    return account
  }

  /** Runs in the background: the request neither waits for it nor fails with it. */
  function touchKey(id: string, lastUsedAt: number | null, now: number): void {
    const unlessSince = now - touchEveryMs
    const isRecent = (instant = -Infinity) => instant > unlessSince && !isFuture(instant, now)
    if (isRecent(lastUsedAt ?? undefined) || isRecent(touched.get(id))) return
    touched.set(id, now)
    stores
      .transact((tx) => tx.keys.touch(id, now, unlessSince))
      .catch((error: unknown) => log.warn({ error }, 'could not record the last use of an API key'))
  }

  return {
    authenticate(token, maxAgeMs = Infinity) {
      const tokenKind = token.startsWith('fls_') ? 'access token' : 'API key'
      const secretHash = hashToken(token)
      const entry = entries.get(secretHash)
      // The absolute difference, so that entries expire even after the clock was set back.
      const isFresh = entry && Math.abs(clock.now() - entry.readAt) < Math.min(entry.cachedForMs, maxAgeMs)
      if (isFresh) return admit(entry, tokenKind)
      // A known token is well-formed, so that its checksum is not computed for every request.
      const prefix = prefixOfToken(token)
      if (!prefix) throw unauthorized(`The ${tokenKind} is malformed or mistyped.`)
      return readEntry(secretHash, prefix).then((fresh) => admit(fresh, tokenKind))
    },
    forget(subject) {
      epoch += 1
      for (const [secretHash, { account }] of entries.entries()) {
        if (account && belongsTo(account, subject)) entries.delete(secretHash)
      }
      for (const { account, call } of listeners) if (belongsTo(account, subject)) call()
    },
    onChange(account, call) {
      const listener = { account, call }
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

function belongsTo({ userId, credential }: Account, subject: AccessSubject): boolean {
  return 'userId' in subject ? subject.userId === userId : subject.credentialId === credential.id
}

const unknown: Entry = { account: undefined, rejection: undefined, endsAt: null, startsAt: null, lastUsedAt: null }

function ofKey(grant: KeyGrant | undefined): Entry {
  if (!grant) return unknown
  const { key, user, secretExpiresAt } = grant
  return {
    account: accountOf(user, key.scopes, { kind: 'key', id: key.id }, key.limits),
    rejection: key.revokedAt === null ? ifSuspended(user) : unauthorized('The API key was revoked.'),
    endsAt: earlier(key.expiresAt, secretExpiresAt),
    startsAt: secretExpiresAt === null ? null : secretExpiresAt - maxGraceMs,
    lastUsedAt: key.lastUsedAt,
  }
}

/** @param scopes all of them: a session may do what its user may do */
function ofSession(grant: AccessGrant | undefined, scopes: readonly Scope[]): Entry {
  if (!grant) return unknown
  const { session, user, expiresAt } = grant
  return {
    account: accountOf(user, scopes, { kind: 'session', id: session.id }),
    rejection: ifSuspended(user),
    endsAt: expiresAt,
    startsAt: expiresAt - accessLifeMs,
    lastUsedAt: null,
  }
}

function accountOf(
  user: User,
  granted: readonly Scope[],
  credential: Account['credential'],
  limits: KeyLimits | null = null,
): Account {
  return {
    kind: 'account',
    userId: user.id,
    role: user.role,
    tier: user.tier,
    scopes: granted,
    credential,
    counter: user.quotaScope === 'user' ? user.id : credentialName(user.id, credential),
    limit: monthlyLimit(user, limits?.quotaLimit),
    limits: limits === null ? undefined : applied(limits),
    budgets: budgetsOf(['key', credential.id, limits ?? undefined], ['user', user.id, user]),
  }
}

function earlier(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.min(one, other)
}

function ifSuspended({ status }: User): FairleadError | undefined {
  return status === 'suspended' ? new FairleadError('FORBIDDEN', 'This account is suspended.') : undefined
}

function unauthorized(message: string): FairleadError {
  return new FairleadError('UNAUTHORIZED', message)
}
