import {
  isFuture,
  type RuntimeStores,
  type CounterStore,
  type CounterView,
  type UsageStore,
  type UsageView,
  type RuntimeView,
  type RuntimeTransaction,
  type RecordView,
} from '@fairlead/core/stores'
import type { Owner } from './owner.ts'
import type {
  InvitationStore,
  InvitationView,
  MemberStore,
  MemberView,
  ProjectStore,
  ProjectView,
} from './projects/project-stores.ts'
import type { PasskeyStore, PasskeyView } from './passkeys/passkey.ts'
import type { UserRow } from './users/user.ts'
import type { ApiKeyRow, KeyStatus } from './keys/key.ts'

export interface SessionView {
  find(id: string): Promise<SessionRow | undefined>
  /** Lists a user's sessions, newest first. Expired ones may be among them. */
  ofUser(userId: string): Promise<readonly SessionRow[]>
  /** Finds an access token, also an expired one, by its SHA-256 in hexadecimal. */
  findByAccessHash(hash: string): Promise<AccessGrant | undefined>
  /** Lists the sessions that belong to a session at the issuer of identities. Expired ones may be among them. */
  ofIssuerSession(issuerSession: string): Promise<readonly SessionRow[]>
}

export interface AccessGrant {
  readonly session: SessionRow
  readonly user: UserRow
  /** When the access token expires, in milliseconds since the epoch. */
  readonly expiresAt: number
}

export interface SessionStore extends SessionView {
  add(session: SessionRow): Promise<void>
  /** Finds a session and locks it against changes by other transactions until this one ends. */
  take(id: string): Promise<SessionRow | undefined>
  /** Replaces the session with this id. Does nothing if it does not exist. */
  replace(session: SessionRow): Promise<void>
  /** Adds an access token of the session, and removes its expired ones. Adding the same token again changes nothing. */
  addAccess(hash: string, sessionId: string, life: { readonly from: number; readonly until: number }): Promise<void>
  /** Sets `lastUsedAt` of a session, unless it is later than `unlessSince` and at most `maxClockSkewMs` in the future. */
  touch(id: string, at: number, unlessSince: number): Promise<void>
  /** Removes sessions with their access tokens. */
  remove(ids: readonly string[]): Promise<void>
  /** Removes at most `limit` sessions that expired before that time. Returns how many. */
  purge(before: number, limit: number): Promise<number>
}

/** Counts events with a limit, such as failed logins. A bucket is a hash, without plain email or network addresses. */
export interface ThrottleView {
  /**
   * Returns whether a hit would be granted, and the hits in the window. Hits more than `maxClockSkewMs` in the future are
   * ignored: they were recorded while a clock was wrong.
   */
  read(bucket: string, rule: ThrottleRule): Promise<ThrottleReading>
}

export interface ThrottleStore extends ThrottleView {
  /** Counts a hit unless the window is full; then nothing is written. Exact under concurrency. */
  hit(bucket: string, rule: ThrottleRule): Promise<ThrottleReading>
  clear(bucket: string): Promise<void>
  /** Removes at most `limit` buckets whose last window ended before that time. Returns how many. */
  purge(before: number, limit: number): Promise<number>
}

export interface ThrottleRule {
  /** The current time, in milliseconds since the epoch. */
  readonly at: number
  readonly windowMs: number
  readonly max: number
}

export interface ThrottleReading {
  readonly granted: boolean
  /** The times of the earlier hits in the window, oldest first. */
  readonly hits: readonly number[]
}

/** Applies a rule to all hits of a bucket. */
export function readThrottle(hits: readonly number[], { at, windowMs, max }: ThrottleRule): ThrottleReading {
  const inWindow = hits.filter((hit) => hit > at - windowMs && !isFuture(hit, at))
  return { granted: inWindow.length < max, hits: inWindow }
}

/** Users and projects, as what they have in common. */
export interface OwnerView {
  find(id: string): Promise<Owner | undefined>
  /** The order is undefined. */
  findMany(ids: readonly string[]): Promise<readonly Owner[]>
}

export interface OwnerStore extends OwnerView {
  /** Finds an owner and locks it, and what belongs to it, against changes by other transactions until this one ends. */
  take(id: string): Promise<Owner | undefined>
}

export interface UserView extends RecordView<UserRow, UserFilters> {
  /** @param email normalized: NFKC, lower case */
  findByEmail(email: string): Promise<UserRow | undefined>
  /** The hash of the user's password; undefined if the user has none. */
  passwordHash(userId: string): Promise<string | undefined>
  count(): Promise<number>
}

export interface UserStore extends UserView {
  /** Returns false and changes nothing if another user has the email address. */
  add(user: UserRow): Promise<boolean>
  /** Finds a user and locks it, and what belongs to it, against changes by other transactions until this one ends. */
  take(id: string): Promise<UserRow | undefined>
  /** Counts the other active admins. Other transactions that ask wait until this one ends. */
  otherAdmins(id: string): Promise<number>
  /** Returns false if another user has the email address. The transaction must then be rolled back. */
  replace(user: UserRow): Promise<boolean>
  setPassword(userId: string, hash: string): Promise<void>
  /** Removes the user with its password, passkeys, keys, sessions and memberships of projects. */
  remove(id: string): Promise<void>
}

export interface IdentityView {
  find(issuer: string, subject: string): Promise<IdentityRow | undefined>
  /** Lists the identities of a user. The order is undefined. */
  ofUser(userId: string): Promise<readonly IdentityRow[]>
}

