import type { Entity } from '@fairlead/core/provider'
import { findNames } from './find-names.ts'
import { findPatterns } from './find-patterns.ts'
import { judgeName, judgeNames } from './judge-name.ts'
import type { Mention } from './mention.ts'
import type { Name } from './name.ts'
import { prepareNames } from './prepare-names.ts'
import { SpanSet } from '../span-set.ts'
import { splitWords } from './split-words.ts'

/** Entities below this confidence are not reported. */
const leastConfidence = 0.5

export interface PlacedEntity extends Entity {
  /** Offset in UTF-16 units. */
  readonly start: number
  readonly end: number
}

/** Finds what the text names, in order of appearance. */
export function findEntities(text: string): Entity[] {
  return entitiesWithOffsets(text).map(({ text: name, type, confidence }) => ({ text: name, type, confidence }))
}

/** As `findEntities`, and says where each stands. */
export function entitiesWithOffsets(text: string): PlacedEntity[] {
  return findMentions(text, (names) => judgeNames(text, names)).map((mention) => ({
    text: text.slice(mention.start, mention.end),
    type: mention.type,
    confidence: Math.round(mention.confidence * 100) / 100,
    start: mention.start,
    end: mention.end,
  }))
}

const maskedTypes = new Set<string>(['PERSON', 'ORGANIZATION', 'LOCATION', 'PRODUCT', 'EVENT', 'OTHER', 'EMAIL', 'URL'])

/** The names in a text, found by the rules alone: cheap, and enough where only their place matters. */
export function findMasked(text: string): Mention[] {
  return findMentions(text, (names) => names.flatMap((name) => judgeName(name, []) ?? [])).filter(({ type }) =>
    maskedTypes.has(type),
  )
}

function findMentions(text: string, judge: (names: readonly Name[]) => Mention[]): Mention[] {
  const shaped = findPatterns(text)
  const taken = new SpanSet()
  for (const mention of shaped) taken.add(mention)
  const words = splitWords(text)
  const names = findNames(words, taken).flatMap((run) => prepareNames(text, words, run))
  return [...shaped, ...judge(names)]
    .filter(({ confidence }) => confidence >= leastConfidence)
    .sort((left, right) => left.start - right.start)
}
