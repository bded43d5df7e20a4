import { hex } from '../pixels/color.ts'
import { familyTable } from '../families/family-table.ts'
import { objectTable } from '../objects/object-table.ts'
import { colorNames } from './color-names.ts'
import { moodWords, seasonWords, timeWords, weatherWords } from './condition-words.ts'
import { livingWords } from './living-words.ts'
import type { Meaning } from './meaning.ts'
import { countWords, linkWords, mediumWords, notWords, plainWords } from './plain-words.ts'
import { partWords, sceneWords, traitWords } from './scene-words.ts'
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
  for (const [home, phrases] of livingWords) add(phrases, { as: 'living', ...(home && { home }) })
  for (const [name, code] of Object.entries(colorNames)) add([name], { as: 'color', color: hex(code), name })
  for (const family of familyTable) add(family.words, { as: 'family', family: family.name })
  for (const [count, phrases] of countWords) add(phrases, { as: 'count', count })
  add(mediumWords, { as: 'medium' })
  add(notWords, { as: 'not' })
  add(linkWords.split(' '), { as: 'link' })
  add(plainWords.split(' '), { as: 'plain' })
  inherit(entries)
  return entries
}

function addScenery(add: (phrases: string, meaning: Meaning) => void): void {
  for (const [scene, weight, phrases] of sceneWords) add(phrases, { as: 'scene', scene, weight })
  for (const [trait, phrases] of traitWords) add(phrases, { as: 'trait', trait })
  for (const [part, phrases] of partWords) add(phrases, { as: 'part', part })
  for (const [time, phrases] of timeWords) add(phrases, { as: 'time', time })
  for (const [weather, phrases] of weatherWords) add(phrases, { as: 'weather', weather })
  for (const [season, phrases] of seasonWords) add(phrases, { as: 'season', season })
  for (const [mood, phrases] of moodWords) add(phrases, { as: 'mood', mood })
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
