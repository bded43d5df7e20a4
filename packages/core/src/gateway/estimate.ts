import type { Estimate } from '../runtime/operation.ts'
import { expectedCost, maxTokensOf, type RequestSize } from './routing/targets.ts'
import type { Route, Target } from './routing/route.ts'

/** The most that a request may use on the targets of its route. Analyzers cost nothing. */
export function estimateOf({ targets }: Route<Target>, size: RequestSize): Estimate {
  const promptTokens = size.prompt.estimatedTokens
  let [answerTokens, costUsd] = [0, 0]
  let unpriced: string | undefined
  for (const target of targets) {
    const { provider, id, model } = target
    if (!model) continue
    if (model.type === 'text') answerTokens = Math.max(answerTokens, maxTokensOf(model, size))
    if (model.pricing) costUsd = Math.max(costUsd, expectedCost(target, size))
    else unpriced ??= `${provider.id}/${id}`
  }
  const isUnlimited = answerTokens > 0 && size.maxTokens === undefined
  return {
    tokens: promptTokens + answerTokens,
    promptTokens,
    costUsd,
    unpriced,
    ...(isUnlimited && { isUnlimited }),
  }
}
