import model from 'wink-eng-lite-web-model'
import winkNlp from 'wink-nlp'
import { splitSegments, type Segment } from '../segments.ts'

/** A word with its part of speech, as wink tags it. */
export interface TaggedWord {
  readonly text: string
  readonly lower: string
  readonly tag: string
  readonly stop: boolean
  /** Offset in UTF-16 units. */
  readonly start: number
  /** The text between it and the word before. */
  readonly gap: string
  /** Whether it is the first of its sentence. */
  readonly opens: boolean
}

interface Token {
  readonly text: string
  readonly tag: string
  readonly stop: boolean
}

const wink = winkNlp(model, ['sbd', 'pos'])
const { its } = wink

/** Tags every word of an English text. */
export function tagWords(text: string): TaggedWord[] {
  return splitSegments(text).flatMap(tagSegment)
}

function tagSegment({ text, start: offset }: Segment): TaggedWord[] {
  const words: TaggedWord[] = []
  let end = 0
  for (const token of tokenize(text)) {
    const start = text.indexOf(token.text, end)
    // wink rewrites a few tokens (curly quotes, zero-width marks); what can't be found in the text is passed over
    if (start < 0 || start - end > longestGap) continue
    const gap = text.slice(end, start)
    const previous = words.at(-1)
    end = start + token.text.length
    if (previous && gap === '' && continues(previous.text, token.text))
      words[words.length - 1] = merged(previous, token)
    else
      words.push({
        ...token,
        lower: token.text.toLowerCase(),
        start: offset + start,
        gap,
        opens: opensSentence(previous, gap),
      })
  }
  return words
}

const longestGap = 40

function tokenize(text: string): Token[] {
  const tokens = wink.readDoc(text).tokens()
  const tags = tokens.out(its.pos)
  const stops = tokens.out(its.stopWordFlag)
  return tokens.out().map((token, index) => ({ text: token, tag: String(tags[index]), stop: Boolean(stops[index]) }))
}

function opensSentence(previous: TaggedWord | undefined, gap: string): boolean {
  return !previous || /^[.!?…:"“‘(]$/.test(previous.text) || gap.includes('\n')
}

/** wink cuts words at hyphens and at letters that it does not know: "M-Pesa", "Gdańsk". */
function continues(previous: string, next: string): boolean {
  if (next === '-') return /[\p{L}\p{N}]$/u.test(previous)
  return /(?:[\p{L}\p{M}]|\p{L}-)$/u.test(previous) && /^[\p{L}\p{M}]/u.test(next)
}

function merged(word: TaggedWord, { text, tag, stop }: Token): TaggedWord {
  const whole = word.text + text
  const ownTag = word.text.endsWith('-') && /^(?:NOUN|PROPN)$/.test(tag) ? tag : word.tag
  return { ...word, text: whole, lower: whole.toLowerCase(), tag: ownTag, stop: word.stop && stop }
}
