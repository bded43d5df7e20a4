import type * as z from 'zod'
import type { TargetAnswer } from '../caching/cache-entries.ts'
import type { AnalysisTask } from '../model.ts'
import { ProviderError } from '../provider-error.ts'
import { parseResponse, responseSchemas } from '../provider-responses.ts'
import type { AttemptOwner } from '../routing/attempt.ts'
import type { AnalyzerTarget, Route } from '../routing/route.ts'
import type { Router } from '../routing/router.ts'
import type { AnalysisInput } from './analysis-request.ts'

/** A validated analysis with its warnings. */
export type CheckedAnalysis = z.output<typeof responseSchemas.analysis>

export const maxKeywords = 20

/** Requests an analysis from an analyzer, and keeps only the results of the requested tasks. */
export async function analyzeWithAnalyzer(
  router: Router,
  route: Route<AnalyzerTarget>,
  input: AnalysisInput,
  owner: AttemptOwner,
): Promise<TargetAnswer<AnalyzerTarget, CheckedAnalysis>> {
  const result = await router.attempt('analyze', route, owner, async ({ provider, id }, attempt) => {
    if (!provider.analyze) throw new ProviderError('give_up', `${provider.id} lists analyzers but cannot analyze`)
    attempt.request = { ...input, analyzer: id, tasks: [...input.tasks] }
    const answer = parseResponse(responseSchemas.analysis, await provider.analyze(attempt.request, attempt))
    attempt.received(answer)
    return { ...answer, analysis: selectTasks(input.tasks, answer.analysis) }
  })
  owner.note({ model: result.target.id, promptTokens: 0, completionTokens: 0, costUsd: 0 })
  return result
}

function selectTasks(tasks: readonly AnalysisTask[], found: CheckedAnalysis['analysis']): CheckedAnalysis['analysis'] {
  const missing = tasks.filter((task) => found[task] === undefined)
  if (missing.length > 0) throw new ProviderError('retry', `the analysis has no ${missing.join(', ')}`)
  const selected = Object.fromEntries(tasks.map((task) => [task, found[task]])) as CheckedAnalysis['analysis']
  const { keywords } = selected
  if (!keywords) return selected
  const ranked = keywords.toSorted((one, other) => other.score - one.score)
  return { ...selected, keywords: ranked.slice(0, maxKeywords) }
}
