import { stemmer } from 'stemmer'
import { contentWords } from '../grammar/content-words.ts'
import type { WorkingKind } from '../kind.ts'
import { needsProvider } from './honest.ts'
import { questionAndText } from '../working/question-and-text.ts'
import { splitSentences } from '../working/sentences.ts'

export const answerFromText: WorkingKind = {
  name: 'answer from the text',
  asks: /\?|\b(?:answer|question|according to|based on)\b|^/i,
  turn: 'first',
  fits: (brief) => questionAndText(brief) !== undefined,
  work: (brief) => {
    const { question, text } = questionAndText(brief)!
    return bestSentence(question, splitSentences(text)) ?? `The text does not say. ${needsProvider('facts')}`
  },
}

/** The words that an answer to a question word must contain. */
const expected: readonly (readonly [RegExp, RegExp])[] = [
  [/^who\b|\bwhose\b/i, /(?<!^)\b\p{Lu}\p{Ll}+/u],
  [
    /^when\b|\bwhat (?:year|date|day|time)\b/i,
    /\b\d{4}\b|\b\d{1,2}(?::\d\d)? ?(?:am|pm)\b|\b(?:\p{Lu}\p{Ll}+day|January|February|March|April|May|June|July|August|September|October|November|December)\b/u,
  ],
  [
    /^how (?:many|much|old|tall|long|far)\b/i,
    /\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|dozen|hundred|thousand|million)\b/i,
  ],
  [/^where\b/i, /\b(?:in|at|on|near|from|to) (?:the )?\p{Lu}/u],
  [/^why\b/i, /\b(?:because|since|due to|so that|in order to|therefore|as)\b/i],
]

/** Of a longer question the beginning is read. */
const longestQuestion = 2_000

/** The sentence that shares the rarest words with the question; none where nothing is shared. */
function bestSentence(question: string, sentences: readonly string[]): string | undefined {
  const asked = new Set(contentWords(question.slice(0, longestQuestion)).map((word) => stemmer(word)))
  const bags = sentences.map((sentence) => new Set(contentWords(sentence).map((word) => stemmer(word))))
  const holders = new Map([...asked].map((stem) => [stem, bags.filter((bag) => bag.has(stem)).length]))
  const rarity = (stem: string) => Math.log(1 + sentences.length / holders.get(stem)!)
  const shape = expected.find(([asks]) => asks.test(question.trim()))?.[1]
  const scores = bags.map((bag, index) => {
    const shared = [...asked].filter((stem) => bag.has(stem)).reduce((sum, stem) => sum + rarity(stem), 0)
    return shared === 0 ? 0 : shared / Math.sqrt(bag.size + 4) + (shape?.test(sentences[index]!) ? 0.25 : 0)
  })
  const best = scores.reduce((most, score) => Math.max(most, score), 0)
  if (best === 0) return undefined
  const place = scores.indexOf(best)
  const said = [...asked].filter((stem) => bags[place]!.has(stem)).length / asked.size
  return said > 0.5
    ? sentences[place]
    : `The text does not say so directly; the nearest it comes is: ${sentences[place]}`
}
