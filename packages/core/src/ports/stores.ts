import type { ApiKey } from '../values/api-key.ts'
import type { Event } from '../values/event.ts'
import type { Image } from '../values/image.ts'
import type { Period } from '../values/period.ts'
import type { Shipment, ShipmentFilters } from '../values/shipment.ts'
import type { Slice } from '../values/slice.ts'
import type { UsageRecord } from '../values/usage-record.ts'
import type { Role, Tier, User } from '../values/user.ts'
import type { ClaimStore, ClaimView } from './claim-store.ts'
import type { SessionStore, SessionView } from './session-store.ts'
import type { SettingStore, SettingView } from './setting-store.ts'
import type { ThrottleStore, ThrottleView } from './throttle-store.ts'

/**
 * All that outlives a request, behind transactions.
 *
 * A store that is away, full or locked for too long rejects with `FairleadError` `SERVICE_UNAVAILABLE`.
 */
export interface Stores {
  /**
   * Runs the work, once, in one transaction: all of it is committed when the promise resolves, or none when it rejects.
   * Nothing but the transaction's own methods may be awaited inside.
   */
  transact<Result>(work: (tx: Transaction) => Promise<Result>, options?: TransactionOptions): Promise<Result>
  /**
   * Takes a unit, as `transact((tx) => tx.counters.reserve(counter, limit), { durable: false })` does. A store may take
   * the units of concurrent calls for one counter in one statement.
   */
  reserve(counter: string, limit: number | null): Promise<Reservation>
  /**
   * Adds a record, as `transact((tx) => tx.usage.add(record), { durable: false })` does. A store may add the records of
   * concurrent calls in one statement.
   */
  addUsage(record: UsageRecord): Promise<boolean>
  /** Runs look-ups that see only what is committed. */
  read<Result>(work: (view: View) => Promise<Result>): Promise<Result>
  close(): Promise<void>
}

export interface TransactionOptions {
  /**
   * Whether the promise resolves only when a power failure can no longer undo the transaction. Without it, the end of
   * this process loses nothing, but a power failure may undo what was committed in the last moments: for the units and
   * usage records of calls, where that is in the caller's favor. Default: true.
   */
  readonly durable?: boolean
}

/** What may be looked up. */
export interface View {
  readonly users: UserView
  readonly keys: KeyView
  readonly counters: CounterView
  readonly usage: UsageView
  readonly images: ImageView
  readonly shipments: ShipmentView
  readonly outbox: OutboxView
  readonly sessions: SessionView
  readonly claims: ClaimView
  readonly settings: SettingView
  readonly throttles: ThrottleView
}

