import type { WithAnswer } from '@fairlead/core'
import {
  type Citation,
  type FinishReason,
  type JsonObject,
  type TextAnswer,
  textOf,
  type TokenUsage,
  type ToolCallPart,
} from '@fairlead/core/provider'
import type { Generation } from '@fairlead/core/types'
import { isObject } from './fields.ts'
import { toExtraContent, toReasoningDetail } from './provider-data.ts'

/** The id of a completion is that of its request, unless OpenAI's own answer has one. */
export function completionId(prefix: string, requestId: string): string {
  return `${prefix}-${requestId.slice(requestId.indexOf('_') + 1)}`
}

/** The answer of a result, which core adds for transports that passed the request in their own form. */
export function answerOf(result: Generation & WithAnswer): TextAnswer {
  if (result.answer) return result.answer
  throw new Error('the result has no answer in the form of the provider contract')
}

export interface CompletionFacts {
  readonly requestId: string
  /** The names of custom tools, whose input is text. */
  readonly customTools: ReadonlySet<string>
}

/** A whole result as a chat completion. Fields of OpenAI's own answer stand beside those of core, in their places. */
export function toCompletion(result: Generation & WithAnswer, { requestId, customTools }: CompletionFacts) {
  const { model, created } = result
  const answer = answerOf(result)
  const { native, id, model: snapshot, fingerprint, serviceTier } = answer.response ?? {}
  const own = native?.['openai-chat']
  const { choices, ...head } = own ?? {}
  const [ownChoice] = Array.isArray(choices) ? (choices as readonly unknown[]) : []
  const { message, ...choice } = isObject(ownChoice) ? ownChoice : ({} as JsonObject)
  return {
    id: (own && id) ?? completionId('chatcmpl', requestId),
    object: 'chat.completion',
    created,
    model: (own && snapshot) ?? model,
    choices: [
      {
        index: 0,
        message: { ...toMessage(answer, customTools), ...(isObject(message) && message) },
        logprobs: answer.logprobs ?? null,
        finish_reason: toFinishReason(answer.finishReason),
        ...choice,
      },
    ],
    usage: toUsage(answer.usage),
    ...(serviceTier !== undefined && { service_tier: serviceTier }),
    ...(fingerprint !== undefined && { system_fingerprint: fingerprint }),
    ...head,
  }
}

/** OpenAI's models refuse with an ordinary end. A paused turn ends here, because this API has no way to go on with it. */
export function toFinishReason(reason: FinishReason): string {
  return reason === 'refusal' || reason === 'pause' ? 'stop' : reason
}

/** `content` and `refusal` are null where they are absent, as with OpenAI; all other fields are left out. */
function toMessage(answer: TextAnswer, customTools: ReadonlySet<string>): JsonObject {
  const { parts } = answer
  const content = textOf(answer)
  const thoughts = parts.filter((part) => part.type === 'reasoning')
  const calls = parts.filter((part) => part.type === 'tool_call')
  const refusal = parts.map((part) => (part.type === 'refusal' ? part.text : '')).join('')
  const reasoning = thoughts.map(({ text }) => text).join('')
  const citations = parts.flatMap((part) => (part.type === 'text' ? (part.citations ?? []) : []))
  return {
    role: 'assistant',
    content: content === '' && (calls.length > 0 || refusal !== '') ? null : content,
    refusal: refusal === '' ? null : refusal,
    ...(citations.length > 0 && { annotations: citations.map(toAnnotation) }),
    ...(reasoning !== '' && { reasoning_content: reasoning }),
    ...(thoughts.some(({ providerOptions }) => providerOptions) && {
      reasoning_details: thoughts.map(toReasoningDetail),
    }),
    ...(calls.length > 0 && {
      tool_calls: calls.map((call) => ({
        ...toCall(call, call.inputText, customTools),
        ...toExtraContent(call.providerOptions),
        ...call.native?.['openai-chat'],
      })),
    }),
  }
}

/** A source as OpenAI wrote it, or in its form. */
export function toAnnotation({ native, url, title, start, end }: Citation): JsonObject {
  const own = native?.['openai-chat']
  if (own) return own
  return {
    type: 'url_citation',
    url_citation: { start_index: start ?? 0, end_index: end ?? 0, title: title ?? '', url: url ?? '' },
  }
}

/** A tool call, or its first piece. */
export function toCall(
  { id, name, native }: ToolCallPart,
  input: string,
  customTools: ReadonlySet<string>,
): { readonly id: string; readonly type: 'custom' | 'function' } & JsonObject {
  const isCustom = native?.['openai-chat']?.['type'] === 'custom' || customTools.has(name)
  return isCustom
    ? { id, type: 'custom', custom: { name, input } }
    : { id, type: 'function', function: { name, arguments: input } }
}

type Counts = { readonly [Name in keyof TokenUsage]: TokenUsage[Name] | undefined } & Pick<
  TokenUsage,
  'promptTokens' | 'completionTokens'
>

/** The counts as OpenAI wrote them, or in its form. */
export function toUsage(usage: Counts = { promptTokens: 0, completionTokens: 0 }): JsonObject {
  const { native, promptTokens, completionTokens, reasoningTokens, cachedPromptTokens = 0, cacheWriteTokens } = usage
  const own = native?.['openai-chat']
  if (own) return own
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
    prompt_tokens_details: {
      cached_tokens: cachedPromptTokens,
      ...(cacheWriteTokens ? { cache_write_tokens: cacheWriteTokens } : {}),
    },
    ...(reasoningTokens !== undefined && { completion_tokens_details: { reasoning_tokens: reasoningTokens } }),
  }
}
