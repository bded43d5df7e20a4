import type { Generation } from '@fairlead/core/types'
import { toExtraContent, toReasoningDetail } from './provider-data.ts'

/** The id of a completion is that of its request, because all chunks of a stream have it. */
export function completionId(prefix: string, requestId: string): string {
  return `${prefix}-${requestId.slice(requestId.indexOf('_') + 1)}`
}

/** A whole result as a chat completion. */
export function toCompletion({ model, created, finishReason, usage, ...answer }: Generation, requestId: string) {
  return {
    id: completionId('chatcmpl', requestId),
    object: 'chat.completion',
    created,
    model,
    choices: [
      { index: 0, message: toMessage(answer), logprobs: null, finish_reason: toFinishReason(finishReason, answer) },
    ],
    usage: toUsage(usage),
  }
}

type Answer = Pick<Generation, 'content' | 'parts' | 'refusal'>

/** OpenAI's models refuse with an ordinary end. */
export function toFinishReason(reason: Generation['finishReason'], { refusal }: Pick<Generation, 'refusal'>): string {
  return refusal === undefined ? reason : 'stop'
}

/** `content` and `refusal` are null where they are absent, as with OpenAI; all other fields are left out. */
function toMessage({ content, parts, refusal }: Answer) {
  const thoughts = parts.filter((part) => part.type === 'reasoning')
  const calls = parts.filter((part) => part.type === 'tool_call')
  const reasoning = thoughts.map(({ text }) => text).join('')
  return {
    role: 'assistant',
    content: content === '' && (calls.length > 0 || refusal !== undefined) ? null : content,
    refusal: refusal ?? null,
    ...(reasoning !== '' && { reasoning_content: reasoning }),
    ...(thoughts.some(({ providerOptions }) => providerOptions) && {
      reasoning_details: thoughts.map(toReasoningDetail),
    }),
    ...(calls.length > 0 && {
      tool_calls: calls.map(({ id, name, input, inputText = JSON.stringify(input), providerOptions }) => ({
        id,
        type: 'function',
        function: { name, arguments: inputText },
        ...toExtraContent(providerOptions),
      })),
    }),
  }
}

export function toUsage({
  promptTokens,
  completionTokens,
  totalTokens,
  reasoningTokens,
  cachedPromptTokens = 0,
  cacheWriteTokens,
}: Generation['usage']) {
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: totalTokens,
    prompt_tokens_details: {
      cached_tokens: cachedPromptTokens,
      ...(cacheWriteTokens !== undefined && { cache_write_tokens: cacheWriteTokens }),
    },
    ...(reasoningTokens !== undefined && { completion_tokens_details: { reasoning_tokens: reasoningTokens } }),
  }
}
