import type { Clock } from '../../runtime/clock.ts'
import { FairleadError } from '../../runtime/errors.ts'
import type { Log } from '../../runtime/log.ts'
import { ProviderError } from '../provider-error.ts'
import { ContractViolation } from '../provider-responses.ts'
import type { Capability } from './attempt-observer.ts'
import { Attempt, type AttemptCall, type AttemptRules, type Owner, failureOf } from './attempt.ts'
import { type RequestSize, contextSizeOf, orderTargets } from './order-targets.ts'
import { type FailedCall, rateLimited, toFairleadError } from './provider-failure.ts'
import { type NextStep, type RetryRules, afterFailure } from './retry.ts'
import type { EveryTimeout } from './route-options.ts'
import type { Route, Target } from './route.ts'
import { StreamAttempt } from './stream-attempt.ts'
import type { AnswerKind, TargetStates } from './targets.ts'

export interface RoutingRules extends AttemptRules {
  readonly log: Log
  /** Aborts when core closes. Its reason is the error of the calls in flight. */
  readonly closed: AbortSignal
  readonly states: TargetStates
  readonly retries: RetryRules
  /** From 0 to 1. */
  readonly random: () => number
}

/** Several calls on one route for one request, such as a second one if the first answer cannot be used. */
export class CallBudget {
  /** When the last of them ends, in milliseconds since the epoch. */
  readonly endAt: number
  /** The attempts of all of them. */
  attempts = 0
  /** The last provider. */
  provider = ''
  lastAttempt: Attempt | undefined = undefined
  readonly #clock: Clock
  readonly #halfMs: number

  /** @param totalMs the time for all of them, which starts now */
  constructor(clock: Clock, totalMs: number) {
    this.endAt = clock.now() + totalMs
    this.#clock = clock
    this.#halfMs = totalMs / 2
  }

  isHalfOver(): boolean {
    return this.endAt - this.#clock.now() < this.#halfMs
  }
}

/** A call through the targets of its route: what it has tried so far, and why that failed. */
export class RoutedCall<At extends Target> implements AttemptCall {
  readonly rules: RoutingRules
  readonly owner: Owner
  readonly capability: Capability
  readonly kind: AnswerKind
  readonly route: string | undefined
  readonly targets: readonly At[]
  readonly account: string | undefined
  readonly isOnlyTarget: boolean
  readonly timeouts: EveryTimeout
  /** When the whole response is due; no attempt begins later. Milliseconds since the epoch. */
  readonly endAt: number
  readonly #series: CallBudget | undefined
  /** Index of the current target. */
  #index = 0
  /** Attempts on all targets, and of earlier calls of the series. */
  #attempts: number
  #lastAttempt: Attempt | undefined
  /** Retries on the current target after a delay. */
  #retries = 0
  /** Immediate retries on the current target with another credential. */
  #credentials = 0
  /** The shortest time until one of the skipped targets may be available. */
  #retryAfterMs = Infinity
  /** Larger than the context of each target that found the request too long. */
  #minContextSize = 0
  #failure: { readonly error: unknown; readonly target: At } | undefined = undefined
  /** What the failed attempts cost, with the answers of earlier calls of the series. */
  #billed: FailedCall['billed']

  constructor(
    rules: RoutingRules,
    route: Route<At>,
    owner: Owner,
    capability: Capability,
    timeouts: EveryTimeout,
    request: RequestSize | undefined,
    series: CallBudget | undefined,
  ) {
    this.rules = rules
    this.owner = owner
    this.capability = capability
    this.kind = capability === 'streamText' ? 'stream' : 'whole'
    this.route = route.name
    this.account = owner.caller.kind === 'account' ? owner.caller.userId : undefined
    this.targets = orderTargets(route, this, request, rules)
    this.isOnlyTarget = this.targets.length === 1
    this.timeouts = timeouts
    this.endAt = series?.endAt ?? rules.clock.now() + timeouts.totalMs
    this.#series = series
    this.#attempts = series?.attempts ?? 0
    this.#lastAttempt = series?.lastAttempt
    this.#billed = this.#attempts > 0 ? 'answer' : undefined
  }

