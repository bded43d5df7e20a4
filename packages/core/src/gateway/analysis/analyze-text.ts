import { type CheckedAnalysis, requestAnalysis } from './request-analysis.ts'
import type { TargetAnswer } from '../caching/cache-entries.ts'
import type { Owner } from '../routing/attempt.ts'
import type { Router } from '../routing/router.ts'
import type { AnalysisInput } from './analysis-request.ts'
import { analyzeWithModel } from './analyze-with-model.ts'
import type { AnalysisRoute } from './find-analyzer.ts'
import type { Target } from '../routing/route.ts'

/** Analyzes a text with an analyzer or a text model. */
export async function analyzeText(
  router: Router,
  found: AnalysisRoute,
  input: AnalysisInput,
  owner: Owner,
): Promise<TargetAnswer<Target, CheckedAnalysis>> {
  if (found.kind === 'model') return analyzeWithModel(router, found.route, input, owner)
  const result = await router.attempt(found.route, owner, ({ provider, id }, providerCall) =>
    requestAnalysis(provider, { analyzer: id, ...input }, providerCall),
  )
  owner.note({ model: found.name, promptTokens: 0, completionTokens: 0, costUsd: 0 })
  return result
}
