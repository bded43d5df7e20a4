import { stemmer } from 'stemmer'
import { contentWords } from '../grammar/content-words.ts'

/** The most sentences that are read: more than 100,000 characters of prose have. */
const mostRead = 2_000

/** The most sentences that are compared with each other; of a longer text the richest are. */
const compared = 150

export interface RankedSentence {
  readonly text: string
  /** Its place in the text. */
  readonly index: number
  readonly score: number
}

/**
 * Ranks sentences by TextRank: one that shares words with many others, and with well-connected ones, stands for them
 * (Mihalcea and Tarau, 2004). Early sentences get a small bonus. Best first.
 */
export function rankSentences(sentences: readonly string[]): RankedSentence[] {
  const bags = richest(
    sentences
      .slice(0, mostRead)
      .map((text, index) => ({ text, index, stems: new Set(contentWords(text).map((word) => stemmer(word))) })),
  )
  const links = bags.map((a) => bags.map((b) => (a === b ? 0 : similarity(a.stems, b.stems))))
  const scores = settle(links)
  return bags
    .map(({ text, index }, place) => ({ text, index, score: scores[place]! * (index === 0 ? 1.15 : 1) }))
    .sort((a, b) => b.score - a.score || a.index - b.index)
}

interface Bag {
  readonly text: string
  readonly index: number
  readonly stems: ReadonlySet<string>
}

/** Of very many sentences those whose words are the text's most frequent, so that the comparison stays bounded. */
function richest(bags: readonly Bag[]): readonly Bag[] {
  if (bags.length <= compared) return bags
  const counts = new Map<string, number>()
  for (const { stems } of bags) for (const stem of stems) counts.set(stem, (counts.get(stem) ?? 0) + 1)
  const weight = ({ stems }: Bag) => [...stems].reduce((sum, stem) => sum + counts.get(stem)!, 0) / (stems.size + 4)
  const weighed = bags.map((bag) => ({ bag, weight: weight(bag) })).sort((a, b) => b.weight - a.weight)
  return weighed.slice(0, compared).map(({ bag }) => bag)
}

function similarity(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const shared = [...a].filter((stem) => b.has(stem)).length
  return shared === 0 ? 0 : shared / (Math.log(a.size + 1) + Math.log(b.size + 1))
}

function settle(links: readonly (readonly number[])[]): number[] {
  const out = links.map((row) => row.reduce((sum, link) => sum + link, 0))
  let scores = links.map(() => 1)
  for (let round = 0; round < 20; round++) {
    scores = links.map(
      (row) =>
        0.15 + 0.85 * row.reduce((sum, link, from) => sum + (link === 0 ? 0 : (link / out[from]!) * scores[from]!), 0),
    )
  }
  return scores
}

/** Whether a sentence begins with a word that means something of the sentence before it. */
export function leansOnOthers(sentence: string): boolean {
  return /^["“‘(]?(?:he|she|it|they|this|these|that|those|his|her|its|their|such|both|there|then|also|but|and|so|yet|however|moreover|instead|therefore|as a result|in addition|for (?:example|instance)|the (?:latter|former|other))\b/i.test(
    sentence,
  )
}

/**
 * The highest-ranked sentences in the order of the text. A sentence that leans on the one before it comes only together with
 * that one, so that what remains says whom it is about.
 */
export function pickSentences(
  sentences: readonly string[],
  wanted: number,
  ranked = rankSentences(sentences),
): string[] {
  const picked = new Set<number>()
  const take = (candidates: readonly number[]) => {
    const added = candidates.filter((index) => !picked.has(index))
    if (added.length <= wanted - picked.size) for (const index of added) picked.add(index)
  }
  for (const { index } of ranked) take(withSubject(sentences, index))
  // Fewer than wanted, because each of the others needs more room.
  for (const { index } of ranked) take([index])
  return [...picked].sort((a, b) => a - b).map((index) => sentences[index]!)
}

/** A sentence and those before it that it leans on. */
function withSubject(sentences: readonly string[], index: number): number[] {
  let first = index
  while (first > 0 && leansOnOthers(sentences[first]!)) first--
  return Array.from({ length: index - first + 1 }, (_, step) => first + step)
}
