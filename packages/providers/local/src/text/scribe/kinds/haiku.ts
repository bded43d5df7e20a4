import { syllables } from '../grammar/syllables.ts'
import { composedKind } from '../kind.ts'

export const haiku = composedKind({
  name: 'haiku',
  asks: /\bhaikus?\b/i,
  slots: ({ topic }) => topicInMeter(topic),
  grammar: `
# answer
* [with topic in meter] {topical, 5 syllables}
  {line of seven, 7 syllables}
  {line of five, 5 syllables}
* [with topic in meter] {line of five, 5 syllables}
  {topical middle, 7 syllables}
  {line of five, 5 syllables}
* [with topic in meter] {line of five, 5 syllables}
  {line of seven, 7 syllables}
  {topical close, 5 syllables}
* [without topic in meter] {line of five, 5 syllables}
  {line of seven, 7 syllables}
  {line of five, 5 syllables}

# topical
* [with short topic] {short topic} at the window
* [with short topic] {short topic} before morning
* [with short topic] the hush before {short topic}
* [with short topic] first light, then {short topic}
* [with short topic] {short topic} in the dark
* [with short topic] only {short topic} stays
* [with short topic] at last, {short topic}
* [with short topic] at dusk, {short topic}
* [with long topic] {long topic}
* [with long topic] here, {long topic}
* [with long topic] still {long topic}

# topical middle
* [with short topic] all night long the sound of {short topic}
* [with short topic] I wake to {short topic} and lie still
* [with short topic] between the two of us, {short topic}
* [with short topic] this morning only {short topic}
* [with short topic] I had forgotten {short topic}
* [with short topic] between two thoughts, {short topic}
* [with short topic] in every room {short topic}
* [with long topic] at dusk, {long topic}
* [with long topic] somewhere {long topic}
* [with long topic] in the end, {long topic}
* [with long topic] as ever, {long topic}

# topical close
* [with short topic] nothing but {short topic}
* [with short topic] and again {short topic}
* [with short topic] and then, {short topic}
* [with short topic] and still, {short topic}
* [with short topic] and now only {short topic}
* [with short topic] and underneath, {short topic}
* [with long topic] {long topic}
* [with long topic] then {long topic}
* [with long topic] and {long topic}
`,
})

/** As many of the topic's last words as a line of five syllables holds; a short one leaves room for others. */
function topicInMeter(asked: string | undefined) {
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
