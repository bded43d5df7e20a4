import type { LanguageModelV2Usage, SharedV4ProviderMetadata } from '@ai-sdk/provider'
import {
  type FinishReason,
  type Issue,
  ProviderError,
  type ResponseFacts,
  type TextEvent,
  type TextFinish,
  type AnswerUsage,
} from '@fairlead/core/provider'
import { readFinishReason, unknownReasonWarning } from '@fairlead/provider-toolkit'
import { readRequestId } from '@fairlead/provider-toolkit/failure'
import type { AnyResult } from './options.ts'

interface End extends Pick<AnyResult, 'finishReason' | 'usage'> {
  readonly providerMetadata?: SharedV4ProviderMetadata | undefined
}

/**
 * The end of an answer. Throws if it is a failure.
 *
 * @param tiers those that the request asks for
 */
export function toFinish(
  { finishReason, usage: counts, providerMetadata }: End,
  { response, warnings }: Required<Pick<TextFinish, 'response' | 'warnings'>>,
  hasCalls: boolean,
  tiers: readonly string[],
): Extract<TextEvent, { type: 'finish' }> {
  const usage = toUsage(counts)
  const hasMetadata = providerMetadata && Object.keys(providerMetadata).length > 0
  const facts = hasMetadata ? { ...response, native: { 'ai-sdk': { providerMetadata } } } : response
  const { reason, found = [] } = readReason(finishReason, hasCalls)
  return {
    type: 'finish',
    finishReason: reason,
    ...(usage && { usage: tiers.length > 0 ? { ...usage, tiers } : usage }),
    response: facts,
    warnings: [...warnings, ...found],
  }
}

/** Reasons of upstreams that the AI SDK has no word for. */
const rawReasons: ReadonlyMap<string | undefined, FinishReason> = new Map([
  ['pause_turn', 'pause'],
  ['refusal', 'refusal'],
])

interface Ending {
  readonly reason: FinishReason
  readonly found?: readonly Issue[]
}

/** Some models report `stop` for an answer with calls. A reason that the AI SDK has no word for is read from the upstream's. */
function readReason(sent: End['finishReason'], hasCalls: boolean): Ending {
  const { unified, raw } = typeof sent === 'string' ? { unified: sent } : sent
  switch (unified) {
    case 'length':
      return { reason: 'length' }
    case 'content-filter':
      return { reason: rawReasons.get(raw) ?? 'content_filter' }
    case 'error':
      throw new ProviderError('retry', 'the model ended with an error')
    case 'interrupted':
      throw new ProviderError('retry', 'the response was interrupted, or has no finish_reason')
    case 'other':
    case 'unknown': {
      const known = readFinishReason(raw)
      if (known !== undefined && known !== 'stop') return { reason: known }
      const found = known === undefined ? [unknownReasonWarning(raw)] : []
      return { reason: hasCalls ? 'tool_calls' : 'stop', found }
    }
    default:
      return { reason: rawReasons.get(raw) ?? (hasCalls ? 'tool_calls' : 'stop') }
  }
}

/** Whether the upstream sent no finish reason. Models then report `other`, as they do for a stream that broke off. */
export function isUnknown(reason: End['finishReason']): boolean {
  if (typeof reason === 'string') return reason === 'unknown'
  return reason.unified === 'other' && reason.raw === undefined
}

/** Token counts; undefined unless both are known. */
export function toUsage({ inputTokens, outputTokens, ...rest }: End['usage']): AnswerUsage | undefined {
  const { input, output } =
    typeof inputTokens === 'object' && typeof outputTokens === 'object'
      ? { input: inputTokens, output: outputTokens }
      : countsOfV2({ inputTokens, outputTokens, ...rest } as LanguageModelV2Usage)
  const [promptTokens, completionTokens] = [count(input.total), count(output.total)]
  if (promptTokens === undefined || completionTokens === undefined) return undefined
  const reasoningTokens = count(output.reasoning)
  const cachedPromptTokens = count(input.cacheRead)
  const cacheWriteTokens = count(input.cacheWrite)
  return {
    promptTokens,
    completionTokens,
    ...(reasoningTokens && { reasoningTokens }),
    ...(cachedPromptTokens !== undefined && { cachedPromptTokens }),
    ...(cacheWriteTokens !== undefined && { cacheWriteTokens }),
    ...('raw' in rest && rest.raw && { native: { 'ai-sdk': rest.raw } }),
  }
}

/**
 * Version 2 has all counts side by side. Some packages count cached tokens (Anthropic's) or reasoning (Google's, xAI's)
 * beside the others: then they are more than what they would be a part of, or the total has them.
 */
function countsOfV2(counts: LanguageModelV2Usage) {
  const { inputTokens = NaN, outputTokens = NaN, totalTokens, cachedInputTokens, reasoningTokens } = counts
  const [cached, reasoning] = [cachedInputTokens ?? 0, reasoningTokens ?? 0]
  const excess = Math.max(0, (totalTokens ?? NaN) - inputTokens - outputTokens)
  const isCachedBeside =
    cached > inputTokens || (excess === cached && excess !== reasoning) || excess === cached + reasoning
  const isReasoningBeside = reasoning > outputTokens || excess === reasoning || excess === cached + reasoning
  return {
    input: {
      total: inputTokens + (isCachedBeside ? cached : 0),
      cacheRead: cachedInputTokens,
      cacheWrite: undefined,
    },
    output: { total: outputTokens + (isReasoningBeside ? reasoning : 0), reasoning: reasoningTokens },
  }
}

interface Response {
  readonly id?: string
  readonly modelId?: string
  readonly headers?: Record<string, string> | undefined
}

/** The facts that the model reports about the response; undefined if there are none. */
export function toResponse({ id, modelId: model, headers }: Response = {}): ResponseFacts | undefined {
  const requestId = headers && readRequestId(headers)
  if (id === undefined && model === undefined && requestId === undefined) return undefined
  return {
    ...(id !== undefined && { id }),
    ...(model !== undefined && { model }),
    ...(requestId !== undefined && { requestId }),
  }
}

function count(tokens: number | undefined): number | undefined {
  return Number.isSafeInteger(tokens) ? tokens : undefined
}
