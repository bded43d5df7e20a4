import * as z from 'zod'
import { type Budget, type BudgetPeriod, namedEnum } from '@fairlead/core/feature'

/** In US dollars: amounts stay exact far beyond it. */
const maxBudgetUsd = 10_000_000

export const budgetFields = {
  budgetUsd: z
    .number()
    .min(0, { error: `must be between 0 and ${maxBudgetUsd}` })
    .max(maxBudgetUsd, { error: `must be between 0 and ${maxBudgetUsd}` })
    .nullable()
    .describe('The maximum cost of model calls in each period, in US dollars. Null means no budget.'),
  budgetPeriod: namedEnum<BudgetPeriod>('BudgetPeriod', 'Period of a budget, in UTC.', {
    day: 'A day.',
    week: 'A week, which begins on Monday.',
    month: 'A calendar month.',
  })
    .nullable()
    .describe('Period after which the budget resets, in UTC. Null means never: the budget is a total.'),
} as const

/** The budget of an API key, a user or a project, as an operator sets it. */
export interface BudgetLimit {
  /** Null means no budget. */
  readonly budgetUsd: number | null
  /** In UTC; weeks begin on Monday. Null means in total. */
  readonly budgetPeriod: BudgetPeriod | null
}

export const noBudget: BudgetLimit = { budgetUsd: null, budgetPeriod: null }

/** The budgets of those that have one; undefined if none has. */
export function toBudgets(
  ...owners: readonly (readonly [kind: Budget['kind'], id: string, limit: Partial<BudgetLimit> | undefined])[]
): readonly Budget[] | undefined {
  const found = owners.flatMap(([kind, id, { budgetUsd = null, budgetPeriod = null } = {}]): Budget[] =>
    budgetUsd === null ? [] : [{ kind, id, limitUsd: budgetUsd, period: budgetPeriod }],
  )
  return found.length === 0 ? undefined : found
}
