import {
  type AnswerPart,
  type Citation,
  type FinishReason,
  type Issue,
  type JsonObject,
  ProviderError,
  type ResponseFacts,
  type TextAnswer,
  type TokenUsage,
} from '@fairlead/core/provider'
import { z } from 'zod'
import { citationsOf } from './citations.ts'
import { toFinish } from './finish.ts'
import { present, without } from './parts.ts'
import { detailsOf } from './reasoning-details.ts'
import { withTier } from './tiers.ts'
import { toolCallDelta, toToolCalls } from './tool-calls.ts'

const tokens = z.int().min(0)
const promptDetails = z
  .object({ cached_tokens: tokens.nullish(), cache_write_tokens: tokens.nullish().catch(undefined) })
  .nullish()
  .catch(undefined)

const counted = z.object({
  prompt_tokens: tokens,
  completion_tokens: tokens,
  total_tokens: tokens.nullish().catch(undefined),
  prompt_tokens_details: promptDetails,
  completion_tokens_details: z.object({ reasoning_tokens: tokens.nullish() }).nullish().catch(undefined),
  // DeepSeek's.
  prompt_cache_hit_tokens: tokens.nullish().catch(undefined),
})
/** Invalid counts count as missing: the response is paid for, and core estimates what is missing. */
const usage = z
  .looseObject({})
  .transform((sent, context) => {
    const { data, error } = counted.safeParse(sent)
    if (data) return { ...data, sent: sent as JsonObject }
    context.addIssue(error.message)
    return z.NEVER
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
    z.array(z.looseObject({ type: z.string(), text: z.unknown().optional(), thinking: thinking.optional() })),
  ])
  .nullish()
  .transform((parts) => {
    if (typeof parts === 'string') return { text: parts, reasoning: '', others: [] }
    const texts = (parts ?? []).map(({ type, text }) => (type === 'text' && typeof text === 'string' ? text : ''))
    return {
      text: texts.join(''),
      reasoning: (parts ?? []).map((part) => part.thinking ?? '').join(''),
      others: (parts ?? []).filter(({ type }) => type !== 'text' && type !== 'thinking') as readonly JsonObject[],
    }
  })

const reasoning = z.string().nullish().catch(undefined)

const message = z.looseObject({
  content,
  refusal: z.string().nullish(),
  // DeepSeek, vLLM, and xAI send `reasoning_content`; OpenRouter, Ollama, and Groq send `reasoning`.
  reasoning_content: reasoning,
  reasoning,
  reasoning_details: z.array(z.record(z.string(), z.unknown())).nullish().catch(undefined),
  tool_calls: z.array(toolCallDelta).nullish(),
  annotations: z.array(z.record(z.string(), z.unknown())).nullish().catch(undefined),
})

export type ChatMessage = z.output<typeof message>

/** The stop sequence of vLLM, and of SGLang: a text, or the id of a token that ended the answer. */
const matched = z.union([z.string(), z.int()]).nullish().catch(undefined)
const choiceFields = {
  index: z.unknown().optional(),
  stop_reason: matched,
  matched_stop: matched,
  logprobs: z.record(z.string(), z.unknown()).nullish().catch(undefined),
}

export function readStopSequence({ stop_reason, matched_stop }: z.output<z.ZodObject<typeof choiceFields>>) {
  return [stop_reason, matched_stop].find((sequence) => typeof sequence === 'string')
}

const word = z.string().nullish().catch(undefined)
const head = { id: word, model: word, system_fingerprint: word, service_tier: word, object: z.unknown().optional() }

const wholeChoice = z.looseObject({ message, finish_reason: z.string(), ...choiceFields })
export const chatReply = z.looseObject({ ...head, choices: z.tuple([wholeChoice], z.unknown()), usage })

const chunkChoice = z.looseObject({ delta: message.nullish(), finish_reason: z.string().nullish(), ...choiceFields })
export const chatChunk = z.looseObject({
  ...head,
  choices: z.array(chunkChoice),
  usage,
  // Groq's place for the counts of a stream.
  x_groq: z.looseObject({ usage }).nullish().catch(undefined),
})

export type ChatChunk = z.output<typeof chatChunk>

/** A chunk that is a piece of text and nothing else, as nearly all are. Undefined for any other, which the schema reads. */
export function readPiece(chunk: unknown): ChatChunk | undefined {
  const {
    choices,
    usage: counts,
    x_groq: groq,
    id,
    model,
    system_fingerprint: print,
    service_tier: tier,
  } = asFields(chunk)
  const [choice, ...others] = Array.isArray(choices) ? (choices as readonly unknown[]) : []
  const { delta, finish_reason: reason, stop_reason: stop, matched_stop: matchedStop, logprobs } = asFields(choice)
  const { content: piece, role, ...rest } = asFields(delta)
  const isText = typeof piece === 'string' && (role === undefined || role === 'assistant') && isEmpty(rest)
  const isPiece = [counts, groq, reason, stop, matchedStop, logprobs].every(
    (value) => value === undefined || value === null,
  )
  if (!isText || !isPiece || others.length > 0 || ![id, model, print, tier].every(isTextOrNone)) return undefined
  const read = { ...asFields(choice), delta: { content: { text: piece, reasoning: '', others: [] } } }
  return { ...asFields(chunk), choices: [read] } as unknown as ChatChunk
}

