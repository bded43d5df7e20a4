import type { Account } from '../access.ts'
import type { Cancel, Clock } from '../clock.ts'
import type { Log } from '../log.ts'
import { memoryRateLimiter } from '../quota/rate-limit.ts'
import type { UsageRecord } from '../quota/usage.ts'
import type { RuntimeStores } from '../stores/stores.ts'

/** Of each account: 60 at once, and then one a minute, so at most 1,500 a day. */
const limitOfAccount = { limit: 60, windowMs: 3_600_000 }
const maxAccounts = 10_000
/** Of all accounts, in one transaction. */
const maxWaiting = 200
const flushMs = 1_000

/**
 * Writes the records of rejected runs a second later, in one transaction. Records beyond a limit are dropped, and so are
 * those that cannot be written: a flood of bad requests costs almost nothing, and no request waits or fails.
 */
export class RejectedRuns {
  readonly #stores: Pick<RuntimeStores, 'transact'>
  readonly #clock: Clock
  readonly #log: Log
  readonly #limiter
  #waiting: UsageRecord[] = []
  #cancelFlush: Cancel | undefined = undefined
  #flushing = Promise.resolve()

  constructor(stores: Pick<RuntimeStores, 'transact'>, clock: Clock, log: Log) {
    this.#stores = stores
    this.#clock = clock
    this.#log = log
    this.#limiter = memoryRateLimiter({ clock, maxKeys: maxAccounts })
  }

  /** Whether one more of the account is recorded, and counts it. */
  admits({ userId }: Pick<Account, 'userId'>): boolean {
    return this.#waiting.length < maxWaiting && this.#limiter.take(userId, limitOfAccount).granted
  }

  add(record: UsageRecord): void {
    this.#waiting.push(record)
    this.#cancelFlush ??= this.#clock.schedule(flushMs, () => this.#flush())
  }

  /** Writes those that wait. */
  async close(): Promise<void> {
    this.#cancelFlush?.()
    this.#flush()
    await this.#flushing
  }

  #flush(): void {
    const records = this.#waiting
    this.#waiting = []
    this.#cancelFlush = undefined
    if (records.length > 0) this.#flushing = this.#write(records)
  }

  async #write(records: readonly UsageRecord[]): Promise<void> {
    try {
      await this.#stores.transact((tx) => tx.usage.addRejected(records), { durable: false })
    } catch (error) {
      this.#log.warn({ error }, 'could not record rejected requests')
    }
  }
}
