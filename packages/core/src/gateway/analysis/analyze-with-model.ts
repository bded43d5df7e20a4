import type { AnswerUsage } from '../messages/answer.ts'
import { answerText } from '../messages/message.ts'
import { FairleadError } from '../../runtime/errors.ts'
import type { TextModel } from '../model.ts'
import { ProviderError, withField } from '../provider-error.ts'
import {
  analysisPrompt,
  analysisRequest,
  maxAnalysisTokens,
  type AnalysisInput,
  type InvalidAnswer,
} from './analysis-request.ts'
import { requestText } from '../text/request-text.ts'
import type { CheckedAnalysis } from './analyze-with-analyzer.ts'
import { textSize } from '../text/prompt-size.ts'
import { type Cost, recordedTokens, textCost, totalCost, totalUsage } from '../cost.ts'
import type { AttemptOwner } from '../routing/attempt.ts'
import type { TargetAnswer } from '../caching/cache-entries.ts'
import type { RequestSize } from '../routing/targets.ts'
import type { Router } from '../routing/router.ts'
import { finishAnalysis, parseAnalysis } from './parse-analysis.ts'
import type { ModelRoute, Target } from '../routing/route.ts'

/** Tokens of a typical analysis, for routes that choose the cheapest target. */
const typicalTokens = 500

/** The most that one answer needs. */
export function analysisSize(input: AnalysisInput): RequestSize {
  return { prompt: textSize(analysisPrompt(input)), maxTokens: maxAnalysisTokens }
}

/**
 * Requests an analysis in JSON from a text model. If the response is invalid and half of the call's time is left, the
 * model is called once more with the response and its issues; a second invalid response fails the call with
 * `PROVIDER_ERROR`. The cost of both is recorded in any case.
 *
 * An invalid response is not a failure of the provider and does not count toward its circuit breaker: the text may have
 * caused it.
 */
export async function analyzeWithModel(
  router: Router,
  route: ModelRoute<TextModel>,
  input: AnalysisInput,
  owner: AttemptOwner,
): Promise<TargetAnswer<Target, CheckedAnalysis>> {
  const series = router.series(route)
  const failed = () => ({ facts: { provider: series.provider, attempts: series.attempts }, billed: 'answer' as const })
  const costs: Cost[] = []
  let usage: AnswerUsage | undefined
  let invalid: InvalidAnswer | undefined
  for (let round = 0; round < 2; round++) {
    const prompt = analysisPrompt(input, invalid)
    const { target, answer } = await router.attempt(
      'generateText',
      route,
      owner,
      (at, attempt) =>
        requestText(at.provider, analysisRequest(at.id, at.model, input, prompt), attempt).catch(renameField),
      { prompt: textSize(prompt), maxTokens: typicalTokens },
      series,
    )
    costs.push(textCost(target.model, answer.usage))
    usage = usage ? totalUsage(usage, answer.usage) : answer.usage
    const { costUsd, warnings } = totalCost(costs)
    owner.note({ model: target.model.id, ...recordedTokens(usage), costUsd })
    const content = answerText(answer)
    const parsed = parseAnalysis(content, input.tasks)
    if ('analysis' in parsed) {
      owner.warn(warnings)
      const analysis = await finishAnalysis(input, parsed, answer.warnings)
      return { target, answer: { ...analysis, response: answer.response } }
    }
    if (answer.finishReason === 'content_filter') {
      throw new FairleadError('CONTENT_REFUSED', 'The provider refused the content.', failed())
    }
    const truncated = answer.finishReason === 'length' ? [truncation] : []
    invalid = { content, issues: [...parsed.issues, ...truncated] }
    // A second response takes about as long, and the provider would be blamed for a timeout.
    if (series.isHalfOver()) break
  }
  throw new FairleadError('PROVIDER_ERROR', 'The model did not return a valid analysis.', {
    ...failed(),
    cause: new Error(invalid?.issues.join('; ')),
  })
}

/** The client's `text` is part of the only message; it set no other field of the request. */
function renameField(error: unknown): never {
  if (!(error instanceof ProviderError) || (error.field === undefined && error.failure !== 'too_long')) throw error
  const { failure, field } = error
  const isOfText = field?.startsWith('messages') || failure === 'too_long'
  // Of a model that the provider does not have, the field says so.
  throw withField(error, isOfText ? 'text' : failure === 'give_up' ? field : undefined)
}

const truncation = 'the response was truncated: list fewer entities and keywords'
