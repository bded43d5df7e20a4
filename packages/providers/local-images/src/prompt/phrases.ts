import { lexicon, longestPhrase } from './lexicon.ts'
import type { Meaning } from './meaning.ts'
import { splitWords } from './words.ts'

/** A word or phrase of the prompt, and all that it means; nothing where no table knows it. */
export interface Phrase {
  readonly text: string
  readonly meanings: readonly Meaning[]
  /** Whether the prompt takes it back: `no clouds`. */
  readonly negated: boolean
}

/** Splits a prompt into the longest phrases that the lexicon knows. */
export function splitPhrases(prompt: string): Phrase[] {
  const words = splitWords(prompt)
  const phrases: Phrase[] = []
  let negating = false
  for (let at = 0; at < words.length;) {
    const length = knownLength(words, at)
    const taken = words.slice(at, at + Math.max(1, length))
    const meanings = lexicon.get(taken.map((word) => word.stem).join(' ')) ?? []
    if (meanings.some(({ as }) => as === 'not')) negating = true
    else if (meanings.some(({ as }) => as === 'link')) negating = false
    phrases.push({ text: taken.map((word) => word.surface).join(' '), meanings, negated: negating })
    at += taken.length
  }
  return phrases
}

function knownLength(words: readonly { readonly stem: string }[], at: number): number {
  for (let length = Math.min(longestPhrase, words.length - at); length > 0; length--) {
    const key = words.slice(at, at + length).map((word) => word.stem)
    if (lexicon.has(key.join(' '))) return length
  }
  return 0
}
