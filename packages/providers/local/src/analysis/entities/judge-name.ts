import type { EntityType } from '@fairlead/core/provider'
import { splitSentences } from '../sentences.ts'
import { compromiseVotes } from './compromise-votes.ts'
import { overlap, type Mention } from './mention.ts'
import { nameRules } from './name-rules.ts'
import type { Name } from './name.ts'
import { settleRepeated } from './repeated-names.ts'

/** How much of a rival type's weight is taken off the winner's. */
const disagreement = 0.35
/** The share that remains of a vote whose span is not exactly the name's. */
const inexact = 0.4
const surest = 0.99

/** Names of which the rules are less sure than this are put to compromise, which takes ten times as long. */
const sureEnough = 0.8

/** Judges the names of a text, in order of appearance. */
export function judgeNames(text: string, names: readonly Name[]): Mention[] {
  const judged = names.map((name) => judgeName(name, []))
  const unsure = names.filter((_, index) => (judged[index]?.confidence ?? 0) < sureEnough)
  const votes = votesOn(text, unsure)
  const final = names.map((name, index) => (votes.has(name) ? judgeName(name, votes.get(name)!) : judged[index]))
  return settleRepeated(names, final).filter((mention) => mention !== undefined)
}

/** Both lists run along the text, so that one pass finds each name's sentence. */
function votesOn(text: string, names: readonly Name[]): ReadonlyMap<Name, readonly Mention[]> {
  const votes = new Map<Name, readonly Mention[]>()
  const sentences = names.length === 0 ? [] : splitSentences(text)
  // A text that is all noise has names and no sentence.
  if (sentences.length === 0) return votes
  let index = 0
  let latest: { readonly index: number; readonly votes: readonly Mention[] } | undefined
  for (const name of names) {
    while (index < sentences.length - 1 && sentences[index + 1]!.start <= name.start) index += 1
    if (latest?.index !== index) latest = { index, votes: compromiseVotes(sentences[index]!) }
    votes.set(name, latest.votes)
  }
  return votes
}

/** Weighs all that speaks for each type: sources that agree add up, those that disagree cost. */
export function judgeName(name: Name, votes: readonly Mention[]): Mention | undefined {
  const weights = new Map<EntityType, number>()
  const speak = (type: EntityType, weight: number) =>
    weights.set(type, 1 - (1 - (weights.get(type) ?? 0)) * (1 - weight))
  for (const rule of nameRules) if (rule.when(name)) speak(rule.type, rule.weight)
  for (const vote of votes)
    if (overlap(vote, name)) speak(vote.type, vote.confidence * (isExact(vote, name) ? 1 : inexact))
  const [winner, rival] = [...weights].sort((left, right) => right[1] - left[1])
  if (!winner) return undefined
  const confidence = Math.min(surest, winner[1] * (1 - disagreement * (rival?.[1] ?? 0)))
  return { type: winner[0], confidence, start: name.start, end: name.end }
}

function isExact(vote: Mention, name: Name): boolean {
  return vote.start === name.start && vote.end === name.end
}
