import type { Analysis, AnalysisAnswer, AnalysisRequest, AnalysisTask, Issue } from '@fairlead/core/provider'
import { findEntities } from './entities/find-entities.ts'
import { findKeywords } from './keywords/find-keywords.ts'
import { scoreSentiment } from './sentiment/score-sentiment.ts'
import { languageWarnings } from './text-language.ts'

/** More than an honest text of 100,000 characters names. Each costs the thread that answers some microseconds. */
const maxEntities = 10_000

const performed: { readonly [Task in AnalysisTask]: (text: string) => Analysis } = {
  sentiment: (text) => ({ sentiment: scoreSentiment(text) }),
  entities: (text) => ({ entities: findEntities(text) }),
  keywords: (text) => ({ keywords: findKeywords(text) }),
}

/** Performs the tasks asked for, in this thread. */
export async function analyzeText({
  text,
  tasks,
  language,
}: Pick<AnalysisRequest, 'text' | 'tasks' | 'language'>): Promise<AnalysisAnswer> {
  const analysis = Object.assign({}, ...tasks.map((task) => performed[task](text))) as Analysis
  const warnings = [...(await languageWarnings(text, language)), ...excessWarnings(analysis)]
  const cut = analysis.entities ? { ...analysis, entities: analysis.entities.slice(0, maxEntities) } : analysis
  return warnings.length > 0 ? { analysis: cut, warnings } : { analysis: cut }
}

function excessWarnings({ entities = [] }: Analysis): readonly Issue[] {
  const excess = entities.length - maxEntities
  return excess > 0 ? [{ field: null, issue: `the text has too many entities: the last ${excess} are left out` }] : []
}
