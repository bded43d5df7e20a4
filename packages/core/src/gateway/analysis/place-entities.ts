import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Entity } from '../provider.ts'

/** Entities where they stand in a text. */
export interface PlacedEntities {
  /** In order of appearance, spelled as in the text. */
  readonly entities: Entity[]
  /** How many were named that the text doesn't hold. */
  readonly absent: number
}

/** Letters that are read in one turn of the event loop: some 15 ms. */
const lettersPerTurn = 500_000
/** Folding a letter takes about as long as reading it so many times. */
const readsPerFold = 5

/** Looks up, in the text itself, entities that a model claims to have found there. One that is named twice counts once. */
export async function placeEntities(text: string, named: readonly Entity[]): Promise<PlacedEntities> {
  const spend = turnBudget(lettersPerTurn)
  const searched = await searchedText(text)
  const isComposed = text === normalForm(text, 'NFC')
  const distinct = new Map<string, Entity>()
  for (const entity of named) {
    await spend(entity.text.length * readsPerFold)
    distinct.set(`${entity.type} ${fold(normalForm(entity.text, 'NFC'))}`, entity)
  }
  const found: { readonly at: number; readonly entity: Entity }[] = []
  for (const entity of distinct.values()) {
    for (const name of spellings(entity.text, isComposed)) {
      await spend(text.length + name.length * readsPerFold)
      const at = searched.find(name)
      if (at === undefined) continue
      found.push({ at, entity: { ...entity, text: text.slice(at, at + name.length) } })
      break
    }
  }
  return {
    entities: found.toSorted((one, other) => one.at - other.at).map(({ entity }) => entity),
    absent: distinct.size - found.length,
  }
}

/** Models compose letters that a text may have in parts: `é`, or `e` and an accent. Most texts have none in parts. */
function spellings(name: string, isComposed: boolean): Iterable<string> {
  const composed = normalForm(name, 'NFC')
  return isComposed ? [composed] : new Set([name, composed, normalForm(name, 'NFD')])
}

/** A text that many names are looked for in. */
export interface SearchedText {
  /**
   * Where a name stands as whole words, in the same case rather than in another; in scripts that don't part words, or
   * else within one. Nothing is found any more once the text was read for too many names.
   */
  find(name: string): number | undefined
}

/** How often a name is compared to the letter before any case will do. */
const maxComparisons = 100
/** Letters that are read for all names together: what a hundred take in the longest text. */
const maxRead = 20_000_000

/**
 * Reads the text once for each name (Knuth, Morris and Pratt, 1977): `indexOf` takes seconds where a text and a name are
 * made for each other. Preparing the text takes two turns of the event loop.
 */
async function searchedText(text: string): Promise<SearchedText> {
  const codes = codesOf(fold(text))
  await nextTurn()
  const letters = markLetters(text)
  await nextTurn()
  let unread = maxRead
  return {
    find(name) {
      unread -= codes.length
      if (unread < 0) return undefined
      const sought = codesOf(fold(name))
      const borders = bordersOf(sought)
      let comparisons = 0
      let whole: number | undefined
      let within: number | undefined
      let matched = 0
      for (let end = 0; end < codes.length;) {
        const code = codes[end++]
        while (matched > 0 && sought[matched] !== code) matched = borders[matched - 1]!
        if (sought[matched] === code) matched++
        if (matched < sought.length) continue
        const at = end - matched
        matched = borders[matched - 1]!
        within ??= at
        if (letters[at - 1] || letters[end]) continue
        whole ??= at
        if (text.startsWith(name, at)) return at
        if (++comparisons === maxComparisons) break
      }
      return whole ?? within
    },
  }
}

/** For each place of a text whether a word goes on there: letters, with their marks, and digits. */
function markLetters(text: string): Uint8Array {
  const letters = new Uint8Array(text.length)
  for (const { 0: word, index } of text.matchAll(/[\p{L}\p{M}\p{N}]+/gu)) letters.fill(1, index, index + word.length)
  return letters
}

/** For each beginning of a name, how much of it is also its end. */
function bordersOf(name: Uint16Array): Uint32Array {
  const borders = new Uint32Array(name.length)
  for (let at = 1, matched = 0; at < name.length; at++) {
    while (matched > 0 && name[matched] !== name[at]) matched = borders[matched - 1]!
    if (name[matched] === name[at]) matched++
    borders[at] = matched
  }
  return borders
}

function codesOf(text: string): Uint16Array {
  const codes = new Uint16Array(text.length)
  for (let at = 0; at < text.length; at++) codes[at] = text.charCodeAt(at)
  return codes
}

const plainMarks: Readonly<Record<string, string>> = {
  '‘': "'",
  '’': "'",
  ʼ: "'",
  '“': '"',
  '”': '"',
  '‐': '-',
  '‑': '-',
  '–': '-',
}

/** Letter for letter, so that positions stay: lower case, one kind of white space, and marks as keyboards have them. */
function fold(text: string): string {
  return text
    .replace(/\s/g, ' ')
    .replace(/[‘’ʼ“”‐‑–]/g, (mark) => plainMarks[mark] ?? mark)
    .replace(/\p{Lu}/gu, (letter) => {
      const lower = letter.toLowerCase()
      return lower.length === letter.length ? lower : letter
    })
}

/** Thirty marks in a row occur in no language; it is what Unicode's stream-safe form allows (UAX #15, 13). */
const markRun = /\p{M}{31}/u

/**
 * A text in a normal form of Unicode; as it is where it has more than thirty combining marks in a row: putting them in
 * order takes time quadratic in their number, seconds for 100,000.
 */
function normalForm(text: string, form: 'NFC' | 'NFD'): string {
  return markRun.test(text) ? text : text.normalize(form)
}

/** Says how much work comes next, and waits for the next turn of the event loop where the last one has done enough. */
export type SpendUnits = (units: number) => Promise<void>

/** Divides long work among turns of the event loop, so that other requests are served meanwhile. */
function turnBudget(unitsPerTurn: number): SpendUnits {
  let left = unitsPerTurn
  return async (units) => {
    left -= units
    if (left >= 0) return
    left = unitsPerTurn - units
    await nextTurn()
  }
}
