import type { Reservation, CounterView, CounterStore } from './quota.ts'
import type { UsageRecord, UsageView, UsageStore } from './usage.ts'

/**
 * Persistent records, behind transactions. The runtime knows its own records; features add theirs to `View` and
 * `Transaction`.
 *
 * A store that is unavailable, full or locked for too long rejects with `FairleadError` `SERVICE_UNAVAILABLE`.
 */
export interface RuntimeStores<
  View extends RuntimeView = RuntimeView,
  Transaction extends RuntimeTransaction = RuntimeTransaction,
> {
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
  readonly durable?: boolean | undefined
}

/** The records of the runtime that may be read. */
export interface RuntimeView {
  readonly counters: CounterView
  readonly usage: UsageView
  readonly outbox: OutboxView
  readonly claims: ClaimView
  readonly settings: SettingView
}

/** The records of the runtime that may be changed. */
export interface RuntimeTransaction extends RuntimeView {
  readonly counters: CounterStore
  readonly usage: UsageStore
  readonly outbox: Outbox
  readonly claims: ClaimStore
  readonly settings: SettingStore
  /**
   * Waits until no other transaction holds the lock of that name, and holds it until this one ends. For rules that look
   * before they write, such as "at most three keys": transactions may run side by side.
   */
  lock(name: string): Promise<void>
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

/** A few facts about the house itself, by name. */
export interface SettingView {
  get(name: string): Promise<string | undefined>
}

export interface SettingStore extends SettingView {
  set(name: string, value: string): Promise<void>
}

/** Something that happened, for webhooks and event streams. */
export interface Event {
  readonly id: string
  /** Such as `shipment.created`. */
  readonly type: string
  /** Whose hooks and streams it is for. */
  readonly userId: string
  /** Milliseconds since the epoch. */
  readonly at: number
  /** JSON. */
  readonly data: Readonly<Record<string, unknown>>
}

/** A part of a list in the order of creation. */
export interface Slice {
  readonly first: 'oldest' | 'newest'
  /** The record behind which the slice begins. Default: it begins with the list. */
  readonly after?: Position
  /** The most records that are wanted. */
  readonly limit: number
}

/** Where a record stands in the order of creation; ids tell apart what was made in one millisecond. */
export interface Position {
  /** Milliseconds since the epoch. */
  readonly createdAt: number
  readonly id: string
}

export interface ClaimView {
  /** What stands there and still holds. */
  find(id: string, keptForMs: number): Promise<Claim | undefined>
}

/** How long a claim holds while its run goes on, and how long what it came to. */
export interface ClaimTerms {
  readonly leaseMs: number
  readonly keptForMs: number
}

/**
 * Idempotency keys in use. What holds is told by the store's clock, so that nodes whose own differ agree.
 *
 * A lease that was taken or renewed in the future by more than `maxClockSkewMs` does not hold: it was taken while the clock
 * was wrong, and its owner, if alive, renews it within seconds. An outcome of the future does hold, since it must not be
 * made a second time.
 */
export interface ClaimStore extends ClaimView {
  /**
   * Makes a claim, and answers undefined; or answers with the one that stands in its way. A claim gives way when its lease
   * has ended, and an outcome when it was kept for as long as the terms say. Of several at once, one is made.
   */
  take(claim: Pick<Claim, 'id' | 'fingerprint' | 'owner'>, terms: ClaimTerms): Promise<Claim | undefined>
  /** Holds it for so long from now on. False, and nothing changed, where the claim is no longer the owner's. */
  renew(id: string, owner: string, leaseMs: number): Promise<boolean>
  /** Keeps what the owner's run came to. False, and nothing changed, where the claim is no longer the owner's. */
  keep(id: string, owner: string, outcome: string): Promise<boolean>
  /** Frees the key, where the claim is still the owner's and has no outcome. */
  release(id: string, owner: string): Promise<void>
  /** Removes what was claimed, renewed or kept before that instant, the oldest first, at most `limit`, and tells how many. */
  purge(before: number, limit: number): Promise<number>
}

/** What stands under an Idempotency-Key: first that a request runs, then what it came to. */
export interface Claim {
  /** Made of caller, operation and key, none of which can be told from it. */
  readonly id: string
  /** What was asked, hashed and sealed: it may have been a password. */
  readonly fingerprint: string
  /** The run that holds it: nobody else may end it. */
  readonly owner: string
  /** Until when the run holds it, unless it is renewed; in milliseconds since the epoch. */
  readonly leaseUntil: number
  /** When it was claimed or last renewed, or its outcome kept. */
  readonly at: number
  /** What the run came to, sealed; null while it runs. */
  readonly outcome: string | null
}
