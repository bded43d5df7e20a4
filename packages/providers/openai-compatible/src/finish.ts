import {
  type FinishReason,
  isObject,
  type Issue,
  type JsonObject,
  type ResponseFacts,
  type TextFinish,
  type TokenUsage,
} from '@fairlead/core/provider'
import { reasoningWarning } from '@fairlead/provider-toolkit'
import type { OwnDialect } from './native.ts'
import { countIn, objectIn, textIn } from './sent-values.ts'

/** What the reading of a reply needs of its request. */
export interface Reading {
  /** The id of the provider. */
  readonly provider: string
  readonly warnings: readonly Issue[]
  /** The `service_tier` of the request. */
  readonly tier: unknown
  /** The API, if the client speaks it, so that it gets the fields of the reply that core does not interpret. */
  readonly native: OwnDialect | undefined
}

/** What a reply, or a piece of one, says of its response. */
export function readFacts(sent: JsonObject): ResponseFacts {
  const id = textIn(sent['id'])
  const model = textIn(sent['model'])
  const serviceTier = textIn(sent['service_tier'])
  const fingerprint = textIn(sent['system_fingerprint'])
  return {
    ...(id && { id }),
    ...(model && { model }),
    ...(serviceTier && { serviceTier }),
    ...(fingerprint && { fingerprint }),
  }
}

/** How an answer ended. */
export interface End {
  readonly finishReason: FinishReason
  readonly stopSequence?: string | undefined
  readonly usage: TokenUsage | undefined
  /** The tier that answered, which decides the price. That of the request counts if the server reports none. */
  readonly tier: string | undefined
  /** In characters, as is the next. */
  readonly textLength: number
  readonly reasoningLength: number
}

/** The end of an answer with the warnings of its request. */
export function toFinish(end: End, reading: Reading): TextFinish {
  const { finishReason, stopSequence, usage: counted, tier = reading.tier } = end
  const warnings = finishReason === 'length' ? [...reading.warnings, ...warnOfReasoning(end)] : reading.warnings
  const usage =
    counted && typeof tier === 'string' && !standardTiers.has(tier) ? { ...counted, tiers: [tier] } : counted
  return {
    finishReason,
    ...(stopSequence !== undefined && { stopSequence }),
    ...(usage && { usage }),
    ...(warnings.length > 0 && { warnings }),
  }
}

/** How an answer ended whose end needs no words. */
export function endOf(callCount: number, hasRefused: boolean): FinishReason {
  if (callCount > 0) return 'tool_calls'
  return hasRefused ? 'refusal' : 'stop'
}

/** Values of `service_tier` that have the standard price. */
const standardTiers: ReadonlySet<string> = new Set(['auto', 'default', 'standard', 'on_demand', 'scale'])

/** The token counts of either API. Invalid ones count as missing: the response is paid for, and core estimates. */
export function readUsage(sent: unknown, { native }: Reading): TokenUsage | undefined {
  if (!isObject(sent)) return undefined
  const promptTokens = countIn(sent['prompt_tokens'] ?? sent['input_tokens'])
  const completion = countIn(sent['completion_tokens'] ?? sent['output_tokens'])
  if (promptTokens === undefined || completion === undefined) return undefined
  const prompt = objectIn(sent['prompt_tokens_details'] ?? sent['input_tokens_details'])
  // The second is DeepSeek's.
  const cached = countIn(prompt?.['cached_tokens']) ?? countIn(sent['prompt_cache_hit_tokens'])
  const written = countIn(prompt?.['cache_write_tokens'])
  const details = objectIn(sent['completion_tokens_details'] ?? sent['output_tokens_details'])
  const reasoningTokens = countIn(details?.['reasoning_tokens'])
  return {
    promptTokens,
    // xAI counts reasoning tokens beside the completion: only the total includes them.
    completionTokens: Math.max(completion, (countIn(sent['total_tokens']) ?? 0) - promptTokens),
    ...(reasoningTokens !== undefined && { reasoningTokens }),
    ...(cached && { cachedPromptTokens: cached }),
    ...(written && { cacheWriteTokens: written }),
    ...(native && { native: { [native]: sent } }),
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
