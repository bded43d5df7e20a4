import { hex } from '../pixels/color.ts'
import { familyTable } from '../families/family-table.ts'
import { objectTable } from '../objects/object-table.ts'
import type { Meaning } from './meaning.ts'
import { wordTable } from './word-table.ts'
import { phraseKey } from './words.ts'

const inherited: ReadonlySet<Meaning['as']> = new Set(['scene', 'trait', 'time', 'weather', 'season', 'mood'])

/** Everything that the painters understand: each phrase, in the tables' spelling, and all that it means. */
export const lexicon: ReadonlyMap<string, readonly Meaning[]> = buildLexicon()

/** The most words that one phrase of the lexicon has. */
export const longestPhrase = Math.max(...[...lexicon.keys()].map((phrase) => phrase.split(' ').length))

function buildLexicon(): Map<string, Meaning[]> {
  const entries = new Map<string, Meaning[]>()
  const add = (phrases: string | readonly string[], meaning: Meaning) => {
    for (const phrase of typeof phrases === 'string' ? phrases.split(/,\s+/) : phrases) {
      const key = phraseKey(phrase)
      entries.set(key, [...(entries.get(key) ?? []), meaning])
    }
  }
  addScenery(add)
  for (const object of objectTable) {
    const words = [...object.words, ...(object.groups ?? [])]
    add(words, { as: 'object', object: object.name })
    for (const [scene, weight] of object.scenes ?? []) add(words, { as: 'scene', scene, weight })
  }
  for (const [home, phrases] of wordTable.living) add(phrases, { as: 'living', ...(home && { home }) })
  for (const [name, code] of Object.entries(wordTable.colors)) add([name], { as: 'color', color: hex(code), name })
  for (const family of familyTable) add(family.words, { as: 'family', family: family.name })
  for (const [count, phrases] of wordTable.counts) add(phrases, { as: 'count', count })
  add(wordTable.media, { as: 'medium' })
  add(wordTable.nots, { as: 'not' })
  add(wordTable.links.split(' '), { as: 'link' })
  add(wordTable.plain.split(' '), { as: 'plain' })
  inherit(entries)
  return entries
}

function addScenery(add: (phrases: string, meaning: Meaning) => void): void {
  for (const [scene, weight, phrases] of wordTable.scenes) add(phrases, { as: 'scene', scene, weight })
  for (const [trait, phrases] of wordTable.traits) add(phrases, { as: 'trait', trait })
  for (const [part, phrases] of wordTable.parts) add(phrases, { as: 'part', part })
  for (const [time, phrases] of wordTable.times) add(phrases, { as: 'time', time })
  for (const [weather, phrases] of wordTable.weathers) add(phrases, { as: 'weather', weather })
  for (const [season, phrases] of wordTable.seasons) add(phrases, { as: 'season', season })
  for (const [mood, phrases] of wordTable.moods) add(phrases, { as: 'mood', mood })
}

/** A phrase also says what its words say of the scenery: `birch forest` is a forest, `starry night` a night. */
function inherit(entries: Map<string, Meaning[]>): void {
  for (const [phrase, meanings] of entries) {
    const words = phrase.split(' ')
    if (words.length < 2) continue
    const known = new Set(meanings.map(({ as }) => as))
    const gained = words.flatMap((word) => entries.get(word) ?? [])
    meanings.push(...gained.filter(({ as }) => inherited.has(as) && !known.has(as)))
  }
}
