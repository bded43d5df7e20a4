import { commonOpeners } from './common-openers.ts'
import { sensesOf } from './lexicon.ts'
import {
  ambiguousPlaces,
  doubtfulPrepositions,
  travelWords,
  landforms,
  locationBelongings,
  locationHeads,
  locationMembers,
  locationNouns,
  locationOpeners,
  notPlaces,
  placeAdjectives,
  placeModifiers,
  placePrepositions,
  realmOpeners,
} from './location-words.ts'
import { rulesFor } from './name-rule.ts'
import type { Name } from './name.ts'

/** What says that a name is a place's. */
export const locationRules = rulesFor('LOCATION', [
  [0.87, 'Munich', (name) => name.senses.place && !isDoubtful(name)],
  [0.35, 'Split (opening a sentence)', (name) => name.senses.place && isDoubtful(name)],
  [0.85, 'Mill Lane', (name) => name.long && locationHeads.has(name.last.lower) && !name.senses.organization],
  [0.45, 'Graefestrasse', (name) => !name.long && name.lower.length > 7 && endsLikePlace.test(name.lower)],
  [0.66, 'Lake Como', (name) => name.long && locationOpeners.has(name.first.lower)],
  [0.8, 'Northern Italy', (name) => name.long && placeModifiers.has(name.first.lower) && sensesOf(restOf(name)).place],
  [
    0.8,
    'Gulf of Biscay',
    (name) => name.long && realmOpeners.has(name.first.lower) && / of (?:the )?\p{Lu}/u.test(name.text),
  ],
  [0.62, 'in Reykjadalur', (name) => isPlain(name) && placePrepositions.has(preposition(name))],
  [0.45, 'to Reykjadalur', (name) => isPlain(name) && doubtfulPrepositions.has(preposition(name))],
  [
    0.15,
    'to Reykjadalur',
    (name) => isPlain(name) && !name.long && /^(?:to|from|at)$/.test(preposition(name)) && !name.senses.organization,
  ],
  [0.35, 'flew to Reykjadalur', (name) => /^(?:to|from)$/.test(name.previous) && travelWords.has(name.beforePrevious)],
  [0.8, 'the Amazon rainforest', (name) => isPlain(name) && name.gapAfter === ' ' && landforms.has(name.next)],
  [0.85, 'city of Visp', (name) => name.previous === 'of' && locationNouns.has(name.beforePrevious)],
  [
    0.66,
    'residents of Visp',
    (name) => isPlain(name) && name.previous === 'of' && locationMembers.has(name.beforePrevious),
  ],
  [0.5, 'the capital, Visp', (name) => locationNouns.has(name.previous) && /^,? $/.test(name.gapBefore)],
  [
    0.7,
    'in Visp, Italy',
    (name) =>
      isPlain(name) &&
      !name.long &&
      name.gapAfter === ', ' &&
      isFollowedByPlace(name) &&
      /^(?:in|near|from|to|at|outside|of)$/.test(name.previous),
  ],
  [
    0.5,
    'Munich, Visp and',
    (name) => isPlain(name) && name.gapBefore === ', ' && sensesOf(name.previous).place && /^[,.]/.test(name.gapAfter),
  ],
  [0.4, 'Visp’s streets', (name) => name.possessive && locationBelongings.has(name.next)],
])

const endsLikePlace =
  /(?:strasse|straße|gasse|platz|gracht|straat|burg|shire|ville|stadt|grad|stan|land|borough|ford|polis)$/

/** Past "the", "central", "northern". */
function preposition(name: Name): string {
  return name.before.find((word) => !placeAdjectives.has(word)) ?? ''
}

/** "Princeton, New Jersey". */
function isFollowedByPlace({ next, after }: Name): boolean {
  return sensesOf(next).place || sensesOf(after.slice(0, 2).join(' ')).place
}

function restOf(name: Name): string {
  return name.text.slice(name.words[1]!.start - name.start)
}

function isPlain(name: Name): boolean {
  if (name.titled || name.senses.firstName || name.words.length > 3 || notPlaces.has(name.lower)) return false
  return !/[&\d]/.test(name.text) && !/^\p{Lu}{2,}$/u.test(name.text)
}

function isDoubtful(name: Name): boolean {
  if (name.long || !name.opens) return false
  return name.senses.common || commonOpeners.has(name.lower) || ambiguousPlaces.has(name.lower)
}
