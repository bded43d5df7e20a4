import * as z from 'zod'

/** How budgets in money are enforced. */
export interface BudgetOptions {
  /**
   * Whether callers with a budget may call models whose price is unknown. Their cost counts as 0. Default: false; such
   * requests get `FORBIDDEN`.
   */
  readonly allowUnpriced?: boolean | undefined
  /**
   * The most that one call reserves, in US dollars. A call that costs more can exceed a budget by the difference.
   * Default: none if the request limits the answer, as with `max_tokens`; otherwise 0.5, or a tenth of the budget if that
   * is more.
   */
  readonly maxEstimateUsd?: number | undefined
  /**
   * How long a call may hold what it has reserved, in seconds. Afterward, as after a crash, the amount can be reserved
   * again. At least as long as your calls take. Default: 600.
   */
  readonly holdSeconds?: number | undefined
  /**
   * How many tokens models that reason write in a second, until Fairlead has measured it: it prices secret reasoning in
   * streams that end early. Default: 100.
   */
  readonly tokensPerSecond?: number | undefined
  /** The shares of a budget whose use emits `budget.warning`, in percent. Default: 50 and 80. */
  readonly thresholds?: readonly number[] | undefined
}

export const budgetOptions = z.strictObject({
  allowUnpriced: z.boolean().optional(),
  maxEstimateUsd: z.number().min(0).max(1_000_000).optional(),
  holdSeconds: z.int().min(1).max(86_400).optional(),
  tokensPerSecond: z.number().min(0).max(100_000).optional(),
  thresholds: z.array(z.int().min(1).max(99)).max(20).optional(),
}) satisfies z.ZodType<BudgetOptions>

export type BudgetRules = ReturnType<typeof budgetRules>

export function budgetRules({
  allowUnpriced = false,
  maxEstimateUsd,
  holdSeconds = 600,
  tokensPerSecond,
  thresholds = [50, 80],
}: BudgetOptions = {}) {
  return {
    allowUnpriced,
    maxEstimateUsd,
    holdMs: holdSeconds * 1_000,
    tokensPerSecond,
    /** In ascending order. */
    thresholds: [...new Set(thresholds), 100].sort((one, other) => one - other),
  }
}
