import type { RecordedReply } from '@fairlead/testing'
import type { Call, Completion } from './chat-exchanges.ts'
import type { Item, Reply } from './responses-exchanges.ts'

/** A completion as the API streams it: in pieces, with the finish reason before the token counts. */
export function streamCompletion({ choices: [choice], usage: counts, ...head }: Completion): RecordedReply {
  const { content, refusal, tool_calls = [] } = choice!.message
  const chunk = (delta: object, finish_reason: string | null = null) => ({
    data: { ...head, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason }], usage: null },
  })
  const calls = tool_calls.flatMap((each, index) => {
    const { id, type, function: called } = each as Call
    const pieces = halves(called.arguments).map((json) =>
      chunk({ tool_calls: [{ index, function: { arguments: json } }] }),
    )
    return [chunk({ tool_calls: [{ index, id, type, function: { name: called.name, arguments: '' } }] }), ...pieces]
  })
  return {
    events: [
      chunk({ role: 'assistant', content: content === null ? null : '', refusal: null }),
      ...halves(content ?? '').map((text) => chunk({ content: text })),
      ...halves(refusal ?? '').map((text) => chunk({ refusal: text })),
      ...calls,
      chunk({}, choice!.finish_reason),
      { data: { ...head, object: 'chat.completion.chunk', choices: [], usage: counts } },
      { data: '[DONE]' },
    ],
  }
}

/** A response as the API streams it: item by item, each in pieces, with the whole response at the end. */
export function streamResponse(reply: Reply, split: Split = halves): RecordedReply {
  const events: readonly Event[] = [
    { type: 'response.created', response: { ...reply, status: 'in_progress', output: [], usage: null } },
    ...reply.output.flatMap((item, output_index) => [
      { type: 'response.output_item.added', output_index, item: opened(item) },
      ...splitItem(item, split).map((event) => ({ ...event, output_index })),
      { type: 'response.output_item.done', output_index, item },
    ]),
    { type: reply.status === 'incomplete' ? 'response.incomplete' : 'response.completed', response: reply },
  ]
  return {
    events: events.map((data, sequence_number) => ({ event: data.type, data: { ...data, sequence_number } })),
  }
}

function opened(item: Item): object {
  if (item.type === 'function_call') return { ...item, arguments: '', status: 'in_progress' }
  if (item.type === 'custom_tool_call') return { ...item, input: '', status: 'in_progress' }
  if (item.type === 'message') return { ...item, content: [], status: 'in_progress' }
  return item.type === 'reasoning' ? { ...item, summary: [], encrypted_content: 'gAA' } : item
}

type Event = Readonly<Record<string, unknown>> & { readonly type: string }

function splitItem(item: Item, split: Split): readonly Event[] {
  if (item.type === 'function_call') {
    const name = 'response.function_call_arguments'
    return [
      ...split(item.arguments).map((delta) => ({ type: `${name}.delta`, item_id: item.id, delta })),
      { type: `${name}.done`, item_id: item.id, name: item.name, arguments: item.arguments },
    ]
  }
  if (item.type === 'custom_tool_call') {
    const name = 'response.custom_tool_call_input'
    return [
      ...split(item.input).map((delta) => ({ type: `${name}.delta`, item_id: item.id, delta })),
      { type: `${name}.done`, item_id: item.id, input: item.input },
    ]
  }
  if (item.type === 'reasoning') {
    return item.summary.flatMap((part, summary_index) => {
      const about = { item_id: item.id, summary_index }
      const names = ['response.reasoning_summary_part', 'response.reasoning_summary_text'] as const
      return partEvents(names, about, part, { ...part, text: '' }, { text: part.text }, split)
    })
  }
  if (item.type !== 'message') return []
  return item.content.flatMap((part, content_index) => {
    const about = { item_id: item.id, content_index }
    const partName = 'response.content_part'
    return part.type === 'refusal'
      ? partEvents(
          [partName, 'response.refusal'],
          about,
          part,
          { ...part, refusal: '' },
          { refusal: part.refusal },
          split,
        )
      : partEvents([partName, 'response.output_text'], about, part, { ...part, text: '' }, { text: part.text }, split)
  })
}

/** The events of a part: its start, its text in pieces, and both as a whole. */
function partEvents(
  [partName, textName]: readonly [string, string],
  about: object,
  part: object,
  emptyPart: object,
  text: Readonly<Record<string, string>>,
  split: Split,
): readonly Event[] {
  return [
    { type: `${partName}.added`, ...about, part: emptyPart },
    ...split(Object.values(text).join('')).map((delta) => ({
      type: `${textName}.delta`,
      ...about,
      delta,
      logprobs: [],
    })),
    { type: `${textName}.done`, ...about, ...text, logprobs: [] },
    { type: `${partName}.done`, ...about, part },
  ]
}

/** The pieces of a text. */
type Split = (text: string) => readonly string[]

function halves(text: string): readonly string[] {
  const middle = Math.ceil(text.length / 2)
  return [text.slice(0, middle), text.slice(middle)].filter((half) => half !== '')
}
