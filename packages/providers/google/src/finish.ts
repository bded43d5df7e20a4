import { type AnswerPart, type FinishReason, type Issue, ProviderError, type TokenUsage } from '@fairlead/core/provider'
import { reasoningWarning } from '@fairlead/provider-toolkit'
import type { GenerateReply, WireUsage } from './wire.ts'

/** How the last event of a stream, or a complete reply, ended. */
export interface Ending {
  readonly finishReason?: string | undefined
  readonly finishMessage?: string | undefined
  readonly blockReason?: string | undefined
  readonly usage?: WireUsage | undefined
}

export interface Finish {
  readonly finishReason: FinishReason
  readonly usage?: TokenUsage
  readonly warnings: readonly Issue[]
}

/** The content was filtered. */
const filtered = new Set([
  'SAFETY',
  'RECITATION',
  'LANGUAGE',
  'BLOCKLIST',
  'PROHIBITED_CONTENT',
  'SPII',
  'IMAGE_SAFETY',
  'IMAGE_PROHIBITED_CONTENT',
  'IMAGE_RECITATION',
])

/** The model wrote something that its own API could not read, or did not ask for. The API charges for it. */
const unreadable = new Map([
  ['MALFORMED_FUNCTION_CALL', 'the API could not read the tool call that the model wrote'],
  ['UNEXPECTED_TOOL_CALL', 'the model called a tool that the request does not have'],
  ['TOO_MANY_TOOL_CALLS', 'the model called too many tools in a row'],
  ['MALFORMED_RESPONSE', 'the API could not read the response that the model wrote'],
])

export function endingOf({ candidates, promptFeedback, usageMetadata }: GenerateReply): Ending {
  const { finishReason, finishMessage } = candidates?.[0] ?? {}
  return { finishReason, finishMessage, blockReason: promptFeedback?.blockReason, usage: usageMetadata }
}

/**
 * @param parts the types of parts that the response has
 * @param asked the tier of the request, which counts if the API reports none
 * @throws ProviderError if the finish reason is a failure
 */
export function readFinish(ending: Ending, parts: ReadonlySet<AnswerPart['type']>, asked?: string): Finish {
  const usage = usageOf(ending.usage, asked)
  const answered = parts.has('tool_call') ? 'tool_calls' : 'stop'
  const finish = (finishReason: FinishReason, warnings: readonly Issue[] = []): Finish => ({
    finishReason,
    ...(usage && { usage }),
    warnings,
  })
  if (ending.finishReason === undefined && ending.blockReason !== undefined) {
    return finish('content_filter', warnOf(`the prompt was blocked: ${ending.blockReason}`))
  }
  switch (ending.finishReason) {
    case 'STOP':
      return finish(answered)
    case 'MAX_TOKENS':
    case 'CONTINUATION':
      return finish('length', parts.has('reasoning') ? [] : reasoningWarning(ending.usage?.thoughtsTokenCount ?? 0))
    case undefined:
      throw new ProviderError('retry', 'the response has no finish reason')
    case 'OTHER':
    case 'FINISH_REASON_UNSPECIFIED':
      throw new ProviderError('retry', `the finish reason is ${ending.finishReason}`)
    default: {
      if (filtered.has(ending.finishReason)) {
        return finish('content_filter', warnOf(`the response was filtered: ${ending.finishReason}`))
      }
      const issue = unreadable.get(ending.finishReason)
      if (issue !== undefined) return finish(answered, warnOf(`${issue}: ${reasonOf(ending)}`))
      throw new ProviderError('give_up', `the finish reason is ${ending.finishReason}`)
    }
  }
}

/** The API's explanation may have what the model wrote. */
function reasonOf({ finishReason = '', finishMessage }: Ending): string {
  return finishMessage ? `${finishReason}: ${finishMessage}` : finishReason
}

function warnOf(issue: string): readonly Issue[] {
  return [{ field: null, issue }]
}

/** @throws ProviderError if the prompt or the whole response was filtered */
export function requireAllowed({ finishReason, finishMessage, blockReason }: Ending, hasAnswer: boolean): void {
  if (hasAnswer) return
  if (blockReason !== undefined) throw refused(`The prompt was blocked: ${blockReason}.`)
  if (filtered.has(finishReason ?? '')) throw refused(finishMessage ?? `The response was filtered: ${finishReason}.`)
}

function refused(detail: string): ProviderError {
  return new ProviderError('content_refused', detail, { detail })
}

/** The name of a tier with a price of its own: `SERVICE_TIER_PRIORITY` is `priority`. */
function tiersOf(tier: string | null | undefined): Pick<TokenUsage, 'tiers'> {
  const name = (tier ?? 'standard').toLowerCase().replace(/^service_tier_/, '')
  return name === 'standard' || name === 'unspecified' ? {} : { tiers: [name] }
}

export function usageOf(usage: WireUsage | undefined, asked: string | undefined): TokenUsage | undefined {
  if (!usage) return undefined
  const { thoughtsTokenCount: reasoningTokens } = usage
  return {
    promptTokens: usage.promptTokenCount + usage.toolUsePromptTokenCount,
    completionTokens: usage.candidatesTokenCount + reasoningTokens,
    ...(reasoningTokens > 0 && { reasoningTokens }),
    cachedPromptTokens: usage.cachedContentTokenCount,
    ...tiersOf(usage.serviceTier ?? asked),
  }
}
