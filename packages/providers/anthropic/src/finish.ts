import {
  type FinishReason,
  type Issue,
  ProviderError,
  type RefusalPart,
  type TokenUsage,
} from '@fairlead/core/provider'
import { reasoningWarning } from '@fairlead/provider-toolkit'
import type { MessageReply, WireUsage } from './wire.ts'

type Ending = Pick<MessageReply, 'stop_reason' | 'stop_sequence' | 'stop_details'>

/** How a response ended, complete or streamed. */
export interface Finish {
  readonly finishReason: FinishReason
  readonly stopSequence?: string
  readonly usage?: TokenUsage
  readonly warnings: readonly Issue[]
}

/**
 * @param asked the body of the request, whose tier counts if the API reports none
 * @throws ProviderError if the model stopped for a reason that a text cannot have
 */
export function readFinish(
  { stop_reason, stop_sequence }: Ending,
  usage: Partial<WireUsage>,
  asked: Tiers = {},
): Finish {
  const counted = readUsage(usage, asked)
  const finish = (finishReason: FinishReason, ...warnings: Issue[]): Finish => ({
    finishReason,
    ...(counted && { usage: counted }),
    warnings,
  })
  switch (stop_reason) {
    case 'end_turn':
      return finish('stop')
    case 'stop_sequence':
      return { ...finish('stop'), ...(typeof stop_sequence === 'string' && { stopSequence: stop_sequence }) }
    case 'tool_use':
      return finish('tool_calls')
    // The API pauses a long turn of its own tools, whose calls and results are no part of the answer.
    case 'pause_turn':
      return finish('length', {
        field: 'providerOptions',
        issue: 'the API paused the answer while it used its own tools',
      })
    case 'max_tokens':
      return finish('length', ...reasoningWarning(usage.output_tokens_details?.thinking_tokens ?? 0))
    case 'model_context_window_exceeded':
      return finish('length', { field: 'prompt', issue: 'prompt and response filled the context of the model' })
    case 'refusal':
      return finish('refusal')
    default:
      throw new ProviderError('give_up', `unexpected stop reason "${stop_reason ?? 'none'}"`)
  }
}

/** The fields that change the price, of a request or as the API reports them. */
interface Tiers {
  readonly speed?: unknown
  readonly inference_geo?: unknown
}

const standard: ReadonlySet<unknown> = new Set(['standard', 'global', 'not_available'])

function tiersOf(usage: Tiers, asked: Tiers): Pick<TokenUsage, 'tiers'> {
  const found = [usage.speed ?? asked.speed, usage.inference_geo ?? asked.inference_geo]
  const tiers = found.filter((tier) => typeof tier === 'string' && !standard.has(tier)) as readonly string[]
  return tiers.length > 0 ? { tiers } : {}
}

/** The API's explanation of a refusal, if it has one. */
export function refusalOf({ stop_reason, stop_details }: Ending): readonly RefusalPart[] {
  const text = stop_reason === 'refusal' ? stop_details?.explanation : undefined
  return text ? [{ type: 'refusal', text }] : []
}

/** The API counts prompt tokens that its cache wrote or read separately. */
export function readUsage(usage: Partial<WireUsage>, asked: Tiers = {}): TokenUsage | undefined {
  const { input_tokens: input, output_tokens: output, cache_read_input_tokens: cached = 0 } = usage
  if (input === undefined || output === undefined) return undefined
  const reasoningTokens = usage.output_tokens_details?.thinking_tokens
  const cacheWriteTokens = usage.cache_creation_input_tokens ?? 0
  const long = usage.cache_creation?.ephemeral_1h_input_tokens
  return {
    promptTokens: input + cached + cacheWriteTokens,
    completionTokens: output,
    ...(reasoningTokens !== undefined && { reasoningTokens }),
    cachedPromptTokens: cached,
    ...(cacheWriteTokens > 0 && { cacheWriteTokens }),
    ...(long ? { longCacheWriteTokens: long } : {}),
    ...tiersOf(usage, asked),
  }
}
