import type { FinishReason, Issue, TextFinish, TokenUsage } from '@fairlead/core/provider'
import { reasoningWarning } from '@fairlead/provider-toolkit'

/** How an answer ended. */
export interface End {
  readonly finishReason: FinishReason
  readonly stopSequence?: string | undefined
  readonly usage: TokenUsage | undefined
  /** In characters, as is the next. */
  readonly textLength: number
  readonly reasoningLength: number
}

/** The end of an answer with the warnings of its request. */
export function toFinish(end: End, warnings: readonly Issue[]): TextFinish {
  const { finishReason, stopSequence, usage } = end
  const all = finishReason === 'length' ? [...warnings, ...warnOfReasoning(end)] : warnings
  return {
    finishReason,
    ...(stopSequence !== undefined && { stopSequence }),
    ...(usage && { usage }),
    ...(all.length > 0 && { warnings: all }),
  }
}

const charactersPerToken = 4

/** Ollama and others send the reasoning but do not count its tokens: its share of the characters is an estimate. */
function warnOfReasoning({ usage, textLength, reasoningLength }: End): readonly Issue[] {
  if (usage?.reasoningTokens !== undefined) return reasoningWarning(usage.reasoningTokens)
  const completion = usage?.completionTokens ?? (textLength + reasoningLength) / charactersPerToken
  const share = reasoningLength / Math.max(1, textLength + reasoningLength)
  return reasoningWarning(Math.round(completion * share), { isEstimate: textLength > 0 || usage === undefined })
}