/** Identities are removed with their user. */
export interface IdentityStore extends IdentityView {
  /** Rejects if the identity exists: the caller holds a lock of its name. */
  add(identity: IdentityRow): Promise<void>
}

export type UserFilters = { readonly [Field in 'id' | 'email' | 'role' | 'tier']?: UserRow[Field] | undefined }

export interface KeyView extends RecordView<ApiKeyRow, KeyFilters> {
  /** Finds a key, also a revoked or expired one, by the SHA-256 of a secret in hexadecimal. */
  findBySecretHash(hash: string): Promise<KeyGrant | undefined>
  /** Finds the keys that these keys created, in one query. The order is undefined. */
  findCreatedBy(ids: readonly string[]): Promise<readonly ApiKeyRow[]>
  /** Counts the keys of a user or a project that were usable at that time or later. */
  countAliveSince(userId: string, instant: number): Promise<number>
}

export interface KeyFilters {
  readonly userId: string
  /** Only keys that were usable at that time or later. */
  readonly aliveSince?: number | undefined
  /** Only keys that have this status at that time, in milliseconds since the epoch. */
  readonly status?: { readonly is: KeyStatus; readonly at: number } | undefined
  /** Only keys whose name or prefix contains this text. ASCII letters match in either case. */
  readonly search?: string | undefined
}

export interface KeyGrant {
  readonly key: ApiKeyRow
  readonly owner: Owner
  /** When this secret expires, if a rotation has replaced it; in milliseconds since the epoch. */
  readonly secretExpiresAt: number | null
}

export interface KeyStore extends KeyView {
  add(key: ApiKeyRow, secretHash: string): Promise<void>
  /** Changes the name, the scopes, the expiry and the limits of a key. As `revoke` and `rotate`, it increments the version. */
  update(id: string, fields: Pick<ApiKeyRow, 'name' | 'scopes' | 'expiresAt' | 'limits'>): Promise<void>
  revoke(id: string, at: number): Promise<void>
  /** Gives a key a new secret. The current one stays valid until `previousUntil`; older ones become invalid. */
  rotate(id: string, secret: NewSecret): Promise<void>
  /** Sets `lastUsedAt` of a key, unless it is later than `unlessSince` and at most `maxClockSkewMs` in the future. */
  touch(id: string, at: number, unlessSince: number): Promise<void>
}

export interface NewSecret {
  readonly hash: string
  /** The first ten characters of the secret. */
  readonly prefix: string
  /** When the previous secret expires, in milliseconds since the epoch; null is at once. */
  readonly previousUntil: number | null
}

/** The counters of many credentials. */
export interface CountersView extends CounterView {
  /** Returns the units used in the current month by counter, in one query. Leaves out counters without any. */
  used(counters: readonly string[]): Promise<ReadonlyMap<string, number>>
}

export interface AccountView extends RuntimeView {
  readonly counters: CountersView
  readonly usage: UsageView
  readonly owners: OwnerView
  readonly users: UserView
  readonly projects: ProjectView
  readonly members: MemberView
  readonly invitations: InvitationView
  readonly keys: KeyView
  readonly sessions: SessionView
  readonly identities: IdentityView
  readonly passkeys: PasskeyView
  readonly throttles: ThrottleView
}

export interface AccountTransaction extends RuntimeTransaction {
  readonly counters: CounterStore & CountersView
  readonly usage: UsageStore & UsageView
  readonly owners: OwnerStore
  readonly users: UserStore
  readonly projects: ProjectStore
  readonly members: MemberStore
  readonly invitations: InvitationStore
  readonly keys: KeyStore
  readonly sessions: SessionStore
  readonly identities: IdentityStore
  readonly passkeys: PasskeyStore
  readonly throttles: ThrottleStore
}

export type AccountStores = RuntimeStores<AccountView, AccountTransaction>

/** A login session. Refresh tokens extend it. */
export interface SessionRow {
  readonly id: string
  readonly userId: string
  /** The number of the current refresh token, starting at 1. 0 until the sign-in token of the session was exchanged. */
  readonly generation: number
  /** Times are in milliseconds since the epoch. */
  readonly createdAt: number
  /** When the current refresh token was issued. */
  readonly refreshedAt: number
  readonly expiresAt: number
  /** A hash of the session at the issuer of the user’s identity (`sid`). Null for other sessions, and if the issuer names none. */
  readonly issuerSession: string | null
  /** When the issuer of the user’s identity last confirmed the session. Null for sessions that began otherwise. */
  readonly confirmedAt: number | null
  /**
   * The token with which the issuer confirms the session, encrypted. Null if it gave nothing: the user then signs in
   * again.
   */
  readonly issuerToken: string | null
  /** The browser and the system of the sign-in, or the start of its `User-Agent` header. Null if it is unknown. */
  readonly userAgent: string | null
  /** The network address of the sign-in. Null if it is unknown. */
  readonly address: string | null
  /** Accurate to the minute. Null until an access token is used a minute after the last refresh. */
  readonly lastUsedAt: number | null
}

/** An issuer's name for a user, such as an OpenID Connect provider's. */
export interface IdentityRow {
  readonly issuer: string
  /** Unique for the issuer, and never given to another person. */
  readonly subject: string
  readonly userId: string
  /** Milliseconds since the epoch. */
  readonly createdAt: number
}
