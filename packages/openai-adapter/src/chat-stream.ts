import type { Generation, GenerationChunk } from '@fairlead/core/types'
import { eventText, type ResultEvent } from '@fairlead/http'
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

const done = eventText('[DONE]')

/** The events of one stream of a chat completion. A stream that fails ends with an error, without `[DONE]`. */
export function chatEvents({ requestId, at, model, includeUsage }: StreamFacts) {
  const facts = {
    id: completionId('chatcmpl', requestId),
    object: 'chat.completion.chunk',
    created: Math.floor(at / 1000),
    model,
  }
  const head = `data: ${JSON.stringify(facts).slice(0, -1)},"choices":`
  const calls = new Map<string, { readonly index: number; isEmpty: boolean }>()
  let begun = false

  function chunk(delta: object, finishReason: string | null = null): string {
    const content = 'tool_calls' in delta || 'refusal' in delta ? null : ''
    const whole = begun ? delta : { role: 'assistant', content, ...delta }
    begun = true
    const end = JSON.stringify(finishReason)
    return `${head}[{"index":0,"delta":${JSON.stringify(whole)},"finish_reason":${end}}]}\n\n`
  }

  /** What nearly all chunks are. */
  function textChunk(content: string): string {
    if (!begun) return chunk({ content })
    return `${head}[{"index":0,"delta":{"content":${JSON.stringify(content)}},"finish_reason":null}]}\n\n`
  }

  function chunkOf({ content, reasoning, refusal, toolCall, providerOptions }: GenerationChunk): string {
    if (toolCall) return chunk({ tool_calls: [toToolCall(toolCall, providerOptions)] })
    if (refusal !== undefined) return refusal === '' ? '' : chunk({ refusal })
    if (reasoning === undefined) return textChunk(content)
    return reasoning === '' ? '' : chunk({ reasoning_content: reasoning })
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

  function toEnd({ usage, finishReason, refusal, parts }: Generation): string {
    const empty = [...calls.values()].filter(({ isEmpty }) => isEmpty)
    const thoughts = parts.filter((part) => part.type === 'reasoning')
    const isSigned = thoughts.some(({ providerOptions }) => providerOptions)
    // Clients parse the arguments, also those of a call without input.
    const inputs = empty.map(({ index }) => chunk({ tool_calls: [{ index, function: { arguments: '{}' } }] }))
    const signed = isSigned ? chunk({ reasoning_details: thoughts.map(toReasoningDetail) }) : ''
    const finish = chunk({}, toFinishReason(finishReason, { refusal }))
    const last = includeUsage ? `${head}[],"usage":${JSON.stringify(toUsage(usage))}}\n\n` : ''
    return inputs.join('') + signed + finish + last + done
  }

  return (event: ResultEvent): string => {
    switch (event.type) {
      case 'chunk':
        return chunkOf(event.chunk as GenerationChunk)
      case 'done':
        return toEnd(event.reply.data as Generation)
      case 'error':
        return eventText(JSON.stringify(toErrorBody(event.reply)))
    }
  }
}
