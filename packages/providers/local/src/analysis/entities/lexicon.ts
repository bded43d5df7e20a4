import { knownNames, lists } from './word-lists.ts'
import nlp from 'compromise'

/** The possible meanings of a word or a phrase, by the lists alone. */
export interface Senses {
  readonly firstName: boolean
  readonly lastName: boolean
  readonly person: boolean
  readonly place: boolean
  readonly organization: boolean
  readonly product: boolean
  readonly event: boolean
  readonly other: boolean
  readonly nationality: boolean
  /** An ordinary word of English: noun, verb, adjective, function word. */
  readonly common: boolean
}

interface LanguageData {
  readonly one: { readonly lexicon: Readonly<Record<string, string | readonly string[] | undefined>> }
}

const compromiseLexicon = (nlp.model() as unknown as LanguageData).one.lexicon

const namesOf = {
  firstName: new Set(['MaleName', 'FemaleName', 'FirstName']),
  lastName: new Set(['LastName']),
  person: new Set(['Person']),
  place: new Set(['City', 'Country', 'Region', 'Place']),
  organization: new Set(['Organization', 'SportsTeam']),
  nationality: new Set(['Demonym']),
}
const nameTags = new Set([
  ...Object.values(namesOf).flatMap((tags) => [...tags]),
  'ProperNoun',
  'Abbreviation',
  'Honorific',
  'Acronym',
])

const known = new Map<string, Senses>()
const maxCached = 20_000

/** Looks a word or phrase up, whatever its case and accents. */
export function findSenses(phrase: string): Senses {
  const lower = phrase.toLowerCase().replaceAll('’', "'").replace(/\.$/, '')
  const kept = known.get(lower)
  if (kept) return kept
  const senses = lookUp(lower)
  if (known.size >= maxCached) known.clear()
  known.set(lower, senses)
  return senses
}

function lookUp(lower: string): Senses {
  const plain = lower.normalize('NFD').replaceAll(/\p{M}/gu, '')
  const tags = findTags(lower) ?? findTags(plain) ?? []
  const is = (kind: ReadonlySet<string>) => tags.some((tag) => kind.has(tag))
  const listed = (list: ReadonlySet<string>) => list.has(lower) || list.has(plain)
  return {
    firstName: is(namesOf.firstName) || listed(knownNames.firstNames),
    lastName: is(namesOf.lastName),
    person: is(namesOf.person),
    place: is(namesOf.place) || listed(knownNames.places),
    organization: is(namesOf.organization) || listed(knownNames.organizations) || listed(knownNames.productMakers),
    product: listed(knownNames.products),
    event: listed(knownNames.events),
    other: listed(knownNames.others),
    nationality: is(namesOf.nationality) || isNationality(plain),
    common: (tags.length > 0 && !is(nameTags)) || lists.personTitles.has(lower) || isInflected(plain),
  }
}

function findTags(word: string): readonly string[] | undefined {
  const tags = Object.hasOwn(compromiseLexicon, word) ? compromiseLexicon[word] : undefined
  return tags === undefined ? undefined : typeof tags === 'string' ? [tags] : tags
}

/** "Voters" is not in the lexicon where "voter" is. */
function isInflected(word: string): boolean {
  return stems(word).some((stem) => (findTags(stem) ?? ['ProperNoun']).every((tag) => !nameTags.has(tag)))
}

function stems(word: string): string[] {
  if (word.length < 5) return []
  if (word.endsWith('ies')) return [`${word.slice(0, -3)}y`]
  if (word.endsWith('s')) return [word.slice(0, -1), word.slice(0, -2)]
  if (word.endsWith('ly')) return [word.slice(0, -2)]
  return []
}

function isNationality(word: string): boolean {
  return word.endsWith('s') && (findTags(word.slice(0, -1))?.includes('Demonym') ?? false)
}
