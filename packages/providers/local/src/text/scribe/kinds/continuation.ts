import type { Brief } from '../brief/brief.ts'
import { findCast } from '../brief/cast.ts'
import { fieldSlots } from '../brief/topic-slots.ts'
import type { Slots } from '../grammar/compose.ts'
import { contentWords } from '../grammar/content-words.ts'

/** How a text breaks off, whom it speaks of, and words of its field, so that the grammar goes on from there. */
export function continuationSlots(brief: Brief): Slots {
  const text = fragment(brief)
  return { ...fieldSlots(text), ...ending(text), ...subject(text) }
}

export function endsInMidSentence(brief: Brief): boolean {
  return breakingOff(fragment(brief)) !== 'after stop'
}

function fragment({ source, prompt }: Brief): string {
  return (source ?? prompt).trim().slice(-1_000)
}

/** Tells the grammar how a text breaks off, so that it goes on from there. */
function ending(text: string) {
  const way = breakingOff(text)
  return Object.fromEntries(ways.map((name) => [name, name === way ? 'yes' : undefined]))
}

const ways = [
  'after stop',
  'after and',
  'after noun',
  'after a',
  'after comma',
  'after word',
  'after who',
  'after time',
] as const

function breakingOff(text: string): (typeof ways)[number] {
  const word = /([\p{L}’']+)\W*$/u.exec(text)?.[1]?.toLowerCase() ?? ''
  if (/[.!?…]["”’)]*$/.test(text) || text === '' || !/\p{L}/u.test(text)) return 'after stop'
  if (/^(?:and|but|so|because|then|when|while|that|until|where|for|or|as|if)$/.test(word)) return 'after and'
  if (/^(?:who|which)$/.test(word)) return 'after who'
  if (/\bonce upon a time\W*$/i.test(text)) return 'after time'
  if (/^a$/.test(word)) return 'after a'
  if (/^(?:the|its|his|her|their|my|our|your|this)$/.test(word)) return 'after noun'
  return /[,;:–—-]$/.test(text) ? 'after comma' : 'after word'
}

/** Whom the text speaks of last, and a thing that it names. */
function subject(text: string) {
  const names = text.match(
    /(?<![.!?]\s+|^)\b(?!(?:Sir|Madam|Mr|Mrs|Dear|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday)\b)[A-Z][a-z]{2,}\b/g,
  )
  const cast = names?.at(-1) ?? findCast(text, text)?.['the hero']
  const pronoun = /\b(she|he|they|I|we)\b/.exec(text)?.[1]
  const who = names?.at(-1) ?? pronoun ?? (cast && cast.split(' ').length < 4 ? cast : undefined)
  const [thing] = /\bthe (\p{L}{3,})\b/iu.exec(text)?.slice(1) ?? []
  return { who, 'object word': thing !== undefined && contentWords(thing).length > 0 ? thing.toLowerCase() : undefined }
}
