import { type Brief, toSlots } from './brief/brief.ts'
import { fitLength } from './fit-length.ts'
import { type Voice, compose } from './grammar/compose.ts'
import { polish } from './grammar/polish.ts'
import { sample } from './grammar/sampling.ts'
import type { ComposedKind } from './kind.ts'

/** The topics of an answer if the prompt names none. */
const openTopics = [
  'a quiet morning',
  'an open road',
  'the last train home',
  'a letter in a drawer',
  'the first day of spring',
  'a small garden',
]

/** Lengths to try, in turn, where the prompt wishes none and the answer would be cut off. */
const shorter = [0.7, 0.6, 0.5, 0.35]

/** Composes an answer of the length asked for; where none is asked for, one that `fits` if there is any. */
export function writeComposed(kind: ComposedKind, brief: Brief, voice: Voice, fits: (text: string) => boolean): string {
  const whole = atLength(kind, brief, voice)
  if (fits(whole) || asksLength(brief)) return whole
  for (const scale of shorter) {
    const text = atLength(kind, { ...brief, length: { ...brief.length, scale } }, voice)
    if (fits(text)) return text
  }
  return whole
}

/** Takes away the capital that a sentence begins with, unless a name does. */
function begunSmall(text: string, name: unknown): string {
  const keeps = /^I\b/.test(text) || (typeof name === 'string' && text.startsWith(name) && /^\p{Lu}/u.test(name))
  return keeps ? text : text.replace(/^\p{Lu}(?!\p{Lu})/u, (letter) => letter.toLowerCase())
}

function asksLength({ length: { scale, words, sentences, count } }: Brief): boolean {
  return scale !== 1 || words !== undefined || sentences !== undefined || count !== undefined
}

function atLength(kind: ComposedKind, brief: Brief, voice: Voice): string {
  const tones = voice.tones.size === 0 && kind.tone !== undefined ? new Set([kind.tone]) : voice.tones
  const likelihoods = openTopics.map((_, index) => -0.2 * index)
  const open = openTopics[sample(likelihoods, voice.sampling)]!
  const slots = { ...toSlots(brief, kind.about ?? open), ...kind.slots?.(brief, voice) }
  const written = (scale: number) => polish(compose(kind.grammar, slots, { ...voice, tones, scale }))
  const text = fitLength(written, brief.length)
  return kind.goesOn?.(brief) ? begunSmall(text, slots['who']) : text
}