function asFields(value: unknown): JsonObject {
  return typeof value === 'object' && value !== null ? (value as JsonObject) : {}
}

function isEmpty(fields: JsonObject): boolean {
  for (const name in fields) if (fields[name] !== undefined && fields[name] !== null) return false
  return true
}

function isTextOrNone(value: unknown): boolean {
  return value === undefined || value === null || typeof value === 'string'
}
export type ChatChoice = z.output<typeof chunkChoice>

/** What the reading of a reply needs of its request. */
export interface Reading {
  /** The id of the provider. */
  readonly provider: string
  readonly warnings: readonly Issue[]
  /** The `service_tier` of the request. */
  readonly tier?: unknown
  /** Whether the client speaks the API, so that it gets the fields of the reply that core does not interpret. */
  readonly isNative: boolean
}

const dialect = 'openai-chat'

export function fromChatReply(reply: z.output<typeof chatReply>, reading: Reading): TextAnswer {
  const { provider, warnings, tier: asked, isNative } = reading
  const [choice] = reply.choices
  const { message: said, finish_reason } = choice
  const { text } = said.content
  const calls = said.tool_calls?.length
    ? toToolCalls(said.tool_calls, { provider, isCutOff: isCutOff(finish_reason), isNative })
    : []
  const thought = reasoningOf(said)
  const providerOptions = said.reasoning_details ? detailsOf(said.reasoning_details, provider) : undefined
  const citations = citationsIn(said, isNative)
  const parts: readonly AnswerPart[] = [
    ...(thought !== '' || providerOptions
      ? [{ type: 'reasoning' as const, text: thought, ...(providerOptions && { providerOptions }) }]
      : []),
    ...(text === '' ? [] : [{ type: 'text' as const, text, ...(citations && { citations }) }]),
    ...said.content.others.map((block) => opaquePart(block, provider)),
    ...(said.refusal ? [{ type: 'refusal' as const, text: said.refusal }] : []),
    ...calls,
  ]
  const counts = readUsage(reply.usage, isNative)
  const end = {
    finishReason: readFinishReason(finish_reason, calls.length, Boolean(said.refusal)),
    stopSequence: readStopSequence(choice),
    usage: (reply.service_tier ?? asked) == null ? counts : withTier(counts, reply.service_tier, asked),
    textLength: text.length,
    reasoningLength: thought.length,
  }
  const response = { ...readFacts(reply), ...(isNative && { native: { [dialect]: wholeNative(reply) } }) }
  return {
    parts,
    ...toFinish(end, warnings),
    ...(Object.keys(response).length > 0 && { response }),
    ...(choice.logprobs && { logprobs: choice.logprobs }),
  }
}

/** Mistral's blocks between texts, such as `reference`. */
export function opaquePart(block: JsonObject, provider: string): AnswerPart {
  return { type: 'opaque', provider, dialect, kind: String(block['type']), data: block }
}

/** What a reply or a chunk says of the response. */
export function readFacts({
  id,
  model,
  system_fingerprint,
  service_tier,
}: Pick<ChatChunk, keyof typeof head>): ResponseFacts {
  return {
    ...(id && { id }),
    ...(model && { model }),
    ...(service_tier && { serviceTier: service_tier }),
    ...(system_fingerprint && { fingerprint: system_fingerprint }),
  }
}

const headNames = ['id', 'model', 'system_fingerprint', 'service_tier', 'object', 'choices', 'usage']
const choiceNames = ['index', 'message', 'delta', 'finish_reason', 'logprobs']
const messageNames = ['role', 'content', 'refusal', 'reasoning_content', 'reasoning', 'reasoning_details', 'tool_calls']

/** The fields of a reply that are in no other place of the answer, in their places. */
function wholeNative(reply: z.output<typeof chatReply>): JsonObject {
  const [choice] = reply.choices
  const inChoice = { ...nativeOfChoice(choice), message: nativeOfMessage(choice.message) }
  return { ...nativeOfHead(reply), choices: [inChoice] }
}

export function nativeOfHead(reply: object): JsonObject {
  return present(without(reply, headNames))
}

export function nativeOfChoice(choice: object): JsonObject {
  return present(without(choice, choiceNames))
}

export function nativeOfMessage(said: object): JsonObject {
  return present(without(said, messageNames))
}

export function citationsIn(said: ChatMessage, isNative: boolean): readonly Citation[] | undefined {
  return said.annotations ? citationsOf(said.annotations, isNative ? dialect : undefined) : undefined
}

export function reasoningOf({
  content: { reasoning: parts },
  reasoning_content,
  reasoning: words,
}: Pick<ChatMessage, 'content' | 'reasoning_content' | 'reasoning'>): string {
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
export function readFinishReason(reason: string, callCount: number, hasRefused: boolean): FinishReason {
  if (failures.includes(reason)) throw new ProviderError('retry', `the finish reason is "${reason}"`)
  return finishReasons.get(reason) ?? endOf(callCount, hasRefused)
}

/** How an answer ended whose end needs no words. */
export function endOf(callCount: number, hasRefused: boolean): FinishReason {
  if (callCount > 0) return 'tool_calls'
  return hasRefused ? 'refusal' : 'stop'
}

export function readUsage(counts: Counts, isNative: boolean): TokenUsage | undefined {
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
    ...(isNative && { native: { [dialect]: counts.sent } }),
  }
}