  /** The current target, or the next that is available; undefined if there is none, or no time is left. */
  next(): At | undefined {
    if (this.#failure && this.rules.clock.now() >= this.endAt) return undefined
    for (let target = this.targets[this.#index]; target; target = this.targets[this.#index]) {
      const blockedMs = this.#blockedForMs(target)
      if (blockedMs === 0) return target
      this.#retryAfterMs = Math.min(this.#retryAfterMs, blockedMs)
      this.#moveOn()
    }
    return undefined
  }

  /** Counts an attempt that has started. */
  note({ provider: { id: provider } }: At, lastAttempt: Attempt): void {
    const attempts = ++this.#attempts
    lastAttempt.earlier = this.#lastAttempt
    this.#lastAttempt = lastAttempt
    const facts = { provider, attempts, lastAttempt }
    // What another target reported is not about this one.
    this.owner.note(attempts === 1 ? facts : { ...facts, upstream: undefined })
    if (this.#series) Object.assign(this.#series, facts)
  }

  /**
   * Prepares the step after a failed attempt: waits before a retry, or moves on to the next target. Throws the error for the
   * caller if the call ends.
   */
  async recover(target: At, attempt: Attempt, thrown: unknown): Promise<void> {
    const error = this.fail(target, attempt, thrown)
    const next = this.#nextStep(attempt, error)
    if (next === 'end') throw this.error()
    if (next === 'next target') return this.#moveOn()
    if (next === 'next credential') return void this.#credentials++
    this.#retries++
    if (next.waitMs > 0) await waitFor(next.waitMs, this.owner, this.rules)
  }

  /**
   * Ends the attempt, keeps its failure for `error()`, and logs it. Returns the attempt's error. Throws the reason instead if
   * the call was canceled or core has closed.
   */
  fail(target: At, attempt: Attempt, thrown: unknown): unknown {
    const { rules, owner } = this
    // A wait in the queue is no call. While the circuit is open, a line for each failure would flood the log.
    const isLogged = attempt.hasStarted && attempt.state.circuit.blockedForMs(this) === 0
    const error = attempt.fail(thrown)
    if (owner.aborted) throw owner.reason
    rules.closed.throwIfAborted()
    this.#billed ??= billedFor(error, attempt)
    if (isTooLong(error)) {
      const neededSize = error.neededTokens ?? contextSizeOf(target) + 1
      if (neededSize < Infinity) this.#minContextSize = Math.max(this.#minContextSize, neededSize)
    }
    // The failure of a larger target is kept, because the request may succeed there later.
    const keepsFailure =
      isTooLong(error) && this.#failure && contextSizeOf(this.#failure.target) >= this.#minContextSize
    if (!keepsFailure) this.#failure = { error, target }
    if (isLogged) {
      const { requestId } = owner
      const facts = { requestId, provider: target.provider.id, attempts: this.#attempts, target: target.id }
      const log = () => rules.log.warn({ ...facts, failure: failureOf(error), error }, 'provider call failed')
      const { observer } = rules
      if (observer.runAttempt) observer.runAttempt(attempt, log)
      else log()
    }
    return error
  }

  /** The error for the caller when no target is left: the last failure, or that no target is available. */
  error(): FairleadError {
    const failure = this.#failure
    const attempts = this.#attempts
    const billed = this.#billed
    const retryAfterMs = isTooLong(failure?.error) ? this.#largerTargetInMs() : this.#retryAfterMs
    if (failure && !(isTooLong(failure.error) && Number.isFinite(retryAfterMs))) {
      return toFairleadError(failure.error, failure.target, { attempts, isOnlyTarget: this.isOnlyTarget, billed })
    }
    const facts = { provider: this.targets[0]?.provider.id ?? '', attempts }
    if (!failure && this.#isRateLimited()) return rateLimited(retryAfterMs, { facts, billed })
    return new FairleadError(
      'PROVIDER_UNAVAILABLE',
      'No provider is currently available for this model. Try again later.',
      { facts, billed, retryAfterMs: Number.isFinite(retryAfterMs) ? Math.ceil(retryAfterMs) : defaultRetryAfterMs },
    )
  }

  #moveOn(): void {
    this.#index++
    this.#retries = 0
    this.#credentials = 0
  }

  /** How long a target is not available for the call; 0 if it is, `Infinity` if its context is too small. */
  #blockedForMs(target: At): number {
    if (this.#minContextSize > 0 && contextSizeOf(target) < this.#minContextSize) return Infinity
    const { circuit, bulkhead } = this.rules.states.of(target)
    return circuit.blockedForMs(this) || (bulkhead.isFull(this.account) ? fullRetryAfterMs : 0)
  }

  #nextStep({ state }: Attempt, error: unknown): NextStep {
    const { rules } = this
    if (state.circuit.isOpenFor(this)) return 'next target'
    const { failure, retryAfterMs } = error instanceof ProviderError ? error : unexpectedError
    const isPaid = this.kind === 'whole' && error instanceof ProviderError && error.brokeOff
    const hasOther = this.targets.slice(this.#index + 1).some((target) => this.#blockedForMs(target) === 0)
    const remainingMs = this.endAt - rules.clock.now()
    const tried = { retries: this.#retries, credentials: this.#credentials }
    return afterFailure({ failure, isPaid, retryAfterMs, ...tried, hasOther, remainingMs }, rules.retries)
  }

  /** Whether the upstreams of all targets are at their limits. */
  #isRateLimited(): boolean {
    const { clock, states } = this.rules
    const now = clock.now()
    return this.targets.length > 0 && this.targets.every((target) => states.of(target).rateLimitedUntil > now)
  }

  /** The shortest time until a target with a larger context may be available; `Infinity` if there is none. */
  #largerTargetInMs(): number {
    return Math.min(...this.targets.map((target) => this.#blockedForMs(target) || Infinity))
  }
}

/** The attempt has all the time that is left, because a slow answer looks the same as one that never comes. */
export function openWhole<At extends Target>(call: RoutedCall<At>, target: At): Attempt {
  const { rules, endAt, timeouts } = call
  const ms = Math.max(1, Math.min(endAt - rules.clock.now(), timeouts.attemptMs))
  return new Attempt(rules, call.owner, rules.states.of(target), call, target, ms)
}

export function openStream(call: RoutedCall<Target>, target: Target): StreamAttempt {
  const { rules, owner } = call
  return new StreamAttempt(rules, owner, rules.states.of(target), call, target)
}

/**
 * Calls one target after the other until one succeeds. Throws a `FairleadError`, never a provider's error. A stream succeeds
 * with its first item, and its attempt stays open.
 */
export async function tryTargets<At extends Target, Opened extends Attempt, Answer>(
  call: RoutedCall<At>,
  open: (call: RoutedCall<At>, target: At) => Opened,
  run: (target: At, attempt: Opened) => Promise<Answer>,
): Promise<{ readonly target: At; readonly answer: Answer; readonly attempt: Opened }> {
  const { rules, owner, kind } = call
  const { observer } = rules
  if (owner.aborted) throw owner.reason
  rules.retries.budget.earn()
  for (let target = call.next(); target; target = call.next()) {
    rules.closed.throwIfAborted()
    const attempt = open(call, target)
    try {
      const started = attempt.start()
      if (started === true || (started !== false && (await started))) {
        attempt.throwIfAborted()
        call.note(target, attempt)
        const running = observer.runAttempt
          ? observer.runAttempt(attempt, () => run(target, attempt))
          : run(target, attempt)
        const answer = await (kind === 'whole' ? attempt.race(running) : running)
        attempt.responded()
        if (kind === 'whole') attempt.succeed()
        return { target, answer, attempt }
      }
      attempt.close()
    } catch (error) {
      await call.recover(target, attempt, error)
    }
  }
  throw call.error()
}

const fullRetryAfterMs = 1_000
const defaultRetryAfterMs = 1_000
const unexpectedError = { failure: undefined, retryAfterMs: undefined }

function isTooLong(error: unknown): error is ProviderError {
  return error instanceof ProviderError && error.failure === 'too_long'
}

/** What a failed attempt costs. A connection that was never made, or an error of the upstream, costs nothing. */
function billedFor(error: unknown, attempt: Attempt): FailedCall['billed'] {
  // The answer arrived, but the provider is at fault.
  if (error instanceof ContractViolation) return 'possible'
  if (!(error instanceof ProviderError)) return undefined
  const isOurTimeLimit = attempt.hasStarted && attempt.aborted
  return error.mayBill || isOurTimeLimit ? 'possible' : undefined
}

/** Rejects as soon as the owner is aborted or core closes. */
async function waitFor(ms: number, owner: Owner, { deadlines }: RoutingRules): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const pause = deadlines.after(ms, resolve)
  owner.follow(pause)
  try {
    await pause.race(promise)
  } finally {
    owner.unfollow(pause)
    deadlines.remove(pause)
  }
}
