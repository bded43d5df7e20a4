import type { Keyword } from '../../values/analysis.ts'
import type { Issue } from '../../values/issue.ts'
import { languageName } from '../../values/languages.ts'
import type { AnalysisQuestion } from './analysis-prompt.ts'
import { type CheckedAnalysis, mostKeywords } from './ask-analysis.ts'
import { placeEntities } from './place-entities.ts'
import type { SaidAnalysis } from './read-analysis.ts'

/** A model's analysis in the order that callers get: entities as they stand in the text, the best keywords first. */
export async function settleAnalysis(
  question: Omit<AnalysisQuestion, 'tasks'>,
  { analysis: { sentiment, entities, keywords }, language, unread }: SaidAnalysis,
  warnings: readonly Issue[],
): Promise<CheckedAnalysis> {
  const placed = entities && (await placeEntities(question.text, entities))
  return {
    analysis: {
      ...(sentiment && { sentiment }),
      ...(placed && { entities: placed.entities }),
      ...(keywords && { keywords: bestOf(keywords) }),
    },
    warnings: [
      // A warning of a field is of one that core filled in: the caller of an analysis never set a temperature.
      ...warnings.filter(({ field }) => field === null),
      ...leftOut(placed?.absent ?? 0),
      ...passedOver(unread),
      ...otherLanguage(question, language),
    ],
  }
}

function bestOf(keywords: readonly Keyword[]): Keyword[] {
  const ranked = keywords.toSorted((one, other) => other.score - one.score)
  const distinct = new Map<string, Keyword>()
  for (const keyword of ranked) {
    const key = keyword.text.toLowerCase()
    if (!distinct.has(key)) distinct.set(key, keyword)
  }
  return [...distinct.values()].slice(0, mostKeywords)
}

function leftOut(absent: number): readonly Issue[] {
  if (absent === 0) return []
  const what = absent === 1 ? 'one entity that is' : `${absent} entities that are`
  return [{ field: null, issue: `the model named ${what} not in the text: left out` }]
}

function passedOver(unread: number): readonly Issue[] {
  return unread === 0 ? [] : [{ field: null, issue: `the model named too many entities: ${unread} are left out` }]
}

/** Shorter texts are too easily mistaken. */
const fewestLetters = 60
const longestSample = 2_000
/** The two ways in which Norwegian is written have codes of their own. */
const norwegian = ['no', 'nb', 'nn']

function otherLanguage({ text, language }: Omit<AnalysisQuestion, 'tasks'>, seen = language): readonly Issue[] {
  const name = languageName(seen)
  const letters = text.slice(0, longestSample).match(/\p{L}/gu)?.length ?? 0
  const isSame = seen === language || [seen, language].every((code) => norwegian.includes(code))
  if (isSame || name === undefined || letters < fewestLetters) return []
  return [{ field: 'language', issue: `the text looks like ${name}, not ${languageName(language) ?? language}` }]
}
