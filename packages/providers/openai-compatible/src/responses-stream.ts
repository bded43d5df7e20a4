import {
  type AnswerPart,
  type JsonObject,
  type Native,
  ProviderError,
  type TextDelta,
  type TextEvent,
} from '@fairlead/core/provider'
import { type EventReader, mapEvents } from '@fairlead/provider-toolkit'
import * as z from 'zod'
import { citationOf } from './citations.ts'
import type { Reading } from './finish.ts'
import { without } from './parts.ts'
import { factsOf, opaquePart, type OutputItem, partsOf, readFinish } from './responses-reply.ts'
import { asSent, countIn, objectIn, objectsIn, textIn } from './sent-values.ts'

const dialect = 'openai-responses'

/** Events of a failure, whose bodies are read as errors. */
const failures = ['error', 'response.failed']
const ends = ['response.completed', 'response.incomplete']

const eventShape = z.object({ type: z.string().refine((type) => !failures.includes(type)) })
/** An event of a streamed response. New types are added often. */
export const responseEvent = asSent(eventShape)

type ResponseEvent = z.input<typeof eventShape> & JsonObject

/** Whether an event is the last of a response. */
export function endsResponse({ type }: ResponseEvent): boolean {
  return ends.includes(type)
}

/** The events of a streamed response. */
export function readResponseEvents(events: AsyncIterable<ResponseEvent>, reading: Reading): AsyncIterable<TextEvent> {
  return mapEvents(events, new StreamedResponse(reading))
}

function itemIn(event: ResponseEvent): OutputItem | undefined {
  const item = objectIn(event['item'])
  return typeof item?.['type'] === 'string' ? (item as OutputItem) : undefined
}

type EventData = Pick<TextDelta, 'data' | 'logprobs'>

/** An output item that has begun. */
interface OpenItem {
  /** As it was when it began. */
  readonly item: OutputItem
  /** Its part of the answer, the last one of a message with several; undefined until it begins. */
  part: AnswerPart | undefined
  index: number
  /** The characters that arrived for the part. */
  length: number
  hasCitations: boolean
}

function opened(item: OutputItem): OpenItem {
  return { item, part: undefined, index: -1, length: 0, hasCitations: false }
}

type TextType = 'text' | 'refusal'

const textTypes: ReadonlyMap<unknown, TextType> = new Map([
  ['output_text', 'text'],
  ['refusal', 'refusal'],
])

/** The pieces of texts, by the type of their event. */
const deltas: ReadonlyMap<string, { readonly of?: TextType; readonly hasData?: true }> = new Map([
  ['response.output_text.delta', { of: 'text' }],
  ['response.refusal.delta', { of: 'refusal' }],
  // Clients of the API need to know of which text of the reasoning it is.
  ['response.reasoning_summary_text.delta', { hasData: true }],
  ['response.reasoning_text.delta', { hasData: true }],
  ['response.function_call_arguments.delta', {}],
  ['response.custom_tool_call_input.delta', {}],
])

/**
 * The answer of one stream. Each output item is a part, but a message with several texts is several. For a client of the
 * API, parts carry the item as it began and as it ended, and deltas carry the events that say more than a piece of text.
 */
class StreamedResponse implements EventReader<ResponseEvent, TextEvent> {
  readonly #reading: Reading
  readonly #items = new Map<number, OpenItem>()
  #events: TextEvent[] = []
  #parts = 0
  #isStarted = false
  #hasEnded = false
  #callCount = 0
  #textLength = 0
  #hasRefused = false

  constructor(reading: Reading) {
    this.#reading = reading
  }

