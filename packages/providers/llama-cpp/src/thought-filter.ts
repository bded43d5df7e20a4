/** The marks of a model's reasoning: `<think>` and `</think>`. */
export interface ThoughtMarks {
  readonly begin: string
  readonly end: string
  /** Whether the prompt's template has already begun the reasoning. */
  readonly openedByTemplate: boolean
}

/** Removes the reasoning at the beginning of a response. */
export interface ThoughtFilter {
  /** Whether anything was removed. */
  readonly thought: boolean
  push(text: string): string
  /** The text that was held back because it began like a mark. */
  flush(): string
}

/** Before the reasoning, in it, in the white space after it, in the response. */
type Place = 'start' | 'thought' | 'gap' | 'answer'

export function withoutThoughts(marks: ThoughtMarks | undefined): ThoughtFilter {
  let place: Place = !marks ? 'answer' : marks.openedByTemplate ? 'thought' : 'start'
  let thought = place === 'thought'
  let held = ''

  function step({ begin, end }: ThoughtMarks): void {
    if (place === 'start') {
      const text = held.trimStart()
      if (text.startsWith(begin)) [place, thought] = ['thought', true]
      else if (!begin.startsWith(text)) place = 'answer'
    }
    if (place === 'thought') {
      const at = held.indexOf(end)
      if (at === -1) return
      held = held.slice(at + end.length)
      place = 'gap'
    }
    if (place === 'gap') {
      held = held.trimStart()
      if (held !== '') place = 'answer'
    }
  }

  function release(): string {
    const text = held
    held = ''
    return text
  }

  return {
    get thought() {
      return thought
    },
    push(text) {
      held += text
      if (marks && place !== 'answer') step(marks)
      return place === 'answer' ? release() : ''
    },
    flush: () => (place === 'thought' ? '' : release()),
  }
}
