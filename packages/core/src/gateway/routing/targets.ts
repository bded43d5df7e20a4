import { hash } from 'node:crypto'
import type { Clock } from '../../runtime/clock.ts'
import type { Log } from '../../runtime/log.ts'
import { imageCost, type ImageKind, textCost } from '../cost.ts'
import type { TextModel } from '../model.ts'
import type { ProviderFailure } from '../provider-error.ts'
import type { Provider } from '../provider.ts'
import type { PromptSize } from '../text/prompt-size.ts'
import type { AttemptObserver, ObservedTarget } from './attempt-observer.ts'
import { type AccountId, type Bulkhead, createBulkheads } from './bulkhead.ts'
import { type Circuit, createCircuit } from './circuit.ts'
import type { ConcurrencyOptions } from './route-options.ts'
import type { Route, Target } from './route.ts'
import type { Estimate } from '../../runtime/budgets/estimate.ts'

/** Whether a call waits for the whole response or for the first item of a stream. Their latencies are measured apart. */
export type AnswerKind = 'whole' | 'stream'

/** The state of a target since the process started. */
export interface TargetState extends ObservedTarget {
  readonly circuit: Circuit
  /** Shared with the targets of the same capacity. */
  readonly bulkhead: Bulkhead
  readonly latency: Readonly<Record<AnswerKind, LatencyMeter>>
  /** Of its answers to streams that reason. */
  readonly outputRate: OutputRate
  /** When the rate limit that the upstream last reported ends, in milliseconds since the epoch; 0 if there was none. */
  rateLimitedUntil: number
  calls: number
  failures: number
  /** Null if there was none; `defect` for a bug of the provider. */
  lastFailure: ProviderFailure | 'defect' | null
}

/** The id of the state that the unlisted models of a provider share. Clients choose their ids, so the ids must not take memory. */
const unlistedTargets = 'other'

export interface TargetStateOptions {
  readonly clock: Clock
  readonly log: Log
  readonly observer: AttemptObserver
  readonly circuit: { readonly failures: number; readonly openMs: number }
  readonly concurrency: ConcurrencyOptions
  /** Of targets that are not measured yet. */
  readonly tokensPerSecond?: number | undefined
}

export type TargetStates = ReturnType<typeof createTargetStates>

/** The states of all targets, which outlive the registry that the targets come from. */
export function createTargetStates(options: TargetStateOptions) {
  const providers = new WeakMap<Provider, Map<string, TargetState>>()
  const bulkheadOf = createBulkheads(options.concurrency)
  return {
    of(target: Target): TargetState {
      const { provider } = target
      const id = target.unlisted ? unlistedTargets : target.id
      let states = providers.get(provider)
      if (!states) providers.set(provider, (states = new Map()))
      let state = states.get(id)
      if (!state) states.set(id, (state = createTargetState({ ...target, id }, bulkheadOf({ provider, id }), options)))
      return state
    },
    /** The targets of a provider that were called. */
    ofProvider: (provider: Provider): readonly TargetState[] =>
      [...(providers.get(provider)?.values() ?? [])].filter(({ calls }) => calls > 0),
    /** Forgets a provider that is called no more. */
    remove(provider: Provider): void {
      for (const state of providers.get(provider)?.values() ?? []) options.observer.targetRemoved?.(state)
      providers.delete(provider)
    },
  }
}

function createTargetState(
  { provider: { id: provider }, id, model }: Target,
  bulkhead: Bulkhead,
  { clock, log, observer, circuit: options, tokensPerSecond = defaultTokensPerSecond }: TargetStateOptions,
): TargetState {
  const onOpen = (account: string | undefined) => {
    const facts = { provider, target: id, failure: state.lastFailure, ...(account !== undefined && { account }) }
    log.warn(facts, 'circuit breaker opened')
    observer.circuitOpened?.(state, account)
  }
  const onClose = () => {
    log.warn({ provider, target: id }, 'circuit breaker closed')
    observer.circuitClosed?.(state)
  }
  // The failures of a test double are intended.
  const failures = model?.testDouble ? Infinity : options.failures
  const circuit = createCircuit({ clock, openMs: options.openMs, failures, onOpen, onClose })
  const state: TargetState = {
    provider,
    id,
    circuit,
    bulkhead,
    latency: { whole: createLatencyMeter(clock), stream: createLatencyMeter(clock) },
    outputRate: new OutputRate(tokensPerSecond),
    rateLimitedUntil: 0,
    calls: 0,
    failures: 0,
    lastFailure: null,
  }
  observer.targetAdded?.(state)
  return state
}

