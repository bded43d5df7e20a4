import { distance } from 'fastest-levenshtein'

/** Maximum length of a caller-supplied name in errors and logs, in UTF-16 code units. */
export const maxNameLength = 120
/** Maximum length of an error message, in UTF-16 code units. */
export const maxMessageLength = 300

/** Truncates a text to at most `max` UTF-16 code units, ending in `…`. Does not split surrogate pairs. */
export function clip(text: string, max: number): string {
  if (text.length <= max) return text
  const end = max - 1
  return `${text.slice(0, isHighSurrogate(text.charCodeAt(end - 1)) ? end - 1 : end)}…`
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff
}

const maxListed = 12

/** A list of names for an error, such as `one, two and 3 more`. */
export function listNames(names: readonly string[]): string {
  const more = names.length > maxListed ? ` and ${names.length - maxListed} more` : ''
  return `${names.slice(0, maxListed).join(', ') || 'none'}${more}`
}

/** Longer names get no suggestion: reading them takes time. */
export const maxTypoLength = 64
/** Comparing them takes a few milliseconds. */
const maxCandidates = 2_000

/**
 * The candidate most similar to a mistyped name; undefined if more than a third of its letters differ. Only the first 2,000
 * candidates are compared, and none of more than 128 characters.
 */
export function nearest(name: string, candidates: readonly string[]): string | undefined {
  if (name.length > maxTypoLength) return undefined
  const letters = normalized(name)
  let best: string | undefined
  let minDistance = letters.length
  for (const candidate of candidates.slice(0, maxCandidates)) {
    if (candidate.length > 2 * maxTypoLength) continue
    const maxEdits = Math.min(minDistance - 1, Math.ceil(candidate.length / 3))
    const other = normalized(candidate)
    if (Math.abs(other.length - letters.length) > maxEdits) continue
    const edits = distance(letters, other)
    if (edits > maxEdits) continue
    best = candidate
    minDistance = edits
  }
  return best
}

/**
 * A suggestion for an unknown name: the one that was probably meant, or a list after a noun such as `models`.
 *
 * @param unlisted valid names that would only lengthen the list
 */
export function suggestName(
  name: string,
  valid: readonly string[],
  noun: string,
  unlisted: readonly string[] = [],
): string {
  const near = nearest(name, [...valid, ...unlisted])
  return near === undefined ? `${noun}: ${listNames(valid)}` : `did you mean "${near}"?`
}

/** Maps `max_tokens`, `maxTokens`, and `max-tokens` to the same text. */
export function normalized(name: string): string {
  return name.replace(/[^\p{L}\p{N}]/gu, '').toLowerCase()
}

/** Whether a pattern matches a name. `*` stands for any text, also none. */
export function matchesName(pattern: string, name: string): boolean {
  const [start = '', ...parts] = pattern.split('*')
  const end = parts.pop()
  if (end === undefined) return pattern === name
  if (name.length < start.length + end.length || !name.startsWith(start) || !name.endsWith(end)) return false
  let at = start.length
  const last = name.length - end.length
  for (const part of parts) {
    const found = name.indexOf(part, at)
    if (found < 0 || found + part.length > last) return false
    at = found + part.length
  }
  return true
}

/** Whether one of the patterns matches every name that another pattern matches. */
export function coversPattern(patterns: readonly string[], other: string): boolean {
  // A `*` of the other pattern can only be part of the text that a `*` stands for.
  return patterns.some((pattern) => matchesName(pattern, other))
}

/** Whether one of the patterns matches one of the names. */
export function matchesAny(patterns: readonly string[], names: readonly string[]): boolean {
  return patterns.some((pattern) => names.some((name) => matchesName(pattern, name)))
}
