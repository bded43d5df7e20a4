import { workingKind } from '../kind.ts'
import { clipped } from '../working/clipped.ts'
import { givenText, noText } from '../working/given-text.ts'
import { sentencesOf } from '../working/sentences.ts'
import { rankSentences } from '../working/text-rank.ts'

const wordsIn = (text: string) => text.split(/\s+/).length

export const shorten = workingKind({
  name: 'shorten',
  asks: /\b(?:shorten|condense|(?:make|cut) (?:it|this|that|the text) (?:\w+ ){0,2}shorter|(?:even|much|bit|little) shorter|cut (?:it |this )?(?:down|to)|trim|tighten|abridge|more concise)\b/i,
  turn: 'first',
  work: (brief) => {
    const text = givenText(brief)
    return text === undefined
      ? noText('shorten')
      : shortened(text, brief.length.words ?? Math.ceil(wordsIn(text) * 0.5))
  },
})

/** Drops the asides of every sentence, then the least connected sentences, until the text is short enough. */
function shortened(text: string, words: number): string {
  const sentences = sentencesOf(text).map((sentence) => clipped(sentence, 12))
  const ranked = rankSentences(sentences)
  const kept = new Set(ranked.map(({ index }) => index))
  let total = ranked.reduce((sum, sentence) => sum + wordsIn(sentence.text), 0)
  for (const { index, text: least } of ranked.toReversed()) {
    if (total <= words || kept.size === 1) break
    kept.delete(index)
    total -= wordsIn(least)
  }
  return sentences.filter((_, index) => kept.has(index)).join(' ')
}
