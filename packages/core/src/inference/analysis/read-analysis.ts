import { z } from 'zod'
import { entityTypes, sentimentLabels } from '../../values/analysis.ts'
import type { AnalysisTask } from '../../values/model.ts'
import type { CheckedAnalysis } from './ask-analysis.ts'
import { safeText } from '../answers/provider-answers.ts'

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
const mostCharacters = 200_000
const mostFaults = 10
/** Of each list, as the prompt says: each entry takes time. */
const mostEntries = 100
/** The longest addresses are names too; what is longer is none. */
const longestName = 2_000

const share = z.number().min(0).max(1)
/** Escapes of JSON may hold what its bytes did not. */
const words = z.string().trim().min(1).max(longestName).pipe(safeText)

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
    .transform((entries) => entries.slice(0, mostEntries))
    .pipe(z.array(entry))
}

function contradicts(score: number, label: string): boolean {
  return (label === 'positive' && score < 0) || (label === 'negative' && score > 0)
}

/** Reads the one JSON object of an answer, whatever stands around it. Faults never quote the answer. */
export function readAnalysis(content: string, tasks: readonly AnalysisTask[]): ReadAnalysis {
  if (content.length > mostCharacters) return { faults: ['the answer is too long'] }
  const said = readJson(content)
  if (said === undefined) return { faults: ['the answer is not one whole JSON object'] }
  const found = tasks.map((task) => ({ task, ...schemas[task].safeParse(said[task]) }))
  const faults = found.flatMap(({ task, error }) =>
    (error?.issues ?? []).map(({ path, message }) => `${[task, ...path].join('.')}: ${message}`),
  )
  if (faults.length > 0) return { faults: faults.slice(0, mostFaults) }
  const { language, entities } = said
  return {
    analysis: Object.fromEntries(found.map(({ task, data }) => [task, data])),
    language: typeof language === 'string' ? language : undefined,
    unread: tasks.includes('entities') ? Math.max(0, (entities as readonly unknown[]).length - mostEntries) : 0,
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
