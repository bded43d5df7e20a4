import { type FinishReason, type Issue, ProviderError, type TextAnswer, type TokenUsage } from '@fairlead/core/provider'
import { thoughtWarning } from '@fairlead/provider-http'
import { z } from 'zod'

const tokens = z.int().min(0)
const details = z
  .object({ cached_tokens: tokens.nullish(), cache_write_tokens: tokens.nullish().catch(undefined) })
  .nullish()
  .catch(undefined)

/** Counts that are wrong are no counts: the answer is paid for, and core estimates what is missing. */
const usage = z
  .object({
    prompt_tokens: tokens,
    completion_tokens: tokens,
    total_tokens: tokens.nullish().catch(undefined),
    prompt_tokens_details: details,
    completion_tokens_details: z.object({ reasoning_tokens: tokens.nullish() }).nullish().catch(undefined),
    // DeepSeek's.
    prompt_cache_hit_tokens: tokens.nullish().catch(undefined),
  })
  .nullish()
  .catch(undefined)

export type Counts = z.output<typeof usage>

/** Text, or parts of which some are text: thoughts and references are none. */
const content = z
  .union([z.string(), z.array(z.object({ type: z.string(), text: z.unknown().optional() }))])
  .nullish()
  .transform((parts) => (typeof parts === 'string' ? parts : textOf(parts ?? [])))

function textOf(parts: readonly { readonly type: string; readonly text?: unknown }[]): string {
  return parts.map(({ type, text }) => (type === 'text' && typeof text === 'string' ? text : '')).join('')
}

const refusal = z.string().nullish()

export const chatReply = z.object({
  choices: z.tuple([z.object({ message: z.object({ content, refusal }), finish_reason: z.string() })], z.unknown()),
  usage,
})

export const chatChunk = z.object({
  choices: z.array(
    z.object({
      delta: z.object({ content, refusal }).nullish(),
      finish_reason: z.string().nullish(),
    }),
  ),
  usage,
  // Groq's, where a stream's counts are.
  x_groq: z.object({ usage }).nullish().catch(undefined),
})

export type ChatChunk = z.output<typeof chatChunk>

export function fromChatReply(
  { choices: [{ message, finish_reason }], usage: counts }: z.output<typeof chatReply>,
  warnings: readonly Issue[],
): TextAnswer {
  if (message.refusal && message.content === '') throw refused(message.refusal)
  return { content: message.content, ...readFinish(finish_reason, counts, warnings) }
}

export function refused(words: string): ProviderError {
  return new ProviderError('content_refused', 'the model refused', { detail: words })
}

const finishReasons = new Map(
  Object.entries<FinishReason>({
    length: 'length',
    // Mistral's: the model's context is full.
    model_length: 'length',
    content_filter: 'content_filter',
  }),
)

/** Reasons that name no end but a breakdown (OpenRouter, Mistral; DeepSeek). */
const breakdowns = ['error', 'insufficient_system_resource']

/** Why an answer ended, what it took, and what the caller should know of it. */
export function readFinish(
  reason: string,
  counts: Counts,
  warnings: readonly Issue[],
): Pick<TextAnswer, 'finishReason' | 'usage' | 'warnings'> {
  if (breakdowns.includes(reason)) throw new ProviderError('retry', `the answer ended with "${reason}"`)
  const finishReason = finishReasons.get(reason) ?? 'stop'
  const thoughts = counts?.completion_tokens_details?.reasoning_tokens ?? 0
  const all = finishReason === 'length' ? [...warnings, ...thoughtWarning(thoughts)] : warnings
  return { finishReason, ...readUsage(counts), ...(all.length > 0 ? { warnings: all } : {}) }
}

function readUsage(counts: Counts): { readonly usage?: TokenUsage } {
  if (!counts) return {}
  const { prompt_tokens: promptTokens, completion_tokens: shown, total_tokens: total } = counts
  const cached = counts.prompt_tokens_details?.cached_tokens ?? counts.prompt_cache_hit_tokens
  const written = counts.prompt_tokens_details?.cache_write_tokens
  return {
    usage: {
      promptTokens,
      // Where thoughts stand beside the completion, as at xAI, only the total holds them.
      completionTokens: Math.max(shown, (total ?? 0) - promptTokens),
      ...(cached ? { cachedPromptTokens: cached } : {}),
      ...(written ? { cacheWriteTokens: written } : {}),
    },
  }
}
