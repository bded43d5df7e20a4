import { titleCase } from '../grammar/apply-form.ts'
import { sample } from '../grammar/sampling.ts'
import type { AskedLength } from '../brief/find-length.ts'
import type { WorkingKind } from '../kind.ts'
import { clipped } from '../working/clipped.ts'
import { givenText, noText } from '../working/given-text.ts'
import { keyPhrases } from '../working/key-phrases.ts'
import { splitSentences } from '../working/sentences.ts'
import { leansOnOthers, pickSentences, rankSentences } from '../working/text-rank.ts'

const wordsIn = (text: string) => text.split(/\s+/).length

const summary: WorkingKind = {
  name: 'summary',
  asks: /\b(?:summar(?:y|i[sz]e|i[sz]ing|ies)|tl;?dr|sum up|recap|gist|main (?:idea|point)|abstract of)\b/i,
  turn: 'first',
  fits: (brief) => givenText(brief) !== undefined || /\b(?:summar(?:i[sz]e)|tl;?dr)\b/i.test(brief.instruction),
  work: (brief) => {
    const text = givenText(brief)
    return text === undefined ? noText('summarize') : summarized(text, brief.length)
  },
}

/** The most connected sentences of a text, in its order, with the sentences that say whom they are about. */
export function summarized(text: string, length: Partial<AskedLength> = {}): string {
  const sentences = splitSentences(text)
  const wanted = length.sentences ?? length.count ?? usualSentences(sentences, length)
  return pickSentences(sentences, wanted).join(' ')
}

function usualSentences(sentences: readonly string[], { words, scale = 1 }: Partial<AskedLength>): number {
  const average = wordsIn(sentences.join(' ')) / sentences.length
  return Math.max(
    1,
    words === undefined ? Math.round(Math.min(6, 1 + sentences.length / 5) * scale) : Math.floor(words / average),
  )
}

const shorten: WorkingKind = {
  name: 'shorten',
  asks: /\b(?:shorten|condense|(?:make|cut) (?:it|this|that|the text) (?:\w+ ){0,2}shorter|(?:even|much|bit|little) shorter|cut (?:it |this )?(?:down|to)|trim|tighten|abridge|more concise)\b/i,
  turn: 'first',
  work: (brief) => {
    const text = givenText(brief)
    return text === undefined
      ? noText('shorten')
      : shortened(text, brief.length.words ?? Math.ceil(wordsIn(text) * 0.5))
  },
}

/** Drops the asides of every sentence, then the least connected sentences, until the text is short enough. */
function shortened(text: string, words: number): string {
  const sentences = splitSentences(text).map((sentence) => clipped(sentence, 12))
  const ranked = rankSentences(sentences)
  for (let wanted = ranked.length; wanted > 1; wanted--) {
    const kept = pickSentences(sentences, wanted, ranked).join(' ')
    if (wordsIn(kept) <= words) return kept
  }
  return pickSentences(sentences, 1, ranked).join(' ')
}

const bulletPoints: WorkingKind = {
  name: 'bullet points',
  asks: /\b(?:bullet(?:ed)?(?: ?points?| list)?|bullets|key (?:points|takeaways|facts)|takeaways|main points)\b.*/i,
  turn: 'first',
  fits: (brief) =>
    givenText(brief) !== undefined || /\b(?:this|following|above) (?:text|article|passage)\b/i.test(brief.instruction),
  work: (brief) => {
    const text = givenText(brief)
    if (text === undefined) return noText('turn into bullet points')
    const wanted = brief.length.count ?? Math.round(5 * brief.length.scale)
    const ranked = rankSentences(splitSentences(text))
    // A point stands alone: those that begin with a pronoun come last.
    const [leaning, standing] = [true, false].map((leans) =>
      ranked.filter((each) => leansOnOthers(each.text) === leans),
    )
    return [...standing!, ...leaning!]
      .slice(0, wanted)
      .sort((a, b) => a.index - b.index)
      .map((sentence) => `- ${clipped(sentence.text, 18)}`)
      .join('\n')
  },
}

const titleOfText: WorkingKind = {
  name: 'title of a text',
  asks: /\b(?:titles?|headlines?|subject lines?|name)\b(?: \w+){0,4}? (?:for|of|to) (?:this|the|the following)\b|\b(?:title|headline|entitle)\b/i,
  turn: 'first',
  fits: (brief) => (givenText(brief)?.length ?? 0) > 60,
  work: (brief, { voice }) => {
    const titles = findTitles(givenText(brief)!)
    const likelihoods = titles.map((_, index) => -0.4 * index)
    return titles[sample(likelihoods, voice.sampling)]!
  },
}

/** The likeliest first. */
export function findTitles(text: string): string[] {
  const [first = 'Untitled', second, third] = keyPhrases(text, 3)
  const titles = [
    second && `${first} and ${second}`,
    second && `${first}: ${second}`,
    third && `${first}, ${second} and ${third}`,
    first,
  ]
  return titles.filter((title) => title !== undefined && title !== '').map((title) => titleCase(title!))
}

const keywords: WorkingKind = {
  name: 'keywords',
  asks: /\b(?:key ?words?|key ?phrases?|tags|main topics)\b/i,
  turn: 'first',
  fits: (brief) => givenText(brief) !== undefined || /\b(?:extract|from|of)\b/i.test(brief.instruction),
  work: (brief) => {
    const text = givenText(brief)
    return text === undefined ? noText('take keywords from') : keyPhrases(text, brief.length.count ?? 8).join(', ')
  },
}

const cases: readonly (readonly [RegExp, (text: string) => string])[] = [
  [/\b(?:upper[- ]?case|all caps|capital letters|capitals)\b/i, (text) => text.toUpperCase()],
  [/\blower[- ]?case\b/i, (text) => text.toLowerCase()],
  [
    /\bsentence[- ]case\b/i,
    (text) =>
      text
        .toLowerCase()
        .replaceAll(/(^|[.!?]\s+)(\p{Ll})/gu, (_, before: string, letter: string) => before + letter.toUpperCase()),
  ],
  [/\b(?:title[- ]case|capitali[sz]e)\b/i, (text) => titleCase(text)],
]

const changeCase: WorkingKind = {
  name: 'change of case',
  asks: /\b(?:upper[- ]?case|lower[- ]?case|title[- ]case|sentence[- ]case|all caps|capitali[sz]e|capital letters|in capitals)\b/i,
  turn: 'first',
  work: ({ instruction, source }) => {
    const [words, change] = cases.find(([asks]) => asks.test(instruction))!
    return change(source ?? bare(instruction, words))
  },
}

/** "uppercase hello world" and "convert hello world to upper case": what is left without the request. */
function bare(instruction: string, words: RegExp): string {
  return instruction
    .replace(new RegExp(`\\s*(?:\\b(?:to|into|in|as)\\s+)?${words.source}\\s*(?:letters)?:?`, 'i'), ' ')
    .replace(/^\W*(?:please\s+)?(?:convert|change|turn|put|make|write|rewrite|transform)\b\s*/i, '')
    .trim()
    .replace(/^["'“‘](.*)["'”’]$/s, '$1')
}

/** Kinds that make their answer out of the text in the prompt. */
export const textKinds: readonly WorkingKind[] = [summary, shorten, bulletPoints, titleOfText, keywords, changeCase]
