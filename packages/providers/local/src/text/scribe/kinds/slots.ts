import type { Brief } from '../brief/brief.ts'
import { findCast } from '../brief/cast.ts'
import { roles } from '../brief/find-people.ts'
import type { Slots, Voice } from '../grammar/compose.ts'
import { plural } from '../grammar/plural.ts'
import { soundsLikeVowel } from '../grammar/polish.ts'
import { sample } from '../grammar/sampling.ts'
import { findField } from '../lexicon/find-field.ts'

const heroes = ['lighthouse keeper', 'clockmaker', 'young postman', 'night gardener', 'retired sailor']

export function storySlots({ topic }: Brief, { sampling }: Voice): Slots {
  const likelihoods = heroes.map((_, index) => -0.2 * index)
  const hero = heroes[sample(likelihoods, sampling)]!
  const noHero = { hero, 'the hero': `the ${hero}`, 'a hero': `a ${hero}` }
  const own = topic !== undefined && findCast(topic.replace(/^(?:an?|the)\s+/i, ''), topic) !== undefined
  return { ...(!own && noHero), 'own cast': own ? 'yes' : undefined, 'foreign topic': own ? undefined : topic }
}

export function emailSlots({ instruction }: Brief): Slots {
  return {
    asking: /\b(?:ask(?:ing)?|request(?:ing)?)(?: \w+){0,3} for ((?:an? |the |my |some )?[^.,;\n]{3,80})/i.exec(
      instruction,
    )?.[1],
    late: /\b(?:delay|late|overdue|outstanding|unpaid|missing|pending|postpone)/i.test(instruction) ? 'yes' : undefined,
  }
}

export function congratulationSlots({ instruction }: Brief): Slots {
  return {
    sorrow: /\b(?:condolence|sympathy|get[- ]well|funeral|loss)/i.test(instruction) ? 'yes' : undefined,
    christmas: /\bchristmas\b/i.test(instruction) ? 'yes' : undefined,
    birthday: /\bbirthday\b/i.test(instruction) ? 'yes' : undefined,
    relative: new RegExp(`\\b(?:for|to) my ((?:\\w+ )?(?:${roles}))\\b`, 'i').exec(instruction)?.[1],
  }
}

export function productSlots({ topic = '' }: Brief): Slots {
  const many = /[^s’'iu]s$/i.test(topic)
  return {
    'own quality': findField(topic).quality,
    them: many ? 'them' : 'it',
    'it is': many ? 'they are' : 'it is',
  }
}

export function nameSlots({ topic = '' }: Brief): Slots {
  const isPet = /\b(?:cat|dog|puppy|kitten|pet|hamster|horse|pony|rabbit|parrot|fish|goldfish|bird)$/i.test(topic)
  return {
    'bare topic': topic.replace(/^(?:an?|the|my|our|your) /i, ''),
    pet: isPet ? 'yes' : undefined,
    'noun plural': findField(topic).noun.map((noun) => plural(noun)),
  }
}

/** The kinds of ideas that have their own list. The first that matches is meant. */
const occasions: Readonly<Record<string, RegExp>> = {
  gift: /\b(?:gifts?|presents?|stocking)\b/i,
  content: /\b(?:blog|article|content|video|podcast|post|newsletter|writing|essay|youtube|caption)s?\b/i,
  meal: /\b(?:dinner|lunch|breakfast|brunch|supper|meals?|recipes?|snacks?|cooking|food|dishes|potluck)\b(?! party)/i,
  party: /\b(?:party|parties|celebrations?|birthday|wedding|reception|team[- ]building|baby shower)\b/i,
  venture: /\b(?:business|start-?ups?|side (?:hustle|project)|company|shop|products?|apps?|money)\b/i,
  outing:
    /\b(?:dates?|date night|weekend|activities|things to do|afternoon|evening|day out|holiday|vacation|trip|outing|rainy day|fun|family time)\b/i,
}

export function ideaSlots({ instruction }: Brief): Slots {
  const occasion = Object.keys(occasions).find((name) => occasions[name]!.test(instruction))
  const none = Object.fromEntries(Object.keys(occasions).map((name) => [name, undefined]))
  return { ...none, occasion, ...(occasion !== undefined && { [occasion]: 'yes' }) }
}

/** The topic without whose it is: a slogan says neither "my" nor "our". */
export function sloganSlots({ topic = 'a big idea', instruction }: Brief): Slots {
  const bare = shortTopic(medium.exec(instruction)?.[1] ?? topic)
  const many = /\band\b|[^s’'iu]s$/i.test(bare)
  // "coffee shop slogan" leaves the article out; "slogan for coffee" has none to leave out.
  const counted = !many && (bare !== topic || !instruction.includes(` for ${topic}`))
  const article = (noun: string) => (counted ? `${soundsLikeVowel(noun) ? 'an' : 'a'} ${noun}` : noun)
  return {
    bare,
    one: article(bare),
    'a bad one': article(`bad ${bare}`),
    single: many || /^\p{Lu}/u.test(bare) ? undefined : 'yes',
  }
}

/** "My podcast about history" advertises the podcast. */
const medium =
  /\b(?:for|of) ((?:an? |the |my |our )?(?:\w+ )?(?:podcast|blog|book|channel|newsletter|campaign|festival|conference|course))\b/i

/** The short topic of a slogan: "grocery store" of "a grocery store that delivers to your door". */
function shortTopic(topic: string): string {
  const bare = topic.replace(/^(?:an?|the|my|our|your|his|her|their|this) /i, '')
  return bare.replace(/,? (?:that|which|who|where|with|for|from|in|offering|selling|specializing) .*$/i, '')
}
