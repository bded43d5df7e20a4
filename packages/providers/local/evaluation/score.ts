import { type EntityType, entityTypes } from '@fairlead/core/provider'
import { entitiesWithOffsets, type PlacedEntity } from '../src/analysis/entities/find-entities.ts'
import { findKeywords } from '../src/analysis/keywords/find-keywords.ts'
import { scoreSentiment } from '../src/analysis/sentiment/score-sentiment.ts'
import type { GoldEntity, GoldText } from './gold.ts'
import { Tally } from './tally.ts'

const keyOf = ({ type, start, text }: GoldEntity) => `${type} ${start} ${text}`

/** A hit is the exact span with the right type. The last tally covers all types. */
export function scoreEntities(texts: readonly GoldText[]): Map<EntityType | 'all', Tally> {
  const tallies = new Map<EntityType | 'all', Tally>(
    [...entityTypes, 'all' as const].map((type) => [type, new Tally()]),
  )
  for (const gold of texts) {
    const found = entitiesWithOffsets(gold.text)
    for (const [type, tally] of tallies) {
      const keys = (entities: readonly GoldEntity[]) =>
        entities.filter((entity) => type === 'all' || entity.type === type).map(keyOf)
      tally.add(keys(found), keys(gold.entities))
    }
  }
  return tallies
}

export interface Confidence {
  readonly least: number
  readonly below: number
  readonly judged: number
  readonly right: number
}

/** How far a confidence can be trusted: how many of the entities that claim it are right. */
export function scoreConfidence(texts: readonly GoldText[]): Confidence[] {
  const ranges = [
    { least: 0.5, below: 0.75 },
    { least: 0.75, below: 1 },
  ]
  return ranges.map(({ least, below }) => {
    const within = ({ confidence }: PlacedEntity) => confidence >= least && confidence < below
    const judged = texts.flatMap(({ text, entities }) => {
      const keys = new Set(entities.map(keyOf))
      return entitiesWithOffsets(text)
        .filter(within)
        .map((entity) => keys.has(keyOf(entity)))
    })
    return { least, below, judged: judged.length, right: judged.filter(Boolean).length }
  })
}

/** How many texts have the right one of three labels. */
export function scoreLabels(texts: readonly GoldText[]): number {
  return texts.filter(({ text, sentiment }) => scoreSentiment(text).label === sentiment).length
}

/** Compares as many keywords as the person wrote down, whatever their case; names are left to the entities. */
export function scoreKeywords(texts: readonly GoldText[]): Tally {
  const tally = new Tally()
  for (const { text, keywords: wanted, entities } of texts) {
    if (wanted.length === 0) continue
    const names = new Set(entities.flatMap((entity) => entity.text.toLowerCase().split(' ')))
    const found = findKeywords(text)
      .map((keyword) => keyword.text.toLowerCase())
      .filter((keyword) => !keyword.split(' ').some((word) => names.has(word)))
    tally.add(
      found.slice(0, wanted.length),
      wanted.map((keyword) => keyword.toLowerCase()),
    )
  }
  return tally
}
