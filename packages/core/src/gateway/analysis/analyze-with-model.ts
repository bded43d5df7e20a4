import type { TokenUsage } from '../provider.ts'
import { FairleadError } from '../../runtime/errors.ts'
import type { TextModel } from '../model.ts'
import { ProviderError } from '../provider-error.ts'
import { analysisPrompt, analysisRequest, type AnalysisInput, type InvalidAnswer } from './analysis-request.ts'
import { requestText, type CheckedText } from '../request-text.ts'
import { type CheckedAnalysis } from './request-analysis.ts'
import { textSize } from '../prompt-size.ts'
import { type Cost, type RecordedTokens, recordedTokens, textCost, totalCost, totalUsage } from '../cost.ts'
import type { Owner } from '../routing/attempt.ts'
import type { Rounds } from '../routing/try-targets.ts'
import type { TargetAnswer } from '../caching/cache-entries.ts'
import type { Router } from '../routing/router.ts'
import { finishAnalysis, parseAnalysis } from './parse-analysis.ts'
import type { ListedModel, ModelRoute, Target } from '../routing/route.ts'

/** Tokens of a typical analysis, for routes that choose the cheapest target. */
const typicalTokens = 500

/** The total usage of an analysis so far. */
interface Spent extends RecordedTokens {
  readonly model: string
  readonly costUsd: number
}

/**
 * Requests an analysis in JSON from a text model. If the response is invalid and half of the call's time is left, the
 * model is called once more with the response and its issues; a second invalid response fails the call with
 * `PROVIDER_ERROR`. The cost of both is recorded in any case.
 *
 * An invalid response is not a failure of the provider and does not count towards its circuit breaker: the text may have
 * caused it.
 */
export async function analyzeWithModel(
  router: Router,
  route: ModelRoute<TextModel>,
  input: AnalysisInput,
  owner: Owner,
): Promise<TargetAnswer<Target, CheckedAnalysis>> {
  const rounds = router.rounds(route)
  const bill = createBill()
  let invalid: InvalidAnswer | undefined
  for (let round = 0; round < 2; round++) {
    const prompt = analysisPrompt(input, invalid)
    const { target, answer } = await router.attempt(
      route,
      owner,
      (at, providerCall) =>
        requestText(at.provider, analysisRequest(at.id, at.model, input, prompt), providerCall).catch(renameField),
      { prompt: textSize(prompt), maxTokens: typicalTokens },
      rounds,
    )
    owner.note(bill.add(target.model, answer.usage))
    const parsed = parseAnalysis(answer.content, input.tasks)
    if ('analysis' in parsed) {
      owner.warn(bill.warnings())
      const analysis = await finishAnalysis(input, parsed, answer.warnings)
      return { target, answer: { ...analysis, response: answer.response } }
    }
    if (answer.finishReason === 'content_filter') throw refused(rounds)
    invalid = { content: answer.content, issues: [...parsed.issues, ...truncation(answer)] }
    // A second response takes about as long, and the provider would be blamed for a timeout.
    if (rounds.isHalfOver()) break
  }
  throw new FairleadError('PROVIDER_ERROR', 'The model did not return a valid analysis.', {
    facts: { provider: rounds.provider, attempts: rounds.attempts },
    billed: 'answer',
    cause: new Error(invalid?.issues.join('; ')),
  })
}

/** The client's `text` is part of the `prompt`; it set no other field of the request. */
function renameField(error: unknown): never {
  if (!(error instanceof ProviderError) || (error.field === undefined && error.failure !== 'too_long')) throw error
  const { failure, message, field, detail, retryAfterMs, upstream, mayBill, cause } = error
  const isOfText = field === 'prompt' || failure === 'too_long'
  // Of a model that the provider does not have, the field says so.
  const renamed = isOfText ? 'text' : failure === 'give_up' ? field : undefined
  throw new ProviderError(failure, message, { field: renamed, detail, retryAfterMs, upstream, mayBill, cause })
}

function refused({ provider, attempts }: Rounds): FairleadError {
  const facts = { provider, attempts }
  return new FairleadError('CONTENT_REFUSED', 'The provider refused the content.', { facts, billed: 'answer' })
}

function truncation({ finishReason }: CheckedText): readonly string[] {
  return finishReason === 'length' ? ['the response was truncated: list fewer entities and keywords'] : []
}

/** Adds up the usage of one response after the other. */
function createBill() {
  const costs: Cost[] = []
  let total: TokenUsage | undefined
  return {
    add(model: ListedModel<TextModel>, usage: TokenUsage): Spent {
      costs.push(textCost(model, usage))
      total = total ? totalUsage(total, usage) : usage
      return { model: model.id, ...recordedTokens(total), costUsd: totalCost(costs).costUsd }
    },
    warnings: () => totalCost(costs).warnings,
  }
}
