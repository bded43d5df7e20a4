import { type Clock, pause } from '../../runtime/clock.ts'
import { FairleadError } from '../../runtime/errors.ts'
import type { Log } from '../../runtime/log.ts'
import { ProviderError } from '../provider-error.ts'
import { ContractViolation } from '../provider-responses.ts'
import { type Attempt, failureOf, type OpenAttempt, openAttempt } from './attempt.ts'
import type { CircuitCall } from './circuit.ts'
import { type RequestSize, contextSizeOf, orderTargets } from './order-targets.ts'
import { type FailedCall, rateLimited, toFairleadError } from './provider-failure.ts'
import { type NextStep, type RetryRules, afterFailure } from './retry.ts'
import type { EveryTimeout } from './route-options.ts'
import type { Route, Target } from './route.ts'
import type { AnswerKind, TargetStates } from './targets.ts'

export interface RoutingRules {
  readonly clock: Clock
  readonly log: Log
  /** Aborts when core closes. Its reason is the error of the calls in flight. */
  readonly closed: AbortSignal
  readonly inFlight: Set<OpenAttempt>
  readonly states: TargetStates
  readonly retries: RetryRules
  /** From 0 to 1. */
  readonly random: () => number
}

export interface CallOptions {
  readonly kind: AnswerKind
  readonly request: RequestSize | undefined
  readonly timeouts: EveryTimeout
}

/** The progress of one call through the targets of its route. Plain data, because one is created for each call. */
export interface CallPlan<At extends Target> {
  readonly rules: RoutingRules
  readonly call: RoutedCall
  readonly options: CallOptions
  readonly circuitCall: CircuitCall
  readonly targets: readonly At[]
  /** When the whole response is due; no attempt begins later. Milliseconds since the epoch. */
  readonly endAt: number
  /** Index of the current target. */
  index: number
  /** Attempts on all targets, and of previous routed calls of the same request. */
  attempts: number
  /** Retries on the current target after a delay. */
  retries: number
  /** Immediate retries on the current target with another credential. */
  credentials: number
  /** The shortest time until one of the skipped targets may be available. */
  retryAfterMs: number
  /** Larger than the context of each target that found the request too long. */
  minContextSize: number
  failure: { readonly error: unknown; readonly target: At } | undefined
  /** What the failed attempts cost, with the answers of previous routed calls. */
  billed: FailedCall['billed']
}

export function planCall<At extends Target>(
  rules: RoutingRules,
  route: Route<At>,
  call: RoutedCall,
  options: CallOptions,
): CallPlan<At> {
  rules.retries.budget.earn()
  const { kind, request, timeouts } = options
  const targets = orderTargets(route, { kind, request, userId: call.caller?.userId }, rules)
  return {
    rules,
    call,
    options,
    circuitCall: { account: call.caller?.userId, isOnlyTarget: targets.length === 1 },
    targets,
    endAt: call.endAt ?? rules.clock.now() + timeouts.totalMs,
    index: 0,
    attempts: call.attemptsBefore ?? 0,
    retries: 0,
    credentials: 0,
    retryAfterMs: Infinity,
    minContextSize: 0,
    failure: undefined,
    billed: call.attemptsBefore ? 'answer' : undefined,
  }
}

/** The current target, or the next that is available; undefined if there is none, or no time is left. */
export function nextTarget<At extends Target>(plan: CallPlan<At>): At | undefined {
  const { rules, targets, endAt, failure } = plan
  if (failure && rules.clock.now() >= endAt) return undefined
  for (let target = targets[plan.index]; target; target = targets[plan.index]) {
    const blockedMs = blockedForMs(plan, target)
    if (blockedMs === 0) return target
    plan.retryAfterMs = Math.min(plan.retryAfterMs, blockedMs)
    moveOn(plan)
  }
  return undefined
}

function moveOn(plan: CallPlan<Target>): void {
  plan.index++
  plan.retries = 0
  plan.credentials = 0
}

/** Number of available targets after the current one. */
function othersLeft(plan: CallPlan<Target>): number {
  const { targets, index } = plan
  if (index + 1 >= targets.length) return 0
  return targets.slice(index + 1).filter((target) => blockedForMs(plan, target) === 0).length
}

/** Opens an attempt, which has all the time that is left: a slow answer looks the same as one that never comes. */
export function attemptAt<At extends Target>(plan: CallPlan<At>, target: At): Attempt {
  const { rules, call, endAt, options, circuitCall } = plan
  const { kind, timeouts } = options
  const wholeMs = Math.max(1, Math.min(endAt - rules.clock.now(), timeouts.attemptMs))
  const ms = kind === 'stream' ? timeouts.firstItemMs : wholeMs
  const { clock, inFlight } = rules
  const state = rules.states.of(target)
  return openAttempt({ clock, inFlight, state, kind, circuitCall, call, ms })
}

const fullRetryAfterMs = 1_000

/** How long a target is not available for the call; 0 if it is, `Infinity` if its context is too small. */
function blockedForMs({ rules, circuitCall, minContextSize }: CallPlan<Target>, target: Target): number {
  if (minContextSize > 0 && contextSizeOf(target) < minContextSize) return Infinity
  const { circuit, bulkhead } = rules.states.of(target)
  return circuit.blockedForMs(circuitCall) || (bulkhead.isFull(circuitCall.account) ? fullRetryAfterMs : 0)
}

/**
 * Prepares the step after a failed attempt: waits before a retry, or moves on to the next target. Throws the error for the
 * caller if the call ends.
 */
