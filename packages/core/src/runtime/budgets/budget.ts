import { FairleadError } from '../errors.ts'
import { lruCache } from '../lru-cache.ts'
import { periodEnd, toPeriod } from '../quota/quota.ts'

/** Whose budget it is. All budgets that apply to a call must hold. */
export type BudgetKind = 'key' | 'user' | 'project'

export const budgetPeriods = ['day', 'week', 'month'] as const
/** The period after which a budget resets, in UTC. Weeks begin on Monday. */
export type BudgetPeriod = (typeof budgetPeriods)[number]

/** A budget that applies to the calls of an account. */
export interface Budget {
  readonly kind: BudgetKind
  /** The id of the API key, the user or the project. */
  readonly id: string
  readonly limitUsd: number
  readonly period: BudgetPeriod | null
  /** Whether it belongs to an API key from which the caller's descends. Default: false. */
  readonly isInherited?: boolean
}

/** An amount in millionths of a cent: an integer, so that sums are exact. */
export type Amount = number

const amountsPerUsd = 1e8

/** US dollars as an amount, rounded. */
export function toAmount(usd: number): Amount {
  return Math.round(usd * amountsPerUsd)
}

/** An amount in US dollars. */
export function toUsd(amount: Amount): number {
  return amount / amountsPerUsd
}

const dayMs = 86_400_000
const weekMs = 7 * dayMs

/** The period at a time in UTC: `2026-11-27`, the ISO week `2026-W48`, the month `2026-11`, or `total`. */
export function spendPeriod(period: BudgetPeriod | null, now: number): string {
  switch (period) {
    case 'day':
      return new Date(now).toISOString().slice(0, 10)
    case 'week': {
      // An ISO week belongs to the year of its Thursday.
      const thursday = startOfWeek(now) + 3 * dayMs
      const year = new Date(thursday).getUTCFullYear()
      return `${year}-W${String(1 + Math.floor((thursday - Date.UTC(year, 0)) / weekMs)).padStart(2, '0')}`
    }
    case 'month':
      return toPeriod(now)
    case null:
      return 'total'
  }
}

/** When the running period ends, in milliseconds since the epoch; null for a total. */
export function nextReset(period: BudgetPeriod | null, now: number): number | null {
  switch (period) {
    case 'day':
      return (Math.floor(now / dayMs) + 1) * dayMs
    case 'week':
      return startOfWeek(now) + weekMs
    case 'month':
      return periodEnd(toPeriod(now))
    case null:
      return null
  }
}

/** Monday. The epoch began on a Thursday. */
function startOfWeek(now: number): number {
  const day = Math.floor(now / dayMs)
  return (day - ((day + 3) % 7)) * dayMs
}

export interface SpendKey {
  /** The id of the API key, the user or the project. */
  readonly budget: string
  /** As `spendPeriod` writes it. */
  readonly period: string
}

/** The name of a budget and a period in tables in memory. */
export function spendName({ budget, period }: SpendKey): string {
  return `${budget}/${period}`
}

/** The amount that a budget has spent in a period, and the amount that calls in progress have reserved. */
export interface Spend extends SpendKey {
  readonly spent: Amount
  readonly reserved: Amount
  /** The highest share of the limit, in percent, whose event was emitted. */
  readonly marked: number
}

/** The amount that a run has reserved of a budget. */
export interface Hold extends SpendKey {
  readonly runId: string
  readonly amount: Amount
  /** When it may be released, because the process of its run has ended; in milliseconds since the epoch. */
  readonly expiresAt: number
}

export interface SpendView {
  /** Returns the spends of these budgets in these periods, in one query. Leaves out those without any. */
  find(keys: readonly SpendKey[]): Promise<readonly Spend[]>
}

