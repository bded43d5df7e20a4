import { plural } from '../grammar/plural.ts'
import { composedKind } from '../kind.ts'
import { fieldOf } from '../lexicon/field-of.ts'

export const names = composedKind({
  name: 'names',
  asks: /\bnames?\b(?: ideas?| suggestions?)?(?=.{0,40}\b(?:for|of)\b)|\bname (?:ideas|suggestions)\b|\bnaming\b|\bwhat (?:should|could) i (?:call|name)\b/i,
  fits: ({ instruction }) => !/\b(?:story|poem|e-?mail|my name is|in the name of)\b/i.test(instruction),
  about: 'a new idea',
  grammar: `
# answer
* {lead}

  1. {name idea, 8 times}
* {lead}

  - {name idea, 8 times}

  {advice}

# lead
* Some names for {the topic}:
* A few ideas for {a topic}, plain ones first:
* {topic, capital}: names worth saying aloud:

# name idea
* [with pet] **{pet name}**: {pet why}
* [without pet] **The {quality, title} {noun, title}**: {why}
* [without pet] **{noun, title} & {noun, title}**: {why}
* [without pet] **{quality, title} {noun, title}**: {why}
* [with asked topic, without pet] **{quality, title} {bare topic, title}**: {why}
* [without pet] **{noun, title} House**: {why}
* [without pet] **{place name, title}**: {why}
* [without pet] **Little {noun, title}**: {why}
* [without pet] **{number} {noun plural, title}**: {why}
* [without pet] **{noun, title} & Co.**: {why}

# why
* easy to say and easy to spell
* it sounds like a place you know already
* short enough for a sign
* warm without being sweet
* it tells people what to expect
* it leaves room to grow
* a little old-fashioned, in a good way
* it looks good in capitals
* easy to draw, if you want a sign with a picture
* nobody will ask how to write it
* it makes people ask where the name comes from
* it would suit a second shop as well

# pet name
* Pepper
* Olive
* Biscuit
* Juno
* Otis
* Maple
* Pixel
* Ziggy
* Moss
* Clementine
* Captain
* Waffle

# pet why
* two beats, easy to call across a garden
* friendly without being cute
* a big name for small paws
* sounds good with any surname
* nobody else in the street has it
* works when whispered, works when shouted
* will still suit a grown-up
* hard to say angrily

# advice
* [with pet] Call each one from the back door; one of them will feel right.
* [without pet] Say your favorite aloud in “Let’s meet at…”: the right one will sound natural.
* [without pet] Before you settle on one, check that the web address is free.

# number
* Seven
* Three
* Nine
* Two

# place name
* {place}
`,
  slots: ({ topic }) => ({
    'bare topic': topic?.replace(/^(?:an?|the|my|our|your) /i, ''),
    pet: /\b(?:cat|dog|puppy|kitten|pet|hamster|horse|pony|rabbit|parrot|fish|goldfish|bird)$/i.test(topic ?? '')
      ? 'yes'
      : undefined,
    'noun plural': fieldOf(topic ?? '').noun.map((noun) => plural(noun)),
  }),
})
