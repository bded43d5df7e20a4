import type { TokenUsage } from '../provider.ts'
import { FairleadError } from '../../runtime/errors.ts'
import type { Issue } from '../../runtime/errors.ts'
import type { TextModel } from '../model.ts'
import { ProviderError } from '../provider-error.ts'
import { analysisPrompt, type AnalysisQuestion, type FaultyAnswer } from './analysis-request.ts'
import { analysisRequest } from './analysis-request.ts'
import { askForText, type CheckedText, type CheckedAnalysis } from '../ask-provider.ts'
import { type Cost, textCost, totalCost } from '../cost.ts'
import { type Attempts, countAttempts } from '../routing/attempts.ts'
import type { Answered } from '../caching/cached-answers.ts'
import { readAnalysis } from './read-analysis.ts'
import type { RoutedCall } from '../routing/attempts.ts'
import type { Router } from '../routing/router.ts'
import { settleAnalysis } from './read-analysis.ts'
import type { ListedModel, ModelRoute, Target } from '../routing/route.ts'

/** What a middling analysis has, for routes that go by what a call costs. */
const usualTokens = 500

/** What an analysis by a text model came to so far. */
interface Spent extends Pick<TokenUsage, 'promptTokens' | 'completionTokens'> {
  readonly model: string
  readonly costUsd: number
}

/** A routed call that also takes note of what is spent, answer by answer. */
export interface PaidCall extends RoutedCall {
  /** Tells this caller alone: who is given the answer again has paid nothing. */
  warn(issues: readonly Issue[]): void
  note(facts: { readonly provider: string; readonly attempts: number } | Spent): void
}

/**
 * Asks a text model for an analysis in JSON. An answer in the wrong form is shown to it once, with its faults, where half
 * of the call's time is left; a second one fails the call with `PROVIDER_ERROR`. What both answers cost is noted,
 * whichever way it ends.
 *
 * That a text can bring a model off the form is no failure of its provider, so no circuit hears of it.
 */
export async function analyzeWithModel(
  router: Router,
  route: ModelRoute<TextModel>,
  question: AnalysisQuestion,
  call: PaidCall,
): Promise<Answered<Target, CheckedAnalysis>> {
  const time = router.timeFor(route)
  const counted = countAttempts({ ...call, endAt: time.endAt })
  const bill = createBill()
  let faulty: FaultyAnswer | undefined
  for (let round = 0; round < 2; round++) {
    const prompt = analysisPrompt(question, faulty)
    const { target, answer } = await router.attempt(
      route,
      counted.next(),
      (at, providerCall) =>
        askForText(at.provider, analysisRequest(at.id, at.model, question, prompt), providerCall).catch(retold),
      { prompt, maxTokens: usualTokens },
    )
    call.note(bill.add(target.model, answer.usage))
    const read = readAnalysis(answer.content, question.tasks)
    if ('analysis' in read) {
      call.warn(bill.warnings())
      return { target, answer: await settleAnalysis(question, read, answer.warnings) }
    }
    if (answer.finishReason === 'content_filter') throw refused(counted.facts())
    faulty = { content: answer.content, faults: [...read.faults, ...cutOff(answer)] }
    // A second answer takes about as long, and a provider is not to blame where it never had the time.
    if (time.isHalfOver()) break
  }
  throw new FairleadError('PROVIDER_ERROR', 'The model did not return a valid analysis.', {
    facts: counted.facts(),
    cause: new Error(faulty?.faults.join('; ')),
  })
}

/** Of the fields of the question that the model was asked, the caller wrote one, and knows it by another name. */
function retold(error: unknown): never {
  if (!(error instanceof ProviderError) || (error.field === undefined && error.failure !== 'too_long')) throw error
  const { failure, message, field, detail, retryAfterMs, cause } = error
  throw new ProviderError(failure, message, {
    cause,
    ...((field === 'prompt' || failure === 'too_long') && { field: 'text' }),
    ...(detail !== undefined && { detail }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  })
}

function refused(facts: Attempts): FairleadError {
  return new FairleadError('CONTENT_REFUSED', 'The provider refused the content.', { facts })
}

function cutOff({ finishReason }: CheckedText): readonly string[] {
  return finishReason === 'length' ? ['the answer was cut off: name fewer entities and keywords'] : []
}

/** Sums up what one answer after the other comes to. */
function createBill() {
  const costs: Cost[] = []
  let promptTokens = 0
  let completionTokens = 0
  return {
    add(model: ListedModel<TextModel>, usage: TokenUsage): Spent {
      costs.push(textCost(model, usage))
      promptTokens += usage.promptTokens
      completionTokens += usage.completionTokens
      return { model: model.id, promptTokens, completionTokens, costUsd: totalCost(costs).costUsd }
    },
    warnings: () => totalCost(costs).warnings,
  }
}
