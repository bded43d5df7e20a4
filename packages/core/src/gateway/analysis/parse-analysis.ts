import * as z from 'zod'
import type { Issue } from '../../runtime/errors.ts'
import { parseJson, type JsonObject } from '../../runtime/json.ts'
import { safeText } from '../provider-responses.ts'
import { type CheckedAnalysis, maxKeywords } from './analyze-with-analyzer.ts'
import type { AnalysisTask } from '../model.ts'
import { type Keyword, entityTypes, sentimentLabels } from '../provider.ts'
import { type AnalysisInput, languageName } from './analysis-request.ts'
import { locateEntities } from './locate-entities.ts'

/** The result of parsing a model's response: an analysis, or the issues that make it invalid. */
export type ParseResult = ParsedAnalysis | { readonly issues: readonly string[] }

export interface ParsedAnalysis {
  readonly analysis: CheckedAnalysis['analysis']
  /** The language that the model detected; undefined if it named none. */
  readonly language: string | undefined
  /** The number of entities beyond the limit, which were dropped. */
  readonly dropped: number
}

/** Far more than the 16,384 tokens of the longest response have. Parsing more could block the event loop. */
const maxCharacters = 200_000
const maxIssues = 10
/** The maximum length of each list, as the prompt states it. */
const maxEntries = 100
/** Enough for the longest URLs. */
const maxNameLength = 2_000

const between0And1 = z.number().min(0).max(1)
/** JSON escapes can contain characters that the response itself cannot. */
const entryText = z.string().trim().min(1).max(maxNameLength).pipe(safeText)

const schemas = {
  sentiment: z
    .object({ score: z.number().min(-1).max(1), label: z.enum(sentimentLabels) })
    .refine(({ score, label }) => !contradicts(score, label), {
      path: ['label'],
      error: 'contradicts the score',
    }),
  entities: lenientList(z.object({ text: entryText, type: z.enum(entityTypes), confidence: between0And1 })),
  keywords: lenientList(z.object({ text: entryText, score: between0And1 })),
} satisfies Record<AnalysisTask, z.ZodType>

function lenientList<Entry extends z.ZodType>(entry: Entry) {
  return z
    .array(z.unknown())
    .transform((entries) => entries.slice(0, maxEntries))
    .pipe(z.array(entry))
}

function contradicts(score: number, label: string): boolean {
  return (label === 'positive' && score < 0) || (label === 'negative' && score > 0)
}

/** Parses the JSON object in a response, ignoring any text around it. Issues never quote the response. */
export function parseAnalysis(content: string, tasks: readonly AnalysisTask[]): ParseResult {
  if (content.length > maxCharacters) return { issues: ['the response is too long'] }
  const json = objectIn(content)
  if (json === undefined) return { issues: ['the response is not a complete JSON object'] }
  const found = tasks.map((task) => ({ task, ...schemas[task].safeParse(json[task]) }))
  const issues = found.flatMap(({ task, error }) =>
    (error?.issues ?? []).map(({ path, message }) => `${[task, ...path].join('.')}: ${message}`),
  )
  if (issues.length > 0) return { issues: issues.slice(0, maxIssues) }
  const { language, entities } = json
  return {
    analysis: Object.fromEntries(found.map(({ task, data }) => [task, data])),
    language: typeof language === 'string' ? language : undefined,
    dropped: tasks.includes('entities') ? Math.max(0, (entities as readonly unknown[]).length - maxEntries) : 0,
  }
}

/** Reasoning before the response. With some models, the opening mark is part of the prompt template. */
const reasoning = /^(?!\s*(?:\{|```)).*?<\/think>/s

function objectIn(content: string): JsonObject | undefined {
  const answer = content.replace(reasoning, '')
  return parseJson(answer.slice(answer.indexOf('{'), answer.lastIndexOf('}') + 1)) as JsonObject | undefined
}

/** Sorts a model's analysis: entities in order of appearance, keywords by score. Drops entities that the text does not contain. */
export async function finishAnalysis(
  input: Omit<AnalysisInput, 'tasks'>,
  { analysis: { sentiment, entities, keywords }, language, dropped }: ParsedAnalysis,
  warnings: readonly Issue[],
): Promise<CheckedAnalysis> {
  const located = entities && (await locateEntities(input.text, entities))
  // The client of an analysis set none of the fields, such as `temperature`, that other warnings are about.
  const found = warnings.filter(({ field }) => field === null)
  const missing = located?.missing ?? 0
  if (missing > 0) {
    const subject = missing === 1 ? '1 entity that is' : `${missing} entities that are`
    found.push({ field: null, issue: `dropped ${subject} not in the text` })
  }
  if (dropped > 0) found.push({ field: null, issue: `dropped ${dropped} entities above the limit of ${maxEntries}` })
  return {
    analysis: {
      ...(sentiment && { sentiment }),
      ...(located && { entities: located.entities }),
      ...(keywords && { keywords: takeBest(keywords) }),
    },
    warnings: [...found, ...languageMismatch(input, language)],
  }
}

function takeBest(keywords: readonly Keyword[]): Keyword[] {
  const ranked = keywords.toSorted((one, other) => other.score - one.score)
  const distinct = new Map<string, Keyword>()
  for (const keyword of ranked) {
    const key = keyword.text.toLowerCase()
    if (!distinct.has(key)) distinct.set(key, keyword)
  }
  return [...distinct.values()].slice(0, maxKeywords)
}

/** The language of shorter texts is detected too unreliably. */
const minLetters = 60
const maxSampleLength = 2_000
/** Both written forms of Norwegian have their own codes. */
const norwegian = ['no', 'nb', 'nn']

function languageMismatch({ text, language }: Omit<AnalysisInput, 'tasks'>, detected = language): readonly Issue[] {
  const name = languageName(detected)
  const letters = text.slice(0, maxSampleLength).match(/\p{L}/gu)?.length ?? 0
  const isSame = detected === language || [detected, language].every((code) => norwegian.includes(code))
  if (isSame || name === undefined || letters < minLetters) return []
  return [{ field: 'language', issue: `the text looks like ${name}, not ${languageName(language) ?? language}` }]
}
