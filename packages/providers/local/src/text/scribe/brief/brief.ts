import type { Slots } from '../grammar/compose.ts'
import { findCast } from './cast.ts'
import { findFacts } from './find-facts.ts'
import { findMove } from './find-move.ts'
import { type AskedLength, findLength } from './find-length.ts'
import { findPeople } from './find-people.ts'
import { findTones } from './find-tones.ts'
import { findTopic } from './find-topic.ts'
import { splitSource, squeezed } from './split-source.ts'
import { fieldSlots, topicSlots } from './topic-slots.ts'

/** A prompt as it was understood. */
export interface Brief {
  /** The whole prompt, with blanks in moderation. */
  readonly prompt: string
  /** The instruction, without the text that it applies to. */
  readonly instruction: string
  /** The text given to work on. */
  readonly source: string | undefined
  readonly length: AskedLength
  readonly tones: ReadonlySet<string>
  /** As the prompt words it; absent where it names none. */
  readonly topic: string | undefined
  /** The earlier messages of the user in the conversation, in order. */
  readonly earlier: readonly string[]
}

/** The longest instruction that is read for wishes; a longer prompt is a text first of all. */
const instructionLimit = 2_000

/** Takes a prompt apart before its kind is known. */
export function readBrief(written: string): Brief {
  const prompt = squeezed(written)
  const { instruction, source } = splitSource(prompt)
  const read = instruction.slice(0, instructionLimit)
  return {
    prompt,
    instruction: read,
    source,
    length: findLength(read),
    tones: findTones(read),
    topic: undefined,
    earlier: [],
  }
}

/** Finds the topic, once it is known which words merely name the kind of text. */
export function withTopic(brief: Brief, kindWords: RegExp | undefined): Brief {
  // "Title for: bees and the city"
  const isFollowed = /\b(?:for|about|on|of)$/i.test(brief.instruction) && (brief.source?.length ?? Infinity) <= 60
  const topic = findTopic(isFollowed ? `about ${brief.source}` : brief.instruction, kindWords)
  // A note to Sam that says no more is about nothing yet.
  const addressed = topic === findPeople(brief.instruction).recipient && brief.instruction.includes(`to ${topic}`)
  return { ...brief, topic: addressed ? undefined : topic }
}

/** Everything that a grammar may name. `fallback` is the topic where the prompt has none. */
export function toSlots({ instruction, source, topic, length }: Brief, fallback: string): Slots {
  const people = findPeople(instruction)
  // Told to the one it concerns, "his promotion" is "your promotion".
  const asked = (topic ?? fallback).replace(/^(?:his|her|their) /i, people.recipient === undefined ? '$&' : 'your ')
  const { scale, words = 200, sentences = 10 } = length
  const facts = findFacts(instruction, source)
  const moved = findMove(instruction)?.dates
  const forms = topicSlots(asked)
  return {
    ...fieldSlots(asked),
    ...forms,
    ...findCast(forms.topic, asked),
    ...people,
    // Of two dates neither is the one to keep in mind.
    when: moved === undefined ? facts.when : undefined,
    day: moved === undefined ? facts.day : undefined,
    moved,
    where: facts.where,
    amount: facts.amount,
    reason: facts.reason,
    message: facts.message,
    point: facts.points,
    'asked topic': topic,
    short: scale < 0.7 || words < 80 || sentences < 4 ? 'yes' : undefined,
    'very short': scale < 0.5 || words < 45 || sentences < 3 ? 'yes' : undefined,
  }
}
