import { lists } from './word-lists.ts'

/** A word of the text as the finders of names see it. */
export interface Word {
  /** Without a possessive ending. */
  readonly text: string
  readonly lower: string
  readonly start: number
  /** Before a possessive ending. */
  readonly end: number
  readonly capital: boolean
  /** Whether it ended in `'s` or `'`. */
  readonly possessive: boolean
  /** Whether its capital may be owed to its place: after a full stop, a line break or an opening quotation mark. */
  readonly opens: boolean
  /** The text between it and the word before. */
  readonly gap: string
}

const wordPattern =
  /(?:\p{L}\.){2,8}|(?<!\bWar )\p{Lu}\.(?=\s?\p{Lu})|[\p{L}\p{N}][\p{L}\p{M}\p{N}_]*(?:['’.&+-][\p{L}\p{N}][\p{L}\p{M}\p{N}_]*)*/gu
const possessiveEnding = /['’]s?$/

/** Longer "words" are noise (encoded data, repeated letters) and never a name. */
const longestWord = 60

/** Splits text into words with their offsets. */
export function splitWords(text: string): Word[] {
  const words: Word[] = []
  let end = 0
  for (const match of text.matchAll(wordPattern)) {
    if (match[0].length > longestWord) continue
    const gap = text.slice(end, match.index)
    words.push(toWord(match, gap, words.at(-1)))
    end = match.index + match[0].length
  }
  return words
}

function toWord(match: RegExpExecArray, gap: string, previous: Word | undefined): Word {
  const ending = possessiveEnding.exec(match[0])
  const text = ending ? match[0].slice(0, ending.index) : match[0]
  return {
    text,
    lower: text.toLowerCase(),
    start: match.index,
    end: match.index + text.length,
    capital: /^\p{Lu}/u.test(text),
    possessive:
      ending !== null ||
      /^['’](?!\p{L})/u.test(match.input.slice(match.index + match[0].length, match.index + match[0].length + 2)),
    opens: opensSentence(gap, previous),
    gap,
  }
}

function opensSentence(gap: string, previous: Word | undefined): boolean {
  if (!previous) return true
  if (/[\n!?:…•*]|(?:^|\s)["'“‘([—–-]|\.["'”’)]*\s*["'“‘(]/.test(gap)) return !/^ \($/.test(gap)
  return /^\.["'”’)]*\s/.test(gap) && !lists.abbreviations.has(previous.lower) && !/^\p{Lu}$/u.test(previous.text)
}
