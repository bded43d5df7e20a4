import * as z from 'zod'
import {
  budgetKind,
  nextReset,
  runningSpend,
  toAmount,
  toUsd,
  instant,
  namedObject,
  toInstant,
} from '@fairlead/core/feature'
import type { SpendView } from '@fairlead/core/stores'
import { budgetFields, type BudgetLimit, toBudgets } from '../budget-fields.ts'
import { budgetOfOwner } from '../owner.ts'

export const budgetStatus = namedObject('BudgetStatus', 'A budget, and what is left of it.', {
  kind: budgetKind.describe('Whose budget it is.'),
  id: z.string().describe('Id of the API key, the user or the project.'),
  limitUsd: z.number().describe('The budget in US dollars.'),
  period: budgetFields.budgetPeriod,
  spentUsd: z.number().describe('Spent in this period, in US dollars.'),
  reservedUsd: z.number().describe('Reserved by requests in progress, in US dollars.'),
  remainingUsd: z.number().describe('The amount that new requests can spend, in US dollars.'),
  resetsAt: instant.nullable().describe('When the budget resets. Null for a total.'),
})

export type BudgetStatus = z.output<typeof budgetStatus>

/** The budget of a record that was read by its id. Without the id of its schema, which cannot be null in OpenAPI 3.0. */
export const shownBudget = z.object(budgetStatus.shape).nullable().describe('The rest of the budget. Null without one.')

interface Budgeted {
  readonly owners?: readonly (BudgetLimit & { readonly id: string })[]
  readonly keys?: readonly { readonly id: string; readonly limits: Partial<BudgetLimit> | null }[]
}

/** The budgets of owners and keys that have one, in one query. */
export async function budgetStatuses(
  spend: SpendView,
  { owners = [], keys = [] }: Budgeted,
  now: number,
): Promise<BudgetStatus[]> {
  const budgets = toBudgets(
    ...owners.map(budgetOfOwner),
    ...keys.map(({ id, limits }) => ['key', id, limits ?? undefined] as const),
  )
  if (!budgets) return []
  const spends = await spend.find(budgets.map((budget) => runningSpend(budget, now)))
  return budgets.map((budget) => {
    const { kind, id, limitUsd, period } = budget
    const { spent = 0, reserved = 0 } = spends.find((each) => each.budget === id) ?? {}
    return {
      kind,
      id,
      limitUsd,
      period,
      spentUsd: toUsd(spent),
      reservedUsd: toUsd(reserved),
      remainingUsd: toUsd(Math.max(0, toAmount(limitUsd) - spent - reserved)),
      resetsAt: toInstant(nextReset(period, now)),
    }
  })
}
