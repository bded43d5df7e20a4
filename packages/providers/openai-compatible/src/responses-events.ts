import type { JsonObject } from '@fairlead/core/provider'
import * as z from 'zod'
import type { OutputItem } from './responses-reply.ts'
import { asSent, objectIn, textIn } from './sent-values.ts'

/** Events of a failure, whose bodies are read as errors. */
const failures = ['error', 'response.failed']
const ends = ['response.completed', 'response.incomplete']

const eventShape = z.object({ type: z.string().refine((type) => !failures.includes(type)) })
/** An event of a streamed response. New types are added often. */
export const responseEvent = asSent(eventShape)

export type ResponseEvent = z.input<typeof eventShape> & JsonObject

/** The events that a whole response stands for: the last one has all of it. */
export function splitResponse(reply: unknown): readonly ResponseEvent[] | undefined {
  const response = objectIn(reply)
  if (!response || 'type' in response || !Array.isArray(response['output'])) return undefined
  const status = textIn(response['status'])?.toLowerCase()
  const type = status === 'failed' || status === 'incomplete' ? `response.${status}` : 'response.completed'
  return [{ type, response }]
}

/** Whether an event is the last of a response. */
export function endsResponse({ type }: ResponseEvent): boolean {
  return ends.includes(type)
}

/** The item that an event is about. */
export function itemIn(event: ResponseEvent): OutputItem | undefined {
  const item = objectIn(event['item'])
  return typeof item?.['type'] === 'string' ? (item as OutputItem) : undefined
}

type TextType = 'text' | 'refusal'

/** The types of texts, by the types of content parts. */
export const textTypes: ReadonlyMap<unknown, TextType> = new Map([
  ['output_text', 'text'],
  ['refusal', 'refusal'],
])

/** The pieces of texts, by the type of their event. */
export const deltas: ReadonlyMap<string, { readonly of?: TextType; readonly hasData?: true }> = new Map([
  ['response.output_text.delta', { of: 'text' }],
  ['response.refusal.delta', { of: 'refusal' }],
  // Clients of the API need to know of which text of the reasoning it is.
  ['response.reasoning_summary_text.delta', { hasData: true }],
  ['response.reasoning_text.delta', { hasData: true }],
  ['response.function_call_arguments.delta', {}],
  ['response.custom_tool_call_input.delta', {}],
])

/** The type of the last event says the status, too. */
export function withStatus(response: JsonObject, { type }: ResponseEvent): JsonObject {
  return type === 'response.incomplete' ? { ...response, status: 'incomplete' } : response
}

/** Whether an event is about an item, also if it does not say about which. */
export function isOfItem(event: ResponseEvent): boolean {
  const { type, output_index, item_id } = event
  return (
    typeof output_index === 'number' || typeof item_id === 'string' || deltas.has(type) || /\boutput_item\./.test(type)
  )
}
