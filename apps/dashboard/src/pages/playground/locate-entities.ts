import type { Analysis } from './call-model.ts'

export type Entity = NonNullable<Analysis['entities']>[number]

/** A part of a text: an entity, or what is between entities. */
export interface Part {
  readonly text: string
  /** The offset in the text. */
  readonly start: number
  readonly entity?: Entity | undefined
}

/** Cuts a text at its entities. Entities that do not occur in the text, or overlap another one, are left out. */
export function locateEntities(text: string, entities: readonly Entity[]): readonly Part[] {
  const found: { readonly start: number; readonly entity: Entity }[] = []
  const isFree = (start: number, length: number) =>
    found.every((other) => start + length <= other.start || start >= other.start + other.entity.text.length)
  let from = 0
  for (const entity of entities) {
    // Entities are in the order of the text. One that is out of order is searched from the beginning.
    const start = [text.indexOf(entity.text, from), text.indexOf(entity.text)].find(
      (at) => at !== -1 && isFree(at, entity.text.length),
    )
    if (start === undefined || entity.text === '') continue
    found.push({ start, entity })
    from = Math.max(from, start + entity.text.length)
  }
  const parts: Part[] = []
  let end = 0
  for (const { start, entity } of found.sort((one, other) => one.start - other.start)) {
    if (start > end) parts.push({ text: text.slice(end, start), start: end })
    parts.push({ text: entity.text, start, entity })
    end = start + entity.text.length
  }
  if (end < text.length) parts.push({ text: text.slice(end), start: end })
  return parts
}
