import type { Entity } from '../../values/analysis.ts'
import { fold, searchedText } from './searched-text.ts'

/** Entities where they stand in a text. */
export interface PlacedEntities {
  /** In order of appearance, spelled as in the text. */
  readonly entities: Entity[]
  /** How many were named that the text doesn't hold. */
  readonly absent: number
}

/** Looks up, in the text itself, entities that a model claims to have found there. One that is named twice counts once. */
export function placeEntities(text: string, named: readonly Entity[]): PlacedEntities {
  const searched = searchedText(text)
  const isComposed = text === text.normalize('NFC')
  const distinct = new Map(named.map((entity) => [`${entity.type} ${fold(entity.text.normalize())}`, entity]))
  const found = [...distinct.values()].flatMap((entity) => {
    for (const name of spellings(entity.text, isComposed)) {
      const at = searched.find(name)
      if (at !== undefined) return { at, entity: { ...entity, text: text.slice(at, at + name.length) } }
    }
    return []
  })
  return {
    entities: found.toSorted((one, other) => one.at - other.at).map(({ entity }) => entity),
    absent: distinct.size - found.length,
  }
}

/** Models compose letters that a text may have in parts: `é`, or `e` and an accent. Most texts have none in parts. */
function spellings(name: string, isComposed: boolean): Iterable<string> {
  const composed = name.normalize('NFC')
  return isComposed ? [composed] : new Set([name, composed, name.normalize('NFD')])
}
