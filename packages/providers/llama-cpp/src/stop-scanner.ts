/** Passes text on up to the first stop sequence. */
export class StopScanner {
  /** The stop sequence that has appeared, if any; nothing is passed on afterwards. */
  stoppedBy: string | undefined
  readonly #stops: readonly string[]
  #held = ''

  constructor(stops: readonly string[]) {
    this.#stops = stops
  }

  /** Takes text and returns the part that cannot begin a stop sequence. */
  push(text: string): string {
    if (this.stoppedBy !== undefined) return ''
    const candidate = this.#held + text
    const first = firstStop(candidate, this.#stops)
    this.stoppedBy = first?.stop
    const safe = first?.at ?? candidate.length - longestBeginning(candidate, this.#stops)
    this.#held = first ? '' : candidate.slice(safe)
    return candidate.slice(0, safe)
  }

  /** The text that was held back, at the end of the response. */
  flush(): string {
    const rest = this.#held
    this.#held = ''
    return rest
  }
}

function firstStop(text: string, stops: readonly string[]) {
  const found = stops.map((stop) => ({ stop, at: text.indexOf(stop) })).filter(({ at }) => at !== -1)
  return found.toSorted((one, other) => one.at - other.at)[0]
}

/** The length of the longest suffix of the text that is a prefix of a stop sequence. */
export function longestBeginning(text: string, stops: readonly string[]): number {
  let longest = 0
  for (const stop of stops) {
    for (let length = Math.min(stop.length - 1, text.length); length > longest; length--) {
      if (text.endsWith(stop.slice(0, length))) longest = length
    }
  }
  return longest
}
