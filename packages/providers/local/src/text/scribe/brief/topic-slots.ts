import { findField } from '../lexicon/find-field.ts'
import { soundsLikeVowel } from '../grammar/polish.ts'

/** The forms in which grammars name the topic. */
export interface TopicSlots {
  /** Without article: `solar lantern`. */
  readonly topic: string
  readonly 'the topic': string
  readonly 'a topic': string
  /** `is`, or `are` for a topic in the plural; likewise the others. */
  readonly is: string
  readonly has: string
  readonly does: string
  readonly it: string
  /** The ending of a verb. */
  readonly s: string
}

const woman = /^(?:my|our) (?:\w+ )?(?:wife|girlfriend|mother|mum|mom|sister|daughter|grandmother|grandma|aunt)$/i
const man = /^(?:my|our) (?:\w+ )?(?:husband|boyfriend|father|dad|brother|son|grandfather|grandpa|uncle)$/i
const article = /^(?:an?|the|some|this)\s+/i

export function topicSlots(asked: string): TopicSlots {
  const bare = asked.replace(article, '')
  const counted = /^an?\s/i.test(asked)
  const definite = /^(?:the|this)\s/i.test(asked)
  return {
    topic: bare,
    'the topic': counted || definite ? `the ${bare}` : asked,
    'a topic': counted ? `${soundsLikeVowel(bare) ? 'an' : 'a'} ${bare}` : asked,
    ...agreement(bare, counted),
  }
}

function agreement(bare: string, counted: boolean) {
  const [head = bare] = bare.split(/ (?:of|for|in|with|on|from|by|at|between|who|that|to) /)
  const many = !counted && (/\band\b/.test(head) || /(?:[^s’'iu]s|people|children|men|women|mice|geese)$/i.test(head))
  if (woman.test(bare)) return { is: 'is', has: 'has', does: 'does', it: 'she', s: 's' }
  if (man.test(bare)) return { is: 'is', has: 'has', does: 'does', it: 'he', s: 's' }
  return many
    ? { is: 'are', has: 'have', does: 'do', it: 'they', s: '' }
    : { is: 'is', has: 'has', does: 'does', it: 'it', s: 's' }
}

/** The words of the field that a topic belongs to: things, sights, sounds, places, qualities. */
export function fieldSlots(text: string): Readonly<Record<string, readonly string[]>> {
  const { about: _, ...words } = findField(text)
  return words
}
