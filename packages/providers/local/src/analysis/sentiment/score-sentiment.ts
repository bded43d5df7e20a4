import type { Sentiment } from '@fairlead/core/provider'
import { findMasked } from '../entities/find-entities.ts'
import { splitSentences } from '../sentences.ts'
import { scoreSentence } from './score-sentence.ts'

/** A score nearer to zero than this is neutral. */
const threshold = 0.2
/** The weight of a sentence without any feeling, compared with one that has some. */
const indifferent = 0.35
const longestWeighed = 40

/** The mood of a text: its sentences' moods, averaged; names are masked, so that "Best Buy" and "Grace" say nothing. */
export function scoreSentiment(text: string): Sentiment {
  let sum = 0
  let weights = 0
  for (const { text: sentence } of splitSentences(mask(text))) {
    const score = scoreSentence(sentence)
    const weight = Math.sqrt(Math.min(longestWeighed, sentence.split(/\s+/).length)) * (score === 0 ? indifferent : 1)
    sum += score * weight
    weights += weight
  }
  const score = weights === 0 ? 0 : Math.round((sum / weights) * 1_000) / 1_000
  return {
    score: score === 0 ? 0 : score,
    label: score >= threshold ? 'positive' : score <= -threshold ? 'negative' : 'neutral',
  }
}

function mask(text: string): string {
  let masked = ''
  let end = 0
  for (const name of findMasked(text)) {
    masked += `${text.slice(end, name.start)}Xyz`
    end = name.end
  }
  return masked + text.slice(end)
}
