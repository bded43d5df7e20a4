import type { z } from 'zod'
import type { AnalysisRequest, Provider, ProviderCall } from '../../ports/provider.ts'
import type { AnalysisTask } from '../../values/model.ts'
import { ProviderError } from '../../values/provider-error.ts'
import { providerAnswers, readAnswer } from '../answers/provider-answers.ts'

/** An analysis and its warnings, in the form that callers get. */
export type CheckedAnalysis = z.output<typeof providerAnswers.analysis>

export const mostKeywords = 20

/** What a provider finds in a text, checked: the results of the tasks asked for and no others. */
export async function askForAnalysis(
  provider: Provider,
  request: AnalysisRequest,
  call: ProviderCall,
): Promise<CheckedAnalysis> {
  if (!provider.analyze) throw new ProviderError('give_up', `${provider.id} lists analyzers and analyzes nothing`)
  const raw = await provider.analyze({ ...request, tasks: [...request.tasks] }, call)
  const answer = readAnswer(providerAnswers.analysis, raw)
  return { ...answer, analysis: selectTasks(request.tasks, answer.analysis) }
}

function selectTasks(tasks: readonly AnalysisTask[], found: CheckedAnalysis['analysis']): CheckedAnalysis['analysis'] {
  const missing = tasks.filter((task) => found[task] === undefined)
  if (missing.length > 0) throw new ProviderError('retry', `the analysis lacks ${missing.join(', ')}`)
  const selected = Object.fromEntries(tasks.map((task) => [task, found[task]])) as CheckedAnalysis['analysis']
  const { keywords } = selected
  if (!keywords) return selected
  const ranked = keywords.toSorted((one, other) => other.score - one.score)
  return { ...selected, keywords: ranked.slice(0, mostKeywords) }
}