export interface SpendStore extends SpendView {
  /** Reserves an amount, unless more than the limit would be spent or reserved. Returns false if so. Exact under concurrency. */
  reserve(hold: Hold, limit: Amount): Promise<boolean>
  /**
   * Replaces what a run has reserved of these spends by its cost. If its hold has expired, the reserved amount counts as spent
   * already, and is corrected. Callers settle a run once. Returns the spends.
   */
  settle(runId: string, keys: readonly SpendKey[], cost: Amount, reserved: Amount): Promise<readonly Spend[]>
  /** Marks that events were emitted up to this share of the limit. Returns false if it has this mark, or a higher one. */
  mark(key: SpendKey, percent: number): Promise<boolean>
  /**
   * Counts as spent what at most `limit` runs have reserved whose holds have expired, because their provider may bill them.
   * Leaves out those that are being settled. Returns how many.
   */
  spendExpired(now: number, limit: number): Promise<number>
  /** Removes at most `limit` spends of periods before that month. Totals stay. Returns how many. */
  purge(before: string, limit: number): Promise<number>
}

const names = { key: 'API key', user: 'user', project: 'project' } as const satisfies Record<BudgetKind, string>

/** How soon to try again while only calls in progress leave no room, in milliseconds. */
const inProgressRetryMs = 1_000

/** The error for a call that a budget has no room for. */
export function budgetExceeded(
  { kind, limitUsd, period, isInherited = false }: Budget,
  { spent, reserved }: Pick<Spend, 'spent' | 'reserved'>,
  amount: Amount,
  now: number,
): FairleadError {
  const resetAt = nextReset(period, now)
  const fits = spent + amount <= toAmount(limitUsd)
  const reset = resetAt === null ? undefined : new Date(resetAt).toISOString()
  const retryAfterMs = fits ? inProgressRetryMs : resetAt === null ? undefined : Math.max(0, resetAt - now)
  const of = `${inUsd(limitUsd)} ${period === null ? 'in total' : `per ${period}`}`
  const room = `${inUsd(toUsd(spent))} is spent, requests in progress reserve ${inUsd(toUsd(reserved))}, and this one needs up to ${inUsd(toUsd(amount))}`
  return new FairleadError(
    'BUDGET_EXCEEDED',
    `The budget of the ${names[kind]}${isInherited ? ' that this one descends from' : ''}, ${of}, has no room for this request: ${room}.${reset ? ` It resets at ${reset}.` : ''}`,
    { retryAfterMs, facts: { budget: kind, period: period ?? 'total', ...(reset && { reset }) } },
  )
}

/** With cents, or as many decimals as a small amount needs, up to those of an `Amount`. */
function inUsd(amount: number): string {
  const decimals = amount >= 0.01 || amount === 0 ? 2 : Math.min(8, 1 - Math.floor(Math.log10(amount)))
  return `$${amount.toFixed(decimals).replace(/(?<=\.\d{2,})0+$/, '')}`
}

/** The key of what a budget has spent in its running period, for `spend.find` of the stores. */
export function runningSpend({ id, period }: Budget, now: number): SpendKey {
  return { budget: id, period: spendPeriod(period, now) }
}

const maxKnown = 10_000

/**
 * The spends of exhausted budgets. It only grows within a period, so a client that goes on sending is rejected without
 * the store, and does not lock the rows that other calls need.
 */
export class KnownSpends {
  readonly #spent = lruCache<Amount>(maxKnown)

  get(key: SpendKey): Amount {
    return this.#spent.get(spendName(key)) ?? 0
  }

  set(key: SpendKey, spent: Amount): void {
    this.#spent.set(spendName(key), spent)
  }
}

/** The amounts that a run reserves of the budgets of its account, from the plan to the settlement. */
export interface Spending {
  readonly userId: string
  readonly budgets: readonly Budget[]
  /** Of each budget, the period that was running when the run began. */
  readonly keys: readonly SpendKey[]
  /** Of each budget. */
  readonly amount: Amount
  /** The budget that leaves no room, whatever becomes of the calls in progress. */
  exhausted: Budget | undefined
}

/** The queue of the transactions that reserve and settle: of its budgets, the last is the one that most calls share. */
export function spendQueue(spending: Spending | undefined): string | undefined {
  return spending?.keys.at(-1)?.budget
}
