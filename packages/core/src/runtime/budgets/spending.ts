import { FairleadError } from '../errors.ts'
import type { Estimate } from './estimate.ts'
import type { Planned } from '../operation.ts'
import type { BudgetRules } from './budget-options.ts'
import type { OperationCall, Reserved, Runtime } from '../run/runtime.ts'
import type { RuntimeTransaction } from '../stores/stores.ts'
import type { UsageRecord } from '../quota/usage.ts'
import { type Budget, budgetExceeded, runningSpend, type Spending, toAmount, toUsd } from './budget.ts'

/** The most that an action may use; undefined if that is not known. */
export function estimateRun(call: OperationCall, planned: Planned): Estimate | undefined {
  const { operation, services } = call
  if (operation.kind !== 'action') return undefined
  return operation.estimate ? operation.estimate(services, call, planned) : call.estimate
}

/**
 * The reservation of a run under budgets: what it may cost. Undefined if it costs nothing. Throws `FORBIDDEN` for
 * a model without a price, unless the operator allows them, and `BUDGET_EXCEEDED` for a budget that is known to be exhausted.
 */
export function planSpending(
  { budgetRules: rules, knownSpends, clock }: Runtime,
  call: OperationCall,
  { userId, budgets }: Pick<Spending, 'userId' | 'budgets'>,
  planned: Planned,
): Spending | undefined {
  if (call.operation.kind !== 'action') return undefined
  const estimate = estimateRun(call, planned)
  if (estimate?.unpriced !== undefined && !rules.allowUnpriced) throw unpriced(estimate.unpriced)
  if (estimate?.costUsd === 0 && estimate.unpriced === undefined) return undefined
  // The smallest amount, if nothing is known: a budget that is used up rejects every call.
  const amount = Math.max(1, toAmount(estimate ? reservedUsd(estimate, rules, budgets) : 0))
  const now = clock.now()
  const keys = budgets.map((budget) => runningSpend(budget, now))
  for (const [index, budget] of budgets.entries()) {
    const spent = knownSpends.get(keys[index]!)
    if (spent > 0 && spent + amount > toAmount(budget.limitUsd))
      throw budgetExceeded(budget, { spent, reserved: 0 }, amount, now)
  }
  return { userId, budgets, keys, amount, exhausted: undefined }
}

const maxUnlimitedUsd = 0.5

/**
 * The amount that a call reserves. An answer without a limit could cost more than a small budget has, but mostly costs
 * little.
 */
function reservedUsd(
  { costUsd, isUnlimited }: Estimate,
  { maxEstimateUsd }: BudgetRules,
  budgets: readonly Budget[],
): number {
  if (maxEstimateUsd !== undefined) return Math.min(costUsd, maxEstimateUsd)
  if (!isUnlimited) return costUsd
  const smallestUsd = budgets.length > 0 ? Math.min(...budgets.map(({ limitUsd }) => limitUsd)) : 0
  return Math.min(costUsd, Math.max(maxUnlimitedUsd, smallestUsd / 10))
}

/**
 * Notes the usage of a call without an answer, which its provider may bill: what it has reserved, or would under a budget,
 * because nobody knows what the provider bills.
 */
export function noteAbandoned({ budgetRules: rules }: Runtime, call: OperationCall, reserved: Reserved): void {
  const { spending } = reserved
  const { held, modelCall } = call
  const estimate = estimateRun(call, reserved)
  if (!estimate) return
  const { promptTokens = 0, tokens } = estimate
  const answerTokens = Math.min(tokens, ...(held?.tokens.map((limit) => limit.reserved) ?? [])) - promptTokens
  const costUsd = spending ? toUsd(spending.amount) : reservedUsd(estimate, rules, [])
  // The first of several answers may have come.
  call.note({
    promptTokens: Math.max(modelCall.promptTokens ?? 0, promptTokens),
    completionTokens: Math.max(modelCall.completionTokens ?? 0, answerTokens),
    costUsd: Math.max(modelCall.costUsd ?? 0, costUsd),
  })
}

function unpriced(model: string): FairleadError {
  const issue = `has no known price, which a budget requires: "${model}". Set its price, or allow such models with FAIRLEAD_BUDGETS_ALLOW_UNPRICED`
  return new FairleadError('FORBIDDEN', `model ${issue}`, { issues: [{ field: 'model', issue }] })
}

/** Reserves the amount of each budget. Throws `BUDGET_EXCEEDED`; the transaction must then be rolled back. */
export async function reserveSpending(
  { budgetRules: { holdMs }, knownSpends, clock }: Runtime,
  tx: RuntimeTransaction,
  { runId }: OperationCall,
  spending: Spending,
): Promise<void> {
  const { budgets, keys, amount } = spending
  const now = clock.now()
  for (const [index, budget] of budgets.entries()) {
    const key = keys[index]!
    const limit = toAmount(budget.limitUsd)
    const hold = { ...key, runId, amount, expiresAt: now + holdMs }
    if (await tx.spend.reserve(hold, limit)) continue
    const [spend = { spent: 0, reserved: 0 }] = await tx.spend.find([key])
    if (spend.spent + amount > limit) {
      spending.exhausted = budget
      knownSpends.set(key, spend.spent)
    }
    throw budgetExceeded(budget, spend, amount, now)
  }
}

/** Replaces what the run has reserved by its cost. Returns whether events were added. */
export async function settleSpending(
  { budgetWatch }: Runtime,
  tx: RuntimeTransaction,
  { runId, modelCall }: OperationCall,
  { userId, budgets, keys, amount }: Spending,
  record: UsageRecord,
): Promise<boolean> {
  // Nobody knows what a call cost that was broken off after a provider was called.
  const cost = record.charged && modelCall.costUsd === undefined ? amount : toAmount(record.costUsd)
  let hasEvents = false
  for (const [index, spend] of (await tx.spend.settle(runId, keys, cost, amount)).entries()) {
    if (await budgetWatch?.settled(tx, userId, budgets[index]!, spend)) hasEvents = true
  }
  return hasEvents
}
