import {
  type AnswerPart,
  type FinishReason,
  type Issue,
  type JsonObject,
  type Native,
  type RefusalPart,
  type ResponseFacts,
  type TextFinish,
  type AnswerUsage,
} from '@fairlead/core/provider'
import {
  isNoReason,
  readFinishReason,
  reasoningWarning,
  requireAnswer,
  unknownReasonWarning,
  plainReason,
} from '@fairlead/provider-toolkit'
import type { MessageReply, WireUsage } from './wire.ts'

type Ending = Pick<MessageReply, 'stop_reason' | 'stop_sequence' | 'stop_details'>

/** A reply, or what its events said of it. */
export type WireFacts = JsonObject & Ending & Partial<Pick<MessageReply, 'id' | 'model' | 'usage'>>

/** Facts about the request, for reading its reply. */
export interface Reading {
  /** The provider's id, which is also the key of its options. */
  readonly id: string
  readonly warnings: readonly Issue[]
  /** The body of the request, whose tier counts if the API reports none. */
  readonly body?: Tiers
}

/** Facts about the parts of a reply. */
export interface PartFacts {
  /** Number of those that say something. */
  readonly said: number
  readonly calls: number
  readonly hasUnreadableCall: boolean
}

/** The facts about the parts of a whole reply. */
export function readPartFacts(parts: readonly AnswerPart[]): PartFacts {
  const calls = parts.filter((part) => part.type === 'tool_call')
  return {
    said: parts.filter((part) => !('text' in part) || part.text !== '' || part.providerOptions).length,
    calls: calls.length,
    hasUnreadableCall: calls.some(({ input }) => input === undefined),
  }
}

/** After the results of a tool, Claude may say nothing: https://platform.claude.com/docs/en/build-with-claude/handling-stop-reasons */
const maxTokensOfSilence = 3

/** How a reply ended, whole or streamed. */
export function readFinish(reply: WireFacts, { warnings, body }: Reading, parts: PartFacts): TextFinish {
  const { stop_reason: reason, stop_sequence: sequence, usage = {} } = reply
  const finish = {
    finishReason: toFinishReason(reason, parts),
    stopSequence: (plainReason(reason ?? '') === 'stop_sequence' && sequence) || undefined,
    usage: readUsage(usage, body),
    response: readFacts(reply),
    warnings: [...warnings, ...findWarnings(reason, usage)],
  }
  const mayBeSilent = reason === 'end_turn' && (finish.usage?.completionTokens ?? 0) <= maxTokensOfSilence
  if (!mayBeSilent) requireAnswer(parts.said, finish, 'content.0.text')
  return finish
}

/** A call whose input cannot be read was cut off, if the server does not say otherwise. */
function toFinishReason(reason: string | null | undefined, { calls, hasUnreadableCall }: PartFacts): FinishReason {
  const known = readFinishReason(reason)
  if (known !== undefined && known !== 'stop') return known
  if (known === undefined && hasUnreadableCall) return 'length'
  return calls > 0 ? 'tool_calls' : 'stop'
}

function findWarnings(reason: string | null | undefined, usage: Partial<WireUsage>): readonly Issue[] {
  const word = plainReason(reason ?? '')
  if (word === 'model_context_window_exceeded') {
    return [{ field: 'messages', issue: 'prompt and response filled the context of the model' }]
  }
  const known = isNoReason(reason) ? undefined : readFinishReason(reason)
  if (known === 'length') return reasoningWarning(usage.output_tokens_details?.thinking_tokens ?? 0)
  return known === undefined ? [unknownReasonWarning(reason)] : []
}

/** The facts of the API's reply. Fields that only its own clients know are kept as they are. */
export function readFacts(reply: WireFacts): ResponseFacts {
  const { type: _type, role: _role, content: _content, id, model, usage, ...own } = reply
  return {
    ...(id && { id }),
    ...(model && { model }),
    ...(usage?.service_tier && { serviceTier: usage.service_tier }),
    native: { anthropic: own },
  }
}

/** The fields of a block or a reply that core has no place for; nothing if there are none. */
export function toNative(fields: JsonObject): { native?: Native } {
  return Object.keys(fields).length === 0 ? {} : { native: { anthropic: fields } }
}

/** The fields that change the price, of a request or as the API reports them. */
interface Tiers {
  readonly speed?: unknown
  readonly inference_geo?: unknown
}

const standard: ReadonlySet<unknown> = new Set(['standard', 'global', 'not_available'])

function readTiers(usage: Tiers, asked: Tiers): Pick<AnswerUsage, 'tiers'> {
  const found = [usage.speed ?? asked.speed, usage.inference_geo ?? asked.inference_geo]
  const tiers = found.filter((tier) => typeof tier === 'string' && !standard.has(tier)) as readonly string[]
  return tiers.length > 0 ? { tiers } : {}
}

/** The API's explanation of a refusal, if it has one. */
export function readRefusal({ stop_reason, stop_details }: Ending): readonly RefusalPart[] {
  const text = stop_reason === 'refusal' ? stop_details?.explanation : undefined
  return text ? [{ type: 'refusal', text }] : []
}

/**
 * The API counts prompt tokens that its cache wrote or read separately.
 *
 * @param written what the API wrote, if that is only a part of the usage
 */
export function readUsage(
  usage: Partial<WireUsage>,
  asked: Tiers = {},
  written: JsonObject = usage,
): AnswerUsage | undefined {
  const input = usage.input_tokens
  const output = usage.output_tokens
  if (typeof input !== 'number' || typeof output !== 'number') return undefined
  const cached = usage.cache_read_input_tokens ?? 0
  const reasoningTokens = usage.output_tokens_details?.thinking_tokens
  const cacheWriteTokens = usage.cache_creation_input_tokens ?? 0
  const searches = usage.server_tool_use?.web_search_requests
  const long = usage.cache_creation?.ephemeral_1h_input_tokens
  return {
    promptTokens: input + cached + cacheWriteTokens,
    completionTokens: output,
    ...(typeof reasoningTokens === 'number' && { reasoningTokens }),
    cachedPromptTokens: cached,
    ...(cacheWriteTokens > 0 && { cacheWriteTokens }),
    ...(long ? { longCacheWriteTokens: long } : {}),
    ...(searches ? { webSearches: searches } : {}),
    ...readTiers(usage, asked),
    native: { anthropic: written },
  }
}
