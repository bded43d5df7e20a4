import type { WithAnswer } from '@fairlead/core/adapter'
import {
  type AnswerPart,
  type Citation,
  type JsonObject,
  type ProviderOptions,
  type RefusalPart,
  type TextAnswer,
  type TextPart,
  type AnswerUsage,
  type ToolCallPart,
} from '@fairlead/core/provider'
import type { Generation } from '@fairlead/core/types'
import { toTextAnswer, type Fields, idFor, isObject, seal } from '@fairlead/http'
import type { HeadFacts } from './chat-reply.ts'
import { textIn } from './custom-tools.ts'
import type { ResponseForm } from './responses-request.ts'
import type { ToolName } from './responses-tools.ts'

export type OutputItem = Readonly<Record<string, unknown>>

/** The parts that have an item in every answer. The blocks of other APIs have none. */
export type ShownPart = Exclude<AnswerPart, { type: 'opaque' }>

const prefixes = { text: 'msg', refusal: 'msg', reasoning: 'rs', tool_call: 'fc', file: 'ig' } as const

export function itemId(part: ShownPart['type'], requestId: string, index: number): string {
  return `${idFor(`${prefixes[part]}_`, requestId)}_${index}`
}

/** The item that OpenAI wrote for a part; an empty object if another part has it. Undefined for other parts. */
export function ownItem(part: AnswerPart): OutputItem | undefined {
  if (part.type === 'opaque') return part.dialect === 'openai-responses' ? part.data : undefined
  return part.native?.['openai-responses']
}

/** A whole result as a response. OpenAI's own response stays as it came. */
export function toResponse(result: Generation & WithAnswer, form: ResponseForm, requestId: string) {
  const { model, created } = result
  const answer = toTextAnswer(result)
  const { status } = toEnd(answer)
  const shown = answer.parts.filter((part) => ownItem(part) ?? part.type !== 'opaque')
  const output = shown.flatMap((part, index): readonly OutputItem[] => {
    const own = ownItem(part)
    if (own) return 'type' in own ? [own] : []
    if (part.type === 'opaque') return []
    const isLast = index === shown.length - 1
    return [toItem(part, itemId(part.type, requestId, index), form, isLast ? status : 'completed')]
  })
  return endedResponse(toHead(form, { requestId, created, model }), answer, output)
}

export function endedResponse(head: JsonObject, answer: TextAnswer, output: readonly OutputItem[]) {
  const own = answer.response?.native?.['openai-responses']
  return { ...head, ...toEnd(answer), ...own, output, usage: toUsage(answer.usage) }
}

/** The fields that a response has before its answer. */
export function toHead({ settings }: ResponseForm, { requestId, created, model }: HeadFacts) {
  return {
    id: idFor('resp_', requestId),
    object: 'response',
    created_at: created,
    status: 'in_progress',
    background: false,
    error: null,
    incomplete_details: null,
    ...settings,
    model,
    output: [] as readonly OutputItem[],
    usage: null,
  }
}

/** How a response ended. A paused turn is complete here, because this API has no way to go on with it. */
export function toEnd({ finishReason }: Pick<TextAnswer, 'finishReason'>) {
  if (finishReason === 'length') return { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } }
  if (finishReason === 'content_filter') return { status: 'incomplete', incomplete_details: { reason: finishReason } }
  return { status: 'completed', incomplete_details: null }
}

/** A part of an answer as an output item, which is also an input item. */
export function toItem(part: ShownPart, id: string, form: ResponseForm, status: string): OutputItem {
  if (part.type === 'file') return { id, type: 'image_generation_call', status: 'completed', result: part.data }
  const { providerOptions } = part
  if (part.type === 'reasoning') {
    return {
      id,
      type: 'reasoning',
      summary: part.text === '' ? [] : [summaryPart(part.text)],
      // Clients send it back unread.
      ...(providerOptions && { encrypted_content: seal(providerOptions) }),
    }
  }
  const options = toItemOptions(providerOptions)
  if (part.type === 'tool_call') {
    const facts = { id, call_id: part.id, status: 'completed', ...options }
    return toCallItem(findTool(part, form), part.inputText, facts)
  }
  return { id, type: 'message', role: 'assistant', status, content: [contentPart(part)], ...options }
}

/** The data of a part that is not reasoning: OpenAI's own `phase`, and other providers' data by provider id. */
function toItemOptions(options: ProviderOptions | undefined): Fields {
  if (!options) return {}
  const { openai, ...others } = options
  const { phase, ...rest } = isObject(openai) ? openai : ({} as Fields)
  const kept = Object.keys(rest).length > 0 ? { ...others, openai: rest } : others
  return {
    ...(phase !== undefined && { phase }),
    ...(Object.keys(kept).length > 0 && { provider_options: kept }),
  }
}

export function summaryPart(text: string) {
  return { type: 'summary_text', text }
}

export function contentPart(part: TextPart | RefusalPart) {
  if (part.type === 'refusal') return { type: 'refusal', refusal: part.text }
  const { text, citations = [] } = part
  return {
    type: 'output_text',
    text,
    annotations: citations.map((each) => toAnnotation(each, text.length)),
    logprobs: [],
  }
}

/** A source as OpenAI wrote it, or in its form. @param length of the text, which a source without a range is for */
export function toAnnotation(citation: Citation, length: number): JsonObject {
  const { native, url, title, start = 0, end = length } = citation
  const own = native?.['openai-responses']
  if (own) return own
  return { type: 'url_citation', start_index: start, end_index: end, title: title ?? '', url: url ?? '' }
}

/** The client's name for the tool of a call. */
export function findTool(part: ToolCallPart, { toolNames }: ResponseForm): ToolName {
  const own = ownItem(part)
  if (own) return { name: part.name, isCustom: own['type'] === 'custom_tool_call' }
  return toolNames.get(part.name) ?? { name: part.name, isCustom: false }
}

export function toCallItem({ isCustom, ...named }: ToolName, json: string, facts: object): OutputItem {
  if (isCustom) return { ...facts, ...named, type: 'custom_tool_call', input: textIn(json) }
  return { ...facts, ...named, type: 'function_call', arguments: json }
}

/** The counts as OpenAI wrote them, or in its form. */
function toUsage(usage: AnswerUsage = { promptTokens: 0, completionTokens: 0 }): JsonObject {
  const { native, promptTokens, completionTokens } = usage
  const own = native?.['openai-responses']
  if (own) return own
  const { reasoningTokens = 0, cachedPromptTokens = 0, cacheWriteTokens = 0 } = usage
  return {
    input_tokens: promptTokens,
    input_tokens_details: { cached_tokens: cachedPromptTokens, cache_write_tokens: cacheWriteTokens },
    output_tokens: completionTokens,
    output_tokens_details: { reasoning_tokens: reasoningTokens },
    total_tokens: promptTokens + completionTokens,
  }
}
