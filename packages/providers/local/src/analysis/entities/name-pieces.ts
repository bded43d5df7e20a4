import { knownNames, lists } from './word-lists.ts'
import type { NameRun } from './name-run.ts'
import { findSenses, type Senses } from './lexicon.ts'
import type { Word } from './split-words.ts'

/** A part of a run, and what was cut off before it. */
export interface Piece extends NameRun {
  readonly titled?: boolean
  readonly made?: boolean
}

/** Cuts a run at titles and makers; what is ordinary English stays out. */
export function cutPieces(words: readonly Word[], run: NameRun): Piece[] {
  return splitAtTitles(words, withoutOpener(words, run))
    .flatMap((piece) => splitMaker(words, piece))
    .filter((piece) => !isOrdinary(words, piece))
}

function splitAtTitles(words: readonly Word[], run: NameRun): Piece[] {
  const pieces: Piece[] = []
  let { first } = run
  let titled = false
  for (let index = run.first; index <= run.last; index += 1) {
    if (!isTitle(words, index, run)) continue
    if (index > first && !titled && !isQualifier(words, first, index - 1)) pieces.push({ first, last: index - 1 })
    first = index + 1
    titled = true
  }
  return first <= run.last ? [...pieces, { first, last: run.last, titled }] : pieces
}

function isTitle(words: readonly Word[], index: number, run: NameRun): boolean {
  const { lower, possessive, text } = words[index]!
  if (!lists.personTitles.has(lower) || possessive) return false
  if (index === run.last) return run.first < run.last && text.length > 2 && !closesTitle(lower)
  if (index > run.first && lists.nameLikeTitles.has(lower)) return false
  const next = words[index + 1]!
  const closing = words[run.last]!.lower
  return next.gap.length <= 2 && !closesName(closing) && !isWholeKnown(words, run)
}

/** "Burger King", "Prime Minister": with such a word at its end the run is left whole. */
function closesTitle(word: string): boolean {
  return lists.nameLikeTitles.has(word) || word === 'minister' || word === 'secretary'
}

function closesName(word: string): boolean {
  return (
    lists.organizationHeads.has(word) ||
    lists.companySuffixes.has(word) ||
    lists.otherHeads.has(word) ||
    lists.eventHeads.has(word)
  )
}

function isWholeKnown(words: readonly Word[], run: NameRun): boolean {
  const senses = findSenses(joinWords(words, run))
  return senses.organization || senses.place || senses.event || senses.product
}

/** "French President", "Former Prime Minister": what only describes the title. */
function isQualifier(words: readonly Word[], first: number, last: number): boolean {
  return (
    first === last && (findSenses(words[first]!.text).nationality || lists.titleQualifiers.has(words[first]!.lower))
  )
}

/** Takes off an ordinary word that only has its capital from opening the sentence. */
function withoutOpener(words: readonly Word[], run: NameRun): NameRun {
  const { first, last } = run
  const opener = words[first]!
  if (first === last || !opener.opens || isWholeKnown(words, run)) return run
  const rest = { first: first + 1, last }
  if (lists.locationOpeners.has(opener.lower)) return run
  if (opener.possessive || words[first + 1]!.gap !== ' ' || !words[first + 1]!.capital) return run
  const senses = findSenses(opener.text)
  if (isNameSense(senses) && !lists.commonOpeners.has(opener.lower)) return run
  if (!senses.common && !lists.commonOpeners.has(opener.lower)) return run
  const closing = words[last]!.lower
  if (lists.organizationHeads.has(closing) || lists.companySuffixes.has(closing)) return run
  return lists.personTitles.has(opener.lower) || startsKnown(words, rest) ? rest : run
}

function startsKnown(words: readonly Word[], { first, last }: NameRun): boolean {
  return isNameSense(findSenses(words[first]!.text)) || isNameSense(findSenses(joinWords(words, { first, last })))
}

function isNameSense(senses: Senses): boolean {
  return (
    senses.firstName ||
    senses.person ||
    senses.place ||
    senses.organization ||
    senses.product ||
    senses.event ||
    senses.lastName
  )
}

function splitMaker(words: readonly Word[], piece: Piece): Piece[] {
  const { first, last } = piece
  if (
    piece.titled ||
    first === last ||
    !knownNames.productMakers.has(words[first]!.lower) ||
    isWholeKnown(words, piece)
  )
    return [piece]
  const rest = words.slice(first + 1, last + 1)
  const closing = rest.at(-1)!.lower
  const institutional =
    lists.organizationHeads.has(closing) ||
    lists.companySuffixes.has(closing) ||
    rest.some((word) => !word.capital && !/\d/.test(word.text))
  if (institutional || words[first]!.possessive || findSenses(rest[0]!.text).firstName) return [piece]
  return [
    { first, last: first },
    { first: first + 1, last, made: true },
  ]
}

/** A lone word that is a nationality, or ordinary English at the start of a sentence. */
function isOrdinary(words: readonly Word[], { first, last, titled, made }: Piece): boolean {
  const word = words[first]!
  if (first !== last) return /^\d/.test(words[last]!.text) && last === first + 1 && isLabel(word)
  if (titled || made) return false
  const senses = findSenses(word.text)
  if (senses.nationality) return true
  if (lists.functionWords.has(word.lower) && word.text !== word.text.toUpperCase()) return true
  return word.opens && (lists.commonOpeners.has(word.lower) || senses.common) && !isNameSense(senses)
}

function isLabel(word: Word): boolean {
  return (
    lists.numberedNouns.has(word.lower) ||
    (word.opens && (findSenses(word.text).common || lists.commonOpeners.has(word.lower)))
  )
}

function joinWords(words: readonly Word[], { first, last }: NameRun): string {
  return words
    .slice(first, last + 1)
    .map((word, index) => (index === 0 ? word.text : word.gap.replace(/['’]s /, "'s ") + word.text))
    .join('')
}
