import { ProviderError, type TextEvent } from '@fairlead/core/provider'
import { z } from 'zod'
import type { Reading } from './chat-reply.ts'
import { toFinish } from './finish.ts'
import {
  outputItem,
  phaseOptions,
  readEnd,
  reasoningOptions,
  reasoningText,
  refusalOf,
  responsesReply,
  textOf,
} from './responses-reply.ts'
import { newId } from './tool-calls.ts'

/** Events of a failure, whose bodies are read as errors. */
const failures = ['error', 'response.failed']
const ends = ['response.completed', 'response.incomplete']

/** An event of a streamed response. Most of its types say nothing new, and new types are added often. */
export const responseEvent = z.object({
  type: z.string().refine((type) => !failures.includes(type)),
  output_index: z.int().nullish().catch(undefined),
  delta: z.string().nullish().catch(undefined),
  summary_index: z.int().nullish().catch(undefined),
  item: outputItem.nullish().catch(undefined),
  response: responsesReply.nullish().catch(undefined),
})

type ResponseEvent = z.output<typeof responseEvent>

/** Stands for a comment of the stream. */
export const silentEvent: ResponseEvent = { type: 'comment' }

/** Whether an event is the last of a response. */
export function endsResponse({ type }: ResponseEvent): boolean {
  return ends.includes(type)
}

/** What arrived of an output item before its end. */
interface OpenItem {
  readonly id: string
  readonly name: string
  length: number
}

/**
 * The events of a streamed response.
 *
 * @param provider the id of the provider
 */
export async function* readResponseEvents(
  events: AsyncIterable<ResponseEvent>,
  { provider, warnings, tier }: Reading,
): AsyncGenerator<TextEvent, void, undefined> {
  const calls = new Map<number, OpenItem>()
  /** Of the item that is open. */
  let itemLength = 0
  let textLength = 0
  let refusal = ''
  for await (const { type, output_index, delta, summary_index, item, response } of events) {
    const piece = delta ?? ''
    const call = calls.get(output_index ?? -1)
    switch (type) {
      case 'response.output_item.added':
        itemLength = 0
        if (item?.type === 'function_call') {
          const id = item.call_id || newId()
          calls.set(output_index ?? -1, { id, name: item.name, length: 0 })
          yield { type: 'tool_call', id, name: item.name, inputDelta: '' }
        }
        break
      case 'response.output_text.delta':
        itemLength += piece.length
        textLength += piece.length
        if (piece !== '') yield { type: 'text', text: piece }
        break
      case 'response.reasoning_summary_part.added':
        if ((summary_index ?? 0) > 0) yield { type: 'reasoning', text: '\n\n' }
        break
      case 'response.reasoning_summary_text.delta':
      case 'response.reasoning_text.delta':
        itemLength += piece.length
        if (piece !== '') yield { type: 'reasoning', text: piece }
        break
      case 'response.function_call_arguments.delta':
        if (!call) throw new ProviderError('retry', 'the arguments of an unknown tool call arrived')
        call.length += piece.length
        if (piece !== '') yield { type: 'tool_call', id: call.id, name: call.name, inputDelta: piece }
        break
      case 'response.refusal.delta':
        refusal += piece
        itemLength += piece.length
        if (piece !== '') yield { type: 'refusal', text: piece }
        break
      case 'response.output_item.done':
        if (item?.type === 'function_call' && call && call.length === 0 && item.arguments) {
          yield { type: 'tool_call', id: call.id, name: call.name, inputDelta: item.arguments }
        } else if (item?.type === 'reasoning') {
          const providerOptions = reasoningOptions(item, provider)
          const text = itemLength === 0 ? reasoningText(item) : ''
          if (text !== '' || providerOptions) yield { type: 'reasoning', text, providerOptions }
        } else if (item?.type === 'message') {
          const providerOptions = phaseOptions(item.phase, provider)
          const text = itemLength === 0 ? textOf(item) : ''
          const refused = itemLength === 0 ? refusalOf(item) : ''
          textLength += text.length
          refusal += refused
          if (text !== '' || (itemLength > 0 && providerOptions)) yield { type: 'text', text, providerOptions }
          if (refused !== '') yield { type: 'refusal', text: refused }
        }
        break
      case 'response.completed':
      case 'response.incomplete': {
        if (!response) throw new ProviderError('retry', 'the last event of the stream has no response')
        const ended = readEnd(response, { callCount: calls.size, refusal }, tier)
        const end = { ...ended, textLength, reasoningLength: 0 }
        yield { type: 'finish', ...toFinish(end, warnings) }
        return
      }
      // Also the first events, which precede silent reasoning, and types that the API adds.
      default:
        yield { type: 'alive' }
    }
  }
  throw new ProviderError('retry', 'the stream ended before the response')
}
