import {
  type FinishReason,
  type Issue,
  isObject,
  type JsonObject,
  type ResponseFacts,
  type TextFinish,
  type AnswerUsage,
} from '@fairlead/core/provider'
import { reasoningWarning } from '@fairlead/provider-toolkit'
import type { OwnDialect } from './native.ts'
import { countIn, objectIn, textIn } from './sent-values.ts'

/** Facts about the request, for reading its reply. */
export interface Reading {
  /** The id of the provider. */
  readonly provider: string
  readonly warnings: readonly Issue[]
  /** The `service_tier` of the request. */
  readonly tier: unknown
  /** The API, if the client speaks it, so that it gets the fields of the reply that core does not interpret. */
  readonly native: OwnDialect | undefined
  /** The names of tools by those that were sent, if they were too long. */
  readonly toolNames?: ReadonlyMap<string, string> | undefined
}

/** The name of a tool as the request has it. */
export function askedName(sent: string, { toolNames }: Reading): string {
  return toolNames?.get(sent) ?? sent
}

/** Facts that a reply, or a piece of one, states about its response. */
export function readFacts(sent: JsonObject): ResponseFacts {
  const id = textIn(sent['id'])
  const model = textIn(sent['model'])
  const serviceTier = textIn(sent['service_tier'])
  const fingerprint = textIn(sent['system_fingerprint'])
  return {
    ...(id && { id }),
    ...(model && { model }),
    ...(serviceTier && { serviceTier }),
    ...(fingerprint && { fingerprint }),
  }
}

/** How an answer ended. */
export interface End {
  readonly finishReason: FinishReason
  /** Warnings about the end. */
  readonly found?: readonly Issue[] | undefined
  readonly stopSequence?: string | undefined
  readonly counted: Counted | undefined
  /** The tier that answered, which decides the price. Default: the tier of the request. */
  readonly tier: string | undefined
  /** In characters, as is the next. */
  readonly textLength: number
  readonly reasoningLength: number
}

/** The end of an answer with the warnings of its request. */
export function toFinish(end: End, reading: Reading): TextFinish {
  const { finishReason, found: ofEnd = [], stopSequence, counted, tier = reading.tier } = end
  const found = [
    ...ofEnd,
    ...(finishReason === 'length' ? warnOfReasoning(end) : []),
    ...(counted?.disagrees ? [disagreement] : []),
  ]
  const warnings = found.length > 0 ? [...reading.warnings, ...found] : reading.warnings
  const usage =
    counted && typeof tier === 'string' && !standardTiers.has(tier)
      ? { ...counted.usage, tiers: [tier] }
      : counted?.usage
  return {
    finishReason,
    ...(stopSequence !== undefined && { stopSequence }),
    ...(usage && { usage }),
    ...(warnings.length > 0 && { warnings }),
  }
}

/** How an answer ended whose end needs no words. */
export function chooseFinishReason(callCount: number, hasRefused: boolean): FinishReason {
  if (callCount > 0) return 'tool_calls'
  return hasRefused ? 'refusal' : 'stop'
}

/** Values of `service_tier` that have the standard price. */
const standardTiers: ReadonlySet<string> = new Set(['auto', 'default', 'standard', 'on_demand', 'scale'])

const disagreement: Issue = {
  field: null,
  issue: 'the token counts of the server contradict each other: the smaller ones count',
}

const charactersPerToken = 4

/** Ollama and others send the reasoning but do not count its tokens: its share of the characters is an estimate. */
function warnOfReasoning({ counted, textLength, reasoningLength }: End): readonly Issue[] {
  const usage = counted?.usage
  if (usage?.reasoningTokens !== undefined) return reasoningWarning(usage.reasoningTokens)
  const completion = usage?.completionTokens ?? (textLength + reasoningLength) / charactersPerToken
  const share = reasoningLength / Math.max(1, textLength + reasoningLength)
  return reasoningWarning(Math.round(completion * share), { isEstimate: textLength > 0 || usage === undefined })
}

