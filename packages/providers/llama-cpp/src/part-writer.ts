import type { TextEvent } from '@fairlead/core/provider'

/** Says the reasoning and the text of an answer as parts, one after the other. */
export class PartWriter {
  readonly #say: (event: TextEvent) => void
  #open: 'reasoning' | 'text' | undefined
  #index = -1

  constructor(say: (event: TextEvent) => void) {
    this.#say = say
  }

  write(type: 'reasoning' | 'text', text: string): void {
    if (text === '') return
    if (this.#open !== type) this.#start(type)
    this.#say({ type: 'part_delta', index: this.#index, text })
  }

  end(): void {
    if (this.#open) this.#say({ type: 'part_end', index: this.#index })
    this.#open = undefined
  }

  #start(type: 'reasoning' | 'text'): void {
    this.end()
    this.#open = type
    this.#index++
    this.#say({ type: 'part_start', index: this.#index, part: { type, text: '' } })
  }
}
