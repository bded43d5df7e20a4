import * as z from 'zod'
import { budgetFields } from '../budget-fields.ts'
import { modelList } from '../model-list.ts'
import type { UserRow } from './user.ts'

/** The budget and the models of new users, until an admin changes them. */
export interface UserDefaults {
  /** The maximum cost of model calls in each period, in US dollars. Default: no budget. */
  readonly budgetUsd?: number | undefined
  /** `day`, `week` or `month`, in UTC. Default: the budget is a total. */
  readonly budgetPeriod?: 'day' | 'week' | 'month' | undefined
  /** Ids of models, routes and aliases, in which `*` stands for any text. Default: all. */
  readonly models?: readonly string[] | undefined
}

export const userDefaults = z.strictObject({
  budgetUsd: budgetFields.budgetUsd.unwrap().optional(),
  budgetPeriod: budgetFields.budgetPeriod.unwrap().optional(),
  models: modelList.optional(),
}) satisfies z.ZodType<UserDefaults>

type DefaultFields = Pick<UserRow, 'budgetUsd' | 'budgetPeriod' | 'models'>

/** The fields of a new user: the defaults replace a budget without an amount, and models that are null. */
export function withDefaults(
  { budgetUsd = null, budgetPeriod = null, models = null }: Partial<DefaultFields>,
  defaults: UserDefaults,
): DefaultFields {
  const budget = budgetUsd === null ? defaults : { budgetUsd, budgetPeriod }
  return {
    budgetUsd: budget.budgetUsd ?? null,
    budgetPeriod: budget.budgetPeriod ?? null,
    models: models ?? defaults.models ?? null,
  }
}
