import { hash } from 'node:crypto'
import { imageCost, type ImageKind, textCost } from '../cost.ts'
import type { TextModel } from '../model.ts'
import type { PromptSize } from '../text/prompt-size.ts'
import type { AccountId } from './bulkhead.ts'
import type { Route, Target } from './route.ts'
import type { AnswerKind, TargetState, TargetStates } from './targets.ts'

/** The parts of a request that determine its cost and the context that it needs. */
export interface RequestSize {
  readonly prompt: PromptSize
  /** Default: the maximum of the model. */
  readonly maxTokens?: number | undefined
  /** Number of answers, each with as many tokens. Default: 1. */
  readonly answers?: number | undefined
  /** Number of images. Default: 1. */
  readonly images?: number | undefined
  /** Of images. Default: the usual one. */
  readonly imageKind?: ImageKind | undefined
}

/** The targets that can hold the request, in the order of the route's strategy. */
export function orderTargets<At extends Target>(
  { targets: all, strategy = 'fallback' }: Route<At>,
  { kind, account }: { readonly kind: AnswerKind; readonly account: AccountId },
  request: RequestSize | undefined,
  { states, random }: { readonly states: TargetStates; readonly random: () => number },
): readonly At[] {
  const targets = withEnoughContext(all, request)
  if (targets.length === 1) return targets
  switch (strategy) {
    case 'fallback':
      return targets
    case 'weighted':
      return sortBy(targets, (target) => -weightedDraw(target, account, random))
    case 'fastest':
      return sortBy(targets, (target) => expectedWaitMs(states.of(target), kind))
    case 'cheapest':
      return sortBy(targets, (target) => expectedCost(target, request))
  }
}

/** If all seem too small, those with the largest context remain, because the number of tokens is an estimate. */
function withEnoughContext<At extends Target>(targets: readonly At[], request: RequestSize | undefined): readonly At[] {
  if (targets.length === 1 || !request) return targets
  const { prompt } = request
  const needed = prompt.estimatedTokens + (request.maxTokens ?? 0)
  const accepting = targets.filter(({ model }) => isWithinPromptLimit(model, prompt))
  if (accepting.length === 0) return targets
  const largest = Math.max(...accepting.map(contextSizeOf))
  return accepting.filter((target) => contextSizeOf(target) >= Math.min(needed, largest))
}

function isWithinPromptLimit(model: Target['model'], prompt: PromptSize): boolean {
  return model?.type !== 'text' || prompt.hasAtMost(model.maxPromptCharacters ?? Infinity)
}

/** `Infinity` if unknown: the target may hold any request. */
export function contextSizeOf({ model }: Target): number {
  return (model?.type === 'text' ? model.contextSize : undefined) ?? Infinity
}

/** Stable: targets with equal keys keep their order. */
function sortBy<At>(targets: readonly At[], keyOf: (target: At) => number): readonly At[] {
  return targets
    .map((target) => ({ target, key: keyOf(target) }))
    .sort((a, b) => (a.key < b.key ? -1 : Number(a.key > b.key)))
    .map(({ target }) => target)
}

/**
 * The highest draw goes first. The draw of a user is a hash, so that a user stays on a target, and a change of weights
 * moves as few users as possible (weighted rendezvous hashing: Schindelhauer and Schomaker, 2005).
 */
function weightedDraw({ provider, id, weight = 1 }: Target, account: AccountId, random: () => number): number {
  const draw = account === undefined ? random() : hashToUnit(`${account}\0${provider.id}/${id}`)
  return weight / -Math.log(draw)
}

function hashToUnit(text: string): number {
  const bits = Number.parseInt(hash('sha256', text, 'hex').slice(0, 13), 16)
  return (bits + 0.5) / 2 ** 52
}

/** A target without a measurement goes first, for one call at a time. */
function expectedWaitMs({ latency, bulkhead }: TargetState, kind: AnswerKind): number {
  const expectedMs = latency[kind].expectedMs()
  const calls = bulkhead.inFlight + bulkhead.queued
  if (expectedMs === undefined) return calls === 0 ? 0 : Number.MAX_SAFE_INTEGER + calls
  return expectedMs * (calls + 1)
}

/** In US dollars; `Infinity` if the price is unknown. */
export function expectedCost({ model }: Target, request: RequestSize | undefined): number {
  if (!model?.pricing) return Infinity
  if (!request) return 0
  const promptTokens = request.prompt.estimatedTokens
  const { costUsd } =
    model.type === 'image'
      ? imageCost(model, { promptTokens }, request.images, request.imageKind)
      : textCost(model, { promptTokens, completionTokens: maxTokensOf(model, request) })
  return costUsd
}

/** The most tokens of all answers. */
export function maxTokensOf(
  { maxTokens, maxTokensUnknown }: TextModel,
  { maxTokens: asked = maxTokens, answers = 1 }: RequestSize,
): number {
  return (maxTokensUnknown ? asked : Math.min(asked, maxTokens)) * answers
}
