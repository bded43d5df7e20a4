import { type FinishReason, type Issue, ProviderError, type TextAnswer, type TextEvent } from '@fairlead/core/provider'
import { reasoningWarning } from '@fairlead/provider-http'
import { z } from 'zod'

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

type Counts = z.output<typeof usage>

/** Text, or Mistral's parts, some of which are text and some reasoning. */
const content = z
  .union([
    z.string(),
    z.array(z.object({ type: z.string(), text: z.unknown().optional(), thinking: z.unknown().optional() })),
  ])
  .nullish()
  .transform((parts) => {
    if (typeof parts === 'string') return { text: parts, reasoning: '' }
    const texts = (parts ?? []).map(({ type, text }) => (type === 'text' && typeof text === 'string' ? text : ''))
    const thoughts = (parts ?? []).map(({ thinking }) => (thinking === undefined ? '' : JSON.stringify(thinking)))
    return { text: texts.join(''), reasoning: thoughts.join('') }
  })

const reasoning = z.string().nullish().catch(undefined)
// DeepSeek, vLLM, and xAI send `reasoning_content`; OpenRouter, Ollama, and Groq send `reasoning`.
const message = {
  content,
  refusal: z.string().nullish(),
  reasoning_content: reasoning,
  reasoning,
}

export const chatReply = z.object({
  choices: z.tuple([z.object({ message: z.object(message), finish_reason: z.string() })], z.unknown()),
  usage,
})

export const chatChunk = z.object({
  choices: z.array(z.object({ delta: z.object(message).nullish(), finish_reason: z.string().nullish() })),
  usage,
  // Groq's place for the counts of a stream.
  x_groq: z.object({ usage }).nullish().catch(undefined),
})

type Message = z.output<z.ZodObject<typeof message>>

export function fromChatReply(
  { choices: [{ message: said, finish_reason }], usage: counts }: z.output<typeof chatReply>,
  warnings: readonly Issue[],
): TextAnswer {
  const { text } = said.content
  if (said.refusal && text === '') throw refused(said.refusal)
  const end = { reason: finish_reason, counts, textLength: text.length, reasoningLength: lengthOfReasoning(said) }
  return { content: text, ...readFinish(end, warnings) }
}

/**
 * The events of a streamed chat completion. The finish reason arrives before the token counts. A stream without a finish
 * reason was cut off, whatever its last chunk is.
 */
export async function* readChunks(
  chunks: AsyncIterable<z.output<typeof chatChunk>>,
  warnings: readonly Issue[],
): AsyncGenerator<TextEvent, void, undefined> {
  const end = {
    reason: undefined as string | undefined,
    counts: undefined as Counts,
    textLength: 0,
    reasoningLength: 0,
  }
  let refusal = ''
  for await (const { choices, usage: counts, x_groq } of chunks) {
    const { delta, finish_reason } = choices[0] ?? {}
    const text = delta?.content.text ?? ''
    if (text !== '') yield { type: 'text', text }
    end.textLength += text.length
    end.reasoningLength += delta ? lengthOfReasoning(delta) : 0
    refusal += delta?.refusal ?? ''
    end.reason = finish_reason ?? end.reason
    end.counts = counts ?? x_groq?.usage ?? end.counts
  }
  if (end.reason === undefined) throw new ProviderError('retry', 'the stream ended without a finish reason')
  if (refusal !== '' && end.textLength === 0) throw refused(refusal)
  yield { type: 'finish', ...readFinish({ ...end, reason: end.reason }, warnings) }
}

function refused(words: string): ProviderError {
  return new ProviderError('content_refused', 'the model refused', { detail: words })
}

function lengthOfReasoning({ content: { reasoning: parts }, reasoning_content, reasoning: words }: Message): number {
  return (reasoning_content ?? words ?? parts).length
}

const finishReasons = new Map(
  Object.entries<FinishReason>({
    length: 'length',
    // Mistral's: the context of the model is full.
    model_length: 'length',
    content_filter: 'content_filter',
  }),
)

/** Finish reasons of a failure (OpenRouter, Mistral; DeepSeek). */
const failures = ['error', 'insufficient_system_resource']

interface End {
  readonly reason: string
  readonly counts: Counts
  /** In characters, as is the next. */
  readonly textLength: number
  readonly reasoningLength: number
}

function readFinish(end: End, warnings: readonly Issue[]): Omit<TextAnswer, 'content'> {
  if (failures.includes(end.reason)) throw new ProviderError('retry', `the finish reason is "${end.reason}"`)
  const finishReason = finishReasons.get(end.reason) ?? 'stop'
  const all = finishReason === 'length' ? [...warnings, ...warnOfReasoning(end)] : warnings
  return { finishReason, ...readUsage(end.counts), ...(all.length > 0 ? { warnings: all } : {}) }
}

const charactersPerToken = 4

/** Ollama and others send the reasoning but do not count its tokens: its share of the characters is an estimate. */
function warnOfReasoning({ counts, textLength, reasoningLength }: End): readonly Issue[] {
  const counted = counts?.completion_tokens_details?.reasoning_tokens
  if (counted != null) return reasoningWarning(counted)
  const completion = counts?.completion_tokens ?? (textLength + reasoningLength) / charactersPerToken
  const share = reasoningLength / Math.max(1, textLength + reasoningLength)
  return reasoningWarning(Math.round(completion * share), { isEstimate: textLength > 0 || counts == null })
}

function readUsage(counts: Counts): Pick<TextAnswer, 'usage'> {
  if (!counts) return {}
  const { prompt_tokens: promptTokens, completion_tokens: completion, total_tokens: total } = counts
  const cached = counts.prompt_tokens_details?.cached_tokens ?? counts.prompt_cache_hit_tokens
  const written = counts.prompt_tokens_details?.cache_write_tokens
  return {
    usage: {
      promptTokens,
      // xAI counts reasoning tokens beside the completion: only the total includes them.
      completionTokens: Math.max(completion, (total ?? 0) - promptTokens),
      ...(cached ? { cachedPromptTokens: cached } : {}),
      ...(written ? { cacheWriteTokens: written } : {}),
    },
  }
}
