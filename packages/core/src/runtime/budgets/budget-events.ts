import * as z from 'zod'
import type { Clock } from '../clock.ts'
import { createEvent, defineEvent, type EventSink } from '../events/event-type.ts'
import type { NewId } from '../id.ts'
import type { Log } from '../log.ts'
import { lruCache } from '../lru-cache.ts'
import { instant, namedEnum, namedObject, toInstant } from '../schema/field-schemas.ts'
import type { RuntimeStores, RuntimeTransaction } from '../stores/stores.ts'
import {
  type Budget,
  budgetPeriods,
  type BudgetKind,
  nextReset,
  runningSpend,
  type Spend,
  spendName,
  toAmount,
  toUsd,
} from './budget.ts'

/** The schema of the kind of a budget. */
export const budgetKind = namedEnum<BudgetKind>('BudgetKind', 'Whose budget it is.', {
  key: 'That of an API key.',
  user: 'That of a user, for all keys and sessions.',
  project: 'That of a project, for all keys and members.',
})

const budgetUse = namedObject('BudgetUse', 'How much of a budget was spent.', {
  id: z.string().describe('Id of the API key, the user or the project whose budget it is.'),
  kind: budgetKind.describe('Whose budget it is.'),
  userId: z.string().describe('Id of the user or the project that the request belongs to.'),
  limitUsd: z.number().describe('The budget in US dollars.'),
  spentUsd: z.number().describe('Spent so far in the period, in US dollars.'),
  threshold: z.int().describe('The share of the budget that was reached, in percent.'),
  period: z.enum(budgetPeriods).nullable().describe('Period of the budget in UTC. Null for a total.'),
  resetsAt: instant.nullable().describe('When the budget resets. Null for a total.'),
})

const example: z.output<typeof budgetUse> = {
  id: 'key_2144006262568942337108473209784351112',
  kind: 'key',
  userId: 'usr_2144006262569533826222110534494264869',
  limitUsd: 25,
  spentUsd: 20.03,
  threshold: 80,
  period: 'month',
  resetsAt: '2026-04-01T00:00:00.000Z',
}

const shared = {
  scope: 'usage',
  version: 1,
  data: budgetUse,
  example,
  title: ({ kind, threshold }: z.output<typeof budgetUse>) =>
    `${threshold}% of the budget of ${kind === 'key' ? 'an API key' : `a ${kind}`} is spent`,
} as const

/** The event types of budgets, for the `events` of the feature that has accounts. Core emits them. */
export const budgetEvents = {
  warning: defineEvent({
    ...shared,
    type: 'budget.warning',
    summary: 'A share of a budget was spent, by default 50% and 80%. Sent once per period and share.',
  }),
  exceeded: defineEvent({
    ...shared,
    type: 'budget.exceeded',
    summary: 'A budget is used up, or has no room for a request that was rejected. Sent once per period.',
    example: { ...example, spentUsd: 25.01, threshold: 100 },
  }),
} as const

export type BudgetWatch = ReturnType<typeof createBudgetWatch>

interface BudgetWatchOptions {
  readonly sink: EventSink
  readonly clock: Clock
  readonly newId: NewId
  readonly log: Log
  /** In percent, in ascending order. The last is 100. */
  readonly thresholds: readonly number[]
}

const maxEntries = 10_000

export function createBudgetWatch({ sink, clock, newId, log, thresholds }: BudgetWatchOptions) {
  /** The exceeded budgets whose event this process knows of: a client that goes on sending costs no transaction. */
  const known = lruCache<true>(maxEntries)

  /** Emits the events of these shares, in percent, and marks the last. Returns whether there were any. */
  async function emit(
    tx: RuntimeTransaction,
    userId: string,
    { kind, limitUsd, id, period }: Budget,
    spend: Spend,
    due: readonly number[],
  ): Promise<boolean> {
    const last = due.at(-1)
    if (last === undefined || !(await tx.spend.mark(spend, last))) return false
    const createdAt = clock.now()
    const facts = { id, kind, userId, limitUsd, spentUsd: toUsd(spend.spent), period }
    const events = due.map((threshold) => {
      const data = { ...facts, threshold, resetsAt: toInstant(nextReset(period, createdAt)) }
      return createEvent(budgetEvents[threshold < 100 ? 'warning' : 'exceeded'], data, {
        id: newId('evt'),
        userId,
        createdAt,
      })
    })
    await sink.add(tx, events)
    return true
  }

  return {
    /** Emits the events that a settlement makes due, in its transaction. Returns whether there were any. */
    settled(tx: RuntimeTransaction, userId: string, budget: Budget, spend: Spend): Promise<boolean> {
      const limit = toAmount(budget.limitUsd)
      const percent = limit === 0 ? 100 : Math.floor((spend.spent / limit) * 100)
      const due = thresholds.filter((threshold) => threshold > spend.marked && threshold <= percent)
      return emit(tx, userId, budget, spend, due)
    },
    /** Emits the event of a budget that rejected a call. Never rejects. */
    async refused(stores: RuntimeStores, userId: string, budget: Budget): Promise<void> {
      const key = runningSpend(budget, clock.now())
      const name = spendName(key)
      if (known.has(name)) return
      known.set(name, true)
      try {
        const added = await stores.transact(async (tx) => {
          const [spend] = await tx.spend.find([key])
          return emit(tx, userId, budget, spend ?? { ...key, spent: 0, reserved: 0, marked: 0 }, [100])
        })
        if (added) sink.committed()
      } catch (error) {
        known.delete(name)
        log.warn({ budget: budget.id, error }, 'could not store a budget event')
      }
    },
  }
}
