import {
  type AnswerPart,
  type FinishReason,
  type JsonObject,
  type ProviderOptions,
  readToolInput,
  type ResponseFacts,
  type TextAnswer,
  type TextFinish,
} from '@fairlead/core/provider'
import { z } from 'zod'
import { citationOf } from './citations.ts'
import { type End, endOf, readFacts, readUsage, type Reading, toFinish } from './finish.ts'
import { without } from './parts.ts'
import { asSent, objectIn, objectsIn } from './sent-values.ts'
import { newId } from './tool-calls.ts'

const dialect = 'openai-responses'

const text = z.string().nullish().catch(undefined)
const texts = z.array(z.object({ text: z.string() })).nullish()

const messageItem = z.object({
  type: z.literal('message'),
  content: z.array(z.looseObject({ type: text, text, refusal: text, annotations: z.unknown().optional() })).nullish(),
  phase: text,
})
const callItem = z.object({
  type: z.enum(['function_call', 'custom_tool_call']),
  call_id: text,
  name: z.string(),
  /** The group of the tool. */
  namespace: text,
  arguments: text,
  input: text,
})
const reasoningItem = z.object({
  type: z.literal('reasoning'),
  id: text,
  summary: texts,
  content: texts,
  encrypted_content: text,
})
const imageItem = z.object({ type: z.literal('image_generation_call'), result: z.string(), output_format: text })

/** The items of an answer that core knows. All others are the upstream's own. */
const knownItem = z.discriminatedUnion('type', [messageItem, callItem, reasoningItem, imageItem])

type KnownItem = z.output<typeof knownItem>
type MessageItem = z.output<typeof messageItem>

const outputItem = z.object({ type: z.string() })
/** An item of an answer, as the upstream wrote it. */
export type OutputItem = z.output<typeof outputItem> & JsonObject

const replyShape = z.object({ status: z.enum(['completed', 'incomplete']), output: z.array(outputItem) })
/** A response that has ended. The body of one that failed is read as an error. */
export const responsesReply = asSent(replyShape)

export function fromResponsesReply(sent: z.input<typeof replyShape>, reading: Reading): TextAnswer {
  const parts = sent.output.flatMap((item) => partsOf(item, reading))
  const end = {
    // A call that was cut off is left out by core.
    callCount: parts.filter(({ type }) => type === 'tool_call').length,
    hasRefused: parts.some(({ type }) => type === 'refusal'),
    textLength: parts.reduce((length, part) => length + (part.type === 'text' ? part.text.length : 0), 0),
  }
  return { parts, ...readFinish(sent, end, reading) }
}

/** The parts of an answer that an item is. Those of one item that the client's API shows once have it in the last one. */
export function partsOf(item: OutputItem, reading: Reading): readonly AnswerPart[] {
  const known = knownItem.safeParse(item).data
  const parts = known ? knownParts(known, reading) : undefined
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

/** @returns undefined for an item that is shown to clients of the API as it is */
function knownParts(item: KnownItem, reading: Reading): readonly AnswerPart[] | undefined {
  const { provider, native } = reading
  switch (item.type) {
    case 'message':
      return messageParts(item, reading)
    case 'reasoning': {
      const words = reasoningText(item)
      const providerOptions = reasoningOptions(item, provider)
      if (words === '' && !providerOptions && !native) return []
      return [{ type: 'reasoning', text: words, ...(providerOptions && { providerOptions }) }]
    }
    case 'image_generation_call':
      return native
        ? undefined
        : [{ type: 'file', mediaType: `image/${item.output_format ?? 'png'}`, data: item.result }]
    default: {
      const input = readToolInput(item.arguments ?? item.input ?? '')
      return [{ type: 'tool_call', id: item.call_id || newId(), name: toolName(item), ...input }]
    }
  }
}

/** Models know the tools of a namespace by both names. */
function toolName({ namespace, name }: Pick<z.output<typeof callItem>, 'namespace' | 'name'>): string {
  return namespace ? `${namespace}__${name}` : name
}

function messageParts({ content, phase }: MessageItem, reading: Reading): readonly AnswerPart[] {
  const { provider } = reading
  // Whether a text is a comment on the way or the answer. Newer models do worse if the next request leaves it out.
  const data = phase != null && { providerOptions: { [provider]: { phase } } }
  return (content ?? []).flatMap((part): readonly AnswerPart[] => {
    if (part.refusal) return [{ type: 'refusal', text: part.refusal, ...data }]
    if (part.text === '') return []
    if (part.text == null) {
      const message = { type: 'message', role: 'assistant', content: [part] }
      return [{ type: 'opaque', provider, dialect, kind: part.type ?? 'unknown', data: message }]
    }
    const citations = objectsIn(part.annotations).map((annotation) => citationOf(annotation, reading))
    return [{ type: 'text', text: part.text, ...(citations.length > 0 && { citations }), ...data }]
  })
}

/** The reasoning itself, or a summary of it. Empty unless the request asked for it. */
function reasoningText({ summary, content }: z.output<typeof reasoningItem>): string {
  return [...(content ?? []), ...(summary ?? [])].map(({ text: words }) => words).join('\n\n')
}

/** The reasoning as the next request must return it. */
function reasoningOptions(
  { id, summary, encrypted_content }: z.output<typeof reasoningItem>,
  provider: string,
): ProviderOptions | undefined {
  if (encrypted_content == null) return undefined
  const summaries = (summary ?? []).map(({ text: words }) => ({ type: 'summary_text', text: words }))
  return { [provider]: { ...(id != null && { id }), summary: summaries, encrypted_content } }
}

/** What a response says of itself, from its first event on. */
export function factsOf(sent: JsonObject, { native }: Reading): ResponseFacts {
  return { ...readFacts(sent), ...(native && { native: { [native]: without(sent, ['output', 'usage']) } }) }
}

const finishReasons: ReadonlyMap<unknown, FinishReason> = new Map([
  ['max_output_tokens', 'length'],
  ['content_filter', 'content_filter'],
])

interface Answered extends Pick<End, 'textLength'> {
  readonly callCount: number
  readonly hasRefused: boolean
}

/** How a response ended, and its token counts. */
export function readFinish(
  sent: JsonObject,
  { callCount, hasRefused, textLength }: Answered,
  reading: Reading,
): TextFinish {
  const early = finishReasons.get(objectIn(sent['incomplete_details'])?.['reason'])
  const response = factsOf(sent, reading)
  const end = {
    finishReason: early ?? endOf(callCount, hasRefused),
    usage: readUsage(sent['usage'], reading),
    tier: response.serviceTier,
    textLength,
    reasoningLength: 0,
  }
  return { ...toFinish(end, reading), response }
}
