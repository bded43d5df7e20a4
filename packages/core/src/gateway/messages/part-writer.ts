import type { TextEvent } from './answer.ts'
import type { AnswerPart, ToolCallPart } from './message.ts'

type Data = Omit<Extract<TextEvent, { readonly type: 'part_end' }>, 'type' | 'index'>

/**
 * Writes the pieces of an upstream's stream as events, if the upstream does not say where its parts begin and end: a piece
 * of another type ends the part before it, and tool calls end with the stream.
 *
 * @example
 *   const writer = new PartWriter()
 *   for await (const { thought, text } of chunks) {
 *     if (thought) yield* writer.say('reasoning', thought)
 *     if (text) yield* writer.say('text', text)
 *   }
 *   yield* writer.end()
 *   yield { type: 'finish', finishReason: 'stop' }
 */
export class PartWriter {
  #next = 0
  /** The part that grows at the end of the answer. */
  #open: { readonly index: number; readonly type: 'text' | 'reasoning' | 'refusal' } | undefined
  readonly #calls = new Map<string, number>()

  /** The next piece of a text. */
  say(type: 'text' | 'reasoning' | 'refusal', text: string): readonly TextEvent[] {
    if (this.#open?.type === type) return [{ type: 'part_delta', index: this.#open.index, text }]
    const events = this.close()
    const index = this.#next++
    this.#open = { index, type }
    return [...events, { type: 'part_start', index, part: { type, text: '' } }, { type: 'part_delta', index, text }]
  }

  /** Ends the text that is open, with its data. */
  close(data: Data = {}): readonly TextEvent[] {
    if (!this.#open) return []
    const { index } = this.#open
    this.#open = undefined
    return [{ type: 'part_end', index, ...data }]
  }

  /** Begins a tool call, whose input follows in pieces. */
  call(call: Omit<ToolCallPart, 'type' | 'input' | 'inputText'>): readonly TextEvent[] {
    const events = this.close()
    const index = this.#next++
    this.#calls.set(call.id, index)
    return [...events, { type: 'part_start', index, part: { type: 'tool_call', ...call, inputText: '' } }]
  }

  /** The next piece of the input of a tool call that has begun. */
  input(id: string, text: string): readonly TextEvent[] {
    const index = this.#calls.get(id)
    return index === undefined ? [] : [{ type: 'part_delta', index, text }]
  }

  /** Ends a tool call before the end of the stream, with its data. */
  endCall(id: string, data: Data = {}): readonly TextEvent[] {
    const index = this.#calls.get(id)
    if (index === undefined) return []
    this.#calls.delete(id)
    return [{ type: 'part_end', index, ...data }]
  }

  /** A part that has no pieces. */
  add(part: AnswerPart): readonly TextEvent[] {
    const events = this.close()
    const index = this.#next++
    return [...events, { type: 'part_start', index, part }, { type: 'part_end', index }]
  }

  /** Ends all parts that are open. Written before `finish`. */
  end(): readonly TextEvent[] {
    const ends = [...this.#calls.values()].map((index) => ({ type: 'part_end', index }) as const)
    this.#calls.clear()
    return [...this.close(), ...ends]
  }
}
