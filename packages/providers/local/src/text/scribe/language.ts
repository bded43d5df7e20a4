import { readJson } from './data.ts'

interface Words {
  readonly english: ReadonlySet<string>
  /** Of the most common languages: small words, and the verbs that requests begin with. */
  readonly others: readonly ReadonlySet<string>[]
}

let words: Words | undefined

function readWords(): Words {
  const { english, others } = readJson('languages.json') as { english: string; others: string[] }
  const split = (list: string) => new Set(list.split(' '))
  return { english: split(english), others: others.map(split) }
}

const mostRead = 400
const enoughEnglish = 0.15
const enoughForeign = 0.2

/**
 * Whether a request is plainly in another language than English; in doubt it is not. A detector of n-grams takes short
 * requests ("birthday card grandma") for Tagalog, and 70 MB.
 */
export function isForeign(request: string): boolean {
  const read = request.slice(0, mostRead)
  const letters = read.match(/\p{L}/gu)?.length ?? 0
  const latin = read.match(/\p{Script=Latin}/gu)?.length ?? 0
  if (letters < 2) return false
  if (latin < letters * 0.5) return true
  const said = read.match(/\p{L}+/gu)!.map((word) => word.toLowerCase())
  const share = (list: ReadonlySet<string>) => said.filter((word) => list.has(word)).length / said.length
  words ??= readWords()
  if (said.length < 3 || share(words.english) > enoughEnglish) return false
  const most = Math.max(...words.others.map(share))
  if (most * said.length >= 2 && most >= enoughForeign) return true
  // Names have accents in English too.
  const accented = read.match(/(?<!\p{L})(?!\p{Lu})[\p{L}]*[^\P{L}a-zA-Z]\p{L}*/gu)?.length ?? 0
  return said.length > 3 && accented / said.length >= enoughForeign
}
