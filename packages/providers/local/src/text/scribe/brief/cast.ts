/** The characters and things of a story: `a fox and a lantern` gives a fox for hero and a lantern for object. */
export interface Cast {
  readonly hero: string
  readonly 'a hero': string
  readonly 'the hero': string
  readonly object: string | undefined
  readonly 'an object': string | undefined
  readonly 'the object': string | undefined
}

const people =
  'girl|boy|woman|man|child|king|queen|prince|princess|knight|wizard|witch|farmer|fisherman|sailor|baker|detective|teacher|student|doctor|robot|astronaut|pirate|thief|soldier|painter|musician|gardener|keeper|traveller|traveler|mother|father|sister|brother|grandmother|grandfather|ghost|giant|dwarf|elf|captain|clockmaker|librarian|scientist|inventor|postman|chef|friend|hero|heroine|monster|engineer|programmer'
const animals =
  'fox|cat|dog|bear|wolf|owl|rabbit|hare|mouse|bird|crow|raven|dragon|horse|pony|donkey|lion|tiger|elephant|frog|turtle|tortoise|whale|dolphin|fish|penguin|hedgehog|squirrel|badger|deer|goose|duck|chicken|hen|pig|cow|goat|sheep|bee|ant|snail|spider|unicorn|kitten|puppy|monkey|otter|seal|sparrow|robin'
const living = new RegExp(`\\b(?:${people}|${animals})s?\\b(?!['’])`, 'i')

export function findCast(topic: string, asked: string): Cast | undefined {
  const who =
    /^(.+?)\s+(?:who|that|which|learning|trying|looking|searching|living|dreaming|lost|trapped)\b/i.exec(asked)?.[1] ??
    asked
  const [first = topic, second] = who.split(/\s+(?:and|with|versus|meets|finds|who finds|in search of)\s+/i)
  const name = /^[A-Z][a-z]+(?: [A-Z][a-z]+)*$/.test(first)
  if (!name && !living.test(first)) return undefined
  return { ...called(name, first), ...thing(second) }
}

function called(name: boolean, first: string) {
  const bare = without(first)
  const fixed = name || /^(?:my|our|your|his|her|their) /i.test(first)
  return { hero: bare, 'a hero': fixed ? first : `a ${bare}`, 'the hero': fixed ? first : `the ${bare}` }
}

function thing(second: string | undefined) {
  if (second === undefined) return { object: undefined, 'an object': undefined, 'the object': undefined }
  const bare = without(second)
  const own = /^(?:[A-Z]|his |her |their |my |our )/.test(second)
  const counted = /^(?:an?|the)\s/i.test(second)
  return { object: bare, 'an object': counted ? `a ${bare}` : second, 'the object': own ? second : `the ${bare}` }
}

function without(phrase: string): string {
  return phrase.replace(/^(?:an?|the|some|one)\s+/i, '').trim()
}
