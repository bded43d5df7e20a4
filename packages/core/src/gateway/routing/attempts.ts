import { type Clock, pause } from '../../runtime/clock.ts'
import type { Deadline } from '../../runtime/deadline.ts'
import { FairleadError } from '../../runtime/errors.ts'
import type { Log } from '../../runtime/log.ts'
import { ProviderError } from '../provider-error.ts'
import { type Attempt, failureOf, openAttempt } from './attempt.ts'
import type { CircuitCall } from './circuit.ts'
import { toFairleadError } from './provider-failure.ts'
import { type Next, type RetryRules, afterFailure } from './retry.ts'
import type { EveryTimeout } from './route-options.ts'
import { type AnswerKind, type PricedRequest, type TargetStates, orderTargets } from './targets.ts'
import type { Route, Target } from './route.ts'

export interface RoutingRules {
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
export interface CallKind {
  readonly kind: AnswerKind
  readonly request: PricedRequest | undefined
  readonly timeouts: EveryTimeout
}

/** One call on its way from target to target. A record, not an object of methods: one is made for every call. */
export interface CallPlan<At extends Target> {
  readonly rules: RoutingRules
  readonly call: RoutedCall
  readonly callKind: CallKind
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
  retryInMs: number
  failure: { readonly error: unknown; readonly target: At } | undefined
}

export function planCall<At extends Target>(
  rules: RoutingRules,
  route: Route<At>,
  call: RoutedCall,
  callKind: CallKind,
): CallPlan<At> {
  rules.retries.budget.earn()
  const { kind, request, timeouts } = callKind
  return {
    rules,
    call,
    callKind,
    circuitCall: { account: call.caller?.userId, isOnlyTarget: route.targets.length === 1 },
    targets: orderTargets(route, { kind, request, userId: call.caller?.userId }, rules),
    endAt: call.endAt ?? rules.clock.now() + timeouts.totalMs,
    index: 0,
    attempts: call.attemptsBefore ?? 0,
    retries: 0,
    credentials: 0,
    retryInMs: Infinity,
    failure: undefined,
  }
}

/** The target that is up, or the next that takes calls; undefined where none is left, or no time. */
export function nextTarget<At extends Target>(plan: CallPlan<At>): At | undefined {
  const { rules, targets, endAt, failure } = plan
  if (failure && rules.clock.now() >= endAt) return undefined
  for (let target = targets[plan.index]; target; target = targets[plan.index]) {
    const refusedMs = refusedForMs(plan, target)
    if (refusedMs === 0) return target
    plan.retryInMs = Math.min(plan.retryInMs, refusedMs)
    moveOn(plan)
  }
  return undefined
}

function moveOn(plan: CallPlan<Target>): void {
  plan.index++
  plan.retries = 0
  plan.credentials = 0
}

/** How many targets after the one that is up take calls. */
function othersLeft(plan: CallPlan<Target>): number {
  const { targets, index } = plan
  if (index + 1 >= targets.length) return 0
  return targets.slice(index + 1).filter((target) => refusedForMs(plan, target) === 0).length
}

/** The next question to a target. It has its fair share of the time, so that one that hangs leaves some for the others. */
export function attemptAt<At extends Target>(plan: CallPlan<At>, target: At): Attempt {
  const { rules, call, endAt, callKind, circuitCall } = plan
  const { kind, timeouts } = callKind
  const fairMs = Math.max(1, Math.ceil((endAt - rules.clock.now()) / (1 + othersLeft(plan))))
  const shareMs = kind === 'stream' ? Math.min(fairMs, timeouts.firstItemMs) : fairMs
  const { clock, inFlight } = rules
  const state = rules.states.of(target)
  return openAttempt({ clock, inFlight, state, kind, circuitCall, call, shareMs, endAt })
}

const whileFullMs = 1_000

/** How long a target takes no such call of the account; 0 where it takes one. */
function refusedForMs({ rules, circuitCall }: CallPlan<Target>, target: Target): number {
  const { circuit, bulkhead } = rules.states.of(target)
  return circuit.refusedForMs(circuitCall) || (bulkhead.isFull(circuitCall.account) ? whileFullMs : 0)
}

/**
 * What follows a failed attempt: waits where the same target is to be asked again, moves on to the next, or throws what
 * the caller is told where the call is over.
 */
export async function recover<At extends Target>(
  plan: CallPlan<At>,
  target: At,
  attempt: Attempt,
  thrown: unknown,
): Promise<void> {
  const error = endAttempt(plan, target, attempt, thrown)
  const next = nextStep(plan, attempt, error)
  if (next === 'end') throw exhausted(plan)
  if (next === 'move on') return moveOn(plan)
  if (next === 'next credential') return void plan.credentials++
  plan.retries++
  if (next.waitMs === 0) return
  const { rules, call } = plan
  await pause(rules.clock, next.waitMs, AbortSignal.any([call.signal, rules.closed]))
}

/** What the caller is told of a stream that broke off. */
export function broken<At extends Target>(plan: CallPlan<At>, target: At, attempt: Attempt, thrown: unknown): unknown {
  endAttempt(plan, target, attempt, thrown)
  return exhausted(plan)
}

/** What the caller is told when no target is left: what the last one failed by, or that none takes calls. */
export function exhausted({ failure, attempts, targets, retryInMs }: CallPlan<Target>): FairleadError {
  if (failure) return toFairleadError(failure.error, { provider: failure.target.provider.id, attempts })
  const provider = targets[0]?.provider.id ?? ''
  return new FairleadError(
    'PROVIDER_UNAVAILABLE',
    'No provider is currently available for this model. Try again later.',
    {
      facts: { provider, attempts },
      retryAfterMs: Number.isFinite(retryInMs) ? Math.ceil(retryInMs) : soonMs,
    },
  )
}

const soonMs = 1_000

/** Ends the attempt, and tells the error that it failed by. Throws the reason where the caller left or core was closed. */
function endAttempt<At extends Target>(plan: CallPlan<At>, target: At, attempt: Attempt, thrown: unknown): unknown {
  const { rules, call, attempts } = plan
  // While the target is left alone anyway, or where it was not asked, each of many failures would be noise.
  const isNoise = !attempt.wasAsked() || attempt.state.circuit.refusedForMs(plan.circuitCall) > 0
  const error = attempt.failed(thrown)
  if (call.signal.aborted) throw call.signal.reason
  rules.closed.throwIfAborted()
  plan.failure = { error, target }
  if (!isNoise) {
    const facts = { requestId: call.requestId, provider: target.provider.id, attempts, target: target.id }
    rules.log.warn({ ...facts, failure: failureOf(error), error }, 'a provider failed')
  }
  return error
}

function nextStep(plan: CallPlan<Target>, { state }: Attempt, error: unknown): Next {
  const { rules, retries, credentials, endAt, circuitCall } = plan
  if (state.circuit.isOpenFor(circuitCall)) return 'move on'
  const { failure, retryAfterMs } = error instanceof ProviderError ? error : unknownFailure
  const hasOther = othersLeft(plan) > 0
  const leftMs = endAt - rules.clock.now()
  return afterFailure({ failure, retryAfterMs, retries, credentials, hasOther, leftMs }, rules.retries)
}

/** What is known of an error that no provider should throw. */
const unknownFailure = { failure: undefined, retryAfterMs: undefined }

/** What a router needs to know of the call that it serves. */
export interface RoutedCall {
  readonly requestId: string
  readonly signal: AbortSignal
  /** Who asks: an account keeps to its target where a route goes by weights. Default: nobody who is known. */
  readonly caller?: { readonly kind: string; readonly userId?: string }
  /** When it ends, in milliseconds since the epoch, where it began before. Default: as its route says, from now on. */
  readonly endAt?: number
  /** How many attempts were made for it before. Default: none. */
  readonly attemptsBefore?: number
  /** Takes note of who was asked last, for the answer's meta. */
  note(facts: { readonly provider: string; readonly attempts: number }): void
}

/** Who was asked last, and how many attempts there were. */
export type Attempts = Parameters<RoutedCall['note']>[0]

/** Routed calls one after the other that count as one: their attempts add up. */
export interface CountedAttempts {
  next(): RoutedCall
  /** Who was asked last, and how many attempts there were in all. */
  facts(): Attempts
}

export function countAttempts(call: RoutedCall): CountedAttempts {
  let facts: Attempts = { provider: '', attempts: 0 }
  return {
    facts: () => facts,
    next() {
      return {
        ...call,
        attemptsBefore: facts.attempts,
        note(latest) {
          facts = latest
          call.note(latest)
        },
      }
    },
  }
}
