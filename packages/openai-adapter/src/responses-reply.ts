import { readToolInput } from '@fairlead/core/provider'
import type { Generation } from '@fairlead/core/types'
import { toEncrypted, toItemOptions } from './responses-data.ts'
import type { ResponseForm } from './responses-request.ts'
import type { ToolName } from './responses-tools.ts'

export type OutputItem = Readonly<Record<string, unknown>>

/** The part of ids that all items of one response have. */
function idSuffix(requestId: string): string {
  return requestId.slice(requestId.indexOf('_') + 1)
}

type Part = Generation['parts'][number]
/** The parts that every API has. */
export type ShownPart = Exclude<Part, { type: 'file' | 'opaque' }>

const prefixes = { text: 'msg', refusal: 'msg', reasoning: 'rs', tool_call: 'fc' } as const

export function itemId(part: ShownPart['type'], requestId: string, index: number): string {
  return `${prefixes[part]}_${idSuffix(requestId)}_${index}`
}

/** A whole result as a response. */
export function toResponse(data: Generation, form: ResponseForm, requestId: string) {
  const { model, created, usage } = data
  const { status, ...details } = endOf(data)
  const parts = data.parts.filter((part) => part.type !== 'file' && part.type !== 'opaque')
  const output = parts.map((part, index) => {
    const isLast = index === parts.length - 1
    return toItem(part, itemId(part.type, requestId, index), form, isLast ? status : 'completed')
  })
  return { ...toHead(form, { requestId, created, model }), status, ...details, output, usage: toUsage(usage) }
}

/** The fields that a response has before its answer. */
export function toHead(
  { settings }: ResponseForm,
  { requestId, created, model }: { readonly requestId: string; readonly created: number; readonly model: unknown },
) {
  return {
    id: `resp_${idSuffix(requestId)}`,
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

const reasons = {
  length: 'max_output_tokens',
  content_filter: 'content_filter',
  stop: null,
  tool_calls: null,
  pause: null,
} as const

/** How a response ended. */
export function endOf({ finishReason, refusal }: Pick<Generation, 'finishReason' | 'refusal'>) {
  const reason = refusal === undefined ? reasons[finishReason] : null
  if (reason === null) return { status: 'completed', incomplete_details: null }
  return { status: 'incomplete', incomplete_details: { reason } }
}

/** A part of an answer as an output item, which is also an input item. */
export function toItem(part: ShownPart, id: string, { toolNames }: ResponseForm, status: string): OutputItem {
  if (part.type === 'reasoning') {
    const encrypted = toEncrypted(part.providerOptions)
    return {
      id,
      type: 'reasoning',
      summary: part.text === '' ? [] : [summaryPart(part.text)],
      ...(encrypted !== undefined && { encrypted_content: encrypted }),
    }
  }
  const options = toItemOptions(part.providerOptions)
  if (part.type === 'text' || part.type === 'refusal') {
    const content = [part.type === 'text' ? textPart(part.text) : refusalPart(part.text)]
    return { id, type: 'message', role: 'assistant', status, content, ...options }
  }
  const { name, input, inputText = JSON.stringify(input) } = part
  const known = toolNames.get(name) ?? { name, isCustom: false }
  return toCallItem(known, inputText, { id, call_id: part.id, status: 'completed', ...options })
}

export function summaryPart(text: string) {
  return { type: 'summary_text', text }
}

export function textPart(text: string) {
  return { type: 'output_text', text, annotations: [], logprobs: [] }
}

export function refusalPart(refusal: string) {
  return { type: 'refusal', refusal }
}

export function toCallItem({ isCustom, ...named }: ToolName, json: string, facts: object): OutputItem {
  if (isCustom) return { ...facts, ...named, type: 'custom_tool_call', input: textIn(json) }
  return { ...facts, ...named, type: 'function_call', arguments: json }
}

/** The text for a custom tool. A model may also write JSON of its own, or no JSON. */
export function textIn(json: string): string {
  const { input } = readToolInput(json)
  return typeof input?.['input'] === 'string' ? input['input'] : json
}

export function toUsage({
  promptTokens,
  completionTokens,
  totalTokens,
  reasoningTokens = 0,
  cachedPromptTokens = 0,
  cacheWriteTokens = 0,
}: Generation['usage']) {
  return {
    input_tokens: promptTokens,
    input_tokens_details: { cached_tokens: cachedPromptTokens, cache_write_tokens: cacheWriteTokens },
    output_tokens: completionTokens,
    output_tokens_details: { reasoning_tokens: reasoningTokens },
    total_tokens: totalTokens,
  }
}
