import type { AnswerPart, FinishReason, ProviderOptions, TextAnswer, TokenUsage } from '@fairlead/core/provider'
import { z } from 'zod'
import { endOf, type Reading } from './chat-reply.ts'
import { toFinish } from './finish.ts'
import { serviceTier, withTier } from './tiers.ts'
import { toToolCalls } from './tool-calls.ts'

const tokens = z.int().min(0)

/** Invalid counts count as missing: the response is paid for, and core estimates what is missing. */
const usage = z
  .object({
    input_tokens: tokens,
    output_tokens: tokens,
    input_tokens_details: z
      .object({ cached_tokens: tokens.nullish(), cache_write_tokens: tokens.nullish().catch(undefined) })
      .nullish()
      .catch(undefined),
    output_tokens_details: z.object({ reasoning_tokens: tokens.nullish() }).nullish().catch(undefined),
  })
  .nullish()
  .catch(undefined)

const texts = z.array(z.object({ text: z.string() })).nullish()

/** The items of an answer. Those of tools that the server runs itself are not part of it. */
export const outputItem = z.union([
  z.object({
    type: z.literal('message'),
    content: z.array(z.object({ text: z.string().nullish(), refusal: z.string().nullish() })).nullish(),
    phase: z.string().nullish(),
  }),
  z.object({
    type: z.literal('function_call'),
    call_id: z.string().nullish(),
    name: z.string(),
    arguments: z.string().nullish(),
  }),
  z.object({
    type: z.literal('reasoning'),
    id: z.string().nullish(),
    summary: texts,
    content: texts,
    encrypted_content: z.string().nullish(),
  }),
  z.object({ type: z.string() }).transform(() => ({ type: 'other' as const })),
])

export type OutputItem = z.output<typeof outputItem>
type MessageItem = Extract<OutputItem, { type: 'message' }>
type ReasoningItem = Extract<OutputItem, { type: 'reasoning' }>

/** A response that has ended. The body of one that failed is read as an error. */
export const responsesReply = z.object({
  status: z.enum(['completed', 'incomplete']),
  incomplete_details: z.object({ reason: z.string().nullish() }).nullish(),
  output: z.array(outputItem),
  usage,
  service_tier: serviceTier,
})

export type ResponsesReply = z.output<typeof responsesReply>

/** @param provider the id of the provider */
export function fromResponsesReply(reply: ResponsesReply, { provider, warnings, tier: asked }: Reading): TextAnswer {
  const isCutOff = reply.incomplete_details?.reason === 'max_output_tokens'
  const parts = reply.output.flatMap((item): readonly AnswerPart[] => {
    if (item.type === 'reasoning') return [toReasoningPart(item, provider)]
    if (item.type === 'message') return [...toTextPart(item, provider), ...toRefusalPart(item)]
    if (item.type !== 'function_call') return []
    const { call_id, name, arguments: json } = item
    return toToolCalls([{ id: call_id, function: { name, arguments: json } }], { provider, isCutOff })
  })
  const content = parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
  const callCount = parts.filter(({ type }) => type === 'tool_call').length
  const refusal = reply.output.map((item) => (item.type === 'message' ? refusalOf(item) : '')).join('')
  const end = { ...readEnd(reply, { callCount, refusal }, asked), textLength: content.length, reasoningLength: 0 }
  const isPlain = parts.every(({ type, providerOptions }) => type === 'text' && !providerOptions)
  return { content, ...(!isPlain && { parts }), ...toFinish(end, warnings) }
}

function toReasoningPart(item: ReasoningItem, provider: string): AnswerPart {
  const providerOptions = reasoningOptions(item, provider)
  return { type: 'reasoning', text: reasoningText(item), ...(providerOptions && { providerOptions }) }
}

/** The reasoning itself, or a summary of it. Empty unless the request asked for it. */
export function reasoningText({ summary, content }: ReasoningItem): string {
  return [...(content ?? []), ...(summary ?? [])].map(({ text }) => text).join('\n\n')
}

/** The reasoning as the next request must return it. */
export function reasoningOptions(
  { id, summary, encrypted_content }: ReasoningItem,
  provider: string,
): ProviderOptions | undefined {
  if (encrypted_content == null) return undefined
  const summaries = (summary ?? []).map(({ text }) => ({ type: 'summary_text', text }))
  return { [provider]: { ...(id != null && { id }), summary: summaries, encrypted_content } }
}

export function textOf({ content }: MessageItem): string {
  return (content ?? []).map(({ text }) => text ?? '').join('')
}

function toTextPart(item: MessageItem, provider: string): readonly AnswerPart[] {
  const text = textOf(item)
  if (text === '') return []
  const providerOptions = phaseOptions(item.phase, provider)
  return [{ type: 'text', text, ...(providerOptions && { providerOptions }) }]
}

/** Whether a text is a comment on the way or the answer. Newer models do worse if the next request leaves it out. */
export function phaseOptions(phase: string | null | undefined, provider: string): ProviderOptions | undefined {
  return phase == null ? undefined : { [provider]: { phase } }
}

export function refusalOf({ content }: MessageItem): string {
  return (content ?? []).map(({ refusal }) => refusal ?? '').join('')
}

function toRefusalPart(item: MessageItem): readonly AnswerPart[] {
  const text = refusalOf(item)
  return text === '' ? [] : [{ type: 'refusal', text }]
}

const finishReasons = new Map(
  Object.entries<FinishReason>({ max_output_tokens: 'length', content_filter: 'content_filter' }),
)

/** How a response ended, and its token counts. */
export function readEnd(
  { incomplete_details, usage: counts, service_tier: tier }: Omit<ResponsesReply, 'output'>,
  { callCount, refusal }: { readonly callCount: number; readonly refusal: string },
  asked: unknown,
): { readonly finishReason: FinishReason; readonly usage: TokenUsage | undefined } {
  const early = finishReasons.get(incomplete_details?.reason ?? '')
  return {
    finishReason: early ?? endOf(callCount, refusal),
    usage: withTier(readUsage(counts), tier, asked),
  }
}

function readUsage(counts: z.output<typeof usage>): TokenUsage | undefined {
  if (!counts) return undefined
  const { cached_tokens: cached, cache_write_tokens: written } = counts.input_tokens_details ?? {}
  const reasoningTokens = counts.output_tokens_details?.reasoning_tokens
  return {
    promptTokens: counts.input_tokens,
    completionTokens: counts.output_tokens,
    ...(reasoningTokens != null && { reasoningTokens }),
    ...(cached ? { cachedPromptTokens: cached } : {}),
    ...(written ? { cacheWriteTokens: written } : {}),
  }
}