/** The time after which a measurement counts for about a third. */
const decayMs = 60_000
const penaltyMs = 5_000

export type LatencyMeter = ReturnType<typeof createLatencyMeter>

/**
 * The recent latency of a target: a moving average that rises at once and falls slowly ("peak EWMA": Finagle's load
 * balancer). The expected latency decays while nothing is measured, so that a slow target is tried again.
 */
function createLatencyMeter(clock: Clock) {
  let average: number | undefined
  let measuredAt = 0
  let failedAt: number | undefined
  const weightSince = (time: number, now = clock.now()) => Math.exp(-Math.max(0, now - time) / decayMs)
  const penalty = () => (failedAt === undefined ? 0 : penaltyMs * weightSince(failedAt))
  return {
    /** @param now when the measured time ended, in milliseconds since the epoch */
    measure(ms: number, now: number): void {
      const weight = weightSince(measuredAt, now)
      average = average === undefined || ms >= average ? ms : average * weight + ms * (1 - weight)
      measuredAt = now
    },
    /** Raises the expected latency for a while, so that a target that fails immediately does not count as fast. */
    penalize: () => void (failedAt = clock.now()),
    /** The average at the last measurement, in milliseconds; undefined before the first. */
    get latestMs(): number | undefined {
      return average
    },
    /** The average, decayed until now; undefined before the first measurement. */
    expectedMs(): number | undefined {
      if (average !== undefined) return average * weightSince(measuredAt) + penalty()
      return failedAt === undefined ? undefined : penalty()
    },
  }
}

/** A compromise between the rates of models that reason, from 40 to 300. */
const defaultTokensPerSecond = 100

/** The weight of the latest answer in the rate. */
const rateWeight = 0.2

/** How many tokens a target writes per millisecond: a moving average, or the operator's figure until there is one. */
export class OutputRate {
  perMs: number
  #isMeasured = false

  constructor(tokensPerSecond: number) {
    this.perMs = tokensPerSecond / 1_000
  }

  measure(tokens: number, ms: number): void {
    const measured = tokens / ms
    this.perMs = this.#isMeasured ? this.perMs + rateWeight * (measured - this.perMs) : measured
    this.#isMeasured = true
  }
}

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
  if (all.length === 1) return all
  const targets = request ? withEnoughContext(all, request) : all
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
function withEnoughContext<At extends Target>(
  targets: readonly At[],
  { prompt, maxTokens = 0 }: RequestSize,
): readonly At[] {
  const needed = prompt.estimatedTokens + maxTokens
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
function expectedCost({ model }: Target, request: RequestSize | undefined): number {
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

/** The most that a request may use on the targets of its route. Analyzers cost nothing. */
export function estimateTokens({ targets }: Route<Target>, size: RequestSize): Estimate {
  const promptTokens = size.prompt.estimatedTokens
  let [answerTokens, costUsd] = [0, 0]
  let unpriced: string | undefined
  for (const target of targets) {
    const { provider, id, model } = target
    if (!model) continue
    if (model.type === 'text') answerTokens = Math.max(answerTokens, maxTokensOf(model, size))
    if (model.pricing) costUsd = Math.max(costUsd, expectedCost(target, size))
    else unpriced ??= `${provider.id}/${id}`
  }
  const isUnlimited = answerTokens > 0 && size.maxTokens === undefined
  return {
    tokens: promptTokens + answerTokens,
    promptTokens,
    costUsd,
    unpriced,
    ...(isUnlimited && { isUnlimited }),
  }
}
