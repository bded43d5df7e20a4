import { stemWord } from '../stem-word.ts'

/** The effect of phrases on the mood of a text, from -4 to 4. They are matched word by word, by stems. */
export type ValenceTable = readonly { readonly valence: number; readonly phrases: readonly string[] }[]

/** Finds the longest listed phrase at a place among stems. */
export interface PhraseTable {
  readonly longestAt: (
    stems: readonly string[],
    index: number,
  ) => { readonly valence: number; readonly length: number } | undefined
}

/** Reads tables; later rows win over earlier ones. */
export function phraseTable(...tables: readonly ValenceTable[]): PhraseTable {
  const valences = new Map<string, number>()
  const lengths = new Map<string, number>()
  for (const { valence, phrases } of tables.flat()) {
    for (const phrase of phrases) {
      const parts = phrase.split(/[ -]/).map(stemWord)
      valences.set(parts.join(' '), valence)
      lengths.set(parts[0]!, Math.max(lengths.get(parts[0]!) ?? 0, parts.length))
    }
  }
  return {
    longestAt(list, index) {
      for (let length = lengths.get(list[index]!) ?? 0; length > 0; length -= 1) {
        const valence = valences.get(list.slice(index, index + length).join(' '))
        if (valence !== undefined) return { valence, length }
      }
      return undefined
    },
  }
}
