import {
  type AnswerPart,
  type JsonObject,
  ProviderError,
  readToolInput,
  type ResponseFacts,
  type TextAnswer,
  type TextFinish,
} from '@fairlead/core/provider'
import { newCallId, readFinishReason, requireAnswer, unknownReasonWarning } from '@fairlead/provider-toolkit'
import * as z from 'zod'
import { toCitation } from './citations.ts'
import { askedName, type End, chooseFinishReason, readFacts, type Reading, toFinish, usageIn } from './finish.ts'
import { asSent, objectIn, objectsIn, textIn, without } from './sent-values.ts'

const dialect = 'openai-responses'

const outputItem = z.object({ type: z.string() })
/** An item of an answer, as the upstream wrote it. */
export type OutputItem = z.output<typeof outputItem> & JsonObject

const replyShape = z.object({
  // The body of a response that failed says why.
  status: z
    .string()
    .refine((status) => status.toLowerCase() !== 'failed')
    .nullish(),
  output: z.array(outputItem),
})
/** Statuses of responses that have no answer. */
const unanswered: readonly unknown[] = ['in_progress', 'queued', 'cancelled']
/** A response that has ended. The body of one that failed is read as an error. */
export const responsesReply = asSent(replyShape)

export function fromResponsesReply(sent: z.input<typeof replyShape>, reading: Reading): TextAnswer {
  if (unanswered.includes(sent.status?.toLowerCase())) {
    throw new ProviderError('retry', `status: the response is ${sent.status}`)
  }
  const parts = sent.output.flatMap((item) => readParts(item, reading))
  const end = {
    // A call that was cut off is left out by core.
    callCount: parts.filter(({ type }) => type === 'tool_call').length,
    hasRefused: parts.some(({ type }) => type === 'refusal'),
    textLength: parts.reduce((length, part) => length + (part.type === 'text' ? part.text.length : 0), 0),
    searches: sent.output.filter(isSearch).length,
  }
  const finish = readFinish(sent, end, reading)
  requireAnswer(countContent(parts), finish, 'output.0.content.0.text')
  return { parts, ...finish }
}

/** The number of parts that say something. A client of the API gets some without a text. */
function countContent(parts: readonly AnswerPart[]): number {
  return parts.filter((part) => part.type !== 'text' || part.text !== '').length
}

/** The parts of an answer that an item is. If the client's API shows an item once, the last of its parts has it. */
export function readParts(item: OutputItem, reading: Reading): readonly AnswerPart[] {
  const parts = knownParts(item, reading)
  if (!parts) return [opaquePart(item, reading)]
  if (!reading.native) return parts
  if (parts.length === 0) return [{ type: 'text', text: '', native: { [dialect]: item } }]
  return parts.map(
    (part, index) => ({ ...part, native: { [dialect]: index === parts.length - 1 ? item : {} } }) as AnswerPart,
  )
}

/** A block of a tool that the server ran, or that the client runs in its own way. */
export function opaquePart(item: OutputItem, { provider }: Reading): AnswerPart {
  return { type: 'opaque', provider, dialect, kind: item.type, data: item }
}

/** @returns undefined for an item that core does not know, or that is shown to clients of the API as it is */
function knownParts(item: OutputItem, reading: Reading): readonly AnswerPart[] | undefined {
  switch (item.type) {
    case 'message':
      return messageParts(item, reading)
    case 'reasoning':
      return reasoningParts(item, reading)
    case 'image_generation_call': {
      const data = textIn(item['result'])
      if (reading.native || data === undefined) return undefined
      return [{ type: 'file', mediaType: `image/${textIn(item['output_format']) ?? 'png'}`, data }]
    }
    case 'function_call':
    case 'custom_tool_call': {
      const name = textIn(item['name'])
      if (name === undefined) return undefined
      // Models know the tools of a namespace by both names.
      const group = textIn(item['namespace'])
      const input = readToolInput(textIn(item['arguments']) ?? textIn(item['input']) ?? '')
      const id = textIn(item['call_id']) || newCallId()
      const sent = group ? `${group}__${name}` : name
      return [{ type: 'tool_call', id, name: askedName(sent, reading), ...input }]
    }
    default:
      return undefined
  }
}

