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
export interface ThoughtFilter {
  /** Whether the model reasons at present. */
  readonly isThinking: boolean
  push(text: string): SplitText
  /** The text that was held back because it began like a mark. */
  flush(): SplitText
}

/** Before the reasoning, in it, in the white space after it, in the response. */
type Place = 'start' | 'thought' | 'gap' | 'answer'

export function splitThoughts(marks: ThoughtMarks | undefined): ThoughtFilter {
  let place: Place = !marks ? 'answer' : marks.openedByTemplate ? 'thought' : 'start'
  let held = ''
  let isFirst = true

  /** Reasoning without the white space around it. */
  function trimmed(text: string): string {
    const reasoning = isFirst ? text.trimStart() : text
    if (reasoning !== '') isFirst = false
    return reasoning
  }

  /** Reads the text that is held as far as it is clear, and returns the reasoning in it. */
  function step({ begin, end }: ThoughtMarks): string {
    let reasoning = ''
    if (place === 'start') {
      const text = held.trimStart()
      if (text.startsWith(begin)) [place, held] = ['thought', text.slice(begin.length)]
      else if (!begin.startsWith(text)) place = 'answer'
    }
    if (place === 'thought') {
      const at = held.indexOf(end)
      const clear = at >= 0 ? at : held.length - longestBeginning(held, [end])
      const length = held.slice(0, clear).trimEnd().length
      reasoning = trimmed(held.slice(0, length))
      held = held.slice(at >= 0 ? at + end.length : length)
      if (at >= 0) place = 'gap'
    }
    if (place === 'gap') {
      held = held.trimStart()
      if (held !== '') place = 'answer'
    }
    return reasoning
  }

  function release(): string {
    const text = held
    held = ''
    return text
  }

  return {
    get isThinking() {
      return place === 'thought'
    },
    push(text) {
      held += text
      const reasoning = marks && place !== 'answer' ? step(marks) : ''
      return { reasoning, text: place === 'answer' ? release() : '' }
    },
    flush: () =>
      place === 'thought' ? { reasoning: trimmed(release().trimEnd()), text: '' } : { reasoning: '', text: release() },
  }
}
