import { isFuture } from '../runtime/clock.ts'
import type { User } from './user.ts'
import type { Slice, RuntimeView, RuntimeTransaction, RuntimeStores } from '../runtime/stores.ts'
import type { Role, Tier } from '../runtime/access.ts'
import type { ApiKey } from './key.ts'

export interface SessionView {
  find(id: string): Promise<Session | undefined>
  /** Those that have not ended, the newest first; expired ones may be among them. */
  ofUser(userId: string): Promise<readonly Session[]>
  /** The session that an access token of this SHA-256 (hexadecimal) was given for, with its user. Expired ones are found too. */
  findByAccessHash(hash: string): Promise<AccessGrant | undefined>
}

/** What an access token opens. */
export interface AccessGrant {
  readonly session: Session
  readonly user: User
  /** When the access token ends, in milliseconds since the epoch. */
  readonly expiresAt: number
}

export interface SessionStore extends SessionView {
  add(session: Session): Promise<void>
  /** Finds a session to change it: until the transaction ends, no other can. */
  take(id: string): Promise<Session | undefined>
  /** Puts a session in the place of the one of its id. */
  replace(session: Session): Promise<void>
  /** Lets an access token open the session. The same again changes nothing; the session's expired ones are forgotten. */
  addAccess(hash: string, sessionId: string, life: { readonly from: number; readonly until: number }): Promise<void>
  /** Ends sessions, with their access tokens. */
  remove(ids: readonly string[]): Promise<void>
  /** Removes sessions that ended before that instant, at most `limit`, and tells how many. */
  purge(before: number, limit: number): Promise<number>
}

/**
 * Counts what may happen only so often, such as failed logins. A bucket says what is counted and for whom; it carries no
 * name or address in the clear.
 */
export interface ThrottleView {
  /**
   * Whether a hit would be granted, and the hits in the window. Hits that lie in the future by more than `maxClockSkewMs`
   * are ignored: they were recorded while a clock was wrong, and would count until then.
   */
  read(bucket: string, rule: ThrottleRule): Promise<ThrottleReading>
}

export interface ThrottleStore extends ThrottleView {
  /** Counts a hit, unless the window holds as many as it may: then nothing is written. Exact under any concurrency. */
  hit(bucket: string, rule: ThrottleRule): Promise<ThrottleReading>
  /** Forgets all hits. */
  clear(bucket: string): Promise<void>
  /** Removes buckets whose last window ended before that instant, at most `limit`, and tells how many. */
  purge(before: number, limit: number): Promise<number>
}

export interface ThrottleRule {
  /** Now, in milliseconds since the epoch. */
  readonly at: number
  readonly windowMs: number
  /** How many hits a window holds. */
  readonly max: number
}

export interface ThrottleReading {
  readonly granted: boolean
  /** When each hit in the window was, before this one; oldest first. */
  readonly hits: readonly number[]
}

/** What a rule says of all hits of a bucket. */
export function readThrottle(hits: readonly number[], { at, windowMs, max }: ThrottleRule): ThrottleReading {
  const inWindow = hits.filter((hit) => hit > at - windowMs && !isFuture(hit, at))
  return { granted: inWindow.length < max, hits: inWindow }
}

export interface UserView {
  find(id: string): Promise<User | undefined>
  /** Those that there are, each once and in no order, in one look-up. */
  findMany(ids: readonly string[]): Promise<readonly User[]>
  /** @param email as it is kept: NFKC, lower case */
  findByEmail(email: string): Promise<User | undefined>
  /** What the user's password hashes to; undefined where the user has none. */
  passwordHash(userId: string): Promise<string | undefined>
  list(filters: UserFilters, slice: Slice): Promise<readonly User[]>
  count(): Promise<number>
}

export interface UserStore extends UserView {
  /** False, and nothing changed, where the e-mail address is taken. */
  add(user: User): Promise<boolean>
  /** Finds a user to change it, or what belongs to it: until the transaction ends, no other can. */
  take(id: string): Promise<User | undefined>
  /** How many other active admins there are. No other transaction gets this answer until this one ends. */
  otherAdmins(id: string): Promise<number>
  /** False where the e-mail address is another's: the transaction must then be given up. */
  replace(user: User): Promise<boolean>
  setPassword(userId: string, hash: string): Promise<void>
  /** Removes the user with its password, keys and sessions. */
  remove(id: string): Promise<void>
}

/** What a list of users may be narrowed to. */
export interface UserFilters {
  readonly id?: string | undefined
  readonly email?: string | undefined
  readonly role?: Role | undefined
  readonly tier?: Tier | undefined
}

export interface KeyView {
  /** The key with a secret of this SHA-256 (hexadecimal), and its owner. Revoked and expired ones are found too. */
  findBySecretHash(hash: string): Promise<KeyGrant | undefined>
  find(id: string): Promise<ApiKey | undefined>
  /** Those that there are, each once and in no order, in one look-up. */
  findMany(ids: readonly string[]): Promise<readonly ApiKey[]>
  list(filters: KeyFilters, slice: Slice): Promise<readonly ApiKey[]>
  /** How many of a user's keys could be used at that instant or later. */
  countAliveSince(userId: string, instant: number): Promise<number>
}

/** What a list of keys may be narrowed to. */
export interface KeyFilters {
  readonly userId: string
  /** To those that could be used at that instant or later. */
  readonly aliveSince?: number | undefined
}

/** What a key's secret opens. */
export interface KeyGrant {
  readonly key: ApiKey
  readonly user: User
  /** When this secret ends, where a newer one has taken its place; in milliseconds since the epoch. */
  readonly secretExpiresAt: number | null
}

export interface KeyStore extends KeyView {
  add(key: ApiKey, secretHash: string): Promise<void>
  /** Changes the name and the scopes of a key. */
  update(id: string, fields: Pick<ApiKey, 'name' | 'scopes'>): Promise<void>
  revoke(id: string, at: number): Promise<void>
  /** Gives a key a new secret. The one before stays good until then, where an instant is given; any older one ends. */
  rotate(id: string, secret: NewSecret): Promise<void>
  /** Notes when a key was used, unless that was noted after `unlessSince`, and not in the future by more than the skew. */
  touch(id: string, at: number, unlessSince: number): Promise<void>
}

export interface NewSecret {
  readonly hash: string
  /** What people see of it. */
  readonly prefix: string
  readonly previousUntil: number | null
}

/** The records of accounts that may be read. */
export interface AccountView extends RuntimeView {
  readonly users: UserView
  readonly keys: KeyView
  readonly sessions: SessionView
  readonly throttles: ThrottleView
}

/** The records of accounts that may be changed. */
export interface AccountTransaction extends RuntimeTransaction {
  readonly users: UserStore
  readonly keys: KeyStore
  readonly sessions: SessionStore
  readonly throttles: ThrottleStore
}

export type AccountStores = RuntimeStores<AccountView, AccountTransaction>

/** A sign-in that lasts: it is carried on by its refresh tokens, one after the other. */
export interface Session {
  readonly id: string
  readonly userId: string
  /** The number of the refresh token that is good now. */
  readonly generation: number
  /** Milliseconds since the epoch, as are the others. */
  readonly createdAt: number
  /** When the current generation began. */
  readonly refreshedAt: number
  readonly expiresAt: number
}
