import type { BudgetLimit } from './budget.ts'

type PeriodChoice = NonNullable<BudgetLimit['budget_period']> | 'total'

export const periodOptions: readonly { readonly value: PeriodChoice; readonly label: string }[] = [
  { value: 'day', label: 'Per day' },
  { value: 'week', label: 'Per week' },
  { value: 'month', label: 'Per month' },
  { value: 'total', label: 'In total' },
]

/** A budget in a form. */
export interface BudgetValues {
  /** As text, in US dollars; empty means no budget. */
  readonly budgetUsd: string
  readonly budgetPeriod: PeriodChoice
}

export const noBudget: BudgetValues = { budgetUsd: '', budgetPeriod: 'month' }

export function toBudgetValues({ budget_usd, budget_period }: BudgetLimit): BudgetValues {
  return budget_usd === null ? noBudget : { budgetUsd: String(budget_usd), budgetPeriod: budget_period ?? 'total' }
}

/** The budget as the API takes it. */
export function toBudgetBody({ budgetUsd, budgetPeriod }: BudgetValues): BudgetLimit {
  if (budgetUsd.trim() === '') return { budget_usd: null, budget_period: null }
  return { budget_usd: Number(budgetUsd), budget_period: budgetPeriod === 'total' ? null : budgetPeriod }
}
