import { longestBeginning } from './stop-scanner.ts'

/** The marks of a model's reasoning: `<think>` and `</think>`. */
export interface ThoughtMarks {
  readonly begin: string
  readonly end: string
  /** Whether the prompt's template has already begun the reasoning. */
  readonly openedByTemplate: boolean
}

export interface SplitText {
  readonly reasoning: string
  readonly text: string
}

/** Tells the reasoning at the beginning of a response from its text. */
export class ThoughtFilter {
  readonly #marks: ThoughtMarks
  /** Before the reasoning, in it, in the white space after it, in the response. */
  #state: 'start' | 'thought' | 'gap' | 'answer'
  #held = ''
  #isFirst = true

  /** @param marks undefined for a model that does not reason */
  constructor(marks: ThoughtMarks | undefined) {
    this.#marks = marks ?? { begin: '', end: '', openedByTemplate: false }
    this.#state = !marks ? 'answer' : marks.openedByTemplate ? 'thought' : 'start'
  }

  /** Whether the model reasons at present. */
  get isThinking(): boolean {
    return this.#state === 'thought'
  }

  push(text: string): SplitText {
    this.#held += text
    const reasoning = this.#state === 'answer' ? '' : this.#step()
    return { reasoning, text: this.#state === 'answer' ? this.#release() : '' }
  }

  /** The text that was held back because it began like a mark. */
  flush(): SplitText {
    const text = this.#release()
    return this.isThinking ? { reasoning: this.#trimmed(text.trimEnd()), text: '' } : { reasoning: '', text }
  }

  /** Reads the text that is held as far as it is clear, and returns the reasoning in it. */
  #step(): string {
    const { begin, end } = this.#marks
    let reasoning = ''
    if (this.#state === 'start') {
      const text = this.#held.trimStart()
      if (text.startsWith(begin)) [this.#state, this.#held] = ['thought', text.slice(begin.length)]
      else if (!begin.startsWith(text)) this.#state = 'answer'
    }
    if (this.#state === 'thought') {
      const at = this.#held.indexOf(end)
      const clear = at >= 0 ? at : this.#held.length - longestBeginning(this.#held, [end])
      const length = this.#held.slice(0, clear).trimEnd().length
      reasoning = this.#trimmed(this.#held.slice(0, length))
      this.#held = this.#held.slice(at >= 0 ? at + end.length : length)
      if (at >= 0) this.#state = 'gap'
    }
    if (this.#state === 'gap') {
      this.#held = this.#held.trimStart()
      if (this.#held !== '') this.#state = 'answer'
    }
    return reasoning
  }

  /** Reasoning without the white space around it. */
  #trimmed(text: string): string {
    const reasoning = this.#isFirst ? text.trimStart() : text
    if (reasoning !== '') this.#isFirst = false
    return reasoning
  }

  #release(): string {
    const text = this.#held
    this.#held = ''
    return text
  }
}
