import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { RetryRules } from './after-failure.ts'
import { type Attempt, openAttempt } from './attempt.ts'
import type { CircuitCall } from './circuit.ts'
import type { Deadline } from './deadline.ts'
import { orderTargets, type PricedRequest } from './order-targets.ts'
import type { Route, Target } from '../route.ts'
import type { RoutedCall } from '../routed-call.ts'
import type { AnswerKind, TargetStates } from './target-states.ts'
import type { EveryTimeout } from './timeouts.ts'

export interface JourneyRules {
  readonly clock: Clock
  readonly log: Log
  /** Aborts when no provider may be called any more; its reason is the error of the calls that are left. */
  readonly closed: AbortSignal
  readonly inFlight: Set<Deadline>
  readonly states: TargetStates
  readonly retries: RetryRules
  /** From 0 to 1. */
  readonly random: () => number
}

/** What sets one call apart from others on its route. */
export interface Occasion {
  readonly kind: AnswerKind
  readonly request: PricedRequest | undefined
  readonly timeouts: EveryTimeout
}

/** One call on its way from target to target. A record, not an object of methods: one is made for every call. */
export interface Journey<At extends Target> {
  readonly rules: JourneyRules
  readonly call: RoutedCall
  readonly occasion: Occasion
  readonly circuitCall: CircuitCall
  /** In the order in which they are to be asked. */
  readonly targets: readonly At[]
  /** Milliseconds since the epoch. */
  readonly endAt: number
  /** Which of the targets is up. */
  index: number
  /** How often any was asked, also before. */
  attempts: number
  /** How often the one that is up was asked again, after a wait and at once with another credential. */
  retries: number
  credentials: number
  /** How soon one of those that were passed over may take calls again. */
  comeBackInMs: number
  failure: { readonly error: unknown; readonly target: At } | undefined
}

export function setOut<At extends Target>(
  rules: JourneyRules,
  route: Route<At>,
  call: RoutedCall,
  occasion: Occasion,
): Journey<At> {
  rules.retries.budget.earn()
  const { kind, request, timeouts } = occasion
  return {
    rules,
    call,
    occasion,
    circuitCall: { account: call.caller?.userId, isOnlyTarget: route.targets.length === 1 },
    targets: orderTargets(route, { kind, request, userId: call.caller?.userId }, rules),
    endAt: call.endAt ?? rules.clock.now() + timeouts.totalMs,
    index: 0,
    attempts: call.attemptsBefore ?? 0,
    retries: 0,
    credentials: 0,
    comeBackInMs: Infinity,
    failure: undefined,
  }
}

/** The target that is up, or the next that takes calls; undefined where none is left, or no time. */
export function nextTarget<At extends Target>(journey: Journey<At>): At | undefined {
  const { rules, targets, endAt, failure } = journey
  if (failure && rules.clock.now() >= endAt) return undefined
  for (let target = targets[journey.index]; target; target = targets[journey.index]) {
    const refusedMs = refusedForMs(journey, target)
    if (refusedMs === 0) return target
    journey.comeBackInMs = Math.min(journey.comeBackInMs, refusedMs)
    moveOn(journey)
  }
  return undefined
}

export function moveOn(journey: Journey<Target>): void {
  journey.index++
  journey.retries = 0
  journey.credentials = 0
}

/** How many targets after the one that is up take calls. */
export function othersLeft(journey: Journey<Target>): number {
  const { targets, index } = journey
  if (index + 1 >= targets.length) return 0
  return targets.slice(index + 1).filter((target) => refusedForMs(journey, target) === 0).length
}

/** The next question to a target. It has its fair share of the time, so that one that hangs leaves some for the others. */
export function attemptAt<At extends Target>(journey: Journey<At>, target: At): Attempt {
  const { rules, call, endAt, occasion, circuitCall } = journey
  const { kind, timeouts } = occasion
  const fairMs = Math.max(1, Math.ceil((endAt - rules.clock.now()) / (1 + othersLeft(journey))))
  const shareMs = kind === 'stream' ? Math.min(fairMs, timeouts.firstItemMs) : fairMs
  const { clock, inFlight } = rules
  const state = rules.states.of(target)
  return openAttempt({ clock, inFlight, state, kind, circuitCall, call, shareMs, endAt })
}

const whileFullMs = 1_000

/** How long a target takes no such call of the account; 0 where it takes one. */
function refusedForMs({ rules, circuitCall }: Journey<Target>, target: Target): number {
  const { circuit, bulkhead } = rules.states.of(target)
  return circuit.refusedForMs(circuitCall) || (bulkhead.isFull(circuitCall.account) ? whileFullMs : 0)
}
