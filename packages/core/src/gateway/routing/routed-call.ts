import type { Clock } from '../../runtime/clock.ts'
import type { FairleadError } from '../../runtime/errors.ts'
import type { Log } from '../../runtime/log.ts'
import { ProviderError } from '../provider-error.ts'
import type { Capability } from './attempt-observer.ts'
import type { Attempt, AttemptCall, AttemptRules, AttemptOwner } from './attempt.ts'
import {
  type FailedCall,
  billedFor,
  failureOf,
  isTooLong,
  queueTimeout,
  rateLimited,
  toFairleadError,
  unavailable,
  validRetryAfterMs,
} from './provider-failure.ts'
import type { EveryTimeout } from './route-options.ts'
import type { Route, Target } from './route.ts'
import {
  type AnswerKind,
  type RequestSize,
  type TargetState,
  type TargetStates,
  contextSizeOf,
  orderTargets,
} from './targets.ts'

export interface RoutingRules extends AttemptRules {
  readonly log: Log
  /** Aborts when core closes. Its reason is the error of the calls in flight. */
  readonly closed: AbortSignal
  readonly states: TargetStates
  readonly retries: {
    /** Maximum retries of one call on the same target. */
    readonly perTarget: number
    readonly budget: { earn(): void; spend(): boolean }
  }
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

/** The step after a failed attempt; `waitMs` is the delay before a retry on the same target. */
type NextStep = 'end' | 'next target' | 'next credential' | { readonly waitMs: number }

/** The longest delay before a retry on the same target. */
const maxDelayMs = 2_000
const baseDelayMs = 100

/** Stops a call to a provider that always offers another credential. */
const maxCredentials = 8
const fullRetryAfterMs = 1_000

/** A call through the targets of its route: what it has tried so far, and why that failed. */
export class RoutedCall<At extends Target> implements AttemptCall {
  readonly rules: RoutingRules
  readonly owner: AttemptOwner
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
  /** How long it has waited for slots; undefined if it has not. */
  #queuedMs: number | undefined = undefined
  /** The last target whose queue was full. */
  #full: TargetState | undefined = undefined
  /** Larger than the context of each target that found the request too long. */
  #minContextSize = 0
  #failure: { readonly error: unknown; readonly target: At; readonly attempt: Attempt } | undefined = undefined
  /** The cost of the failed attempts, with the answers of earlier calls of the series. */
  #billed: FailedCall['billed']

  constructor(
    rules: RoutingRules,
    route: Route<At>,
    owner: AttemptOwner,
    capability: Capability,
    timeouts: EveryTimeout,
    request: RequestSize | undefined,
    series?: CallBudget,
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
      const state = this.rules.states.of(target)
      if (state.bulkhead.isFull(this.account)) {
        this.#full = state
        this.rules.observer.queueFull?.(state)
      }
      this.#moveOn()
    }
    return undefined
  }

  /** Adds the time of a wait for a slot. */
  waited(ms: number): void {
    this.#queuedMs = (this.#queuedMs ?? 0) + ms
    this.owner.note({ queuedMs: this.#queuedMs })
  }

  /** Counts an attempt that has started. */
  note({ provider: { id: provider } }: At, lastAttempt: Attempt): void {
    const attempts = ++this.#attempts
    lastAttempt.earlier = this.#lastAttempt
    this.#lastAttempt = lastAttempt
    const facts = { provider, attempts, lastAttempt }
    // The report of another target is not about this one.
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
    if (next.waitMs > 0) await this.rules.deadlines.pause(next.waitMs, this.owner)
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
    this.#billed ??= billedFor(error, attempt.hasStarted && attempt.aborted)
    if (isTooLong(error)) {
      const neededSize = error.neededTokens ?? contextSizeOf(target) + 1
      if (neededSize < Infinity) this.#minContextSize = Math.max(this.#minContextSize, neededSize)
    }
    // The failure of a larger target is kept, because the request may succeed there later.
    const keepsFailure =
      isTooLong(error) && this.#failure && contextSizeOf(this.#failure.target) >= this.#minContextSize
    if (!keepsFailure) this.#failure = { error, target, attempt }
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
    const [attempts, billed] = [this.#attempts, this.#billed]
    const retryAfterMs = isTooLong(failure?.error) ? this.#largerTargetInMs() : this.#retryAfterMs
    if (failure && !(isTooLong(failure.error) && Number.isFinite(retryAfterMs))) {
      const { error, target, attempt } = failure
      if (!attempt.hasStarted) return queueTimeout(attempt.state, { attempts, billed })
      return toFairleadError(error, target, { attempts, isOnlyTarget: this.isOnlyTarget, billed })
    }
    const facts = { provider: this.targets[0]?.provider.id ?? '', attempts }
    if (!failure && this.#isRateLimited()) return rateLimited(retryAfterMs, { facts, billed })
    return unavailable(this.#full, this.#queuedMs !== undefined, { facts, billed, retryAfterMs })
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
    if (!(error instanceof ProviderError) || state.circuit.isOpenFor(this)) return 'next target'
    // The upstream broke off in the middle of the answer, which it bills: another attempt would be paid for again.
    if (this.kind === 'whole' && error.brokeOff) return 'end'
    const { failure, retryAfterMs } = error
    switch (failure) {
      case 'invalid_request':
      case 'content_refused':
        return 'end'
      case 'credential':
      case 'rate_limited':
        if (retryAfterMs === 0 && this.#credentials < maxCredentials) return 'next credential'
        return failure === 'credential' ? 'next target' : this.#retryOrMoveOn(error)
      case 'retry':
        return this.#retryOrMoveOn(error)
      default:
        return 'next target'
    }
  }

  #retryOrMoveOn({ failure, retryAfterMs: reported }: ProviderError): NextStep {
    const { clock, random, retries } = this.rules
    const retryAfterMs = validRetryAfterMs(reported)
    if (this.#retries >= retries.perTarget) return 'next target'
    if ((retryAfterMs !== undefined || failure === 'rate_limited') && this.#hasOther()) return 'next target'
    // A caller is not held for longer: it gets the delay, and may do something else.
    if (retryAfterMs !== undefined && retryAfterMs > maxDelayMs) return 'next target'
    // Random, so that calls that failed together are not retried together ("full jitter": AWS Architecture Blog,
    // Exponential Backoff and Jitter).
    const jitterMs = Math.round(random() * Math.min(maxDelayMs, baseDelayMs * 2 ** this.#retries))
    const waitMs = (retryAfterMs ?? 0) + jitterMs
    return waitMs < this.endAt - clock.now() && retries.budget.spend() ? { waitMs } : 'next target'
  }

  #hasOther(): boolean {
    return this.targets.slice(this.#index + 1).some((target) => this.#blockedForMs(target) === 0)
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
