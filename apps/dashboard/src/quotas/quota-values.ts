import type { components } from '../api/schema.d.ts'
import type { BudgetLimit } from '../budgets/budget.ts'
import { type BudgetValues, toBudgetValues, toBudgetBody } from '../budgets/budget-values.ts'

type Tier = components['schemas']['User']['tier']

/** The tier, quota, and budget of a user or a project in a form. */
export interface QuotaValues<Scope extends string = string> extends BudgetValues {
  readonly tier: Tier
  /** As text; empty means no limit. */
  readonly quotaLimit: string
  readonly quota_scope: Scope
}

interface Limited<Scope extends string> extends BudgetLimit {
  readonly tier: Tier
  readonly quota_limit: number | null
  readonly quota_scope: Scope
}

export function toQuotaValues<Scope extends string>(owner: Limited<Scope>): QuotaValues<Scope> {
  const { tier, quota_limit, quota_scope } = owner
  return { ...toBudgetValues(owner), tier, quotaLimit: quota_limit === null ? '' : String(quota_limit), quota_scope }
}

/**
 * The values as the API takes them, with all others of the form. Only users of the tier enterprise have individual
 * quota limits.
 */
export function toQuotaBody<Values extends QuotaValues>({ quotaLimit, budgetUsd, budgetPeriod, ...values }: Values) {
  const hasLimit = values.tier === 'enterprise' && quotaLimit.trim() !== ''
  return {
    ...values,
    quota_limit: hasLimit ? Number(quotaLimit) : null,
    ...toBudgetBody({ budgetUsd, budgetPeriod }),
  }
}
