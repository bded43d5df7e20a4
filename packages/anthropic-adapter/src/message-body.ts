import type { Generation } from '@fairlead/core/types'
import { toBlocks } from './message-blocks.ts'
import type { Block, ProviderData } from './provider-data.ts'

/** What is known of a message before its content. */
export interface MessageHead {
  readonly id: string
  /** As in the request. */
  readonly model: unknown
}

/** A message without content, as streams begin. */
export function emptyMessage(
  { id, model }: MessageHead,
  usage: Counts = { promptTokens: 0, completionTokens: 0 },
): Block {
  return {
    id,
    type: 'message',
    role: 'assistant',
    model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: toUsage(usage),
  }
}

export function toMessage(head: MessageHead, { parts, usage, ...end }: Generation, data: ProviderData) {
  return {
    ...emptyMessage(head),
    content: parts.flatMap((part) => toBlocks(part, data)),
    ...toStop(end),
    usage: toUsage(usage),
  }
}

type End = Pick<Generation, 'finishReason' | 'stopSequence' | 'refusal'>

/** Why a message ended. */
export function toStop({ finishReason, stopSequence, refusal }: End): Block {
  if (stopSequence !== undefined) return { stop_reason: 'stop_sequence', stop_sequence: stopSequence }
  if (refusal !== undefined) {
    const details = { type: 'refusal', category: null, explanation: refusal }
    return { stop_reason: 'refusal', stop_sequence: null, stop_details: details }
  }
  return { stop_reason: stopReasons[finishReason], stop_sequence: null }
}

const stopReasons = {
  stop: 'end_turn',
  length: 'max_tokens',
  tool_calls: 'tool_use',
  content_filter: 'refusal',
  pause: 'pause_turn',
} as const satisfies Readonly<Record<Generation['finishReason'], string>>

type Counts = Omit<Generation['usage'], 'totalTokens'>

/** The API counts the prompt tokens that its cache wrote or read separately. */
export function toUsage({
  promptTokens,
  completionTokens,
  reasoningTokens,
  cachedPromptTokens: read = 0,
  cacheWriteTokens: written = 0,
}: Counts) {
  return {
    input_tokens: Math.max(0, promptTokens - read - written),
    output_tokens: completionTokens,
    cache_creation_input_tokens: written,
    cache_read_input_tokens: read,
    ...(reasoningTokens !== undefined && { output_tokens_details: { thinking_tokens: reasoningTokens } }),
  }
}
