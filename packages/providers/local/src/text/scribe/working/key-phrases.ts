import { stemmer } from 'stemmer'
import { contentWords } from '../grammar/content-words.ts'

interface Candidate {
  words: string[]
  count: number
  first: number
}

/** Characters that are read; key phrases of a text show early. */
const read = 40_000

/** The words and short phrases that a text keeps coming back to, best first, in the text's own spelling. */
export function keyPhrases(text: string, wanted: number): string[] {
  const runs = text
    .slice(0, read)
    .split(/[^\p{L}\p{N}\s'’-]+|\n/u)
    .flatMap(splitRuns)
  const frequency = new Map<string, number>()
  for (const run of runs) for (const word of run) bump(frequency, stemmer(word.toLowerCase()))
  const candidates = new Map<string, Candidate>()
  runs.forEach((run, place) => phrasesIn(run).forEach((words) => note(candidates, words, place / runs.length)))
  const weight = ({ words, count, first }: Candidate) => {
    const heat = words.reduce((sum, word) => sum + frequency.get(stemmer(word.toLowerCase()))!, 0)
    const named = words.some((word) => /^\p{Lu}/u.test(word)) ? 1.15 : 1
    // A phrase says more than its head alone, and one that comes back more than one that does not.
    const phrased = words.length === 1 ? 0.7 : count === 1 ? 0.8 : 1
    return (heat / Math.sqrt(words.length)) * phrased * named * (1.2 - 0.3 * first)
  }
  const ranked = [...candidates.values()]
    .map((candidate) => ({ candidate, weight: weight(candidate) }))
    .sort((a, b) => b.weight - a.weight)
  return withoutNested(
    ranked.map(({ candidate }) => candidate.words.join(' ')),
    wanted,
  )
}

/** Verbs and the like that stand beside nouns without belonging to them. */
const outside = new Set(
  `adds allow allows became become becomes begin begins began brings called calls causes consist consists contain
  contains cost costs dozen enables find finds found gave gives grew grows help helps hundred include includes
  including involves keeps lead leads left led lies made means meant million needs observes offer offers provide
  provides ran reach reaches remain remains require requires rose runs said saw say says shows soon stands started
  starts stood suggests supports takes tells thousand told took turns twice unlike used uses using went won work works
  wrote writes years year today bought built caught chose closed drew felt fell flew forgot got grew heard held hit kept
  knew lost met moved opened paid put sang sat sent set shut sold spent spoke stood taught thought threw wore`.split(
    /\s+/,
  ),
)

/** The stretches of a clause between its empty words. */
function splitRuns(clause: string): string[][] {
  const runs: string[][] = [[]]
  for (const word of clause.trim().split(/\s+/)) {
    if (contentWords(word).length > 0 && !/(?:ly|[^s]ed)$/.test(word) && !outside.has(word.toLowerCase()))
      runs.at(-1)!.push(word)
    else runs.push([])
  }
  return runs.filter((run) => run.length > 0)
}

function phrasesIn(run: readonly string[]): string[][] {
  const whole = run.length > 1 && run.length <= 4 ? [[...run]] : []
  return [...whole, ...run.map((word) => [word])]
}

function note(candidates: Map<string, Candidate>, words: string[], first: number): void {
  const key = words.map((word) => stemmer(word.toLowerCase())).join(' ')
  const known = candidates.get(key)
  if (known) known.count++
  else candidates.set(key, { words, count: 1, first })
}

function bump(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

/** "solar lantern" says "lantern" already. */
function withoutNested(phrases: readonly string[], wanted: number): string[] {
  const kept: string[] = []
  const stems = (phrase: string) =>
    phrase
      .toLowerCase()
      .split(' ')
      .map((word) => stemmer(word))
  for (const phrase of phrases) {
    if (kept.length >= wanted) break
    const own = stems(phrase)
    if (!kept.some((other) => stems(other).some((stem) => own.includes(stem)))) kept.push(phrase)
  }
  return kept
}
