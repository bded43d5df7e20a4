import {
  type AnswerPart,
  type JsonObject,
  type Native,
  ProviderError,
  type TextDelta,
  type TextEvent,
} from '@fairlead/core/provider'
import { type EventReader, mapEvents, requireAnswer } from '@fairlead/provider-toolkit'
import { toCitation } from './citations.ts'
import type { Reading } from './finish.ts'
import {
  deltas,
  endsResponse,
  itemIn,
  type ResponseEvent,
  textTypes,
  withStatus,
  isOfItem,
} from './responses-events.ts'
import { readResponseFacts, isSearch, opaquePart, type OutputItem, readParts, readFinish } from './responses-reply.ts'
import { countIn, objectIn, objectsIn, textIn, without } from './sent-values.ts'

const dialect = 'openai-responses'

/** The events of a streamed response. */
export function readResponseEvents(events: AsyncIterable<ResponseEvent>, reading: Reading): AsyncIterable<TextEvent> {
  return mapEvents(events, new StreamedResponse(reading))
}

type EventData = Pick<TextDelta, 'data' | 'logprobs'>

/** An output item that has begun. */
interface OpenItem {
  /** As it was when it began. */
  readonly item: OutputItem
  /** Its place in the output. */
  readonly place: number
  /** Its part of the answer, the last one of a message with several; undefined until it begins. */
  part: AnswerPart | undefined
  index: number
  /** The characters that arrived for the part. */
  length: number
  hasCitations: boolean
}

function opened(item: OutputItem, place: number): OpenItem {
  return { item, place, part: undefined, index: -1, length: 0, hasCitations: false }
}

/**
 * The answer of one stream. Each output item is a part, but a message with several texts is several. For a client of the
 * API, parts carry the item as it began and as it ended, and deltas carry the events that say more than a piece of text.
 * Some servers leave out the place of an item, or all events but the last: then its id, the order, and the response in the
 * last event say what is missing.
 */
class StreamedResponse implements EventReader<ResponseEvent, TextEvent> {
  readonly #reading: Reading
  readonly #items = new Map<number, OpenItem>()
  /** The places of the items that have ended. */
  readonly #finished = new Set<number>()
  #events: TextEvent[] = []
  #parts = 0
  #isStarted = false
  #hasEnded = false
  #callCount = 0
  /** Number of parts that say something. */
  #said = 0
  #textLength = 0
  #searches = 0
  #hasRefused = false

  constructor(reading: Reading) {
    this.#reading = reading
  }

