import { lists } from './word-lists.ts'
import { findHeadlines, headlineNames } from './headlines.ts'
import { findSenses } from './lexicon.ts'
import { bridges, bridgesPossessive, isParticle, pastLinks, pastParticles } from './name-links.ts'
import type { NameRun } from './name-run.ts'
import type { SpanSet } from '../span-set.ts'
import type { Word } from './split-words.ts'

/** Joins capitalised words that stand together: "Ursula von der Leyen", "Bank of England", "Holt & Baines LLP". */
export function findNames(words: readonly Word[], taken: SpanSet): NameRun[] {
  const runs: NameRun[] = []
  const headlines = findHeadlines(words)
  for (let first = 0; first < words.length;) {
    if (first === headlines[0]?.first) {
      const headline = headlines.shift()!
      runs.push(...headlineNames(words, headline, taken))
      first = headline.last + 1
      continue
    }
    if (!mayOpen(words[first]!, words[first + 1], taken)) {
      first += 1
      continue
    }
    const last = endOfRun(words, first, taken)
    runs.push({ first, last })
    first = last + 1
  }
  return runs
}

/** Names longer than this are lists, titles in capitals or noise. */
const maxWords = 10

function endOfRun(words: readonly Word[], first: number, taken: SpanSet): number {
  let last = first
  while (last - first < maxWords) {
    const next = nextInRun(words, first, last, taken)
    if (next === undefined) return last
    last = next
  }
  return last
}

/** The index of the word that continues the run, past particles if need be. */
function nextInRun(words: readonly Word[], first: number, last: number, taken: SpanSet): number | undefined {
  const current = words[last]!
  const next = words[last + 1]
  if (!next || taken.overlaps(next)) return undefined
  if (current.possessive) return bridgesPossessive(words, last, taken) ? last + 1 : undefined
  if (isNumeral(current, next) || (isCapital(next) && joins(current, next))) return last + 1
  if (isParticle(next, current)) return pastParticles(words, last + 1, taken)
  if (bridges(words, first, last)) return pastLinks(words, last + 1, taken)
  return undefined
}

function mayOpen(word: Word, next: Word | undefined, taken: SpanSet): boolean {
  if (!isCapital(word) || taken.overlaps(word)) return false
  return !lists.functionWords.has(word.lower) || isAcronym(word) || opensKnownPair(word, next)
}

/** "Best Buy", "The Hague". */
function opensKnownPair(word: Word, next: Word | undefined): boolean {
  if (!next?.capital || next.gap !== ' ') return false
  const senses = findSenses(`${word.text} ${next.text}`)
  return senses.place || (word.lower !== 'the' && (senses.organization || senses.product || senses.event))
}

function isAcronym(word: Word): boolean {
  return word.text.length > 1 && word.text === word.text.toUpperCase()
}

function isCapital(word: Word): boolean {
  return word.capital || /^\p{Ll}{1,3}\p{Lu}/u.test(word.text) || /^\d{1,3}\p{Lu}{1,3}$/u.test(word.text)
}

function joins(current: Word, next: Word): boolean {
  if (lists.functionWords.has(next.lower) && !isAcronym(next)) return false
  return (
    /^(?:[ \u00a0]|-|–| & )$/.test(next.gap) ||
    (next.gap === '. ' && /^(?:St|Mt|Ft|Dr|Mr|Mrs|Ms|Prof|Jr|Sen|Gov|Rep|Gen|Rev|Capt)$/.test(current.text))
  )
}

/** "Pixel 8", "Windows 11", "World War I". */
function isNumeral(current: Word, next: Word): boolean {
  if (next.gap !== ' ' || !isCapital(current)) return false
  return /^\d{1,4}(?:\.\d{1,2})?\p{L}{0,3}$/u.test(next.text) || (next.text === 'I' && current.lower === 'war')
}
