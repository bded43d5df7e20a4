import type { WithAnswer } from '@fairlead/core/adapter'
import {
  type Citation,
  type FinishReason,
  type JsonObject,
  type ResponseFacts,
  type TextAnswer,
  answerText,
  type AnswerUsage,
  type ToolCallPart,
} from '@fairlead/core/provider'
import type { Generation } from '@fairlead/core/types'
import { toTextAnswer, idFor, isObject } from '@fairlead/http'
import { textIn } from './custom-tools.ts'
import { toExtraContent, toReasoningDetails } from './provider-data.ts'

/** A whole result as a chat completion. If OpenAI answered, the other fields of its answer keep their places. */
export function toCompletion(result: Generation & WithAnswer, requestId: string, customTools: ReadonlySet<string>) {
  const { model, created } = result
  const answer = toTextAnswer(result)
  const choices = answer.response?.native?.['openai-chat']?.['choices']
  const [ownChoice, ...others] = Array.isArray(choices) ? (choices as readonly unknown[]) : []
  const { message, ...choice } = isObject(ownChoice) ? ownChoice : ({} as JsonObject)
  return {
    ...toHead('chat.completion', { requestId, created, model }, answer.response),
    choices: [
      {
        index: 0,
        message: { ...toMessage(answer, customTools), ...(isObject(message) && message) },
        logprobs: answer.logprobs ?? null,
        finish_reason: callsFunction(message) ? 'function_call' : toFinishReason(answer.finishReason),
        ...choice,
      },
      // Those beside the first, as OpenAI wrote them.
      ...others,
    ],
    usage: toUsage(answer.usage),
  }
}

/** Whether a message has a call in the deprecated form. */
export function callsFunction(message: unknown): boolean {
  return isObject(message) && isObject(message['function_call'])
}

export interface HeadFacts {
  readonly requestId: string
  /** In Unix seconds. */
  readonly created: number
  /** As the client named it, or of the result. */
  readonly model: unknown
}

/** One of the two APIs for completions. */
interface Form {
  readonly dialect: 'openai-chat' | 'openai-completions'
  /** Of its ids. */
  readonly prefix: string
}

const chatForm: Form = { dialect: 'openai-chat', prefix: 'chatcmpl-' }

/**
 * The fields of a completion and its chunks besides their choices. An answer of OpenAI names itself, and has its own
 * fields.
 */
export function toHead(
  object: string,
  { requestId, created, model }: HeadFacts,
  response: ResponseFacts = {},
  { dialect, prefix }: Form = chatForm,
): JsonObject {
  const { id, model: snapshot, serviceTier, fingerprint, native } = response
  const own = native?.[dialect]
  const { choices: _choices, ...fields } = own ?? {}
  return {
    id: (own && id) ?? idFor(prefix, requestId),
    object,
    created,
    model: (own && snapshot) ?? model,
    ...(serviceTier !== undefined && { service_tier: serviceTier }),
    ...(fingerprint !== undefined && { system_fingerprint: fingerprint }),
    ...fields,
  }
}

/** OpenAI's models refuse with an ordinary end. A paused turn ends here, because this API has no way to go on with it. */
export function toFinishReason(reason: FinishReason): string {
  return reason === 'refusal' || reason === 'pause' ? 'stop' : reason
}

/** `content` and `refusal` are null where they are absent, as with OpenAI; all other fields are left out. */
function toMessage(answer: TextAnswer, customTools: ReadonlySet<string>): JsonObject {
  const { parts } = answer
  const content = answerText(answer)
  const thoughts = parts.filter((part) => part.type === 'reasoning')
  const calls = parts.filter((part) => part.type === 'tool_call')
  const refusal = parts.map((part) => (part.type === 'refusal' ? part.text : '')).join('')
  const reasoning = thoughts.map(({ text }) => text).join('')
  const annotations = toAnnotations(parts)
  return {
    role: 'assistant',
    content: content === '' && (calls.length > 0 || refusal !== '') ? null : content,
    refusal: refusal === '' ? null : refusal,
    ...(annotations.length > 0 && { annotations }),
    ...(reasoning !== '' && { reasoning_content: reasoning }),
    ...toReasoningDetails(thoughts),
    ...(calls.length > 0 && {
      tool_calls: calls.map((call) => ({
        ...toCall(call, call.inputText, customTools),
        ...toExtraContent(call.providerOptions),
        ...call.native?.['openai-chat'],
      })),
    }),
  }
}

/** The sources of all texts, which are one text here. */
function toAnnotations(parts: TextAnswer['parts']): readonly JsonObject[] {
  let from = 0
  return parts.flatMap((part) => {
    if (part.type !== 'text') return []
    const at = from
    from += part.text.length
    return part.citations?.map((citation) => toAnnotation(citation, at, from)) ?? []
  })
}

/**
 * A source as OpenAI wrote it, or in its form.
 *
 * @param from where the part that the source is for begins, because its ranges count from there
 * @param to where it ends: a source without a range is for the whole part
 */
export function toAnnotation({ native, url, title, start = 0, end }: Citation, from: number, to: number): JsonObject {
  const own = native?.['openai-chat']
  if (own) return own
  const range = { start_index: from + start, end_index: end === undefined ? to : from + end }
  return { type: 'url_citation', url_citation: { ...range, title: title ?? '', url: url ?? '' } }
}

/** A tool call, or its first piece. */
export function toCall(
  { id, name, native }: ToolCallPart,
  input: string,
  customTools: ReadonlySet<string>,
): { readonly id: string; readonly type: 'custom' | 'function' } & JsonObject {
  const isCustom = native?.['openai-chat']?.['type'] === 'custom' || customTools.has(name)
  // OpenAI writes the text itself, and others JSON with it.
  const text = native?.['openai-chat'] ? input : textIn(input)
  return isCustom
    ? { id, type: 'custom', custom: { name, input: text } }
    : { id, type: 'function', function: { name, arguments: input } }
}

type Counts = { readonly [Name in keyof AnswerUsage]?: AnswerUsage[Name] | undefined }

/** The counts as OpenAI wrote them, or in its form. */
export function toUsage(
  { native, promptTokens = 0, completionTokens = 0, ...details }: Counts = {},
  dialect: Form['dialect'] = 'openai-chat',
): JsonObject {
  const { reasoningTokens, cachedPromptTokens = 0, cacheWriteTokens } = details
  const own = native?.[dialect]
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