/** Token counts as one place of a reply has them. */
export interface Counted {
  readonly usage: AnswerUsage
  /** Whether the server has said two different things, of which the smaller counts. */
  readonly disagrees: boolean
}

/** Of OpenAI's APIs, of Gemini's, and of Ollama's own API, which proxies pass on. */
const promptNames = ['prompt_tokens', 'input_tokens', 'prompt_token_count', 'promptTokenCount', 'prompt_eval_count']
const answerNames = [
  'completion_tokens',
  'output_tokens',
  'candidates_token_count',
  'candidatesTokenCount',
  'eval_count',
]
const totalNames = ['total_tokens', 'total_token_count', 'totalTokenCount']
const thoughtNames = ['reasoning_tokens', 'thoughts_token_count', 'thoughtsTokenCount']
/** Parts of a prompt that some servers count beside it. */
const besidePromptNames = ['tool_use_prompt_token_count', 'toolUsePromptTokenCount']
const besideTextNames = ['audio_tokens', 'image_tokens', 'video_tokens']

/**
 * The token counts of a reply, or of a chunk of one, from the places that servers have for them: at the top (OpenAI), in
 * the choice (Moonshot) or its message, and in `x_groq`, `usage_metadata` (Gemini), or `timings` (llama.cpp).
 *
 * @param native the API of the client, which gets the counts as the server wrote them
 */
export function usageIn(sent: JsonObject, native: string | undefined): Counted | undefined {
  const { usage, x_groq: groq, usage_metadata: metadata = sent['usageMetadata'] } = sent
  const choice = Array.isArray(sent['choices']) ? objectIn(sent['choices'][0]) : undefined
  const said = objectIn(choice?.['delta'] ?? choice?.['message'])
  const elsewhere = groq ?? metadata ?? choice?.['usage'] ?? said?.['usage']
  // Most replies have one place, and most chunks none.
  const found = isObject(elsewhere)
    ? [usage, objectIn(groq)?.['usage'], metadata, choice?.['usage'], said?.['usage']].reduce<Counted | undefined>(
        (one, place) => smaller(one, readUsage(place, native)),
        undefined,
      )
    : readUsage(usage, native)
  if (found) return found
  const beside = sent['prompt_tokens'] ?? sent['input_tokens'] ?? sent['prompt_eval_count']
  return timingsIn(sent['timings']) ?? (beside === undefined ? undefined : readUsage(sent))
}

/** The smaller of two readings. */
function smaller(one: Counted | undefined, other: Counted | undefined): Counted | undefined {
  if (!one || !other) return one ?? other
  const [sizeOfOne, sizeOfOther] = [countTokens(one), countTokens(other)]
  const { usage, disagrees } = sizeOfOther < sizeOfOne ? other : one
  return { usage, disagrees: disagrees || sizeOfOne !== sizeOfOther }
}

function countTokens({ usage: { promptTokens, completionTokens } }: Counted): number {
  return promptTokens + completionTokens
}

