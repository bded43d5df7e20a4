import {
  type AnswerPart,
  type FinishReason,
  type JsonObject,
  type ProviderOptions,
  readToolInput,
  type ResponseFacts,
  type TextAnswer,
  type TokenUsage,
} from '@fairlead/core/provider'
import { z } from 'zod'
import { endOf, type Reading } from './chat-reply.ts'
import { citationsOf } from './citations.ts'
import { toFinish } from './finish.ts'
import { without } from './parts.ts'
import { withTier } from './tiers.ts'
import { newId } from './tool-calls.ts'

const dialect = 'openai-responses'

const tokens = z.int().min(0)
const counted = z.object({
  input_tokens: tokens,
  output_tokens: tokens,
  input_tokens_details: z
    .object({ cached_tokens: tokens.nullish(), cache_write_tokens: tokens.nullish().catch(undefined) })
    .nullish()
    .catch(undefined),
  output_tokens_details: z.object({ reasoning_tokens: tokens.nullish() }).nullish().catch(undefined),
})

const object = z.record(z.string(), z.unknown())
const text = z.string().nullish().catch(undefined)
const texts = z.array(z.object({ text: z.string() })).nullish()

const messageItem = z.object({
  type: z.literal('message'),
  content: z
    .array(z.looseObject({ type: text, text, refusal: text, annotations: z.array(object).nullish() }))
    .nullish(),
  phase: text,
})
const callItem = z.object({
  type: z.enum(['function_call', 'custom_tool_call']),
  call_id: text,
  name: z.string(),
  /** The group of the tool. */
  namespace: text,
  arguments: text,
  input: text,
})
const reasoningItem = z.object({
  type: z.literal('reasoning'),
  id: text,
  summary: texts,
  content: texts,
  encrypted_content: text,
})
const imageItem = z.object({ type: z.literal('image_generation_call'), result: z.string(), output_format: text })

/** The items of an answer that core knows. All others are the upstream's own. */
const knownItem = z.discriminatedUnion('type', [messageItem, callItem, reasoningItem, imageItem])

type KnownItem = z.output<typeof knownItem>
type MessageItem = z.output<typeof messageItem>

/** An item of an answer, as the upstream wrote it. */
export const outputItem = z.looseObject({ type: z.string() })
export type OutputItem = z.output<typeof outputItem>

/** A response, or what is known of one that has begun. */
export const responseFields = z.looseObject({
  id: text,
  model: text,
  service_tier: text,
  status: z.string().nullish(),
  incomplete_details: z.object({ reason: text }).nullish(),
  /** Read only where it is needed, because invalid counts count as missing: the response is paid for. */
  usage: object.nullish().catch(undefined),
})
export type ResponseFields = z.output<typeof responseFields>

/** A response that has ended. The body of one that failed is read as an error. */
export const responsesReply = responseFields.extend({
  status: z.enum(['completed', 'incomplete']),
  output: z.array(outputItem),
})

export function fromResponsesReply(reply: z.output<typeof responsesReply>, reading: Reading): TextAnswer {
  const parts = reply.output.flatMap((item) => partsOf(item, reading))
  // A call that was cut off is left out by core.
  const callCount = parts.filter(({ type }) => type === 'tool_call').length
  const hasRefused = parts.some(({ type }) => type === 'refusal')
  const textLength = parts.reduce((length, part) => length + (part.type === 'text' ? part.text.length : 0), 0)
  const end = { ...readEnd(reply, { callCount, hasRefused }, reading), textLength, reasoningLength: 0 }
  return { parts, ...toFinish(end, reading.warnings), response: readFacts(reply, reading) }
}

/** The parts of an answer that an item is. Those of one item that the client's API shows once have it in the last one. */
export function partsOf(item: OutputItem, reading: Reading): readonly AnswerPart[] {
  const known = knownItem.safeParse(item).data
  const parts = known ? knownParts(known, reading) : undefined
  if (!parts) return [opaquePart(item, reading)]
  if (!reading.isNative) return parts
  if (parts.length === 0) return [{ type: 'text', text: '', native: { [dialect]: item } }]
  return parts.map(
    (part, index) => ({ ...part, native: { [dialect]: index === parts.length - 1 ? item : {} } }) as AnswerPart,
  )
}

/** A block of a tool that the server ran, or that the client runs in its own way. */
export function opaquePart(item: OutputItem, { provider }: Reading): AnswerPart {
  return { type: 'opaque', provider, dialect, kind: item.type, data: item }
}

