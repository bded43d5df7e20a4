import type { Color } from '../pixels/color.ts'
import type { Meaning, Part } from './meaning.ts'
import type { Phrase } from './phrases.ts'
import type { Subject } from './subject.ts'

export interface BoundColors {
  readonly subjects: readonly Subject[]
  readonly parts: ReadonlyMap<Part, readonly Color[]>
  /** Colors that belong to no noun. */
  readonly free: readonly Color[]
  /** The names of all colors that the picture can show, in order. */
  readonly names: readonly string[]
}

type Named = Extract<Meaning, { readonly as: 'color' }>

/**
 * Gives every color to the noun that follows it, over adjectives and `and`, and every count too:
 * `two small red and white boats under a pink sky`. A color with no noun before the next preposition stays free.
 */
export function bindColors(phrases: readonly Phrase[]): BoundColors {
  const binding: Binding = { subjects: new Map(), parts: new Map(), free: [], names: [], waiting: [], count: undefined }
  phrases.forEach((phrase, index) => readPhrase(binding, phrase, phrases[index + 1]))
  release(binding)
  return { ...binding, subjects: [...binding.subjects.values()] }
}

/** The words that have been read so far, and the colors that still wait for their noun. */
interface Binding {
  readonly subjects: Map<string, Subject>
  readonly parts: Map<Part, readonly Color[]>
  readonly free: Color[]
  readonly names: string[]
  waiting: Named[]
  count: number | undefined
}

function readPhrase(binding: Binding, phrase: Phrase, next: Phrase | undefined): void {
  const color = phrase.meanings.find((meaning) => meaning.as === 'color')
  if (color && !isNounHere(phrase, next)) {
    binding.waiting.push(color)
    return
  }
  const counted = phrase.meanings.find((meaning) => meaning.as === 'count')
  if (counted) binding.count = counted.count
  readNoun(binding, phrase, next)
}

function readNoun(binding: Binding, { text, meanings }: Phrase, next: Phrase | undefined): void {
  const object = meanings.find((meaning) => meaning.as === 'object')
  const parts = meanings.filter((meaning) => meaning.as === 'part').map(({ part }) => part)
  const colors = toColors(binding.waiting)
  if (colors.length > 0) for (const part of parts) binding.parts.set(part, colors)
  if (object) bindToObject(binding, object.object, text)
  else if (parts.length > 0 && colors.length > 0) nameWaiting(binding)
  else if (!takesItsColorAway(meanings, next)) {
    if (has(meanings, 'link')) release(binding)
    else if ((text === 'and' && colors.length === 0) || has(meanings, 'scene')) binding.count = undefined
    return
  }
  forget(binding)
}

function bindToObject(binding: Binding, object: string, text: string): void {
  const known = binding.subjects.get(object)
  const count = binding.count ?? known?.count
  const colors = [...(known?.colors ?? []), ...toColors(binding.waiting)]
  nameWaiting(binding)
  binding.subjects.set(object, { object, text: known?.text ?? text, colors, ...(count !== undefined && { count }) })
}

/** The colors that wait are of no noun. */
function release(binding: Binding): void {
  binding.free.push(...toColors(binding.waiting))
  nameWaiting(binding)
  forget(binding)
}

function nameWaiting({ names, waiting }: Binding): void {
  names.push(...waiting.map(({ name }) => name))
}

function forget(binding: Binding): void {
  binding.waiting = []
  binding.count = undefined
}

/** A fox takes its color with it, out of the picture; so does a noun that no table knows. */
function takesItsColorAway(meanings: readonly Meaning[], next: Phrase | undefined): boolean {
  return has(meanings, 'living') || (meanings.length === 0 && endsNoun(next))
}

function toColors(named: readonly Named[]): Color[] {
  return named.map(({ color }) => color)
}

function has(meanings: readonly Meaning[], as: Meaning['as']): boolean {
  return meanings.some((meaning) => meaning.as === as)
}

/** `a rose` is a flower and `a rose sky` is not: a word that is both is a noun unless a noun follows. */
function isNounHere({ meanings }: Phrase, next: Phrase | undefined): boolean {
  if (!has(meanings, 'object') && !has(meanings, 'trait')) return false
  return !next || (!has(next.meanings, 'object') && !has(next.meanings, 'part'))
}

/** Whether an unknown word is the noun itself, and no adjective before one. */
function endsNoun(next: Phrase | undefined): boolean {
  return !next || has(next.meanings, 'link')
}
