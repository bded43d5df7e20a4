import type { AskedLength } from './brief/find-length.ts'
import { splitSentences } from './working/sentences.ts'

/** Composes an answer at some multiple of its usual length. */
export type ComposeAt = (scale: number) => string

const wordsIn = (text: string) => text.match(/\S+/g)?.length ?? 0

/** Composes anew until the length asked for is met as nearly as the grammar can. */
export function fitLength(composeAt: ComposeAt, { scale, words, sentences }: AskedLength): string {
  if (sentences !== undefined) return firstSentences(composeAt(Math.max(scale, sentences / 4)), sentences)
  const text = composeAt(scale)
  return words === undefined ? text : withinWords(nearest(composeAt, text, scale, words), words)
}

function nearest(composeAt: ComposeAt, first: string, firstScale: number, words: number): string {
  let [text, scale] = [first, firstScale]
  for (let tries = 0; tries < 4 && Math.abs(wordsIn(text) - words) > words * 0.12; tries++) {
    scale = Math.min(Math.max((scale * words) / wordsIn(text), 0.2), 40)
    const next = composeAt(scale)
    if (Math.abs(wordsIn(next) - words) < Math.abs(wordsIn(text) - words)) text = next
  }
  return text
}

/** Drops sentences before the last of a text that is more than a tenth too long; lists and letters are left whole. */
function withinWords(text: string, words: number): string {
  if (wordsIn(text) <= words * 1.1 || /^(?:Subject:|[-|\d]|\*\*)/m.test(text)) return text
  const sentences = splitSentences(text)
  while (sentences.length > 2 && wordsIn(sentences.join(' ')) > words * 1.1) sentences.splice(-2, 1)
  if (wordsIn(sentences.join(' ')) > words * 1.3) sentences.pop()
  return sentences.join(' ')
}

function firstSentences(text: string, count: number): string {
  return splitSentences(text).slice(0, count).join(' ')
}
