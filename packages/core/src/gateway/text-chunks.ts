import type { TokenUsage } from './answer.ts'
import { type PartEvent, textIn } from './collect-answer.ts'
import type { Generation, GenerationChunk } from './generation.ts'
import { toUsage } from './generation.ts'
import type { AnswerPart, ProviderOptions } from './message.ts'
import { toSafeText } from './provider-responses.ts'
import type { CheckedEvent } from './event-check.ts'

/** Writes the events of one stream as the chunks that callers get. */
export class ChunkWriter {
  /** The first half of a surrogate pair that a piece of a part ended with, by the part's index. */
  readonly #held = new Map<number, string>()
  /** The counts that go with the next chunk. */
  #usage: TokenUsage | undefined

  /**
   * @param part that the event belongs to, as it started
   * @returns undefined for an event without anything to show
   */
  chunkOf(event: CheckedEvent, part: AnswerPart | undefined): GenerationChunk | undefined {
    if (event.type === 'usage') this.#usage = event.usage
    if (!part || !('index' in event)) return undefined
    const { text, providerOptions } = this.#shown(event, part)
    const usage = this.#usage
    // The first chunk of a tool call names it, even if its input has not begun.
    const isName = event.type === 'part_start' && part.type === 'tool_call'
    if (text === '' && !providerOptions && !usage && !isName) return undefined
    const written = write(part, text)
    if (!written) return undefined
    this.#usage = undefined
    if (!providerOptions && !usage) return written
    return { ...written, ...(providerOptions && { providerOptions }), ...(usage && { usage: toUsage(usage) }) }
  }

  #shown(event: PartEvent, part: AnswerPart): { text: string; providerOptions?: ProviderOptions | undefined } {
    switch (event.type) {
      case 'part_start':
        return { text: textIn(part), ...('providerOptions' in part && { providerOptions: part.providerOptions }) }
      case 'part_delta':
        return { text: this.#wellFormed(event.index, event.text ?? '') }
      case 'part_end':
        return { text: toSafeText(this.#held.get(event.index) ?? ''), providerOptions: event.providerOptions }
    }
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

/** Files and blocks of the upstream are in the result alone. */
function write(part: AnswerPart, text: string): GenerationChunk | undefined {
  switch (part.type) {
    case 'text':
      return { content: text }
    case 'reasoning':
      return { content: '', reasoning: text }
    case 'refusal':
      return { content: '', refusal: text }
    case 'tool_call':
      return { content: '', toolCall: { id: part.id, name: part.name, inputDelta: text } }
    default:
      return undefined
  }
}

/** The chunks of a whole result, for replays. */
export function wholeChunks({ parts }: Generation): GenerationChunk[] {
  return parts.flatMap((part) => {
    if (part.type === 'file' || part.type === 'opaque') return []
    const options = part.providerOptions && { providerOptions: part.providerOptions }
    if (part.type === 'text') return [{ content: part.text, ...options }]
    if (part.type === 'reasoning') return [{ content: '', reasoning: part.text, ...options }]
    if (part.type === 'refusal') return [{ content: '', refusal: part.text, ...options }]
    const { id, name, input, inputText = JSON.stringify(input) } = part
    return [{ content: '', toolCall: { id, name, inputDelta: inputText }, ...options }]
  })
}
