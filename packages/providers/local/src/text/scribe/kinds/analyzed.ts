import type { Analysis, EntityType } from '@fairlead/core/provider'
import type { Brief } from '../brief/brief.ts'
import type { Desk, WorkingKind } from '../kind.ts'
import { givenText, noText } from '../working/given-text.ts'
import { needsProvider } from './honest.ts'

/** The entities that can be extracted, by the words that ask for them. */
const extracted: readonly (readonly [asks: RegExp, name: string, types: readonly EntityType[]])[] = [
  [/\be-?mails?(?: address(?:es)?)?\b/i, 'e-mail addresses', ['EMAIL']],
  [/\b(?:urls?|links?|web ?(?:sites?|addresses))\b/i, 'links', ['URL']],
  [/\b(?:tele)?phones?(?: numbers?)?\b/i, 'phone numbers', ['PHONE']],
  [/\bdates?\b/i, 'dates', ['DATE']],
  [/\btimes?\b/i, 'times', ['TIME']],
  [/\b(?:prices?|amounts?(?: of money)?|money|costs?|sums?)\b/i, 'amounts of money', ['MONEY']],
  [/\bpercent(?:ages?|s)?\b/i, 'percentages', ['PERCENT']],
  [/\b(?:organi[sz]ations?|compan(?:y|ies))\b/i, 'organizations', ['ORGANIZATION']],
  [/\b(?:places?|locations?|cit(?:y|ies)|countr(?:y|ies))\b/i, 'places', ['LOCATION']],
  [/\b(?:people|persons?|names?)\b/i, 'names', ['PERSON']],
  [/\bnumbers?\b/i, 'numbers', ['NUMBER', 'MONEY', 'PERCENT']],
]

const extraction: WorkingKind = {
  name: 'extraction',
  asks: /\b(?:extract|find|get|pull(?: out)?|list|return|give me|show|which|what)\b(?: \w+){0,5}? (?:e-?mails?|urls?|links?|websites?|(?:tele)?phones?|dates?|times?|prices?|amounts?|percentages?|organi[sz]ations?|compan(?:y|ies)|places?|locations?|cit(?:y|ies)|countr(?:y|ies)|people|persons?|names?|numbers?)\b.*/i,
  turn: 'first',
  fits: (brief, { analyze }) =>
    analyze !== undefined &&
    (givenText(brief) !== undefined || /\b(?:extract|this|following|above)\b/i.test(brief.instruction)) &&
    !/\b(?:ideas?|key ?words?|write)\b/i.test(brief.instruction),
  async work(brief, desk) {
    const text = givenText(brief)
    const [, name = 'names', types = ['PERSON']] = extracted.find(([asks]) => asks.test(brief.instruction)) ?? []
    if (text === undefined) return noText(`extract ${name} from`)
    const found = await entitiesIn(text, types, desk)
    if (/\bjson\b/i.test(brief.instruction)) return JSON.stringify(found)
    return found.length === 0 ? `The text has no ${name}.` : found.join('\n')
  },
}

/** The entities of these types in a text, each once, in order of appearance. */
async function entitiesIn(text: string, types: readonly EntityType[], desk: Desk): Promise<string[]> {
  const { entities = [] } = await analyzeFor(text, 'entities', desk)
  return [...new Set(entities.filter(({ type }) => types.includes(type)).map((entity) => entity.text))]
}

const sentiment: WorkingKind = {
  name: 'sentiment',
  asks: /\bsentiment\b.*|\b(?:is|was|are) (?:this|the|my|it|that|these)\b[^.?!\n]{0,60}\b(?:positive|negative)\b[^?\n:]*\??|\b(?:positive or negative|positive, (?:negative|neutral))\b.*/i,
  turn: 'first',
  async work(brief, desk) {
    const text = reviewIn(brief)
    if (text === undefined) return noText('judge')
    if (!desk.analyze) return needsProvider('sentiment')
    const judged = (await analyzeFor(text, 'sentiment', desk)).sentiment
    if (!judged) return needsProvider('sentiment')
    const { label, score } = judged
    const said = `${label[0]!.toUpperCase()}${label.slice(1)}`
    return `${said}, with a score of ${score.toFixed(2)} from -1 to 1 by the analyzer “reader”.`
  },
}

/** The label that the analyzer gives a text. */
export async function analyzedSentiment(text: string, desk: Desk): Promise<string | undefined> {
  return (await analyzeFor(text, 'sentiment', desk)).sentiment?.label
}

function reviewIn(brief: Brief): string | undefined {
  return (
    givenText(brief) ??
    /^[^?\n]{5,200}\?\s+(\S[\s\S]*)$/.exec(brief.prompt)?.[1] ??
    /["“]([^"“”]{3,4000})["”]/.exec(brief.prompt)?.[1]
  )
}

/** The analyzer reads at most this much. */
const longest = 20_000

async function analyzeFor(text: string, task: 'entities' | 'sentiment', { analyze }: Desk): Promise<Analysis> {
  return analyze ? analyze(text.slice(0, longest), [task]) : {}
}

/** Kinds whose answer comes from the analyzer of the provider. */
export const analyzedKinds: readonly WorkingKind[] = [extraction, sentiment]
