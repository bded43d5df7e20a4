import { ProviderError, type TextEvent } from '@fairlead/core/provider'
import type { z } from 'zod'
import {
  type chatChunk,
  type Counts,
  isCutOff,
  readFinishReason,
  readStopSequence,
  type Reading,
  readUsage,
  reasoningOf,
} from './chat-reply.ts'
import { toFinish } from './finish.ts'
import { reasoningDetails } from './reasoning-details.ts'
import { withTier } from './tiers.ts'
import { toolCallStream } from './tool-calls.ts'

/** Stands for a comment, such as OpenRouter's `: OPENROUTER PROCESSING`. */
export const silentChunk: z.output<typeof chatChunk> = { choices: [] }

/**
 * The events of a streamed chat completion. The finish reason arrives before the token counts. A stream without a finish
 * reason was cut off, whatever its last chunk is.
 *
 * @param provider the id of the provider
 */
export async function* readChunks(
  chunks: AsyncIterable<z.output<typeof chatChunk>>,
  { provider, warnings, tier: asked }: Reading,
): AsyncGenerator<TextEvent, void, undefined> {
  let reason: string | undefined
  let stopSequence: string | undefined
  let counts: Counts
  let tier: unknown
  let textLength = 0
  let reasoningLength = 0
  let refusal = ''
  const details = reasoningDetails(provider)
  const calls = toolCallStream(provider)
  for await (const { choices, usage, x_groq, service_tier } of chunks) {
    tier = service_tier ?? tier
    const [choice] = choices
    const { delta, finish_reason } = choice ?? {}
    reason = finish_reason ?? reason
    stopSequence = (choice && readStopSequence(choice)) ?? stopSequence
    const early = counts || reason !== undefined ? undefined : readUsage(usage)
    if (early) yield { type: 'usage', usage: early }
    counts = usage ?? x_groq?.usage ?? counts
    // After the finish reason, only the token counts follow.
    const mayBeSilent = reason === undefined
    if (!delta) {
      if (mayBeSilent) yield { type: 'alive' }
      continue
    }
    const thought = reasoningOf(delta)
    const { text } = delta.content
    const toolCalls = delta.tool_calls ?? []
    if (mayBeSilent && thought === '' && text === '' && toolCalls.length === 0) yield { type: 'alive' }
    textLength += text.length
    reasoningLength += thought.length
    if (thought !== '') yield { type: 'reasoning', text: thought }
    details.add(delta.reasoning_details)
    // They complete the reasoning, so they must come before what follows it.
    const providerOptions = text !== '' || toolCalls.length > 0 ? details.take() : undefined
    if (providerOptions) yield { type: 'reasoning', text: '', providerOptions }
    if (text !== '') yield { type: 'text', text }
    if (delta.refusal) {
      refusal += delta.refusal
      yield { type: 'refusal', text: delta.refusal }
    }
    for (const toolCall of toolCalls) {
      const event = calls.add(toolCall)
      if (event) yield event
    }
  }
  if (reason === undefined) throw new ProviderError('retry', 'the stream ended without a finish reason')
  const callCount = calls.count(isCutOff(reason))
  const rest = details.take()
  if (rest) yield { type: 'reasoning', text: '', providerOptions: rest }
  const finishReason = readFinishReason(reason, callCount, refusal)
  yield {
    type: 'finish',
    ...toFinish(
      { finishReason, stopSequence, usage: withTier(readUsage(counts), tier, asked), textLength, reasoningLength },
      warnings,
    ),
  }
}