function messageParts({ content, phase }: JsonObject, reading: Reading): readonly AnswerPart[] {
  const { provider } = reading
  // Whether a text is a comment on the way or the answer. Newer models do worse if the next request leaves it out.
  const data = typeof phase === 'string' && { providerOptions: { [provider]: { phase } } }
  return objectsIn(content).flatMap((part): readonly AnswerPart[] => {
    const refusal = textIn(part['refusal'])
    if (refusal) return [{ type: 'refusal', text: refusal, ...data }]
    const text = textIn(part['text'])
    if (text === '') return []
    if (text === undefined) {
      const message = { type: 'message', role: 'assistant', content: [part] }
      return [{ type: 'opaque', provider, dialect, kind: textIn(part['type']) ?? 'unknown', data: message }]
    }
    const citations = objectsIn(part['annotations']).map((annotation) => toCitation(annotation, reading))
    return [{ type: 'text', text, ...(citations.length > 0 && { citations }), ...data }]
  })
}

/** The reasoning itself, or a summary of it. Empty unless the request asked for it. */
function reasoningParts(item: OutputItem, { provider, native }: Reading): readonly AnswerPart[] {
  const summary = objectsIn(item['summary']).map(({ text }) => textIn(text) ?? '')
  const said = objectsIn(item['content']).map(({ text }) => textIn(text) ?? '')
  const text = [...said, ...summary].join('\n\n')
  const id = textIn(item['id'])
  const encrypted_content = textIn(item['encrypted_content'])
  if (encrypted_content === undefined) return text === '' && !native ? [] : [{ type: 'reasoning', text }]
  // As the next request must return it.
  const summaries = summary.map((words) => ({ type: 'summary_text', text: words }))
  const own = { ...(id !== undefined && { id }), summary: summaries, encrypted_content }
  return [{ type: 'reasoning', text, providerOptions: { [provider]: own } }]
}

/** The facts of a response, from its first event on. */
export function readResponseFacts(sent: JsonObject, { native }: Reading): ResponseFacts {
  return { ...readFacts(sent), ...(native && { native: { [native]: without(sent, ['output', 'usage']) } }) }
}

/** Whether an item is a search that is billed: opening a page that it found, or finding words in one, is free. */
export function isSearch({ type, action }: JsonObject): boolean {
  return type === 'web_search_call' && (objectIn(action)?.['type'] ?? 'search') === 'search'
}

/** The end of a response, as its items state it. */
interface Answered {
  readonly callCount: number
  readonly hasRefused: boolean
  readonly textLength: number
  /** Number of searches of the web. */
  readonly searches: number
}

/** How a response ended, and its token counts. */
export function readFinish(
  sent: JsonObject,
  { callCount, hasRefused, textLength, searches }: Answered,
  reading: Reading,
): TextFinish {
  const response = readResponseFacts(sent, reading)
  const counted = usageIn(sent, reading.native)
  const end = {
    ...readEnding(sent, callCount, hasRefused),
    counted: counted && searches > 0 ? { ...counted, usage: { ...counted.usage, webSearches: searches } } : counted,
    tier: response.serviceTier,
    textLength,
    reasoningLength: 0,
  }
  return { ...toFinish(end, reading), response }
}

/** A response that is not complete was cut off, whatever the reason. */
function readEnding(sent: JsonObject, callCount: number, hasRefused: boolean): Pick<End, 'finishReason' | 'found'> {
  const reason = textIn(objectIn(sent['incomplete_details'])?.['reason'])
  const known = readFinishReason(reason)
  if (known && known !== 'stop' && known !== 'tool_calls') return { finishReason: known }
  if (textIn(sent['status'])?.toLowerCase() !== 'incomplete')
    return { finishReason: chooseFinishReason(callCount, hasRefused) }
  return { finishReason: 'length', found: [unknownReasonWarning(reason)] }
}
