import type { AnswerPart } from '../../gateway/message.ts'
import type { TextAnswer, TextEvent } from '../../gateway/provider.ts'
import { ProviderError } from '../../gateway/provider-error.ts'

interface WireEnd {
  readonly ended: string
  readonly tokens: {
    readonly read: number
    readonly written: number
    readonly thought?: number
    readonly cached?: number
  }
}

type WirePart =
  | { readonly piece: string }
  | { readonly thought: string; readonly seal?: string }
  | { readonly call: string; readonly name: string; readonly json: string }

export type WireText = { readonly text?: string; readonly parts?: readonly WirePart[] } & WireEnd
export type WireEvent = WirePart | WireEnd

/** The request itself, with the provider's own options in the place of those of all providers. */
export function toWire(request: object): object {
  const { providerOptions, ...body } = request as { providerOptions?: { sample?: object } }
  const wire = JSON.parse(
    JSON.stringify(body, (name, value) => (name === 'providerOptions' ? value.sample : value)),
  ) as object
  return { ...wire, ...providerOptions?.sample }
}

export function toAnswer({ text = '', parts, ...end }: WireText): TextAnswer {
  if (!parts) return { content: text, ...toFinish(end) }
  const answer = parts.map(toPart)
  const content = answer.map((part) => (part.type === 'text' ? part.text : '')).join('')
  return { content, parts: answer, ...toFinish(end) }
}

function toPart(part: WirePart): AnswerPart {
  if (!('call' in part)) return toEvent(part) as AnswerPart
  try {
    return {
      type: 'tool_call',
      id: part.call,
      name: part.name,
      input: JSON.parse(part.json) as Record<string, unknown>,
    }
  } catch {
    throw new ProviderError('retry', 'the input of a tool call is not JSON')
  }
}

export function toEvent(event: WireEvent): TextEvent {
  if ('piece' in event) return { type: 'text', text: event.piece }
  if ('call' in event) return { type: 'tool_call', id: event.call, name: event.name, inputDelta: event.json }
  if ('ended' in event) return { type: 'finish', ...toFinish(event) }
  const { thought: text, seal } = event
  return { type: 'reasoning', text, ...(seal !== undefined && { providerOptions: { sample: { seal } } }) }
}

const finishReasons = { limit: 'length', tools: 'tool_calls', refused: 'content_filter' } as const

function toFinish({ ended, tokens }: WireEnd) {
  const { read, written, thought, cached } = tokens
  const usage = {
    promptTokens: read,
    completionTokens: written,
    ...(thought !== undefined && { reasoningTokens: thought }),
    ...(cached !== undefined && { cachedPromptTokens: cached }),
  }
  return { finishReason: finishReasons[ended as keyof typeof finishReasons] ?? 'stop', usage } as const
}
