import { stemmer } from 'stemmer'

const stems = new Map<string, string>()
const maxCached = 20_000
/** Longer "words" are noise, which the stemmer would take long to chew. */
const longestStemmed = 40

/** Porter's stem, remembered. */
export function stemWord(word: string): string {
  const kept = stems.get(word)
  if (kept !== undefined) return kept
  const stem = word.length > longestStemmed ? word : stemmer(word)
  if (stems.size >= maxCached) stems.clear()
  stems.set(word, stem)
  return stem
}
