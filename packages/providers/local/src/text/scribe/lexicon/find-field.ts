import { readJson } from '../data.ts'
import { contentWords } from '../grammar/content-words.ts'
import type { Field } from './field.ts'

interface Lexicon {
  /** The last is for every other topic. */
  readonly fields: readonly Field[]
  readonly byWord: ReadonlyMap<string, Field>
}

let lexicon: Lexicon | undefined

/** The field that the most words of a text belong to; the first words decide between equals. */
export function findField(text: string): Field {
  lexicon ??= readLexicon()
  const { fields, byWord } = lexicon
  const votes = new Map<Field, number>()
  for (const word of contentWords(text.slice(0, 1_000))) {
    const found = byWord.get(word) ?? byWord.get(word.replace(/s$/, '')) ?? byWord.get(word.replace(/e?s$/, ''))
    if (found) votes.set(found, (votes.get(found) ?? 0) + 1)
  }
  const [best] = [...votes].sort((a, b) => b[1] - a[1])
  return best?.[0] ?? fields.at(-1)!
}

function readLexicon(): Lexicon {
  const fields = readFields()
  const byWord = new Map<string, Field>()
  for (const entry of fields) for (const word of entry.about.split(' ')) if (!byWord.has(word)) byWord.set(word, entry)
  return { fields, byWord }
}

/** In the file, each list is one text with commas. */
export function readFields(): readonly Field[] {
  const written = readJson('fields.json') as readonly Readonly<Record<keyof Field, string>>[]
  return written.map(({ about, ...lists }) => {
    const split = Object.entries(lists).map(([name, text]) => [name, text.split(', ')])
    return { about, ...(Object.fromEntries(split) as Omit<Field, 'about'>) }
  })
}
