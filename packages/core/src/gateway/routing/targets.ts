import { hash } from 'node:crypto'
import type { Clock } from '../../runtime/clock.ts'
import type { Log } from '../../runtime/log.ts'
import { imageCost, textCost } from '../cost.ts'
import type { ProviderFailure } from '../provider-error.ts'
import type { Provider } from '../provider.ts'
import { type Bulkhead, type Concurrency, createBulkheads } from './bulkhead.ts'
import { type Circuit, alwaysClosed, createCircuit } from './circuit.ts'
import type { Target, Route } from './route.ts'

/** Whether a call waits for a whole answer or for its first piece: they take different times. */
export type AnswerKind = 'whole' | 'stream'

/** What is known of one target since the process began. */
export interface TargetState {
  readonly id: string
  readonly circuit: Circuit
  /** Shared with the targets of the same capacity. */
  readonly bulkhead: Bulkhead
  readonly latency: Readonly<Record<AnswerKind, LatencyMeter>>
  readonly meter: TargetMeter
  /** How often it was asked. */
  calls: number
  failures: number
  /** Null where none was; `defect` for a bug of the provider. */
  lastFailure: ProviderFailure | 'defect' | null
}

/** Remembers each target that a call came by, whichever registry it came from. */
export interface TargetStates {
  of(target: Target): TargetState
  /** Those of a provider that were asked. */
  ofProvider(provider: Provider): readonly TargetState[]
}

export interface TargetRules {
  readonly clock: Clock
  readonly log: Log
  readonly meter: ProviderMeter
  readonly circuit: { readonly failures: number; readonly openMs: number }
  readonly concurrency: Concurrency
}

export function createTargetStates(rules: TargetRules): TargetStates {
  const providers = new Map<Provider, Map<string, TargetState>>()
  const bulkheadOf = createBulkheads(rules.concurrency)
  return {
    of(target) {
      const { provider, id } = target
      let states = providers.get(provider)
      if (!states) providers.set(provider, (states = new Map()))
      let state = states.get(id)
      if (!state) states.set(id, (state = createTargetState(target, bulkheadOf({ provider, id }), rules)))
      return state
    },
    ofProvider: (provider) => [...(providers.get(provider)?.values() ?? [])].filter(({ calls }) => calls > 0),
  }
}

function createTargetState(
  { provider: { id: provider }, id, model }: Target,
  bulkhead: Bulkhead,
  { clock, log, meter, circuit: rules }: TargetRules,
): TargetState {
  const onOpen = (account: string | undefined) => {
    const facts = { provider, target: id, failure: state.lastFailure, ...(account !== undefined && { account }) }
    log.warn(facts, 'circuit breaker opened')
  }
  const onClose = () => log.warn({ provider, target: id }, 'circuit breaker closed')
  const circuit = model?.testDouble ? alwaysClosed : createCircuit({ clock, ...rules, onOpen, onClose })
  const state: TargetState = {
    id,
    circuit,
    bulkhead,
    meter: meter.watch({ provider, id, circuit, bulkhead }),
    latency: { whole: createLatencyMeter(clock), stream: createLatencyMeter(clock) },
    calls: 0,
    failures: 0,
    lastFailure: null,
  }
  return state
}

/** Is told how targets answer, for whoever counts it. Every call waits for what is done here, and nothing here may throw. */
export interface ProviderMeter {
  /** Called once for each target, before it is asked for the first time. */
  watch(target: WatchedTarget): TargetMeter
}

/** A model or an analyzer of a provider, as it is at the moment of reading. */
export interface WatchedTarget {
  readonly provider: string
  readonly id: string
  readonly circuit: { readonly state: 'closed' | 'open' | 'half-open' }
  readonly bulkhead: { readonly inFlight: number; readonly queued: number }
}

/** What becomes of the calls of one target; each attempt is a call. */
export interface TargetMeter {
  asked(): void
  /** @param kind what came after so long: the whole answer, or the first piece of a stream */
  answered(kind: 'whole' | 'stream', ms: number): void
  /** @param failure `defect` for an error that no provider should throw */
  failed(failure: ProviderFailure | 'defect'): void
}

export const noMeter: ProviderMeter = { watch: () => ({ asked() {}, answered() {}, failed() {} }) }

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

/**
 * How long a target takes, lately: an average in which older calls count for less, that jumps up at once and comes down
 * slowly ("peak EWMA": Finagle's load balancer). An estimate fades while nothing is measured, so that a target which
 * once was slow is tried again.
 */
export interface LatencyMeter {
  /** @param now when the measured time ended, in milliseconds since the epoch */
  measure(ms: number, now: number): void
  /** Makes the target look slower for a while than it was measured to be: one that fails at once is not fast. */
  penalize(): void
  /** The average as it was last measured, in milliseconds; undefined where nothing was. */
  readonly latestMs: number | undefined
  /** The average, faded; undefined where nothing was measured. */
  expectedMs(): number | undefined
}

/** After so long, a measurement counts for about a third. */
const decayMs = 60_000
const penaltyMs = 5_000

function createLatencyMeter(clock: Clock): LatencyMeter {
  let average: number | undefined
  let measuredAt = 0
  let failedAt: number | undefined
  const weightSince = (instant: number, now = clock.now()) => Math.exp(-Math.max(0, now - instant) / decayMs)
  const penalty = () => (failedAt === undefined ? 0 : penaltyMs * weightSince(failedAt))
  return {
    measure(ms, now) {
      const past = weightSince(measuredAt, now)
      average = average === undefined || ms >= average ? ms : average * past + ms * (1 - past)
      measuredAt = now
    },
    penalize: () => void (failedAt = clock.now()),
    get latestMs() {
      return average
    },
    expectedMs() {
      if (average !== undefined) return average * weightSince(measuredAt) + penalty()
      return failedAt === undefined ? undefined : penalty()
    },
  }
}
