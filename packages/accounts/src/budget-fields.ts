import * as z from 'zod'
import { type BudgetLimit, type BudgetPeriod, namedEnum } from '@fairlead/core/feature'

/** In US dollars: amounts stay exact far beyond it. */
const maxBudgetUsd = 10_000_000

export const budgetFields = {
  budgetUsd: z
    .number()
    .min(0, { error: `must be between 0 and ${maxBudgetUsd}` })
    .max(maxBudgetUsd, { error: `must be between 0 and ${maxBudgetUsd}` })
    .nullable()
    .describe('What calls of models may cost in each period, in US dollars. Null means no budget.'),
  budgetPeriod: namedEnum<BudgetPeriod>('BudgetPeriod', 'Period of a budget, in UTC.', {
    day: 'A day.',
    week: 'A week, which begins on Monday.',
    month: 'A calendar month.',
  })
    .nullable()
    .describe('Period after which the budget resets, in UTC. Null means never: the budget is a total.'),
} as const

export const noBudget: BudgetLimit = { budgetUsd: null, budgetPeriod: null }
