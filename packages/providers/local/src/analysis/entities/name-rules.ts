import type { EntityType } from '@fairlead/core/provider'
import table from './name-rules.json' with { type: 'json' }
import { type Senses, findSenses } from './lexicon.ts'
import type { Name } from './name.ts'
import { traits } from './name-traits.ts'
import { lists } from './word-lists.ts'

/** If all conditions hold of a name, it is so likely of that type. */
export interface NameRule {
  readonly type: EntityType
  /** From 0 to 1. */
  readonly weight: number
  readonly when: Test
}

type Test = (name: Name) => boolean

/** A row of `name-rules.json`. */
interface Row extends Omit<NameRule, 'when'> {
  readonly example: string
  readonly when: Conditions
}

/** All of them must hold. */
type Conditions = Partial<
  Record<keyof typeof texts, string> &
    Record<keyof typeof neighbors, string | readonly string[]> & {
      /** Senses, flags, and traits of the name; `!` for those that it must not have. */
      is: string
      maxWords: number
      /** Conditions that must not all hold. */
      not: Conditions
    }
>

/** The text that a pattern is matched against. */
const texts = {
  text: (name: Name) => name.text,
  lower: (name: Name) => name.lower,
  firstText: (name: Name) => name.first.text,
  lastText: (name: Name) => name.last.text,
  gapBefore: (name: Name) => name.gapBefore,
  gapAfter: (name: Name) => name.gapAfter,
} as const

/** The words that must be in a list, which has a name in `word-lists.json` or stands in the rule. */
const neighbors = {
  first: (name: Name) => name.first.lower,
  last: (name: Name) => name.last.lower,
  previous: (name: Name) => name.previous,
  beforePrevious: (name: Name) => name.beforePrevious,
  next: (name: Name) => name.next,
  /** Past "the", "central", "northern". */
  preposition: (name: Name) => name.before.find((word) => !lists.placeAdjectives.has(word)) ?? '',
  /** One of the words is enough. */
  before: (name: Name) => name.before,
  after: (name: Name) => name.after,
} as const

/** The rules that tell the type of a name. */
export const nameRules: readonly NameRule[] = (table as readonly Row[]).map(({ type, weight, when }) => ({
  type,
  weight,
  when: createTest(when),
}))

function createTest(conditions: Conditions): Test {
  // A word in a list is cheaper to find than a trait.
  const cheapFirst = Object.entries(conditions).sort(([a], [b]) => Number(b in neighbors) - Number(a in neighbors))
  const tests = cheapFirst.flatMap(([key, value]) => createTests(key, value))
  return tests.reduceRight((rest, test) => (name) => test(name) && rest(name))
}

function createTests(key: string, value: NonNullable<Conditions[keyof Conditions]>): readonly Test[] {
  if (key === 'is') return (value as string).split(' ').map(traitTest)
  if (key === 'maxWords') return [({ words }) => words.length <= (value as number)]
  if (key === 'not') {
    const test = createTest(value as Conditions)
    return [(name) => !test(name)]
  }
  if (key in texts) {
    const textOf = texts[key as keyof typeof texts]
    const pattern = new RegExp(value as string, 'u')
    return [(name) => pattern.test(textOf(name))]
  }
  const wordsOf = neighbors[key as keyof typeof neighbors]
  const list = typeof value === 'string' ? lists[value as keyof typeof lists] : new Set(value as readonly string[])
  if (!wordsOf || !list) throw new TypeError(`unknown condition ${key}: ${JSON.stringify(value)}`)
  return [
    (name) => {
      const words = wordsOf(name)
      return typeof words === 'string' ? list.has(words) : words.some((word) => list.has(word))
    },
  ]
}

function traitTest(term: string): Test {
  const trait = term.replace('!', '')
  const test = traits[trait] ?? (trait in findSenses('') && ((name: Name) => name.senses[trait as keyof Senses]))
  if (!test) throw new TypeError(`unknown trait ${trait}`)
  return term.startsWith('!') ? (name) => !test(name) : test
}
