import { z } from 'zod'
import type { Issue } from '../../runtime/errors.ts'
import { safeText, type CheckedAnalysis, maxKeywords } from '../ask-provider.ts'
import type { AnalysisTask } from '../model.ts'
import { type Keyword, entityTypes, sentimentLabels } from '../provider.ts'
import type { AnalysisQuestion } from './analysis-request.ts'
import { placeEntities } from './place-entities.ts'
import { languageName } from './languages.ts'

/** What a text model said, read: an analysis of the tasks asked for, or what is wrong with it. */
export type ReadAnalysis = SaidAnalysis | { readonly faults: readonly string[] }

export interface SaidAnalysis {
  readonly analysis: CheckedAnalysis['analysis']
  /** The language that the model takes the text for; undefined where it says nothing of the kind. */
  readonly language: string | undefined
  /** How many entities it named beyond those that are read. */
  readonly unread: number
}

/** Far more than the 16,384 tokens have that a model may answer with. Parsing more could block the event loop. */
const maxCharacters = 200_000
const maxFaults = 10
/** Of each list, as the prompt says: each entry takes time. */
const maxEntries = 100
/** The longest addresses are names too; what is longer is none. */
const maxNameChars = 2_000

const share = z.number().min(0).max(1)
/** Escapes of JSON may hold what its bytes did not. */
const words = z.string().trim().min(1).max(maxNameChars).pipe(safeText)

const schemas = {
  sentiment: z
    .object({ score: z.number().min(-1).max(1), label: z.enum(sentimentLabels) })
    .refine(({ score, label }) => !contradicts(score, label), {
      path: ['label'],
      error: 'is the opposite of what the score says',
    }),
  entities: listOf(z.object({ text: words, type: z.enum(entityTypes), confidence: share })),
  keywords: listOf(z.object({ text: words, score: share })),
} satisfies Record<AnalysisTask, z.ZodType>

function listOf<Entry extends z.ZodType>(entry: Entry) {
  return z
    .array(z.unknown())
    .transform((entries) => entries.slice(0, maxEntries))
    .pipe(z.array(entry))
}

function contradicts(score: number, label: string): boolean {
  return (label === 'positive' && score < 0) || (label === 'negative' && score > 0)
}

/** Reads the one JSON object of an answer, whatever stands around it. Faults never quote the answer. */
export function readAnalysis(content: string, tasks: readonly AnalysisTask[]): ReadAnalysis {
  if (content.length > maxCharacters) return { faults: ['the answer is too long'] }
  const said = readJson(content)
  if (said === undefined) return { faults: ['the answer is not one whole JSON object'] }
  const found = tasks.map((task) => ({ task, ...schemas[task].safeParse(said[task]) }))
  const faults = found.flatMap(({ task, error }) =>
    (error?.issues ?? []).map(({ path, message }) => `${[task, ...path].join('.')}: ${message}`),
  )
  if (faults.length > 0) return { faults: faults.slice(0, maxFaults) }
  const { language, entities } = said
  return {
    analysis: Object.fromEntries(found.map(({ task, data }) => [task, data])),
    language: typeof language === 'string' ? language : undefined,
    unread: tasks.includes('entities') ? Math.max(0, (entities as readonly unknown[]).length - maxEntries) : 0,
  }
}

/** Some models think aloud before they answer, whatever they are told. Of some the prompt's template opens the thoughts. */
const thoughts = /^(?!\s*(?:\{|```)).*?<\/think>/s

function readJson(content: string): Readonly<Record<string, unknown>> | undefined {
  const answer = content.replace(thoughts, '')
  try {
    return JSON.parse(answer.slice(answer.indexOf('{'), answer.lastIndexOf('}') + 1)) as Record<string, unknown>
  } catch {
    return undefined
  }
}

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
  return [...distinct.values()].slice(0, maxKeywords)
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
const minLetters = 60
const maxSampleLength = 2_000
/** The two ways in which Norwegian is written have codes of their own. */
const norwegian = ['no', 'nb', 'nn']

function otherLanguage({ text, language }: Omit<AnalysisQuestion, 'tasks'>, seen = language): readonly Issue[] {
  const name = languageName(seen)
  const letters = text.slice(0, maxSampleLength).match(/\p{L}/gu)?.length ?? 0
  const isSame = seen === language || [seen, language].every((code) => norwegian.includes(code))
  if (isSame || name === undefined || letters < minLetters) return []
  return [{ field: 'language', issue: `the text looks like ${name}, not ${languageName(language) ?? language}` }]
}
