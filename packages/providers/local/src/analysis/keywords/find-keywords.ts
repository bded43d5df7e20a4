import type { Keyword } from '@fairlead/core/provider'
import { findPatterns } from '../entities/find-patterns.ts'
import { SpanSet } from '../span-set.ts'
import { stemWord } from '../stem-word.ts'
import { isTelling, nounPhrases, type NounPhrase } from './noun-phrases.ts'
import { tagWords, type TaggedWord } from './tagged-words.ts'
import { textRank } from './text-rank.ts'

const maxKeywords = 20

/** All mentions of one phrase. */
interface Candidate {
  readonly stems: readonly string[]
  readonly mentions: NounPhrase[]
}

/** The phrases that a text is most about, by falling score. */
export function findKeywords(text: string): Keyword[] {
  const words = tagWords(text)
  const candidates = gather(nounPhrases(words, amountsIn(text)))
  const ranks = textRank(splitStretches(words))
  const counts = countStems(candidates)
  const scored = candidates
    .map((candidate) => ({ candidate, score: scoreCandidate(candidate, ranks, counts, text.length) }))
    .sort((left, right) => right.score - left.score)
  return withoutNested(scored).map(({ candidate, score }, _, [best]) => ({
    text: bestSpelling(candidate),
    score: Math.round((score / best!.score) * 1_000) / 1_000,
  }))
}

/** Dates, sums and addresses are entities, no keywords. */
function amountsIn(text: string): SpanSet {
  const taken = new SpanSet()
  for (const mention of findPatterns(text)) taken.add(mention)
  return taken
}

function gather(phrases: readonly NounPhrase[]): Candidate[] {
  const candidates = new Map<string, Candidate>()
  for (const phrase of phrases) {
    const candidate = candidates.get(phrase.key) ?? { stems: phrase.stems, mentions: [] }
    candidate.mentions.push(phrase)
    candidates.set(phrase.key, candidate)
  }
  return [...candidates.values()]
}

/** Sentences as places of stems. */
function splitStretches(words: readonly TaggedWord[]): (string | undefined)[][] {
  const stretches: (string | undefined)[][] = [[]]
  for (const word of words) {
    if (word.opens) stretches.push([])
    if (word.tag !== 'PUNCT') stretches.at(-1)!.push(isTelling(word) ? stemWord(word.lower) : undefined)
  }
  return stretches
}

function countStems(candidates: readonly Candidate[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { stems, mentions } of candidates) {
    for (const stem of stems) counts.set(stem, (counts.get(stem) ?? 0) + mentions.length)
  }
  return counts
}

/** The mean rank of its words, more for what is said often, early, in two or three words. */
function scoreCandidate(
  { stems, mentions }: Candidate,
  ranks: ReadonlyMap<string, number>,
  counts: ReadonlyMap<string, number>,
  length: number,
): number {
  const mean =
    stems.reduce((sum, stem) => sum + (ranks.get(stem) ?? 0.15) * (1 + 0.3 * Math.log(counts.get(stem)!)), 0) /
    stems.length
  const early = 1.15 - (0.3 * mentions[0]!.start) / Math.max(1, length)
  const named = mentions[0]!.named ? 0.9 : 1
  return mean * stems.length ** 0.35 * (1 + 0.45 * Math.log(1 + mentions.length)) * early * named
}

interface Scored {
  readonly candidate: Candidate
  readonly score: number
}

/** Leaves out what a better phrase holds, or what holds a better phrase. */
function withoutNested(scored: readonly Scored[]): Scored[] {
  const kept: Scored[] = []
  for (const next of scored) {
    if (kept.length === maxKeywords) break
    if (
      !kept.some(
        ({ candidate }) =>
          isWithin(candidate.stems, next.candidate.stems) || isWithin(next.candidate.stems, candidate.stems),
      )
    )
      kept.push(next)
  }
  return kept
}

function isWithin(inner: readonly string[], outer: readonly string[]): boolean {
  return ` ${outer.join(' ')} `.includes(` ${inner.join(' ')} `)
}

/** The spelling used most; of two, the one that does not open a sentence. */
function bestSpelling({ mentions }: Candidate): string {
  const counts = new Map<string, number>()
  for (const { text, opens } of mentions) counts.set(text, (counts.get(text) ?? 0) + (opens ? 1 : 1.01))
  return [...counts].reduce((best, next) => (next[1] > best[1] ? next : best))[0]
}