  /** The events that an event of the upstream stands for. */
  read(event: ResponseEvent): readonly TextEvent[] {
    this.#events = []
    const response = objectIn(event['response'])
    const outputIndex = countIn(event['output_index'])
    if (response) this.#readResponse(event, response)
    else if (endsResponse(event)) throw new ProviderError('retry', 'the last event of the stream has no response')
    else if (outputIndex !== undefined) this.#readItemEvent(event, outputIndex)
    else this.#addEvent(event)
    // Also types that the API adds.
    if (this.#events.length === 0) this.#events.push({ type: 'alive' })
    return this.#events
  }

  end(): readonly TextEvent[] {
    if (!this.#hasEnded) throw new ProviderError('retry', 'the stream ended before the response')
    return []
  }

  #readResponse(event: ResponseEvent, response: JsonObject): void {
    if (endsResponse(event)) {
      for (const item of this.#items.values()) this.#endPart(item, item.item)
      this.#items.clear()
      this.#hasEnded = true
      const answered = { callCount: this.#callCount, hasRefused: this.#hasRefused, textLength: this.#textLength }
      this.#events.push({ type: 'finish', ...readFinish(response, answered, this.#reading) })
    } else if (!this.#isStarted) {
      this.#isStarted = true
      this.#events.push({ type: 'start', response: factsOf(response, this.#reading) })
    } else if (event.type !== 'response.in_progress') this.#addEvent(event)
  }

  /** An event that belongs to no item. */
  #addEvent(event: ResponseEvent): void {
    if (!this.#reading.native || event.type === 'comment') return
    this.#events.push({ type: 'native', dialect, data: without(event, transport) })
  }

  #readItemEvent(event: ResponseEvent, outputIndex: number): void {
    const item = itemIn(event)
    if (event.type === 'response.output_item.added') {
      if (item) this.#addItem(item, outputIndex)
    } else if (event.type === 'response.output_item.done') {
      if (item) this.#finishItem(item, outputIndex)
    } else {
      const open = this.#items.get(outputIndex)
      if (open) this.#readPiece(event, open)
      else if (textIn(event['delta'])) throw new ProviderError('retry', 'a piece of an unknown item arrived')
    }
  }

  #addItem(item: OutputItem, outputIndex: number): void {
    const open = opened(item)
    this.#items.set(outputIndex, open)
    // The type of a message's part is not known yet, nor the file of an image.
    if (item.type === 'message' || (item.type === 'image_generation_call' && !this.#reading.native)) return
    const [part = opaquePart(item, this.#reading)] =
      item.type === 'reasoning' ? [emptyReasoning] : partsOf(item, this.#reading)
    this.#startPart(open, part.type === 'tool_call' ? { ...part, inputText: '' } : part)
  }

  #readPiece(event: ResponseEvent, open: OpenItem): void {
    const delta = deltas.get(event.type)
    if (delta) {
      if (delta.of && open.part?.type !== delta.of) this.#startText(open, delta.of)
      const logprobs = objectsIn(event['logprobs'])
      const data = delta.hasData ? this.#dataOf(event) : undefined
      const more = logprobs.length > 0 ? { logprobs: { content: logprobs }, ...data } : data
      this.#addText(open, textIn(event['delta']) ?? '', more)
    } else if (event.type === 'response.content_part.added') {
      const textType = textTypes.get(objectIn(event['part'])?.['type'])
      if (textType && open.item.type === 'message') this.#startText(open, textType)
      this.#addData(open, event)
    } else if (event.type === 'response.output_text.annotation.added') {
      const annotation = objectIn(event['annotation'])
      if (!annotation || open.part?.type !== 'text') return
      open.hasCitations = true
      const citation = citationOf(annotation, this.#reading)
      this.#events.push({ type: 'part_delta', index: open.index, citation, ...this.#dataOf(event) })
    } else if (event.type === 'response.reasoning_summary_part.added' && countIn(event['summary_index'])) {
      this.#addText(open, '\n\n', this.#dataOf(event))
    } else this.#addData(open, event)
  }

  #addText(open: OpenItem, text: string, data?: EventData): void {
    if (text === '') return
    open.length += text.length
    if (open.part?.type === 'text') this.#textLength += text.length
    if (open.part?.type === 'refusal') this.#hasRefused = true
    this.#events.push({ type: 'part_delta', index: open.index, text, ...data })
  }

  /** An event that says nothing to clients of other APIs. */
  #addData(open: OpenItem, event: ResponseEvent): void {
    const data = open.part && this.#dataOf(event)
    if (data) this.#events.push({ type: 'part_delta', index: open.index, ...data })
  }

  /** An event without its number, which is the surface's, and the padding of its transport. */
  #dataOf(event: ResponseEvent): EventData | undefined {
    return this.#reading.native && { data: without(event, transport) }
  }

  #startText(open: OpenItem, type: 'text' | 'refusal'): void {
    const native = this.#nativeOf(open.index < 0 ? open.item : {})
    this.#endPart(open, undefined)
    this.#startPart(open, { type, text: '', ...native })
  }

  #startPart(open: OpenItem, part: AnswerPart): void {
    if (part.type === 'tool_call') this.#callCount += 1
    if (part.type === 'text') this.#textLength += part.text.length
    if (part.type === 'refusal') this.#hasRefused ||= part.text !== ''
    open.part = part
    open.index = this.#parts++
    open.length = 0
    open.hasCitations = false
    const native = part.type === 'reasoning' ? this.#nativeOf(open.item) : undefined
    this.#events.push({ type: 'part_start', index: open.index, part: { ...part, ...native } as AnswerPart })
  }

  #finishItem(item: OutputItem, outputIndex: number): void {
    const open = this.#items.get(outputIndex) ?? opened(item)
    this.#items.delete(outputIndex)
    const parts = partsOf(item, this.#reading)
    if (!open.part) {
      for (const part of parts) {
        this.#startPart(open, part)
        this.#endPart(open, item, part)
      }
      return
    }
    const whole = parts.findLast(({ type }) => type === open.part?.type)
    // Some servers send the whole at the end alone.
    if (whole && open.length === 0) this.#addText(open, wordsOf(whole))
    if (whole?.type === 'text' && !open.hasCitations) {
      for (const citation of whole.citations ?? []) {
        this.#events.push({ type: 'part_delta', index: open.index, citation })
      }
    }
    this.#endPart(open, item, whole)
  }

  /**
   * @param item that has ended; undefined if another part of it follows
   * @param whole the part as the item says it
   */
  #endPart(open: OpenItem, item: OutputItem | undefined, whole?: AnswerPart): void {
    if (!open.part) return
    const isOpaque = open.part.type === 'opaque'
    const options = whole && 'providerOptions' in whole ? whole.providerOptions : undefined
    this.#events.push({
      type: 'part_end',
      index: open.index,
      ...(options && { providerOptions: options }),
      ...(isOpaque && item ? { native: { [dialect]: item } } : this.#nativeOf(item ?? {})),
    })
    open.part = undefined
  }

  #nativeOf(item: JsonObject): { readonly native?: Native } {
    return this.#reading.native ? { native: { [dialect]: item } } : {}
  }
}

const transport = ['sequence_number', 'obfuscation']

const emptyReasoning: AnswerPart = { type: 'reasoning', text: '' }

function wordsOf(part: AnswerPart): string {
  if (part.type === 'tool_call') return part.inputText
  return 'text' in part ? part.text : ''
}