/** @returns undefined for an item that is shown to clients of the API as it is */
function knownParts(item: KnownItem, reading: Reading): readonly AnswerPart[] | undefined {
  const { provider, isNative } = reading
  switch (item.type) {
    case 'message':
      return messageParts(item, reading)
    case 'reasoning': {
      const words = reasoningText(item)
      const providerOptions = reasoningOptions(item, provider)
      if (words === '' && !providerOptions && !isNative) return []
      return [{ type: 'reasoning', text: words, ...(providerOptions && { providerOptions }) }]
    }
    case 'image_generation_call':
      return isNative
        ? undefined
        : [{ type: 'file', mediaType: `image/${item.output_format ?? 'png'}`, data: item.result }]
    default: {
      const input = readToolInput(item.arguments ?? item.input ?? '')
      return [{ type: 'tool_call', id: item.call_id || newId(), name: toolName(item), ...input }]
    }
  }
}

/** Models know the tools of a namespace by both names. */
function toolName({ namespace, name }: Pick<z.output<typeof callItem>, 'namespace' | 'name'>): string {
  return namespace ? `${namespace}__${name}` : name
}

function messageParts({ content, phase }: MessageItem, { provider, isNative }: Reading): readonly AnswerPart[] {
  const providerOptions = phaseOptions(phase, provider)
  const data = providerOptions && { providerOptions }
  return (content ?? []).flatMap((part): readonly AnswerPart[] => {
    if (part.refusal) return [{ type: 'refusal', text: part.refusal, ...data }]
    if (part.text === '') return []
    if (part.text == null) {
      const message = { type: 'message', role: 'assistant', content: [part] }
      return [{ type: 'opaque', provider, dialect, kind: part.type ?? 'unknown', data: message }]
    }
    const citations = citationsOf(part.annotations, isNative ? dialect : undefined)
    return [{ type: 'text', text: part.text, ...(citations && { citations }), ...data }]
  })
}

/** The reasoning itself, or a summary of it. Empty unless the request asked for it. */
function reasoningText({ summary, content }: z.output<typeof reasoningItem>): string {
  return [...(content ?? []), ...(summary ?? [])].map(({ text: words }) => words).join('\n\n')
}

/** The reasoning as the next request must return it. */
function reasoningOptions(
  { id, summary, encrypted_content }: z.output<typeof reasoningItem>,
  provider: string,
): ProviderOptions | undefined {
  if (encrypted_content == null) return undefined
  const summaries = (summary ?? []).map(({ text: words }) => ({ type: 'summary_text', text: words }))
  return { [provider]: { ...(id != null && { id }), summary: summaries, encrypted_content } }
}

/** Whether a text is a comment on the way or the answer. Newer models do worse if the next request leaves it out. */
function phaseOptions(phase: string | null | undefined, provider: string): ProviderOptions | undefined {
  return phase == null ? undefined : { [provider]: { phase } }
}

/** What a response says of itself, from its first event on. */
export function readFacts(reply: ResponseFields, { isNative }: Reading): ResponseFacts {
  const { id, model, service_tier: serviceTier } = reply
  return {
    ...(id && { id }),
    ...(model && { model }),
    ...(serviceTier && { serviceTier }),
    ...(isNative && { native: { [dialect]: without(reply, ['output', 'usage']) } }),
  }
}

const finishReasons = new Map(
  Object.entries<FinishReason>({ max_output_tokens: 'length', content_filter: 'content_filter' }),
)

/** How a response ended, and its token counts. */
export function readEnd(
  { incomplete_details, usage, service_tier: tier }: ResponseFields,
  { callCount, hasRefused }: { readonly callCount: number; readonly hasRefused: boolean },
  { tier: asked, isNative }: Reading,
): { readonly finishReason: FinishReason; readonly usage: TokenUsage | undefined } {
  const early = finishReasons.get(incomplete_details?.reason ?? '')
  return {
    finishReason: early ?? endOf(callCount, hasRefused),
    usage: withTier(readUsage(usage, isNative), tier, asked),
  }
}

function readUsage(sent: JsonObject | null | undefined, isNative: boolean): TokenUsage | undefined {
  const { data: counts } = counted.safeParse(sent)
  if (!counts || !sent) return undefined
  const { cached_tokens: cached, cache_write_tokens: written } = counts.input_tokens_details ?? {}
  const reasoningTokens = counts.output_tokens_details?.reasoning_tokens
  return {
    promptTokens: counts.input_tokens,
    completionTokens: counts.output_tokens,
    ...(reasoningTokens != null && { reasoningTokens }),
    ...(cached ? { cachedPromptTokens: cached } : {}),
    ...(written ? { cacheWriteTokens: written } : {}),
    ...(isNative && { native: { [dialect]: sent } }),
  }
}
