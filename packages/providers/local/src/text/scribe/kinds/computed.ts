import type { Brief } from '../brief/brief.ts'
import { readJson } from '../data.ts'
import { contentWords } from '../grammar/content-words.ts'
import { sample } from '../grammar/sampling.ts'
import type { WorkingKind } from '../kind.ts'
import { calculated } from '../working/arithmetic.ts'
import { splitSentences } from '../working/sentences.ts'

const arithmetic: WorkingKind = {
  name: 'arithmetic',
  asks: /^.*/s,
  turn: 'first',
  fits: ({ prompt }) => calculated(prompt) !== undefined,
  work: ({ prompt }) => calculated(prompt)!,
}

const sayPattern =
  /^\W*(?:please )?(?:(?:can|could|would) you (?:please )?)?(?:(?:just|only|simply) )?(?:say|repeat(?: after me)?|echo|print|(?:reply|respond|answer) (?:only |just )?with)\b(?! (?:it|that|my|your|something|anything|a few|a haiku|an?|json)\b)\s*(?:exactly |only |just )?(?:the )?(?:(?:following|one|single|word|words|text|phrase|sentence)\b ?){0,3}[:,]?\s*(\S[\s\S]*)$/i

const say: WorkingKind = {
  name: 'say',
  asks: sayPattern,
  turn: 'first',
  fits: ({ prompt }) => sayPattern.test(prompt) && !/\bin \S+ languages\b/i.test(prompt),
  work: ({ prompt }) =>
    sayPattern
      .exec(prompt)![1]!
      .replace(/,? (?:and nothing (?:else|more)|only|exactly|please)[.!]?\s*$/i, '')
      .trim()
      .replace(/^["'“‘`](.*)["'”’`][.!]?$/s, '$1'),
}

const unitPattern =
  /\b(?:how many|count(?: the)?(?: number of)?|number of) (?:the )?(word|letter|character|sentence|line|vowel)s?\b/iu
const letterPattern =
  /\b(?:how many|count)\b[^.?!\n:]{0,40}?(?<![\p{L}\p{N}'’])["“'‘`]?(\p{L})["”'’`]?(?:['’]?s)?(?= (?:are|is|in|does|appears?|occurs?)\b)/iu
const textPattern =
  /\b(?:in|of|does|do|appears?|occurs?)\b(?: in\b)? (?:the )?(?:(?:following|this|word|text|sentence|phrase)\b ?)*[:,]?\s*(\S[\s\S]*)$/iu

/** Counts in the text of a prompt, or in the words that follow the question. */
const count: WorkingKind = {
  name: 'count',
  asks: new RegExp(`${unitPattern.source}|${letterPattern.source}`, 'iu'),
  turn: 'first',
  fits: (brief) => counted(brief) !== undefined,
  work: (brief) => counted(brief)!,
}

const units: Readonly<Record<string, (text: string) => number>> = {
  word: (text) => text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length,
  letter: (text) => text.match(/\p{L}/gu)?.length ?? 0,
  character: (text) => [...new Intl.Segmenter('en').segment(text)].length,
  sentence: (text) => splitSentences(text).length,
  line: (text) => text.split('\n').length,
  vowel: (text) => text.match(/[aeiou]/gi)?.length ?? 0,
}

function counted({ instruction, source, prompt }: Brief): string | undefined {
  const found = letterPattern.exec(instruction) ?? unitPattern.exec(instruction)
  if (!found) return undefined
  const after = prompt.slice(found.index + found[0].length)
  const asked = textPattern.exec(after)?.[1]?.replace(/(?:\b(?:have|contain|there))?\s*\?\s*$/i, '')
  const text = (source ?? asked ?? '').trim().replace(/^["“'‘`](.*)["”'’`]$/s, '$1')
  if (!/[\p{L}\p{N}]/u.test(text)) return undefined
  const place = text.length <= 40 && !text.includes('\n') ? `“${text}”` : 'the text'
  const named = found[1]!.toLowerCase()
  if (named.length === 1) {
    const times = [...text.toLowerCase()].filter((each) => each === named).length
    return `The letter “${named}” is in ${place} ${times === 1 ? 'once' : `${times} times`}.`
  }
  const total = units[named]!(text)
  return `There ${total === 1 ? 'is' : 'are'} ${total} ${named}${total === 1 ? '' : 's'} in ${place}.`
}

const dayMs = 86_400_000

/** The clock of the machine is all that scribe knows of the world. */
const today: WorkingKind = {
  name: 'today',
  asks: /\b(?:what|which|tell me|give me)\b[^.?!\n]{0,20}\b(?:day|date|time|year|month)\b(?: of the week)?(?: (?:is|was|will) (?:it|today|tomorrow|yesterday|be)\b| (?:it|today)\b|\W*$)|\b(?:today|tomorrow|yesterday)['’]s date\b|\bcurrent (?:date|time|day|year)\b/i,
  turn: 'first',
  fits: ({ source, instruction }) =>
    source === undefined &&
    /\b(?:today|now|tomorrow|yesterday|current|is it|is the (?:date|time))\b/i.test(instruction),
  work: ({ instruction }, { now }) => {
    const at = now()
    if (/\btime\b/i.test(instruction))
      return `It is ${at.toISOString().slice(11, 16)} UTC on ${longDate(at)}, by the clock of this machine.`
    const { begin, shift } = days.find(({ asks }) => asks.test(instruction))!
    return `${begin} ${longDate(new Date(at.getTime() + shift * dayMs))}, by the clock of this machine in UTC.`
  },
}

const days: readonly { readonly asks: RegExp; readonly begin: string; readonly shift: number }[] = [
  { asks: /\btomorrow\b/i, begin: 'Tomorrow will be', shift: 1 },
  { asks: /\byesterday\b/i, begin: 'Yesterday was', shift: -1 },
  { asks: /^/, begin: 'Today is', shift: 0 },
]

function longDate(date: Date): string {
  return new Intl.DateTimeFormat('en-US', { dateStyle: 'full', timeZone: 'UTC' }).format(date)
}

let jokes: readonly string[] | undefined

const joke: WorkingKind = {
  name: 'joke',
  asks: /\bjokes?\b|\bmake me laugh\b|\b(?:a|some) puns?\b/i,
  work: ({ instruction, length }, { voice }) => {
    jokes ??= readJson('jokes.json') as readonly string[]
    const about = contentWords(instruction.replace(/\b(?:jokes?|tell|funny)\b/gi, '')).map(singular)
    const known = jokes.filter((text) => contentWords(text).some((word) => about.includes(singular(word))))
    const left = known.length > 0 ? known : jokes
    const wanted = Math.min(length.count ?? (/\bjokes\b/i.test(instruction) ? 3 : 1), left.length)
    const rest = [...left]
    const told = Array.from({ length: wanted }, () => {
      const likelihoods = rest.map((_, index) => -0.02 * index)
      return rest.splice(sample(likelihoods, voice.sampling), 1)[0]!
    })
    return told.join('\n\n')
  },
}

const singular = (word: string) => word.replace(/s$/, '')

/** Kinds whose answer is computed without a grammar or a model. */
export const computedKinds: readonly WorkingKind[] = [arithmetic, say, count, today, joke]
