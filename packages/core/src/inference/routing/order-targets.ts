import { hash } from 'node:crypto'
import { imageCost, textCost } from '../cost.ts'
import type { Route, Target } from '../route.ts'
import type { AnswerKind, TargetState, TargetStates } from './target-states.ts'

/** What the order of targets may hang on. */
export interface OrderedCall {
  readonly kind: AnswerKind
  /** Who asks; undefined where nobody has to be kept to one target. */
  readonly userId: string | undefined
  readonly request: PricedRequest | undefined
}

/** What a request may cost by: tokens of prompt are counted from its length, those of the answer are the most it may have. */
export interface PricedRequest {
  readonly prompt: string
  readonly maxTokens?: number
}

export interface OrderRules {
  readonly states: TargetStates
  /** From 0 to 1. */
  readonly random: () => number
}

/** The targets of a route in the order in which its strategy has them asked. */
export function orderTargets<At extends Target>(
  { targets, strategy = 'fallback' }: Route<At>,
  call: OrderedCall,
  { states, random }: OrderRules,
): readonly At[] {
  if (targets.length === 1) return targets
  switch (strategy) {
    case 'fallback':
      return targets
    case 'weighted':
      return ranked(targets, (target) => -weightedDraw(target, call.userId, random))
    case 'fastest':
      return ranked(targets, (target) => expectedWaitMs(states.of(target), call.kind))
    case 'cheapest':
      return ranked(targets, (target) => expectedCost(target, call.request))
  }
}

/** By rising rank; those of one rank stay as they stand. */
function ranked<At>(targets: readonly At[], rankOf: (target: At) => number): readonly At[] {
  return targets
    .map((target) => ({ target, rank: rankOf(target) }))
    .sort((a, b) => (a.rank < b.rank ? -1 : Number(a.rank > b.rank)))
    .map(({ target }) => target)
}

/**
 * The higher goes first. Each of a user's draws is a hash, so a user keeps to its targets, and a change of one weight
 * moves no more users than it must (weighted rendezvous hashing: Schindelhauer and Schomaker, 2005).
 */
function weightedDraw({ provider, id, weight = 1 }: Target, userId: string | undefined, random: () => number): number {
  const chance = userId === undefined ? random() : share(`${userId}\0${provider.id}/${id}`)
  return weight / -Math.log(chance)
}

/** A number between 0 and 1 that a text always has. */
function share(text: string): number {
  const bits = Number.parseInt(hash('sha256', text, 'hex').slice(0, 13), 16)
  return (bits + 0.5) / 2 ** 52
}

/** A target that was never measured is asked at once, by one call at a time. */
function expectedWaitMs({ latency, bulkhead }: TargetState, kind: AnswerKind): number {
  const expectedMs = latency[kind].expectedMs()
  const busy = bulkhead.inFlight + bulkhead.queued
  if (expectedMs === undefined) return busy === 0 ? 0 : Number.MAX_SAFE_INTEGER + busy
  return expectedMs * (busy + 1)
}

/** English text has about so many characters a token. */
const charactersPerToken = 4

/** A price that is not known may be any: those that are known go first. */
function expectedCost({ model }: Target, request: PricedRequest | undefined): number {
  if (!model?.pricing) return Infinity
  if (!request) return 0
  const promptTokens = Math.ceil(request.prompt.length / charactersPerToken)
  const { costUsd } =
    model.type === 'image'
      ? imageCost(model, { promptTokens })
      : textCost(model, { promptTokens, completionTokens: request.maxTokens ?? model.maxTokens })
  return costUsd
}
