import { readFileSync } from 'node:fs'
import { brotliDecompressSync } from 'node:zlib'
import { stemWord } from '../analysis/stem-word.ts'
import { packageFolder } from '../package-folder.ts'
import { contentWords } from '../text/scribe/grammar/content-words.ts'
import { readFields } from '../text/scribe/lexicon/find-field.ts'

/** The vector of a text, of length 1, and the number of its words. */
export interface EmbeddedText {
  readonly vector: Float32Array<ArrayBuffer>
  readonly words: number
}

/**
 * Hashes the stems of a text's words, the pieces of these words, the subject areas that they belong to, and the synonyms and
 * definitions of their most frequent sense into a vector: texts that share them are near to each other.
 */
export function embedText(text: string, dimensions: number): EmbeddedText {
  const words = splitWords(text)
  const vector = new Float32Array(dimensions)
  for (const [feature, weight] of countFeatures(words, text)) {
    for (const seed of seeds) {
      const hash = hashText(feature, seed)
      vector[(hash >>> 1) % dimensions]! += hash & 1 ? weight : -weight
    }
  }
  const length = Math.hypot(...vector)
  // The places of few features can cancel each other out.
  if (length === 0) vector[0] = 1
  else for (let index = 0; index < dimensions; index++) vector[index]! /= length
  return { vector, words: words.length }
}

/** Each feature has two places, so that another one seldom shares both. */
const seeds = [0, 0x9e3779b1]

/** Shares of a word's weight, chosen with the queries of `evaluation/retrieval.txt`. */
const pieceShare = 0.9
const areaShare = 0.4
const relatedShare = 0.5
const shortestPiece = 3
const longestPiece = 5

const areas = new Map(
  readFields().flatMap(({ about }, index) =>
    about
      .split(' ')
      .filter(Boolean)
      .map((word) => [stemWord(word), `area ${index}`] as const),
  ),
)

/** By stem: synonyms, and words of the definition, from WordNet. `lexis/pack-words.ts` writes the file. */
const relatedWords = new Map(
  brotliDecompressSync(readFileSync(new URL('lexis/related-words.br', packageFolder)))
    .toString()
    .split('\n')
    .map((line) => {
      const [stem = '', ...related] = line.split(' ')
      return [stem, related] as const
    }),
)

function countFeatures(words: readonly string[], text: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  const weights = new Map<string, number>()
  const add = (feature: string, weight: number) => weights.set(feature, (weights.get(feature) ?? 0) + weight)
  for (const [word, count] of counts) {
    const stem = stemWord(word)
    const weight = 1 + Math.log(count)
    add(`stem ${stem}`, weight)
    const area = areas.get(stem)
    if (area !== undefined) add(area, areaShare * weight)
    const related = relatedWords.get(stem) ?? []
    for (const other of related) add(`stem ${other}`, (relatedShare * weight) / Math.sqrt(related.length))
    const pieces = splitWord(word)
    for (const piece of pieces) add(`piece ${piece}`, (pieceShare * weight) / Math.sqrt(pieces.length))
  }
  if (weights.size === 0) add(`text ${text.trim()}`, 1)
  return weights
}

/** Three to five characters in a row, so that other forms and misspellings of a word are near it. */
function splitWord(word: string): readonly string[] {
  const marked = `^${word}$`
  const pieces: string[] = []
  for (let length = shortestPiece; length <= longestPiece; length++) {
    for (let start = 0; start + length <= marked.length; start++) pieces.push(marked.slice(start, start + length))
  }
  return pieces
}

/** Scripts that put no spaces between words. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u
const segmenter = new Intl.Segmenter('en', { granularity: 'word' })
/** The segmenter takes time with the square of the length of some texts. */
const segmentedBlock = 1_000

function splitWords(text: string): readonly string[] {
  if (!unspaced.test(text)) return contentWords(text)
  const words: string[] = []
  for (let start = 0; start < text.length; start += segmentedBlock) {
    const block = text.slice(start, start + segmentedBlock).toLowerCase()
    for (const { segment, isWordLike } of segmenter.segment(block)) if (isWordLike) words.push(segment)
  }
  return words
}

/** FNV-1a with the last steps of MurmurHash3, which spread its bits. */
function hashText(text: string, seed: number): number {
  let hash = 0x811c9dc5 ^ seed
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
