import { lists } from './word-lists.ts'
import { findSenses } from './lexicon.ts'
import type { SpanSet } from '../span-set.ts'
import type { Word } from './split-words.ts'

/** "von", "de la": what joins a person's names. */
export function isParticle(word: Word, current: Word): boolean {
  return (
    word.gap === ' ' &&
    word.lower !== 'the' &&
    !word.capital &&
    lists.nameParticles.has(word.lower) &&
    !lists.functionWords.has(current.lower)
  )
}

/** The index of the name's next word behind its particles. */
export function pastParticles(words: readonly Word[], from: number, taken: SpanSet): number | undefined {
  for (let index = from; index < Math.min(from + 3, words.length); index += 1) {
    const word = words[index]!
    if (word.gap !== ' ' || taken.overlaps(word)) return undefined
    if (word.capital) return lists.functionWords.has(word.lower) ? undefined : index
    if (!lists.nameParticles.has(word.lower)) return undefined
  }
  return undefined
}

/** Whether `of`, `for` or `and` may carry the name on. */
export function bridges(words: readonly Word[], first: number, last: number): boolean {
  const link = words[last + 1]!
  if (link.gap !== ' ') return false
  const opener = words[first]!
  const current = words[last]!
  const institution = lists.organizationOpeners.has(opener.lower) || lists.organizationOpeners.has(current.lower)
  if (link.lower === 'of')
    return institution || opensWithOf(opener, current) || (first === last && findSenses(current.text).firstName)
  if (link.lower === 'for' || link.lower === 'on') return institution
  return link.lower === 'and' && joinsWithAnd(words, first, last)
}

function opensWithOf(opener: Word, current: Word): boolean {
  const word = current.lower
  return (
    lists.eventOpeners.has(word) ||
    lists.otherOpeners.has(word) ||
    lists.locationOpeners.has(opener.lower) ||
    /^(?:gulf|bay|isle|strait|sea|republic|kingdom|states|cape|rock|bank|tower|house|university|court|declaration|district|state|port|duchy|empire)$/.test(
      word,
    )
  )
}

/** "Department of Health and Human Services", "Trinidad and Tobago", "Smith and Sons Ltd". */
function joinsWithAnd(words: readonly Word[], first: number, last: number): boolean {
  const opener = words[first]!
  const next = words[last + 2]
  if (!next?.capital || next.gap !== ' ') return false
  if (/^(?:department|ministry|office|centers|institute|bureau)$/.test(opener.lower) && last > first)
    return !findSenses(next.text).organization
  if (findSenses(`${words[last]!.lower} and ${next.lower}`).place) return true
  const beyond = words[last + 3]
  return (
    first === last &&
    /^(?:sons|brothers|partners|co|company|associates)$/.test(next.lower) &&
    (beyond === undefined || !lists.organizationHeads.has(opener.lower))
  )
}

/** The index of the name's next word behind `of`, `for the`, `and`. */
export function pastLinks(words: readonly Word[], from: number, taken: SpanSet): number | undefined {
  for (let index = from; index < Math.min(from + 3, words.length); index += 1) {
    const word = words[index]!
    if (word.gap !== ' ' || taken.overlaps(word)) return undefined
    if (word.capital) return lists.functionWords.has(word.lower) ? undefined : index
    if (!/^(?:of|for|on|and|the|de|la)$/.test(word.lower)) return undefined
  }
  return undefined
}

/** "King's College", "St Mary's Hospital" go on where "Kenya's Faith Kipyegon" breaks. */
export function bridgesPossessive(words: readonly Word[], last: number, taken: SpanSet): boolean {
  const next = words[last + 1]!
  if (!next.capital || next.gap.length > 3 || !/^['’]?s? ?$/.test(next.gap) || findSenses(words[last]!.text).place)
    return false
  for (let index = last + 1; index < Math.min(last + 4, words.length); index += 1) {
    const word = words[index]!
    if (!word.capital || taken.overlaps(word)) return false
    if (
      lists.organizationHeads.has(word.lower) ||
      /^(?:square|day|park|cathedral|war|island|street|wharf|prize|cup)$/.test(word.lower)
    )
      return true
  }
  return false
}
