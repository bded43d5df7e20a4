import { type CheckedAnalysis, askForAnalysis } from '../ask-provider.ts'
import type { Answered } from '../caching/cached-answers.ts'
import type { Router } from '../routing/router.ts'
import type { AnalysisQuestion } from './analysis-request.ts'
import { type PaidCall, analyzeWithModel } from './analyze-with-model.ts'
import type { AnalysisRoute } from './find-analyzer.ts'
import type { Target } from '../routing/route.ts'

/** Has a text analyzed by whom was found for it. */
export async function analyzeText(
  router: Router,
  found: AnalysisRoute,
  question: AnalysisQuestion,
  call: PaidCall,
): Promise<Answered<Target, CheckedAnalysis>> {
  if (found.by === 'model') return analyzeWithModel(router, found.route, question, call)
  const answered = await router.attempt(found.route, call, ({ provider, id }, providerCall) =>
    askForAnalysis(provider, { analyzer: id, ...question }, providerCall),
  )
  call.note({ model: found.name, promptTokens: 0, completionTokens: 0, costUsd: 0 })
  return answered
}
