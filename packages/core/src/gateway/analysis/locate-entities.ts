import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Entity } from '../provider.ts'

/** The entities that a text contains. */
export interface LocatedEntities {
  /** In order of appearance, spelled as in the text. */
  readonly entities: Entity[]
  /** The number of entities that the text does not contain. */
  readonly missing: number
}

/** About 15 ms of work. */
const charactersPerTurn = 500_000
/** Folding a character takes about as long as scanning it five times. */
const scansPerFold = 5

/** Finds the entities that a model returned in the text itself. Duplicates are merged. */
export async function locateEntities(text: string, entities: readonly Entity[]): Promise<LocatedEntities> {
  const waitForBudget = turnBudget(charactersPerTurn)
  const find = await indexText(text)
  const isComposed = text === normalForm(text, 'NFC')
  const distinct = new Map<string, Entity>()
  for (const entity of entities) {
    await waitForBudget(entity.text.length * scansPerFold)
    distinct.set(`${entity.type} ${fold(normalForm(entity.text, 'NFC'))}`, entity)
  }
  const found: { readonly at: number; readonly entity: Entity }[] = []
  for (const entity of distinct.values()) {
    for (const name of spellings(entity.text, isComposed)) {
      await waitForBudget(text.length + name.length * scansPerFold)
      const at = find(name)
      if (at === undefined) continue
      found.push({ at, entity: { ...entity, text: text.slice(at, at + name.length) } })
      break
    }
  }
  return {
    entities: found.toSorted((one, other) => one.at - other.at).map(({ entity }) => entity),
    missing: distinct.size - found.length,
  }
}

/** Models return composed letters (`é`) where a text may have decomposed ones (`e` and an accent). Most texts have none. */
function spellings(name: string, isComposed: boolean): Iterable<string> {
  const composed = normalForm(name, 'NFC')
  return isComposed ? [composed] : new Set([name, composed, normalForm(name, 'NFD')])
}

/** Matches that are compared for case before the first match of any case is taken. */
const maxComparisons = 100
/** Characters that are scanned for all names together: enough for a hundred names in the longest text. */
const maxScanned = 20_000_000

/**
 * Prepares a text for the search for many names, which takes two turns of the event loop. Returns a function that finds the
 * position of a name: preferably as whole words and in the same case, otherwise in another case or within a word. It finds
 * none once the limit on the total work is reached.
 *
 * Searches with the algorithm of Knuth, Morris and Pratt (1977), in linear time: `indexOf` takes seconds for adversarial
 * texts and names.
 */
async function indexText(text: string): Promise<(name: string) => number | undefined> {
  const codes = toCodes(fold(text))
  await nextTurn()
  const letters = markLetters(text)
  await nextTurn()
  let budget = maxScanned
  return (name) => {
    budget -= codes.length
    if (budget < 0) return undefined
    const sought = toCodes(fold(name))
    const borders = findBorders(sought)
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
  }
}

/** Marks the positions of a text that belong to words: letters, combining marks and digits. */
function markLetters(text: string): Uint8Array {
  const letters = new Uint8Array(text.length)
  for (const { 0: word, index } of text.matchAll(/[\p{L}\p{M}\p{N}]+/gu)) letters.fill(1, index, index + word.length)
  return letters
}

/** The length of the longest border of each prefix of a name: the failure function of the algorithm. */
function findBorders(name: Uint16Array): Uint32Array {
  const borders = new Uint32Array(name.length)
  for (let at = 1, matched = 0; at < name.length; at++) {
    while (matched > 0 && name[matched] !== name[at]) matched = borders[matched - 1]!
    if (name[matched] === name[at]) matched++
    borders[at] = matched
  }
  return borders
}

function toCodes(text: string): Uint16Array {
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

/** Folds case, white space and quotation marks without changing positions. */
function fold(text: string): string {
  return text
    .replace(/\s/g, ' ')
    .replace(/[‘’ʼ“”‐‑–]/g, (mark) => plainMarks[mark] ?? mark)
    .replace(/\p{Lu}/gu, (letter) => {
      const lower = letter.toLowerCase()
      return lower.length === letter.length ? lower : letter
    })
}

/** The stream-safe text format of Unicode allows 30 combining marks in a row (UAX #15, 13). No language needs more. */
const markRun = /\p{M}{31}/u

/**
 * Normalizes a text unless it has more than 30 combining marks in a row: sorting them takes quadratic time, seconds for
 * 100,000.
 */
function normalForm(text: string, form: 'NFC' | 'NFD'): string {
  return markRun.test(text) ? text : text.normalize(form)
}

/** Returns a function that counts units of work, and yields to the event loop when a turn has done enough. */
function turnBudget(unitsPerTurn: number): (units: number) => Promise<void> {
  let left = unitsPerTurn
  return async (units) => {
    left -= units
    if (left >= 0) return
    left = unitsPerTurn - units
    await nextTurn()
  }
}
