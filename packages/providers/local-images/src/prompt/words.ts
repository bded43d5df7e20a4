import { wordTable } from './word-table.ts'

/** A word of a prompt as it was written and as the tables spell it. */
export interface Word {
  readonly surface: string
  readonly stem: string
}

/** The words of a text in order; punctuation that ends a phrase stays, as a separate word. */
export function splitWords(text: string): Word[] {
  const found = text.toLowerCase().match(/[\p{L}\p{N}]+(?:['’][\p{L}]+)*|[,.;:!?]/gu) ?? []
  return found.map((surface) => ({ surface, stem: singular(surface) }))
}

/** The spelling under which a phrase is looked up, however the table or the prompt writes it. */
export function phraseKey(phrase: string): string {
  return phrase.split(' ').map(singular).join(' ')
}

/** A map: a word such as `constructor` must not find what every object inherits. */
const irregular: ReadonlyMap<string, string> = new Map(Object.entries(wordTable.irregular))

function singular(word: string): string {
  const own = irregular.get(word)
  if (own) return own
  const bare = word.replace(/['’]s$/, '')
  if (bare.length < 4) return bare
  if (bare.endsWith('ies')) return `${bare.slice(0, -3)}y`
  if (/(?:ss|x|ch|sh|zz)es$/.test(bare)) return bare.slice(0, -2)
  return /[^sui]s$/.test(bare) ? bare.slice(0, -1) : bare
}