export async function recover<At extends Target>(
  plan: CallPlan<At>,
  target: At,
  attempt: Attempt,
  thrown: unknown,
): Promise<void> {
  const error = recordFailure(plan, target, attempt, thrown)
  const next = nextStep(plan, attempt, error)
  if (next === 'end') throw exhausted(plan)
  if (next === 'next target') return moveOn(plan)
  if (next === 'next credential') return void plan.credentials++
  plan.retries++
  if (next.waitMs === 0) return
  const { rules, call } = plan
  await pause(rules.clock, next.waitMs, AbortSignal.any([call.signal, rules.closed]))
}

/** The error for the caller of a stream that failed after its first item. */
export function streamFailure<At extends Target>(
  plan: CallPlan<At>,
  target: At,
  attempt: Attempt,
  thrown: unknown,
): unknown {
  recordFailure(plan, target, attempt, thrown)
  return exhausted(plan)
}

/** The error for the caller when no target is left: the last failure, or that no target is available. */
export function exhausted(plan: CallPlan<Target>): FairleadError {
  const { failure, attempts, targets, billed } = plan
  const retryAfterMs = isTooLong(failure?.error) ? largerTargetInMs(plan) : plan.retryAfterMs
  if (failure && !(isTooLong(failure.error) && Number.isFinite(retryAfterMs))) {
    return toFairleadError(failure.error, failure.target, { attempts, isOnlyTarget: targets.length === 1, billed })
  }
  const provider = targets[0]?.provider.id ?? ''
  if (!failure && isRateLimited(plan)) return rateLimited(retryAfterMs, { facts: { provider, attempts }, billed })
  return new FairleadError(
    'PROVIDER_UNAVAILABLE',
    'No provider is currently available for this model. Try again later.',
    {
      facts: { provider, attempts },
      billed,
      retryAfterMs: Number.isFinite(retryAfterMs) ? Math.ceil(retryAfterMs) : defaultRetryAfterMs,
    },
  )
}

const defaultRetryAfterMs = 1_000

/** Whether the upstreams of all targets are at their limits. */
function isRateLimited({ rules, targets }: CallPlan<Target>): boolean {
  const now = rules.clock.now()
  return targets.length > 0 && targets.every((target) => rules.states.of(target).rateLimitedUntil > now)
}

function isTooLong(error: unknown): boolean {
  return error instanceof ProviderError && error.failure === 'too_long'
}

/** The shortest time until a target with a larger context may be available; `Infinity` if there is none. */
function largerTargetInMs(plan: CallPlan<Target>): number {
  return Math.min(...plan.targets.map((target) => blockedForMs(plan, target) || Infinity))
}

/** Ends the attempt and returns its error. Throws the reason instead if the call was cancelled or core has closed. */
function recordFailure<At extends Target>(plan: CallPlan<At>, target: At, attempt: Attempt, thrown: unknown): unknown {
  const { rules, call, attempts } = plan
  // While the circuit is open, a line for each failure would flood the log.
  const isLogged = attempt.hasStarted() && attempt.state.circuit.blockedForMs(plan.circuitCall) === 0
  const error = attempt.fail(thrown)
  if (call.signal.aborted) throw call.signal.reason
  rules.closed.throwIfAborted()
  plan.billed ??= billedFor(error, attempt)
  if (isTooLong(error)) {
    const contextSize = contextSizeOf(target)
    if (contextSize < Infinity) plan.minContextSize = Math.max(plan.minContextSize, contextSize + 1)
  }
  // The failure of a larger target is kept, because the request may succeed there later.
  const keepsFailure = isTooLong(error) && plan.failure && contextSizeOf(plan.failure.target) >= plan.minContextSize
  if (!keepsFailure) plan.failure = { error, target }
  if (isLogged) {
    const facts = { requestId: call.requestId, provider: target.provider.id, attempts, target: target.id }
    rules.log.warn({ ...facts, failure: failureOf(error), error }, 'provider call failed')
  }
  return error
}

/** What a failed attempt costs. A connection that was never made, or an error of the upstream, costs nothing. */
function billedFor(error: unknown, attempt: Attempt): FailedCall['billed'] {
  // The answer arrived, but the provider is at fault.
  if (error instanceof ContractViolation) return 'possible'
  if (!(error instanceof ProviderError)) return undefined
  const isOurTimeLimit = attempt.hasStarted() && attempt.deadline.signal.aborted
  return error.mayBill || isOurTimeLimit ? 'possible' : undefined
}

function nextStep(plan: CallPlan<Target>, { state }: Attempt, error: unknown): NextStep {
  const { rules, retries, credentials, endAt, circuitCall } = plan
  if (state.circuit.isOpenFor(circuitCall)) return 'next target'
  const { failure, retryAfterMs } = error instanceof ProviderError ? error : unexpectedError
  const hasOther = othersLeft(plan) > 0
  const remainingMs = endAt - rules.clock.now()
  return afterFailure({ failure, retryAfterMs, retries, credentials, hasOther, remainingMs }, rules.retries)
}

const unexpectedError = { failure: undefined, retryAfterMs: undefined }

/** The call that the router serves. */
export interface RoutedCall {
  readonly requestId: string
  readonly signal: AbortSignal
  /** Default: the embedding program. */
  readonly caller?: { readonly kind: string; readonly userId?: string }
  /** When the call ends, in milliseconds since the epoch. Default: after the total timeout of its route. */
  readonly endAt?: number
  /** Attempts of previous routed calls of the same request, whose answers cannot be used. Default: 0. */
  readonly attemptsBefore?: number
  /** Records the last provider and the number of attempts, for the metadata of the response. */
  note(facts: { readonly provider: string; readonly attempts: number }): void
}

/** The last provider and the number of attempts. */
export type Attempts = Parameters<RoutedCall['note']>[0]

/** Several routed calls of one request, whose attempts are added up. */
export interface CountedAttempts {
  next(): RoutedCall
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
