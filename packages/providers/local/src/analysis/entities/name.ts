import type { Senses } from './lexicon.ts'
import type { Word } from './split-words.ts'

/** A name before its type is known, with all that the rules look at. */
export interface Name {
  readonly words: readonly Word[]
  readonly first: Word
  readonly last: Word
  /** Whether it has more than one word. */
  readonly long: boolean
  readonly start: number
  readonly end: number
  readonly text: string
  readonly lower: string
  readonly senses: Senses
  /** Whether its capital may be owed to its place in the sentence. */
  readonly opens: boolean
  /** Whether a title ("Dr", "President") stood before it. */
  readonly titled: boolean
  /** Whether its maker's name stood before it, as in "Adobe Photoshop". */
  readonly made: boolean
  /** Whether `'s` stands behind it. */
  readonly possessive: boolean
  /** The lower-case words before it in its sentence, nearest first. */
  readonly before: readonly string[]
  /** The nearest word before it and the one before that, or ''. */
  readonly previous: string
  readonly beforePrevious: string
  /** The text between it and the word before. */
  readonly gapBefore: string
  /** The lower-case words behind it in its sentence, nearest first. */
  readonly after: readonly string[]
  /** The nearest word behind it, or ''. */
  readonly next: string
  /** The text between it and the word after. */
  readonly gapAfter: string
}
