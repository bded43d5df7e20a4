import type { AnswerUsage } from '../messages/answer.ts'
import { type PartEvent, textIn } from '../messages/collect-answer.ts'
import type { CheckedEvent } from '../messages/event-check.ts'
import type { Generation, GenerationChunk } from './generation.ts'
import type { AnswerPart } from '../messages/message.ts'
import { toSafeText } from '../provider-responses.ts'
import { toUsage } from './request-text.ts'

/** Writes the events of one stream as the chunks that callers get. */
export class ChunkWriter {
  /** The first half of a surrogate pair that a piece of a part ended with, by the part's index. */
  readonly #held = new Map<number, string>()
  /** The counts that go with the next chunk. */
  #usage: AnswerUsage | undefined

  /**
   * @param part that the event belongs to
   * @returns undefined for an event without anything to show
   */
  chunkOf(event: CheckedEvent, part: AnswerPart | undefined): GenerationChunk | undefined {
    if (event.type === 'usage') this.#usage = event.usage
    if (!part || !('index' in event) || isHidden(part)) return undefined
    const text = this.#textOf(event)
    const data = event.type === 'part_start' ? event.part : event
    const providerOptions = 'providerOptions' in data ? data.providerOptions : undefined
    const usage = this.#usage
    // The first chunk of a tool call names it, even if its input has not begun.
    const isName = event.type === 'part_start' && part.type === 'tool_call'
    if (text === '' && !providerOptions && !usage && !isName) return undefined
    this.#usage = undefined
    const written = write(part, text)
    if (!providerOptions && !usage) return written
    return { ...written, ...(providerOptions && { providerOptions }), ...(usage && { usage: toUsage(usage) }) }
  }

  #textOf(event: PartEvent): string {
    if (event.type === 'part_end') return toSafeText(this.#held.get(event.index) ?? '')
    return this.#wellFormed(event.index, event.type === 'part_start' ? textIn(event.part) : (event.text ?? ''))
  }

  /** Most pieces end between characters. */
  #wellFormed(index: number, piece: string): string {
    const held = this.#held.get(index)
    const text = held === undefined ? piece : held + piece
    const last = text.charCodeAt(text.length - 1)
    if (last >= 0xd800 && last <= 0xdbff) {
      this.#held.set(index, text.slice(-1))
      return toSafeText(text.slice(0, -1))
    }
    if (held !== undefined) this.#held.delete(index)
    return toSafeText(text)
  }
}

type AnyPart = AnswerPart | Generation['parts'][number]
type HiddenPart = Extract<AnyPart, { readonly type: 'file' | 'opaque' }>

/** Files and blocks of the upstream are in the result alone. */
function isHidden(part: AnyPart): part is HiddenPart {
  return part.type === 'file' || part.type === 'opaque'
}

function write(part: Exclude<AnyPart, HiddenPart>, text: string): GenerationChunk {
  switch (part.type) {
    case 'text':
      return { content: text }
    case 'reasoning':
      return { content: '', reasoning: text }
    case 'refusal':
      return { content: '', refusal: text }
    case 'tool_call':
      return { content: '', toolCall: { id: part.id, name: part.name, inputDelta: text } }
  }
}

/** The chunks of a whole result, for replays. */
export function wholeChunks({ parts }: Generation): GenerationChunk[] {
  return parts.flatMap((part) => {
    if (isHidden(part)) return []
    const text = part.type === 'tool_call' ? (part.inputText ?? JSON.stringify(part.input)) : part.text
    return [{ ...write(part, text), ...(part.providerOptions && { providerOptions: part.providerOptions }) }]
  })
}
