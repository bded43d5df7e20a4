import { lists } from './word-lists.ts'
import type { NameRun } from './name-run.ts'
import { findSenses, type Senses } from './lexicon.ts'
import type { SpanSet } from '../span-set.ts'
import type { Word } from './split-words.ts'

const minWords = 5
const minOrdinary = 2
const longestName = 4

/** Lines in which capitals say nothing: "Apple Unveils New iPhone", "BREAKING NEWS". */
export function findHeadlines(words: readonly Word[]): NameRun[] {
  const headlines: NameRun[] = []
  let first = 0
  for (let index = 1; index <= words.length; index += 1) {
    if (index < words.length && !words[index]!.gap.includes('\n')) continue
    if (isHeadline(words.slice(first, index))) headlines.push({ first, last: index - 1 })
    first = index
  }
  return headlines
}

function isHeadline(words: readonly Word[]): boolean {
  if (words.length < minWords) return false
  if (words.some((word) => /^\p{Ll}/u.test(word.text) && !lists.smallWords.has(word.lower))) return false
  return words.filter((word) => word.capital && isOrdinary(word)).length >= minOrdinary
}

function isOrdinary(word: Word): boolean {
  const senses = findSenses(word.text)
  return (
    lists.functionWords.has(word.lower) ||
    (senses.common && !senses.firstName && !senses.lastName && !senses.place && !senses.organization)
  )
}

/** The names that a headline's words make by the lists alone. */
export function headlineNames(words: readonly Word[], { first, last }: NameRun, taken: SpanSet): NameRun[] {
  const names: NameRun[] = []
  for (let index = first; index <= last;) {
    const name = nameAt(words, index, last, taken)
    if (name) names.push(name)
    index = (name?.last ?? index) + 1
  }
  return names
}

function nameAt(words: readonly Word[], first: number, end: number, taken: SpanSet): NameRun | undefined {
  if (taken.overlaps(words[first]!)) return undefined
  for (let last = Math.min(end, first + longestName - 1); last >= first; last -= 1) {
    const name = words.slice(first, last + 1)
    if (isUnbroken(name, taken) && isKnown(name)) return { first, last }
  }
  return undefined
}

function isUnbroken(name: readonly Word[], taken: SpanSet): boolean {
  if (name.slice(0, -1).some((word) => word.possessive)) return false
  return name.slice(1).every((word) => word.gap === ' ' && !taken.overlaps(word))
}

function isKnown(name: readonly Word[]): boolean {
  const senses = findSenses(name.map((word) => word.text).join(' '))
  if (name.length > 1) return isNamed(senses) || (name.length === 2 && isFullName(name))
  return isNamed(senses) && !senses.common && !lists.functionWords.has(name[0]!.lower)
}

function isNamed(senses: Senses): boolean {
  return senses.place || senses.organization || senses.product || senses.event || senses.person
}

function isFullName([given, family]: readonly Word[]): boolean {
  const senses = findSenses(family!.text)
  return (
    findSenses(given!.text).firstName &&
    !lists.functionWords.has(family!.lower) &&
    (!senses.common || senses.lastName) &&
    !senses.place
  )
}
