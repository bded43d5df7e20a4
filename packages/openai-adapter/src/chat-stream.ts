import type { Generation, GenerationChunk } from '@fairlead/core/types'
import type { ResultEvent, SentEvent } from '@fairlead/http'
import { completionId, toFinishReason, toUsage } from './chat-reply.ts'
import { toErrorBody } from './errors.ts'
import { toExtraContent, toReasoningDetail } from './provider-data.ts'

export interface StreamFacts {
  readonly requestId: string
  /** Milliseconds since the epoch. */
  readonly at: number
  /** As the client named it. */
  readonly model: unknown
  /** Whether the last chunk has the usage. */
  readonly includeUsage: boolean
}

const done: SentEvent = { data: '[DONE]' }

/** The events of one stream of a chat completion. A stream that fails ends with an error, without `[DONE]`. */
export function chatEvents({ requestId, at, model, includeUsage }: StreamFacts) {
  const facts = {
    id: completionId('chatcmpl', requestId),
    object: 'chat.completion.chunk',
    created: Math.floor(at / 1000),
    model,
  }
  const head = `${JSON.stringify(facts).slice(0, -1)},"choices":`
  const calls = new Map<string, { readonly index: number; isEmpty: boolean }>()
  let begun = false

  function chunk(delta: object, finishReason: string | null = null): SentEvent {
    const content = 'tool_calls' in delta || 'refusal' in delta ? null : ''
    const whole = begun ? delta : { role: 'assistant', content, ...delta }
    begun = true
    const end = JSON.stringify(finishReason)
    return { data: `${head}[{"index":0,"delta":${JSON.stringify(whole)},"finish_reason":${end}}]}` }
  }

  function toDelta({ content, reasoning, refusal, toolCall, providerOptions }: GenerationChunk): object {
    if (toolCall) return { tool_calls: [toToolCall(toolCall, providerOptions)] }
    if (refusal !== undefined) return refusal === '' ? {} : { refusal }
    if (reasoning === undefined) return { content }
    return reasoning === '' ? {} : { reasoning_content: reasoning }
  }

  /** The first chunk of a call names it. */
  function toToolCall(
    { id, name, inputDelta }: NonNullable<GenerationChunk['toolCall']>,
    providerOptions: GenerationChunk['providerOptions'],
  ) {
    const known = calls.get(id)
    const call = known ?? { index: calls.size, isEmpty: true }
    calls.set(id, call)
    if (inputDelta !== '') call.isEmpty = false
    const named = known ? {} : { id, type: 'function' }
    const called = known ? { arguments: inputDelta } : { name, arguments: inputDelta }
    return { index: call.index, ...named, function: called, ...toExtraContent(providerOptions) }
  }

  function toEnd({ usage, finishReason, refusal, parts }: Generation): readonly SentEvent[] {
    const empty = [...calls.values()].filter(({ isEmpty }) => isEmpty)
    const thoughts = parts.filter((part) => part.type === 'reasoning')
    const isSigned = thoughts.some(({ providerOptions }) => providerOptions)
    return [
      // Clients parse the arguments, also those of a call without input.
      ...empty.map(({ index }) => chunk({ tool_calls: [{ index, function: { arguments: '{}' } }] })),
      ...(isSigned ? [chunk({ reasoning_details: thoughts.map(toReasoningDetail) })] : []),
      chunk({}, toFinishReason(finishReason, { refusal })),
      ...(includeUsage ? [{ data: `${head}[],"usage":${JSON.stringify(toUsage(usage))}}` }] : []),
      done,
    ]
  }

  return (event: ResultEvent): readonly SentEvent[] => {
    switch (event.type) {
      case 'chunk': {
        const delta = toDelta(event.chunk as GenerationChunk)
        return Object.keys(delta).length === 0 ? [] : [chunk(delta)]
      }
      case 'done':
        return toEnd(event.reply.data as Generation)
      case 'error':
        return [{ data: JSON.stringify(toErrorBody(event.reply)) }]
    }
  }
}
