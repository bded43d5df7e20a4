import * as z from 'zod'
import { cacheFlag, modelId, textUpTo, namedObject, namedEnum } from '../runtime/schema/field-schemas.ts'
import { analyzeWithAnalyzer } from './analysis/analyze-with-analyzer.ts'
import { analysisSize, analyzeWithModel } from './analysis/analyze-with-model.ts'
import { estimateTokens } from './routing/targets.ts'
import { analysisEvents } from './events.ts'
import { findAnalyzer } from './analysis/find-analyzer.ts'
import { analysisTasks } from './model.ts'
import { entityDescriptions, type Sentiment } from './provider.ts'
import { noteUpstream } from './provider-responses.ts'
import type { Route, Target } from './routing/route.ts'
import { languageName } from './analysis/analysis-request.ts'
import { action } from './services.ts'

const notALanguage = 'must be an ISO 639-1 code, such as "en"'

const analysisInput = z.strictObject({
  text: textUpTo(100_000).describe('Text to analyze.'),
  tasks: z
    .array(
      namedEnum('AnalysisTask', 'Task of a text analysis.', {
        sentiment: 'Whether the text is positive or negative.',
        entities: 'Names and other entities.',
        keywords: 'Keywords.',
      }),
    )
    .min(1, { error: 'must name at least one task' })
    .max(analysisTasks.length)
    .refine((tasks) => new Set(tasks).size === tasks.length, { error: 'must not name a task twice' })
    .meta({ uniqueItems: true })
    .describe('Tasks to perform. The result has exactly these keys.'),
  language: z
    .string()
    .regex(/^[a-z]{2}$/, { error: notALanguage, abort: true })
    .refine((code) => languageName(code) !== undefined, { error: notALanguage })
    .default('en')
    .describe('Language of the text, as an ISO 639-1 code.'),
  model: modelId
    .optional()
    .describe('Analyzer, or text model with the capability `structured`. Default: the first that supports the tasks.'),
  cache: cacheFlag,
})

const between0And1 = z.number().min(0).max(1)

const sentiment = namedObject('Sentiment', 'The sentiment of a text.', {
  score: z.number().min(-1).max(1).describe('Score from -1 (negative) to 1 (positive).'),
  label: namedEnum<Sentiment['label']>('SentimentLabel', 'Sentiment of a text.', {
    positive: 'Positive.',
    neutral: 'Neither positive nor negative.',
    negative: 'Negative.',
  }).describe('Sentiment label.'),
})

const entity = namedObject('Entity', 'A named entity in a text.', {
  text: z.string().describe('Text of the entity.'),
  type: namedEnum('EntityType', 'Type of an entity.', entityDescriptions).describe('Type of the entity.'),
  confidence: between0And1.describe('Confidence from 0 to 1.'),
})

const keyword = namedObject('Keyword', 'A keyword of a text.', {
  text: z.string().describe('Keyword or phrase, as written in the text.'),
  score: between0And1.describe('Relevance from 0 to 1.'),
})

const analysis = namedObject('Analysis', 'The result of an analysis: one field per requested task.', {
  sentiment: sentiment.optional().describe('Sentiment of the text.'),
  entities: z.array(entity).optional().describe('Entities in order of appearance.'),
  keywords: z.array(keyword).optional().describe('Keywords by descending score, at most 20.'),
})

/**
 * Analyzes a text with an analyzer, or with a text model that returns JSON. The result has exactly the keys of the
 * requested tasks.
 */
export const analyze = action({
  name: 'analyze',
  summary: 'Analyzes a text: sentiment, entities, and keywords.',
  access: { scope: 'analyze' },
  metered: true,
  rest: { method: 'POST', path: '/analyze' },
  graphql: { mutation: 'analyze' },
  input: analysisInput,
  output: analysis,
  events: analysisEvents,
  prepare({ registry, analysisModel }, call, { text, tasks, language, model, cache }) {
    const found = findAnalyzer(registry.of(call.caller), { tasks, language, model }, analysisModel)
    call.note({ model: found.name })
    if (found.kind === 'model' && found.route.warnings) call.warn(found.route.warnings)
    const request = { text, tasks, language }
    const route: Route<Target> = found.route
    return { found, plan: { operation: 'analyze', route, request, repeatable: cache } }
  },
  estimate: (_services, _call, { plan: { plan } }) => estimateTokens(plan.route, analysisSize(plan.request)),
  async findStored({ responseCache }, call, { plan: { found, plan } }) {
    const stored = await responseCache.find(plan, call)
    return stored && { found, plan: stored }
  },
  async run({ router, responseCache }, call, { plan: { found, plan } }) {
    const { answer, cached } = await responseCache.attempt(plan, call, (owner) =>
      found.kind === 'model'
        ? analyzeWithModel(router, found.route, plan.request, owner)
        : analyzeWithAnalyzer(router, found.route, plan.request, owner),
    )
    if (cached) call.note({ costUsd: 0 })
    else noteUpstream(call, answer.response)
    call.warn(answer.warnings)
    return answer.analysis
  },
})
