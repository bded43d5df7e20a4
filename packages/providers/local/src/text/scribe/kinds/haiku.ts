import type { Brief } from '../brief/brief.ts'
import type { Slots } from '../grammar/compose.ts'
import { syllables } from '../grammar/syllables.ts'

/** As many of the topic's last words as a line of five syllables holds; a short one leaves room for others. */
export function haikuSlots({ topic: asked }: Brief): Slots {
  // "My girlfriend Anna" is Anna.
  const topic = /^(?:my|our) .*?(\p{Lu}\p{Ll}+)$/u.exec(asked ?? '')?.[1] ?? asked
  const article = /^(?:an?|the|my|our|your|his|her|their) /i.test(topic ?? '') ? 'the ' : ''
  const words = topic?.replace(/^(?:an?|the|my|our|your|his|her|their) /i, '').split(' ') ?? []
  const endings = words.map((_, index) => article + words.slice(index).join(' '))
  const fitting = endings.find(
    (ending) => syllables(ending) > 0 && syllables(ending) <= 5 && !begunInside.test(ending.replace(/^the /, '')),
  )
  const isShort = fitting !== undefined && syllables(fitting) <= 3
  return {
    'topic in meter': fitting,
    'short topic': isShort ? fitting : undefined,
    'long topic': isShort ? undefined : fitting,
  }
}

/** An ending that begins with one of these was cut in the middle of a phrase. */
const begunInside =
  /^(?:and|or|of|in|on|at|to|for|from|with|by|who|that|is|are|my|our|your|his|her|their|its|the|an?)\b/
