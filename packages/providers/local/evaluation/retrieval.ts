/** Prints how well `lexis` finds one of the annotated texts for a query, compared with BM25 and chance. */
import { readFileSync } from 'node:fs'
import { stemWord } from '../src/analysis/stem-word.ts'
import { embedText } from '../src/embedding/embed-text.ts'
import { contentWords } from '../src/text/scribe/grammar/content-words.ts'
import { readGold } from './gold.ts'

const texts = [...readGold('tune'), ...readGold('report')].map(({ text }) => text)
const queries = readFileSync(new URL('retrieval.txt', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map(toQuery)

console.log(`${queries.length} queries, each for one of ${texts.length} texts`)
console.log(
  `\n${'ranking'.padEnd(22)}${['recall@1', 'recall@5', 'recall@10', 'nDCG@10'].map((name) => name.padStart(11)).join('')}`,
)
console.log(row('lexis', queries.map(rankBy(cosine(1_024)))))
console.log(row('lexis, 256 dimensions', queries.map(rankBy(cosine(256)))))
console.log(row('BM25 over stems', queries.map(rankBy(bm25()))))
console.log(row('chance', chanceRanks()))

interface Query {
  readonly text: string
  /** The index of the text that it looks for. */
  readonly target: number
}

/** A line of `query | beginning of the text`. */
function toQuery(line: string): Query {
  const [text = '', beginning = ''] = line.split(' | ')
  const found = texts.flatMap((each, index) => (each.startsWith(beginning) ? [index] : []))
  if (found.length !== 1) throw new Error(`${found.length} texts begin with "${beginning}"`)
  return { text, target: found[0]! }
}

/** A score for each text. */
type Scorer = (query: string) => readonly number[]

function rankBy(scorer: Scorer): (query: Query) => number {
  return ({ text, target }) => {
    const scores = scorer(text)
    const best = scores[target]!
    return 1 + scores.filter((score, index) => score > best || (score === best && index < target)).length
  }
}

function cosine(dimensions: number): Scorer {
  const vectors = texts.map((text) => embedText(text, dimensions).vector)
  return (query) => {
    const asked = embedText(query, dimensions).vector
    return vectors.map((vector) => vector.reduce((sum, value, index) => sum + value * asked[index]!, 0))
  }
}

/** Okapi BM25 with the usual k1 of 1.2 and b of 0.75. */
function bm25(): Scorer {
  const stemsOf = (text: string) => contentWords(text).map(stemWord)
  const bags = texts.map(stemsOf)
  const meanLength = bags.reduce((sum, bag) => sum + bag.length, 0) / bags.length
  const rarity = (stem: string) => {
    const holders = bags.filter((bag) => bag.includes(stem)).length
    return Math.log(1 + (bags.length - holders + 0.5) / (holders + 0.5))
  }
  return (query) => {
    const asked = stemsOf(query).map((stem) => ({ stem, weight: rarity(stem) }))
    return bags.map((bag) => {
      const norm = 1.2 * (0.25 + (0.75 * bag.length) / meanLength)
      return asked.reduce((sum, { stem, weight }) => {
        const count = bag.filter((each) => each === stem).length
        return sum + (weight * count * 2.2) / (count + norm)
      }, 0)
    })
  }
}

/** Every rank equally often. */
function chanceRanks(): readonly number[] {
  return texts.map((_, index) => index + 1)
}

function row(name: string, ranks: readonly number[]): string {
  const mean = (gain: (rank: number) => number) => ranks.reduce((sum, rank) => sum + gain(rank), 0) / ranks.length
  const figures = [1, 5, 10].map((most) => mean((rank) => (rank <= most ? 1 : 0)))
  const ndcg = mean((rank) => (rank <= 10 ? 1 / Math.log2(rank + 1) : 0))
  return name.padEnd(22) + [...figures, ndcg].map((figure) => figure.toFixed(3).padStart(11)).join('')
}