/** The token counts of an object. Invalid ones count as missing: the response is paid for, and core estimates. */
function readUsage(sent: unknown, native?: string): Counted | undefined {
  if (!isObject(sent)) return undefined
  const prompt = readCount(sent, promptNames)
  const answer = readCount(sent, answerNames)
  if (!prompt || !answer) return undefined
  const inPrompt = objectIn(sent['prompt_tokens_details'] ?? sent['input_tokens_details']) ?? {}
  const inAnswer = objectIn(sent['completion_tokens_details'] ?? sent['output_tokens_details']) ?? {}
  const thoughts = readCount(inAnswer, thoughtNames)?.tokens ?? readCount(sent, thoughtNames)?.tokens
  const caches = readCaches(sent, inPrompt)
  const total = readCount(sent, totalNames)?.tokens || undefined
  // The words of Gemini leave the thoughts out of the answer.
  const isGemini = countIn(sent['completion_tokens'] ?? sent['output_tokens'] ?? sent['eval_count']) === undefined
  const stated = { prompt: prompt.tokens, answer: answer.tokens + (isGemini ? (thoughts ?? 0) : 0) }
  const excess = total === undefined ? undefined : total - stated.prompt - stated.answer
  const beside = besidePrompt(stated.prompt, caches, excess)
  const rest = excess === undefined ? thoughtsBeside(stated.answer, thoughts) : excess - beside
  const ofPrompt = rest > 0 && rest !== thoughts && partsOfPrompt(sent, inPrompt, caches).includes(rest)
  const tooMuch = total !== undefined && rest < 0 && total >= stated.prompt
  return {
    usage: {
      promptTokens: stated.prompt + beside + (ofPrompt ? rest : 0),
      // Gemini's and xAI's reasoning is in the total alone.
      completionTokens: stated.answer + (tooMuch ? Math.max(-stated.answer, rest) : ofPrompt ? 0 : Math.max(0, rest)),
      ...(thoughts !== undefined && { reasoningTokens: thoughts }),
      ...(caches.read && { cachedPromptTokens: caches.read }),
      ...(caches.written && { cacheWriteTokens: caches.written }),
      ...(native && { native: { [native]: sent } }),
    },
    disagrees: prompt.disagrees || answer.disagrees || tooMuch,
  }
}

/** A count by any of its names. Some servers fill in the names of another API with 0. */
function readCount(sent: JsonObject, names: readonly string[]) {
  let tokens: number | undefined
  let disagrees = false
  // An iterator would cost more than the names.
  for (let at = 0; at < names.length; at++) {
    const count = countIn(sent[names[at]!])
    if (count === undefined || count === tokens) continue
    if (tokens && count) disagrees = true
    tokens = tokens && count ? Math.min(tokens, count) : tokens || count
  }
  return tokens === undefined ? undefined : { tokens, disagrees }
}

interface Caches {
  readonly read: number | undefined
  readonly written: number | undefined
  /** Those by Anthropic's names, which it counts beside the prompt. */
  readonly beside: number
}

function readCaches(sent: JsonObject, inPrompt: JsonObject): Caches {
  const read = countIn(sent['cache_read_input_tokens'])
  const written = countIn(sent['cache_creation_input_tokens'])
  return {
    // Of OpenAI, Anthropic, DeepSeek, Moonshot, and Gemini.
    read:
      countIn(inPrompt['cached_tokens']) ??
      read ??
      countIn(sent['prompt_cache_hit_tokens']) ??
      countIn(sent['cached_tokens']) ??
      countIn(sent['cached_content_token_count'] ?? sent['cachedContentTokenCount']),
    written: countIn(inPrompt['cache_write_tokens']) ?? written,
    beside: (read ?? 0) + (written ?? 0),
  }
}

/** The cached tokens that a server counts beside the prompt: the total includes them, or they are more than the prompt. */
function besidePrompt(prompt: number, { read = 0, beside }: Caches, excess: number | undefined): number {
  const most = beside || (read > prompt ? read : 0)
  return most > 0 && (excess === undefined ? most > prompt : excess >= most) ? most : 0
}

/** Without a total, reasoning is a part of the answer unless it is more. */
function thoughtsBeside(answer: number, thoughts = 0): number {
  return thoughts > answer ? thoughts : 0
}

function partsOfPrompt(sent: JsonObject, inPrompt: JsonObject, { read = 0 }: Caches): readonly unknown[] {
  return [read, ...besidePromptNames.map((name) => sent[name]), ...besideTextNames.map((name) => inPrompt[name])]
}

/** llama.cpp's, which leave out what it read from its cache. */
function timingsIn(sent: unknown): Counted | undefined {
  const timings = objectIn(sent)
  const read = countIn(timings?.['prompt_n'])
  const completionTokens = countIn(timings?.['predicted_n'])
  if (read === undefined || completionTokens === undefined) return undefined
  const cached = countIn(timings?.['cache_n']) ?? 0
  const usage = { promptTokens: read + cached, completionTokens, ...(cached > 0 && { cachedPromptTokens: cached }) }
  return { usage, disagrees: false }
}
