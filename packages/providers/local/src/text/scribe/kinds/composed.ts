import { findBirthday } from '../brief/birthday.ts'
import { topicSlots } from '../brief/topic-slots.ts'
import { readText, readTexts } from '../data.ts'
import { parseGrammar } from '../grammar/parse-grammar.ts'
import type { ComposedKind } from '../kind.ts'
import { continuationSlots, endsInMidSentence } from './continuation.ts'
import { haikuSlots } from './haiku.ts'
import {
  congratulationSlots,
  emailSlots,
  ideaSlots,
  nameSlots,
  productSlots,
  sloganSlots,
  storySlots,
} from './slots.ts'

/**
 * The kinds that are composed, from the files in `scribe/kinds`: a few fields, an empty line, and a grammar. `asks` and
 * `unless` are regular expressions, and `parts` names a grammar whose rules stand before its own.
 */
export function readComposedKinds(): readonly ComposedKind[] {
  return readTexts('kinds').map((text) => {
    const at = text.indexOf('\n\n')
    const fields = new Map(
      text
        .slice(0, at)
        .split('\n')
        .map((line): [string, string] => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
    )
    const { name = '', asks = '', unless, parts, turn, about, tone } = Object.fromEntries(fields)
    const grammar = text.slice(at)
    return {
      name,
      asks: new RegExp(asks, 'iu'),
      turn: turn as ComposedKind['turn'],
      about,
      tone,
      grammar: parseGrammar(parts === undefined ? grammar : readText(`parts/${parts}.txt`) + grammar),
      fits: unless === undefined ? undefined : ({ instruction }) => !new RegExp(unless, 'i').test(instruction),
      ...details[name],
    }
  })
}

/** Code of kinds that need more than a grammar. */
const details: Readonly<Record<string, Pick<ComposedKind, 'fits' | 'slots' | 'goesOn'>>> = {
  continuation: {
    fits: ({ source }) => source !== undefined,
    goesOn: endsInMidSentence,
    slots: continuationSlots,
  },
  congratulations: { slots: congratulationSlots },
  email: { slots: emailSlots },
  haiku: { slots: haikuSlots },
  ideas: { slots: ideaSlots },
  invitation: {
    slots: ({ instruction }) => {
      const birthday = findBirthday(instruction)
      return birthday === undefined ? { cake: undefined } : { ...topicSlots(`${birthday} party`), cake: 'yes' }
    },
  },
  names: { slots: nameSlots },
  poem: {
    slots: ({ length: { count, scale } }) => ({ 'few lines': scale < 0.7 || (count ?? 10) < 6 ? 'yes' : undefined }),
  },
  'product description': { slots: productSlots },
  slogan: { slots: sloganSlots },
  story: { slots: storySlots },
}
