import type {
  LanguageModelV2FinishReason,
  LanguageModelV2Usage,
  LanguageModelV3FinishReason,
  LanguageModelV3Usage,
  LanguageModelV4FinishReason,
  LanguageModelV4Usage,
  SharedV4ProviderMetadata,
} from '@ai-sdk/provider'
import {
  type FinishReason,
  type Issue,
  ProviderError,
  type ResponseFacts,
  type TextEvent,
  type TokenUsage,
} from '@fairlead/core/provider'
import { requestIdOf } from '@fairlead/provider-toolkit/failure'

type AnyFinishReason = LanguageModelV2FinishReason | LanguageModelV3FinishReason | LanguageModelV4FinishReason
type AnyUsage = LanguageModelV2Usage | LanguageModelV3Usage | LanguageModelV4Usage

interface Result {
  readonly finishReason: AnyFinishReason
  readonly usage: AnyUsage
  readonly providerMetadata?: SharedV4ProviderMetadata | undefined
}

/** The end of an answer. Throws if it is a failure. */
export function toFinish(
  { finishReason, usage: counts, providerMetadata }: Result,
  response: ResponseFacts | undefined,
  hasCalls: boolean,
  warnings: readonly Issue[],
): Extract<TextEvent, { type: 'finish' }> {
  const usage = toUsage(counts)
  const hasMetadata = providerMetadata && Object.keys(providerMetadata).length > 0
  const facts = hasMetadata ? { ...response, native: { 'ai-sdk': { providerMetadata } } } : response
  return {
    type: 'finish',
    finishReason: toFinishReason(finishReason, hasCalls),
    ...(usage && { usage }),
    ...(facts && { response: facts }),
    warnings,
  }
}

/** Reasons of upstreams that the AI SDK has no word for. */
const rawReasons: ReadonlyMap<string | undefined, FinishReason> = new Map([
  ['pause_turn', 'pause'],
  ['refusal', 'refusal'],
])

/** Some models report `stop` for an answer with calls. */
function toFinishReason(reason: AnyFinishReason, hasCalls: boolean): FinishReason {
  const { unified, raw } = typeof reason === 'string' ? { unified: reason } : reason
  switch (unified) {
    case 'length':
      return 'length'
    case 'content-filter':
      return rawReasons.get(raw) ?? 'content_filter'
    case 'error':
      throw new ProviderError('retry', 'the model ended with an error')
    case 'interrupted':
      throw new ProviderError('retry', 'the response was interrupted')
    default:
      return rawReasons.get(raw) ?? (hasCalls ? 'tool_calls' : 'stop')
  }
}

/** Whether the upstream sent no finish reason. Models then report `other`, as they do for a stream that broke off. */
export function isUnknown(reason: AnyFinishReason): boolean {
  if (typeof reason === 'string') return reason === 'unknown'
  return reason.unified === 'other' && reason.raw === undefined
}

/** Token counts; undefined unless both are known. */
export function toUsage({ inputTokens, outputTokens, ...rest }: AnyUsage): TokenUsage | undefined {
  const promptTokens = count(typeof inputTokens === 'object' ? inputTokens.total : inputTokens)
  const completionTokens = count(typeof outputTokens === 'object' ? outputTokens.total : outputTokens)
  if (promptTokens === undefined || completionTokens === undefined) return undefined
  const reasoning = 'reasoningTokens' in rest ? rest.reasoningTokens : undefined
  const reasoningTokens = count(typeof outputTokens === 'object' ? outputTokens.reasoning : reasoning)
  const cached = 'cachedInputTokens' in rest ? rest.cachedInputTokens : undefined
  const cachedPromptTokens = count(typeof inputTokens === 'object' ? inputTokens.cacheRead : cached)
  const cacheWriteTokens = typeof inputTokens === 'object' ? count(inputTokens.cacheWrite) : undefined
  return {
    promptTokens,
    completionTokens,
    ...(reasoningTokens && { reasoningTokens }),
    ...(cachedPromptTokens !== undefined && { cachedPromptTokens }),
    ...(cacheWriteTokens !== undefined && { cacheWriteTokens }),
    ...('raw' in rest && rest.raw && { native: { 'ai-sdk': rest.raw } }),
  }
}

interface Response {
  readonly id?: string
  readonly modelId?: string
  readonly headers?: Headers
}

/** What the model reports of the response; undefined if that is nothing. */
export function toResponse({ id, modelId: model, headers }: Response = {}): ResponseFacts | undefined {
  const requestId = headers && requestIdOf(headers)
  if (id === undefined && model === undefined && requestId === undefined) return undefined
  return {
    ...(id !== undefined && { id }),
    ...(model !== undefined && { model }),
    ...(requestId !== undefined && { requestId }),
  }
}

type Headers = Record<string, string> | undefined

function count(tokens: number | undefined): number | undefined {
  return Number.isSafeInteger(tokens) ? tokens : undefined
}
