import type { NameRun } from './name-run.ts'
import { findSenses } from './lexicon.ts'
import { cutPieces, type Piece } from './name-pieces.ts'
import type { Name } from './name.ts'
import type { Word } from './split-words.ts'

/** Cuts a run into the names that it holds: titles go, "Apple CEO Tim Cook" and "Adobe Photoshop" become two. */
export function prepareNames(text: string, words: readonly Word[], run: NameRun): Name[] {
  return cutPieces(words, run).map((piece) => toName(text, words, piece))
}

const nearby = 4

function toName(text: string, words: readonly Word[], { first, last, titled = false, made = false }: Piece): Name {
  const start = words[first]!.start
  const end = words[last]!.end
  const name = text.slice(start, end)
  const before = wordsBefore(words, first)
  const after = wordsAfter(words, last)
  return {
    words: words.slice(first, last + 1),
    first: words[first]!,
    last: words[last]!,
    long: last > first,
    start,
    end,
    text: name,
    lower: name.toLowerCase(),
    senses: findSenses(name),
    opens: words[first]!.opens,
    titled,
    made,
    possessive: words[last]!.possessive,
    before,
    previous: before[0] ?? '',
    beforePrevious: before[1] ?? '',
    gapBefore: words[first]!.gap,
    after,
    next: after[0] ?? '',
    gapAfter: words[last + 1]?.gap ?? text.slice(end, end + 3),
  }
}

function wordsBefore(words: readonly Word[], first: number): string[] {
  const found: string[] = []
  for (let index = first; index > 0 && found.length < nearby; index -= 1) {
    if (words[index]!.opens && !/^["“‘'( ]+$/.test(words[index]!.gap)) break
    found.push(words[index - 1]!.lower)
  }
  return found
}

function wordsAfter(words: readonly Word[], last: number): string[] {
  const found: string[] = []
  for (let index = last + 1; index < words.length && found.length < nearby; index += 1) {
    if (words[index]!.opens && /[.!?\n]/.test(words[index]!.gap)) break
    found.push(words[index]!.lower)
  }
  return found
}
