import { distance } from 'fastest-levenshtein'

/** The longest name of a caller's that an error or a log repeats, in UTF-16 code units. */
export const maxNameLength = 120
/** The longest message of an error, in UTF-16 code units. */
export const maxMessageLength = 300

/**
 * A text cut for display: at most `max` UTF-16 code units, the last of them `…` where something was left out. No
 * surrogate pair is cut in two. The work depends on `max` alone, however long the text is.
 */
export function clip(text: string, max: number): string {
  if (text.length <= max) return text
  const end = max - 1
  return `${text.slice(0, isHighSurrogate(text.charCodeAt(end - 1)) ? end - 1 : end)}…`
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff
}

/** Longer names are nobody's slip of the finger. */
const longest = 64

/** The candidate that a mistyped name probably means, if one is near: at most a third of its letters differ. */
export function nearest(name: string, candidates: readonly string[]): string | undefined {
  if (name.length > longest) return undefined
  const letters = bare(name)
  let best: string | undefined
  let least = Infinity
  for (const candidate of candidates) {
    const apart = distance(letters, bare(candidate))
    if (apart < least && apart <= Math.ceil(candidate.length / 3)) {
      best = candidate
      least = apart
    }
  }
  return best
}

/** Spellings of one name are one name: `max_tokens`, `maxTokens`, `max-tokens`. */
function bare(name: string): string {
  return name.replace(/[^\p{L}\p{N}]/gu, '').toLowerCase()
}
