import { stemWord } from '../stem-word.ts'
import { wordList } from '../word-list.ts'
import type { SpanSet } from '../span-set.ts'
import type { TaggedWord } from './tagged-words.ts'

/** A run of words that may be a keyword. */
export interface NounPhrase {
  /** Stems joined by blanks: what makes two phrases the same. */
  readonly key: string
  readonly stems: readonly string[]
  /** As the text spells it. */
  readonly text: string
  readonly start: number
  readonly named: boolean
  readonly opens: boolean
}

const longestPhrase = 4

/** Adjectives and nouns too general to stand in a keyword's first place. */
const emptyOpeners = wordList(
  `
    other same such own many few several more most much certain various different able sure whole full next last
    little huge big good great nice best better new old same former latter least less half double
  `,
)
/** Nouns that say nothing of what a text is about. */
const emptyNouns = wordList(
  `
    thing things lot lots bit way ways kind kinds sort sorts someone something anything everything nothing one
    ones day days week weeks month months year years time times hour hours minute minutes second seconds today
    tomorrow yesterday tonight morning evening night noon
  `,
  `
    hi hello dear regards thanks thank please mr mrs ms dr percent per cent dm ok yes no etc e.g i.e number
    example case fact part rest end half third dozen hundred thousand million billion anyone everyone nobody
    none
  `,
)

/** Nouns with the adjectives and nouns before them: "machine learning researchers", "steepest decline". */
export function nounPhrases(words: readonly TaggedWord[], taken: SpanSet): NounPhrase[] {
  const phrases: NounPhrase[] = []
  let run: TaggedWord[] = []
  const close = () => {
    const phrase = toPhrase(run)
    if (phrase) phrases.push(phrase)
    run = []
  }
  words.forEach((word, index) => {
    if (run.length > 0 && word.gap !== ' ') close()
    if (!mayJoin(word, run.at(-1), words[index + 1], taken)) return close()
    if (word.tag === 'ADJ' && run.length > 0 && run.at(-1)!.tag !== 'ADJ') close()
    run.push(word)
  })
  close()
  return phrases
}

/** The words that count, with what graph they make, are the same that phrases are made of. */
export function isTelling(word: TaggedWord): boolean {
  return (
    !word.stop &&
    /^(?:NOUN|PROPN|ADJ)$/.test(word.tag) &&
    /\p{L}{2}/u.test(word.text) &&
    !/^\p{L}{1,2}\.$/u.test(word.text) &&
    word.text.length <= 40 &&
    !emptyNouns.has(word.lower)
  )
}

function mayJoin(
  word: TaggedWord,
  previous: TaggedWord | undefined,
  next: TaggedWord | undefined,
  taken: SpanSet,
): boolean {
  if (taken.overlaps({ start: word.start, end: word.start + word.text.length })) return false
  if (isTelling(word)) return true
  return isGerund(word) && previous !== undefined && /^(?:NOUN|PROPN)$/.test(previous.tag) && !hasObject(next)
}

/** "Machine learning": behind a noun, a verb in -ing is one too. */
function isGerund(word: TaggedWord): boolean {
  return word.tag === 'VERB' && word.lower.endsWith('ing') && word.lower.length > 5
}

/** "Tourism and building adding jobs": with an object it stays a verb. */
function hasObject(next: TaggedWord | undefined): boolean {
  return next !== undefined && /^(?:DET|NUM|PRON|NOUN|ADJ|ADV|PROPN)$/.test(next.tag)
}

function toPhrase(run: readonly TaggedWord[]): NounPhrase | undefined {
  const words = [...run]
  while (words.length > 0 && words.at(-1)!.tag === 'ADJ') words.pop()
  while (words.length > 1 && words[0]!.tag !== 'PROPN' && emptyOpeners.has(words[0]!.lower)) words.shift()
  const kept = words.slice(-longestPhrase)
  const first = kept[0]
  if (!first || (kept.length === 1 && first.text.length < 3)) return undefined
  const stems = kept.map((word) => stemWord(word.lower))
  return {
    key: stems.join(' '),
    stems,
    text: kept.map((word, index) => (index === 0 ? '' : word.gap) + word.text).join(''),
    start: first.start,
    named: kept.some((word) => word.tag === 'PROPN' && !word.opens),
    opens: first.opens,
  }
}
