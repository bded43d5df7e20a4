import { findSenses } from './lexicon.ts'
import type { Name } from './name.ts'
import { lists } from './word-lists.ts'

type Trait = (name: Name) => boolean

/** The traits of a name that rules check, besides its senses. */
export const traits: Readonly<Record<string, Trait>> = {
  long: ({ long }) => long,
  opens: ({ opens }) => opens,
  titled: ({ titled }) => titled,
  made: ({ made }) => made,
  possessive: ({ possessive }) => possessive,
  /** Holds nothing that a person's name would not: heads of institutions or places, digits, acronyms. */
  personal,
  fullName: (name) => name.long && name.words.length < 6 && personal(name),
  /** No list knows its words, and nothing before it speaks of a thing or a place. */
  unknown: ({ previous, gapBefore, words }) =>
    !(lists.impersonal.has(previous) && gapBefore === ' ') && words.every(({ text }) => isUnknown(text)),
  opensWithFirstName,
  endsInLastName: ({ last }) => findSenses(last.text).lastName,
  hasMiddleInitial: ({ words }) => words.slice(1, -1).some(({ text }) => /^\p{Lu}\.$/u.test(text)),
  hasParticle: ({ words }) =>
    words.slice(1, -1).some(({ capital, lower }) => !capital && lists.nameParticles.has(lower)),
  closesText: ({ after, gapAfter }) => after.length === 0 && /^\.?$/.test(gapAfter.trim()),
  /** A lone word of English. */
  ordinary,
  endsInCommonWord: ({ last }) => findSenses(last.text).common && !findSenses(last.text).firstName,
  /** "Target", "Shell" and such at the start of a sentence, unless they do what companies do. */
  doubtfulOrganization: (name) =>
    !(name.long || !name.opens || name.possessive || lists.corporateVerbs.has(name.next)) &&
    (lists.ambiguousOrganizations.has(name.lower) || ordinary(name)),
  endsInLegalForm: ({ last }) => lists.companySuffixes.has(last.lower.replace(/\.$/, '')),
  /** Opens with capitals that name no organization. */
  abbreviation: ({ first }) => lists.notOrganizations.has(first.text),
  /** "Zorbix cut its", "Zorbix has cut its". */
  ownsObject: ({ after }) => after.slice(1, 3).includes('its'),
  doubtfulPlace: (name) => !name.long && name.opens && (ordinary(name) || lists.ambiguousPlaces.has(name.lower)),
  placelike: ({ titled, senses, words, lower, text }) =>
    !titled &&
    !senses.firstName &&
    words.length < 4 &&
    !lists.notPlaces.has(lower) &&
    !/[&\d]|^\p{Lu}{2,}$/u.test(text),
  endsInPlace: ({ text, words, start }) => findSenses(text.slice(words[1]!.start - start)).place,
  /** "Princeton, New Jersey". */
  beforePlace: ({ next, after }) => findSenses(next).place || findSenses(after.slice(0, 2).join(' ')).place,
  afterPlace: ({ previous }) => findSenses(previous).place,
  opensWithProduct,
  endsInModel,
  endsInEdition: ({ last }) => lists.productEditions.has(last.text),
  /** Also "Great Fire of London". */
  opensEvent: ({ words }) => words.slice(0, 2).some(({ lower }) => lists.eventOpeners.has(lower)),
}

function personal(name: Name): boolean {
  const { first, last, long } = name
  if (/[\d&]/.test(name.text) || lists.organizationHeads.has(last.lower)) return false
  if (/^\p{Lu}{2,}$/u.test(last.text) && !(long && /^(?:[IVX]+|\p{Lu}{4,})$/u.test(last.text))) return false
  if (!long) return true
  if (lists.productEditions.has(last.text)) return false
  const isSurname = name.titled || (lists.surnameHeads.has(last.lower) && opensWithFirstName(name))
  if (lists.locationHeads.has(last.lower) && !isSurname) return false
  return !/^\p{Lu}{2,5}$/u.test(first.text) || /^\p{Lu}+$/u.test(last.text)
}

function opensWithFirstName({ first: { text } }: Name): boolean {
  return findSenses(text).firstName || (text.includes('-') && findSenses(text.split('-')[0]!).firstName)
}

function isUnknown(word: string): boolean {
  const { organization, place, nationality, product, common, firstName, lastName } = findSenses(word)
  return !organization && !place && !nationality && !product && (!common || firstName || lastName)
}

function ordinary({ long, senses, lower }: Name): boolean {
  return !long && (senses.common || lists.commonOpeners.has(lower))
}

/** A word that may follow a product's name: "8", "S24", "Pro", "Carbon". */
const modelWord = /^(?:\p{Lu}{0,3}\d{1,4}\p{L}{0,3}|\p{Lu}{1,2}|\p{Lu}\p{Ll}+)$/u
const modelCode = /^(?:\p{Lu}{1,4}-?\d{1,5}\p{Lu}{0,3}\d?|\d{2,4}\p{Lu}{1,3})$/u
const modelNumber = /^(?!(?:19|20)\d\d$)\d{1,4}$/

function opensWithProduct({ words, text, start }: Name): boolean {
  for (let count = words.length - 1; count > 0; count -= 1) {
    const opening = text.slice(0, words[count]!.start - start).trim()
    if (findSenses(opening).product) return words.slice(count).every((word) => modelWord.test(word.text))
  }
  return false
}

/** "X1", "777X", "Pixel 8": but not "flight BA178", "Resolution 2728". */
function endsInModel({ words, first, last, long, opens, previous }: Name): boolean {
  if (lists.referenceLabels.has(previous)) return false
  if (modelCode.test(last.text)) return !lists.notModels.has(last.text)
  if (!long || opens || !modelNumber.test(last.text)) return false
  return !findSenses(first.text).common && !lists.referenceLabels.has(words.at(-2)!.lower)
}
