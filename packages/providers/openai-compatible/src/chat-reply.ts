import {
  type AnswerPart,
  type FinishReason,
  type Issue,
  ProviderError,
  type TextAnswer,
  type TokenUsage,
} from '@fairlead/core/provider'
import { z } from 'zod'
import { toFinish } from './finish.ts'
import { reasoningDetails } from './reasoning-details.ts'
import { serviceTier, withTier } from './tiers.ts'
import { toolCallDelta, toToolCalls } from './tool-calls.ts'

const tokens = z.int().min(0)
const promptDetails = z
  .object({ cached_tokens: tokens.nullish(), cache_write_tokens: tokens.nullish().catch(undefined) })
  .nullish()
  .catch(undefined)

/** Invalid counts count as missing: the response is paid for, and core estimates what is missing. */
const usage = z
  .object({
    prompt_tokens: tokens,
    completion_tokens: tokens,
    total_tokens: tokens.nullish().catch(undefined),
    prompt_tokens_details: promptDetails,
    completion_tokens_details: z.object({ reasoning_tokens: tokens.nullish() }).nullish().catch(undefined),
    // DeepSeek's.
    prompt_cache_hit_tokens: tokens.nullish().catch(undefined),
  })
  .nullish()
  .catch(undefined)

export type Counts = z.output<typeof usage>

/** Mistral's reasoning: a text, or parts with a text. */
const thinking = z
  .union([
    z.string(),
    z
      .array(z.object({ text: z.string().nullish() }))
      .transform((parts) => parts.map(({ text }) => text ?? '').join('')),
  ])
  .catch('')

/** Text, or Mistral's parts, some of which are text and some reasoning. */
const content = z
  .union([
    z.string(),
    z.array(z.object({ type: z.string(), text: z.unknown().optional(), thinking: thinking.optional() })),
  ])
  .nullish()
  .transform((parts) => {
    if (typeof parts === 'string') return { text: parts, reasoning: '' }
    const texts = (parts ?? []).map(({ type, text }) => (type === 'text' && typeof text === 'string' ? text : ''))
    return { text: texts.join(''), reasoning: (parts ?? []).map((part) => part.thinking ?? '').join('') }
  })

const reasoning = z.string().nullish().catch(undefined)

const message = z.object({
  content,
  refusal: z.string().nullish(),
  // DeepSeek, vLLM, and xAI send `reasoning_content`; OpenRouter, Ollama, and Groq send `reasoning`.
  reasoning_content: reasoning,
  reasoning,
  reasoning_details: z.array(z.record(z.string(), z.unknown())).nullish().catch(undefined),
  tool_calls: z.array(toolCallDelta).nullish(),
})

type Message = z.output<typeof message>

/** The stop sequence of vLLM, and of SGLang: a text, or the id of a token that ended the answer. */
const matched = z.string().nullish().catch(undefined)
const stopSequences = { stop_reason: matched, matched_stop: matched }

export function readStopSequence({ stop_reason, matched_stop }: z.output<z.ZodObject<typeof stopSequences>>) {
  return stop_reason ?? matched_stop ?? undefined
}

export const chatReply = z.object({
  service_tier: serviceTier,
  choices: z.tuple([z.object({ message, finish_reason: z.string(), ...stopSequences })], z.unknown()),
  usage,
})

export const chatChunk = z.object({
  service_tier: serviceTier,
  choices: z.array(z.object({ delta: message.nullish(), finish_reason: z.string().nullish(), ...stopSequences })),
  usage,
  // Groq's place for the counts of a stream.
  x_groq: z.object({ usage }).nullish().catch(undefined),
})

/** What the reading of a reply needs of its request. */
export interface Reading {
  /** The id of the provider. */
  readonly provider: string
  readonly warnings: readonly Issue[]
  /** The `service_tier` of the request. */
  readonly tier?: unknown
}

export function fromChatReply(
  {
    choices: [{ message: said, finish_reason, ...stopped }],
    usage: counts,
    service_tier: tier,
  }: z.output<typeof chatReply>,
  { provider, warnings, tier: asked }: Reading,
): TextAnswer {
  const { text } = said.content
  const calls = toToolCalls(said.tool_calls ?? [], { provider, isCutOff: isCutOff(finish_reason) })
  const thought = reasoningOf(said)
  const details = reasoningDetails(provider)
  details.add(said.reasoning_details)
  const providerOptions = details.take()
  const parts: readonly AnswerPart[] = [
    ...(thought !== '' || providerOptions
      ? [{ type: 'reasoning' as const, text: thought, ...(providerOptions && { providerOptions }) }]
      : []),
    ...(text === '' ? [] : [{ type: 'text' as const, text }]),
    ...(said.refusal ? [{ type: 'refusal' as const, text: said.refusal }] : []),
    ...calls,
  ]
  const end = {
    finishReason: readFinishReason(finish_reason, calls.length, said.refusal),
    stopSequence: readStopSequence(stopped),
    usage: withTier(readUsage(counts), tier, asked),
    textLength: text.length,
    reasoningLength: thought.length,
  }
  return { content: text, ...(parts.some(({ type }) => type !== 'text') && { parts }), ...toFinish(end, warnings) }
}

export function reasoningOf({ content: { reasoning: parts }, reasoning_content, reasoning: words }: Message): string {
  return reasoning_content || words || parts
}

const finishReasons = new Map(
  Object.entries<FinishReason>({
    length: 'length',
    // Mistral's: the context of the model is full.
    model_length: 'length',
    content_filter: 'content_filter',
  }),
)

/** Whether an answer reached its maximum length. */
export function isCutOff(reason: string): boolean {
  return finishReasons.get(reason) === 'length'
}

/** Finish reasons of a failure (OpenRouter, Mistral; DeepSeek). */
const failures = ['error', 'insufficient_system_resource']

/** An answer with tool calls waits for their results, whatever reason the server gives: for some it is `stop`. */
export function readFinishReason(reason: string, callCount: number, refusal?: string | null): FinishReason {
  if (failures.includes(reason)) throw new ProviderError('retry', `the finish reason is "${reason}"`)
  return finishReasons.get(reason) ?? endOf(callCount, refusal)
}

/** How an answer ended whose end needs no words. */
export function endOf(callCount: number, refusal: string | null | undefined): FinishReason {
  if (callCount > 0) return 'tool_calls'
  return refusal ? 'refusal' : 'stop'
}

export function readUsage(counts: Counts): TokenUsage | undefined {
  if (!counts) return undefined
  const { prompt_tokens: promptTokens, completion_tokens: completion, total_tokens: total } = counts
  const cached = counts.prompt_tokens_details?.cached_tokens ?? counts.prompt_cache_hit_tokens
  const written = counts.prompt_tokens_details?.cache_write_tokens
  const reasoningTokens = counts.completion_tokens_details?.reasoning_tokens
  return {
    promptTokens,
    // xAI counts reasoning tokens beside the completion: only the total includes them.
    completionTokens: Math.max(completion, (total ?? 0) - promptTokens),
    ...(reasoningTokens != null && { reasoningTokens }),
    ...(cached ? { cachedPromptTokens: cached } : {}),
    ...(written ? { cacheWriteTokens: written } : {}),
  }
}
