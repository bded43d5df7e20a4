import type {
  LanguageModelV2FinishReason,
  LanguageModelV2Usage,
  LanguageModelV3FinishReason,
  LanguageModelV3Usage,
  LanguageModelV4FinishReason,
  LanguageModelV4Usage,
} from '@ai-sdk/provider'
import { type FinishReason, ProviderError, type ResponseFacts, type TokenUsage } from '@fairlead/core/provider'
import { requestIdOf } from '@fairlead/provider-toolkit/failure'

type AnyFinishReason = LanguageModelV2FinishReason | LanguageModelV3FinishReason | LanguageModelV4FinishReason
type AnyUsage = LanguageModelV2Usage | LanguageModelV3Usage | LanguageModelV4Usage

/** The finish reason of a response; throws if it is a failure. Some models report `stop` for an answer with calls. */
export function toFinishReason(reason: AnyFinishReason, hasCalls: boolean): FinishReason {
  const unified = typeof reason === 'string' ? reason : reason.unified
  switch (unified) {
    case 'length':
      return 'length'
    case 'content-filter':
      return 'content_filter'
    case 'error':
      throw new ProviderError('retry', 'the model ended with an error')
    case 'interrupted':
      throw new ProviderError('retry', 'the response was interrupted')
    default:
      return hasCalls ? 'tool_calls' : 'stop'
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
  }
}

/** The upstream's id of the request, from the headers that the model reports; undefined if there is none. */
export function toResponse({ headers }: { readonly headers?: Headers } = {}): ResponseFacts | undefined {
  const requestId = headers && requestIdOf(headers)
  return requestId === undefined ? undefined : { requestId }
}

type Headers = Record<string, string> | undefined

function count(tokens: number | undefined): number | undefined {
  return Number.isSafeInteger(tokens) ? tokens : undefined
}
