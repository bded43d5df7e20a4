import type { z } from 'zod'
import type { AnalysisTask } from '../model.ts'
import { ProviderError } from '../provider-error.ts'
import { parseResponse, providerResponses } from '../provider-responses.ts'
import type { AnalysisRequest, Provider, ProviderCall } from '../provider.ts'

/** A validated analysis with its warnings. */
export type CheckedAnalysis = z.output<typeof providerResponses.analysis>

export const maxKeywords = 20

/** Requests an analysis, and keeps only the results of the requested tasks. */
export async function requestAnalysis(
  provider: Provider,
  request: AnalysisRequest,
  call: ProviderCall,
): Promise<CheckedAnalysis> {
  if (!provider.analyze) throw new ProviderError('give_up', `${provider.id} lists analyzers but cannot analyze`)
  const raw = await provider.analyze({ ...request, tasks: [...request.tasks] }, call)
  const answer = parseResponse(providerResponses.analysis, raw)
  return { ...answer, analysis: selectTasks(request.tasks, answer.analysis) }
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
