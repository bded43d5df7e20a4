import type { Entity } from '../../values/analysis.ts'
import { normalForm } from './normal-form.ts'
import { fold, searchedText } from './searched-text.ts'
import { turnBudget } from './turn-budget.ts'

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
