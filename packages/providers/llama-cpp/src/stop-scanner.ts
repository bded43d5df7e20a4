/** Passes text on up to the first stop sequence. */
export interface StopScanner {
  /** Whether a stop sequence has appeared; nothing is passed on afterwards. */
  readonly stopped: boolean
  /** Takes text and returns the part that cannot begin a stop sequence. */
  push(text: string): string
  /** The text that was held back, at the end of the response. */
  flush(): string
}

export function scanForStops(stops: readonly string[]): StopScanner {
  let held = ''
  let stopped = false
  return {
    get stopped() {
      return stopped
    },
    push(text) {
      if (stopped) return ''
      const candidate = held + text
      const at = firstStop(candidate, stops)
      stopped = at !== -1
      const safe = stopped ? at : candidate.length - longestBeginning(candidate, stops)
      held = stopped ? '' : candidate.slice(safe)
      return candidate.slice(0, safe)
    },
    flush() {
      const rest = held
      held = ''
      return rest
    },
  }
}

function firstStop(text: string, stops: readonly string[]): number {
  const found = stops.map((stop) => text.indexOf(stop)).filter((at) => at !== -1)
  return found.length === 0 ? -1 : Math.min(...found)
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
