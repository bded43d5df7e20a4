import type { Reservation, CounterView, CounterStore } from '../quota/quota.ts'
import type { SpendStore, SpendView } from '../budgets/budget.ts'
import type { UsageRecord, UsageStore } from '../quota/usage.ts'

/**
 * The stores that every core needs. A feature may need more, in the same transaction. A store that is unavailable, full
 * or locked for too long rejects with `SERVICE_UNAVAILABLE`.
 */
export interface RuntimeStores<
  View extends RuntimeView = RuntimeView,
  Transaction extends RuntimeTransaction = RuntimeTransaction,
> {
  /**
   * Runs the work once, in one transaction: all of it is committed when the promise resolves, and none when it rejects.
   * The work must not await anything but the methods of the transaction.
   */
  transact<Result>(work: (tx: Transaction) => Promise<Result>, options?: TransactionOptions): Promise<Result>
  /** As `transact((tx) => tx.counters.reserve(…), { durable: false })`. Concurrent calls may share one statement. */
  reserve(counter: string, limit: number | null): Promise<Reservation>
  /** As `transact((tx) => tx.usage.add(record), { durable: false })`. Concurrent calls may share one statement. */
  addUsage(record: UsageRecord): Promise<boolean>
  /** Runs queries, which see only committed records. */
  read<Result>(work: (view: View) => Promise<Result>): Promise<Result>
  /**
   * The same stores for the requests of one account. Absent if calls share nothing that one account could use up. A store
   * with a pool of connections lets no account hold more than its share of them, and lets accounts that wait take turns.
   */
  forAccount?(account: string): RuntimeStores<View, Transaction>
  /** The time of the database, in milliseconds since the epoch. Absent if the stores use the clock of this machine. */
  now?(): Promise<number>
  /** The connections of this process to its database. Absent if the store has no pool of them. */
  connections?(): ConnectionCounts
  /** The usage records in the order of their commits. Absent if the store cannot tell it. */
  readonly storedUsage?: StoredUsage
  close(): Promise<void>
}

export interface ConnectionCounts {
  readonly inUse: number
  /** Open and free. */
  readonly idle: number
  /** Calls that wait for a connection. */
  readonly waiting: number
  readonly max: number
}

/** Usage records in an order in which none is ever added before another one that was read: for programs that follow them. */
export interface StoredUsage {
  /** Prepares the store for `after`, for example with an index. Call it once before. May take long on a large table. */
  prepare(): Promise<void>
  /**
   * Returns the records after a position, from the first one by default, or anew if the position is of another database.
   *
   * @param upTo the position of the last record to return. Default: the last one committed
   */
  after(position: string | undefined, limit: number, upTo?: string): Promise<StoredPage>
}

export interface StoredPage {
  readonly records: readonly UsageRecord[]
  /** The position of the last record. Undefined without records. */
  readonly position: string | undefined
}

export interface TransactionOptions {
  /**
   * Whether the promise resolves only after the transaction is on disk. If false, a crash of the process loses nothing,
   * but a power failure may undo the last moments: for units and usage records of calls, whose loss is in the caller's
   * favor. Default: true.
   */
  readonly durable?: boolean | undefined
  /** How long a statement may wait for a lock of another process, in milliseconds. Default: as long as a statement may take. */
  readonly lockTimeoutMs?: number | undefined
  /**
   * Transactions with the same queue change the same rows. A store whose transactions run concurrently runs them one after
   * another, so that they do not hold connections while they wait for each other. Default: none.
   */
  readonly queue?: string | undefined
}

export interface RuntimeView {
  readonly counters: CounterView
  readonly spend: SpendView
  readonly claims: ClaimView
  readonly settings: SettingView
}

export interface RuntimeTransaction extends RuntimeView {
  readonly counters: CounterStore
  readonly spend: SpendStore
  readonly usage: UsageStore
  readonly claims: ClaimStore
  readonly settings: SettingStore
  readonly writeChecks: WriteCheckStore
  /** Holds a lock until the transaction ends: for rules that read before they write, such as "at most three keys". */
  lock(name: string): Promise<void>
}

/** Settings of the service itself, by name. */
export interface SettingView {
  get(name: string): Promise<string | undefined>
}

export interface SettingStore extends SettingView {
  set(name: string, value: string): Promise<void>
}

/** A row of each node, which shows whether the node can write. No other node writes it, so that none waits for another. */
export interface WriteCheckStore {
  /** @param at in milliseconds since the epoch */
  set(node: string, at: number): Promise<void>
  /** Removes at most `limit` rows that were last set before that time. Returns how many. */
  purge(before: number, limit: number): Promise<number>
}

export interface ClaimView {
  find(id: string, keptForMs: number): Promise<Claim | undefined>
}

/** How long a claim is valid without being renewed, and how long its outcome is kept. */
export interface ClaimTerms {
  readonly leaseMs: number
  readonly keptForMs: number
}

/**
 * Claims of idempotency keys. The store's clock decides whether a claim is valid, so that all nodes agree.
 *
 * A lease taken or renewed more than `maxClockSkewMs` in the future is not valid: it was taken while the clock was wrong,
 * and its owner, if alive, renews it within seconds. An outcome from the future is valid, because its operation must not
 * run a second time.
 */
export interface ClaimStore extends ClaimView {
  /**
   * Takes a claim and returns undefined, or returns the existing valid claim. A claim is replaced once its lease has
   * expired, and an outcome once `keptForMs` has passed. Of concurrent calls, exactly one succeeds.
   */
  take(claim: Pick<Claim, 'id' | 'fingerprint' | 'owner'>, terms: ClaimTerms): Promise<Claim | undefined>
  /** Renews the lease from now on. Returns false and changes nothing if the owner has lost the claim. */
  renew(id: string, owner: string, leaseMs: number): Promise<boolean>
  /** Stores the outcome of the owner's run. Returns false and changes nothing if the owner has lost the claim. */
  keep(id: string, owner: string, outcome: string): Promise<boolean>
  /** Removes the claim if it still belongs to the owner and has no outcome. */
  release(id: string, owner: string): Promise<void>
  /** Removes at most `limit` claims last changed before that time, the oldest first. Returns how many. */
  purge(before: number, limit: number): Promise<number>
}

/** The state of an Idempotency-Key: in progress, then the outcome. */
export interface Claim {
  /** A hash of credential, operation, and key. */
  readonly id: string
  /** The encrypted hash of the input. */
  readonly fingerprint: string
  /** The id of the run that holds the claim. Only this run may renew, keep, or release it. */
  readonly owner: string
  /** When the lease expires unless it is renewed, in milliseconds since the epoch. */
  readonly leaseUntil: number
  /** When the claim was taken or last renewed, or its outcome stored, in milliseconds since the epoch. */
  readonly at: number
  /** The encrypted outcome of the run; null while it is in progress. */
  readonly outcome: string | null
}