/** What may be changed as well. */
export interface Transaction extends View {
  readonly users: UserStore
  readonly keys: KeyStore
  readonly counters: CounterStore
  readonly usage: UsageStore
  readonly images: ImageStore
  readonly shipments: ShipmentStore
  readonly outbox: Outbox
  /**
   * Waits until no other transaction holds the lock of that name, and holds it until this one ends. For rules that look
   * before they write, such as "at most three keys": transactions may run side by side.
   */
  lock(name: string): Promise<void>
  readonly sessions: SessionStore
  readonly claims: ClaimStore
  readonly settings: SettingStore
  readonly throttles: ThrottleStore
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

/** Monthly counters, each named after whose requests it counts: an API key, or a user's sessions. */
export interface CounterView {
  /** Where the counter stands in the running month. */
  peek(counter: string): Promise<Reading>
}

export interface CounterStore extends CounterView {
  /**
   * Takes one unit of the running month if that leaves the counter at or under the limit; null is without limit.
   *
   * The running month is that of the store's clock. A counter that was in the next month already stays there while the
   * next month begins within `maxClockSkewMs`, so that a small correction of the clock does not reopen a month that has
   * ended. Each month has a count of its own: when a clock that jumped far ahead comes back, the count of the month that
   * it left is known, and what was taken meanwhile stays with the later month.
   */
  reserve(counter: string, limit: number | null): Promise<Reservation>
  /** Gives a unit back to the month that it was taken from. */
  giveBack(counter: string, period: Period): Promise<void>
  /** Removes counts of months before that one, at most `limit`, and tells how many. */
  purge(before: Period, limit: number): Promise<number>
}

export interface Reading {
  readonly period: Period
  readonly used: number
}

/** Whether a unit was taken, and where the counter stands with it. */
export interface Reservation extends Reading {
  readonly granted: boolean
}

export interface UsageView {
  /** The records of all runs of one request. */
  ofRequest(requestId: string): Promise<readonly UsageRecord[]>
  /** A user's usage in sums, the hours from `from` up to `to`; answered from sums that are kept as records come in. */
  totals(query: UsageQuery): Promise<readonly UsageTotal[]>
}

export interface UsageQuery {
  readonly userId: string
  /** Full hours, in milliseconds since the epoch. */
  readonly from: number
  readonly to: number
  /** What each sum is for. */
  readonly by: readonly UsageDimension[]
}

export type UsageDimension = 'day' | 'hour' | 'model' | 'operation' | 'counter'

/** Sums over what the dimensions name; only these are set. */
export interface UsageTotal {
  /** The first instant of the day (UTC) or hour, in milliseconds since the epoch. */
  readonly day?: number
  readonly hour?: number
  /** Null for runs without one. */
  readonly model?: string | null
  readonly operation?: string
  readonly counter?: string
  readonly requests: number
  /** Those of the requests that did not end well. */
  readonly errors: number
  /** Those of the requests that were charged. */
  readonly charged: number
  readonly promptTokens: number
  readonly completionTokens: number
  readonly costUsd: number
  /** How many requests took how long: one count for each of `latencyBoundsMs`, and one for what took longer. */
  readonly latencies: readonly number[]
}

export interface UsageStore extends UsageView {
  /** False, and nothing changed, where the run has its record already. */
  add(record: UsageRecord): Promise<boolean>
  /**
   * Removes records of runs that began before that instant, the oldest first, at most `limit`, and tells how many.
   * They still count in the sums.
   */
  purge(before: number, limit: number): Promise<number>
  /** Removes sums of hours before that instant, at most `limit`, and tells how many. */
  purgeTotals(before: number, limit: number): Promise<number>
}

export interface ImageView {
  find(id: string): Promise<Image | undefined>
  /** Those of the ids that no image has. */
  missing(ids: readonly string[]): Promise<readonly string[]>
}

export interface ImageStore extends ImageView {
  /** Adding the same again changes nothing. */
  add(image: Image): Promise<void>
  /** Removes images made before that instant, the oldest first, at most `limit`, and tells which. */
  purge(before: number, limit: number): Promise<readonly string[]>
  /** Forgets all of a user's images, and tells their ids. */
  removeOfUser(userId: string): Promise<readonly string[]>
}

export interface ShipmentView {
  find(id: string): Promise<Shipment | undefined>
  /** Those that there are, each once and in no order, in one look-up. */
  findMany(ids: readonly string[]): Promise<readonly Shipment[]>
  /** Every page of a long list costs about the same. */
  list(filters: ShipmentFilters, slice: Slice): Promise<readonly Shipment[]>
}

export interface ShipmentStore extends ShipmentView {
  /** Finds a shipment to change it: until the transaction ends, no other can. */
  take(id: string): Promise<Shipment | undefined>
  /** False, and nothing added, where the owner has one of that reference. */
  add(shipment: Shipment): Promise<boolean>
  /** False where the owner has another of that reference: the transaction must then be given up. */
  replace(shipment: Shipment): Promise<boolean>
  remove(id: string): Promise<void>
  removeAllOf(userId: string): Promise<void>
}

export interface OutboxView {
  count(): Promise<number>
}

/** Events on their way out, kept in the transaction that causes them. */
export interface Outbox extends OutboxView {
  /** Adding the same again changes nothing. */
  add(events: readonly Event[]): Promise<void>
  /** Removes events from before that instant, the oldest first, at most `limit`, and tells how many. */
  purge(before: number, limit: number): Promise<number>
}
