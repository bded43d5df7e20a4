import type { ResponseFacts, TextAnswer, AnswerUsage } from '@fairlead/core/provider'
import { toBlocks } from './message-blocks.ts'
import type { Block, ProviderData } from './provider-data.ts'

/** The facts about a message that are known before its content. */
export interface MessageHead {
  /** For an answer of another provider. */
  readonly id: string
  /** As in the request, for the same. */
  readonly model: unknown
}

/** A message without content, as streams begin. A provider of the API names the message and its model itself. */
export function emptyMessage({ id, model }: MessageHead, facts: ResponseFacts = {}, usage?: AnswerUsage): Block {
  const own = facts.native?.anthropic
  return {
    id: (own && facts.id) ?? id,
    type: 'message',
    role: 'assistant',
    model: (own && facts.model) ?? model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    ...own,
    usage: toUsage(usage),
  }
}

export function toMessage(head: MessageHead, answer: TextAnswer, data: ProviderData): Block {
  const { parts, response, usage } = answer
  const isOwn = response?.native?.anthropic !== undefined
  return {
    ...emptyMessage(head, response, usage),
    content: parts.flatMap((part) => toBlocks(part, data, isOwn)),
    ...toStop(answer),
  }
}

/** Why a message ended, as a provider of the API says itself. */
export function toStop({ finishReason, stopSequence, parts, response }: TextAnswer): Block {
  const refusal = parts.flatMap((part) => (part.type === 'refusal' ? [part.text] : [])).join('')
  const reason = refusal === '' ? stopReasons[finishReason] : 'refusal'
  const explained = { type: 'refusal', category: null, explanation: refusal }
  const own = response?.native?.anthropic ?? (refusal === '' ? {} : { stop_details: explained })
  return {
    stop_reason: own['stop_reason'] ?? (stopSequence === undefined ? reason : 'stop_sequence'),
    stop_sequence: own['stop_sequence'] ?? stopSequence ?? null,
    ...('stop_details' in own && { stop_details: own['stop_details'] }),
  }
}

const stopReasons = {
  stop: 'end_turn',
  length: 'max_tokens',
  tool_calls: 'tool_use',
  content_filter: 'refusal',
  refusal: 'refusal',
  pause: 'pause_turn',
} as const satisfies Readonly<Record<TextAnswer['finishReason'], string>>

/** The API's own counts. It counts the prompt tokens that its cache wrote or read separately. */
export function toUsage(usage: AnswerUsage = { promptTokens: 0, completionTokens: 0 }): Block {
  if (usage.native?.anthropic) return usage.native.anthropic
  const { promptTokens, completionTokens, reasoningTokens } = usage
  const { cachedPromptTokens: read = 0, cacheWriteTokens: written = 0, webSearches } = usage
  return {
    input_tokens: Math.max(0, promptTokens - read - written),
    output_tokens: completionTokens,
    cache_creation_input_tokens: written,
    cache_read_input_tokens: read,
    ...(webSearches && { server_tool_use: { web_search_requests: webSearches, web_fetch_requests: 0 } }),
    ...(reasoningTokens !== undefined && { output_tokens_details: { thinking_tokens: reasoningTokens } }),
  }
}