  /** The events that an event of the upstream stands for. */
  read(event: ResponseEvent): readonly TextEvent[] {
    this.#events = []
    const response = objectIn(event['response'])
    if (response || endsResponse(event)) this.#readResponse(event, response ?? {})
    else if (isOfItem(event)) this.#readItemEvent(event)
    else this.#addEvent(event)
    // Also types that the API adds.
    if (this.#events.length === 0) this.#events.push({ type: 'alive' })
    return this.#events
  }

  end(): readonly TextEvent[] {
    if (!this.#hasEnded) throw new ProviderError('retry', 'the stream ended before response.completed')
    return []
  }

  #readResponse(event: ResponseEvent, response: JsonObject): void {
    if (endsResponse(event)) {
      this.#addMissing(objectsIn(response['output']))
      for (const item of this.#items.values()) this.#endPart(item, item.item)
      this.#items.clear()
      this.#hasEnded = true
      const answered = {
        callCount: this.#callCount,
        hasRefused: this.#hasRefused,
        textLength: this.#textLength,
        searches: this.#searches,
      }
      const finish = readFinish(withStatus(response, event), answered, this.#reading)
      requireAnswer(this.#said, finish, 'response.output.0.content.0.text')
      this.#events.push({ type: 'finish', ...finish })
    } else if (!this.#isStarted) {
      this.#isStarted = true
      this.#events.push({ type: 'start', response: readResponseFacts(response, this.#reading) })
    } else if (event.type !== 'response.in_progress') this.#addEvent(event)
  }

  /** An event that belongs to no item. */
  #addEvent(event: ResponseEvent): void {
    if (!this.#reading.native || event.type === 'comment') return
    this.#events.push({ type: 'native', dialect, data: without(event, transport) })
  }

  /** Adds the items that only the last event has. */
  #addMissing(output: readonly JsonObject[]): void {
    for (const [place, item] of output.entries()) {
      if (typeof item['type'] === 'string' && !this.#finished.has(place)) this.#finishItem(item as OutputItem, place)
    }
  }

  #readItemEvent(event: ResponseEvent): void {
    const item = itemIn(event)
    const sentPlace = countIn(event['output_index'])
    if (event.type === 'response.output_item.added') {
      if (item) this.#addItem(item, sentPlace ?? this.#nextPlace())
    } else if (event.type === 'response.output_item.done') {
      if (item) this.#finishItem(item, sentPlace ?? this.#find(textIn(item['id']))?.place ?? this.#nextPlace())
    } else {
      const found = sentPlace === undefined ? this.#find(textIn(event['item_id'])) : this.#items.get(sentPlace)
      const open = found ?? this.#openFor(event, sentPlace)
      if (open) this.#readPiece(event, open)
    }
  }

  /** The open item of an id; that which began last if there is no id. */
  #find(id: string | undefined): OpenItem | undefined {
    const open = [...this.#items.values()]
    return id === undefined ? open.at(-1) : open.find(({ item }) => item['id'] === id)
  }

  #nextPlace(): number {
    return Math.max(-1, ...this.#items.keys(), ...this.#finished) + 1
  }

  /** The item of a piece of text, which has begun without an event. */
  #openFor(event: ResponseEvent, sentPlace: number | undefined): OpenItem | undefined {
    const delta = deltas.get(event.type)
    if (!delta || !textIn(event['delta'])) return undefined
    const id = textIn(event['item_id'])
    if (!delta.of && !delta.hasData) {
      throw new ProviderError('give_up', `item_id: a piece of an item arrived that has not begun (${event.type})`)
    }
    const item = { type: delta.of ? 'message' : 'reasoning', ...(id !== undefined && { id }) }
    const place = sentPlace ?? this.#nextPlace()
    this.#addItem(item, place)
    return this.#items.get(place)
  }

  #addItem(item: OutputItem, place: number): void {
    const open = opened(item, place)
    this.#items.set(place, open)
    // The type of a message's part is not known yet, nor the file of an image.
    if (item.type === 'message' || (item.type === 'image_generation_call' && !this.#reading.native)) return
    const [part = opaquePart(item, this.#reading)] =
      item.type === 'reasoning' ? [emptyReasoning] : readParts(item, this.#reading)
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
      const citation = toCitation(annotation, this.#reading)
      this.#events.push({ type: 'part_delta', index: open.index, citation, ...this.#dataOf(event) })
    } else if (event.type === 'response.reasoning_summary_part.added' && countIn(event['summary_index'])) {
      this.#addText(open, '\n\n', this.#dataOf(event))
    } else this.#addData(open, event)
  }

  #addText(open: OpenItem, text: string, data?: EventData): void {
    if (text === '') return
    if (open.length === 0) this.#said += 1
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
    if (part.type !== 'text' || part.text !== '') this.#said += 1
    open.part = part
    open.index = this.#parts++
    open.length = 0
    open.hasCitations = false
    const native = part.type === 'reasoning' ? this.#nativeOf(open.item) : undefined
    this.#events.push({ type: 'part_start', index: open.index, part: { ...part, ...native } as AnswerPart })
  }

  #finishItem(item: OutputItem, place: number): void {
    const open = this.#items.get(place) ?? opened(item, place)
    this.#items.delete(place)
    this.#finished.add(place)
    if (isSearch(item)) this.#searches += 1
    const parts = readParts(item, this.#reading)
    if (!open.part) {
      for (const part of parts) {
        this.#startPart(open, part)
        this.#endPart(open, item, part)
      }
      return
    }
    const whole = parts.findLast(({ type }) => type === open.part?.type)
    // Some servers send the whole at the end alone.
    if (whole && open.length === 0) this.#addText(open, readWords(whole))
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

function readWords(part: AnswerPart): string {
  if (part.type === 'tool_call') return part.inputText
  return 'text' in part ? part.text : ''
}
