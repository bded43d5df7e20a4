import type { Caller } from '../../runtime/access.ts'
import type { UsageAttempt } from '../../runtime/quota/usage.ts'
import type { ModelCall, NativeRequest, TriedAttempt } from '../../runtime/run/run-options.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Issue } from '../../runtime/errors.ts'
import { type Abortable, Task, type Deadlines } from '../../runtime/run/task.ts'
import { ProviderError } from '../provider-error.ts'
import type { Dialect } from '../messages/message.ts'
import type { AnswerFacts, ResponseFacts } from '../messages/answer.ts'
import type { ProviderCall } from '../provider.ts'
import type { AttemptObserver, Capability, ObservedAttempt, ObservedAnswer } from './attempt-observer.ts'
import type { CircuitCall } from './circuit.ts'
import { failureOf, recordFailure } from './provider-failure.ts'
import { type Target, supportsDialect } from './route.ts'
import type { AnswerKind, TargetState } from './targets.ts'

/** The call that attempts are made for, or a flight of the response cache that several calls wait for. */
export interface AttemptOwner extends Pick<Task, 'aborted' | 'reason'> {
  readonly requestId: string
  readonly native?: NativeRequest | undefined
  readonly caller: Caller
  readonly signal: AbortSignal
  follow(follower: Abortable): void
  unfollow(follower: Abortable): void
  note(facts: Partial<ModelCall>): void
  /** Adds warnings for the client that pays: one that gets a cached response has paid nothing. */
  warn(issues: readonly Issue[]): void
}

/** The call whose attempt it is, as its circuit sees it. */
export interface AttemptCall extends CircuitCall {
  readonly kind: AnswerKind
  readonly capability: Capability
  /** The route or the alias that was asked for. */
  readonly route: string | undefined
  /** Counts the time that an attempt has waited for a slot, in milliseconds. */
  waited(ms: number): void
}

export interface AttemptRules {
  readonly clock: Clock
  readonly deadlines: Deadlines
  readonly observer: AttemptObserver
}

/** How long work that outlives its call can hold the slot. */
const maxWorkMs = 30_000

/** One call to one target, from its wait in the queue to its outcome. The provider gets it as its `ProviderCall`. */
export class Attempt extends Task implements ProviderCall, ObservedAttempt, TriedAttempt {
  // These are own properties, because providers take them out of their call, or pass on a copy of it.
  readonly signal: AbortSignal = this.openSignal()
  readonly deadline: number | undefined
  readonly requestId: string
  readonly dialect: Dialect | undefined
  readonly waitUntil = (work: Promise<unknown>): void => {
    if (this.#pendingWork) this.#pendingWork.push(work)
    else this.#pendingWork = [work]
  }

  readonly model: string
  /** Set by what calls the provider, as is `response` by a stream that begins. */
  request: ObservedAttempt['request'] = undefined
  response: ResponseFacts | undefined = undefined
  answer: ObservedAnswer | undefined = undefined
  outcome: ObservedAttempt['outcome'] = 'canceled'
  error: unknown = undefined
  earlier: Attempt | undefined = undefined
  readonly state: TargetState
  readonly observer: AttemptObserver
  protected readonly clock: Clock
  readonly #deadlines: Deadlines
  readonly #owner: AttemptOwner
  readonly #call: AttemptCall
  #startedAt: number
  #endedAt: number | undefined = undefined
  /** The time that the target has, in milliseconds, since its deadline was last set. */
  #allowedMs: number
  /** A call that starts later has spent most of its time in the queue, so its timeout does not count against the target. */
  readonly #latestStart: number
  /** The circuit's number of the call; undefined until it has started. */
  #epoch: number | undefined = undefined
  #hasSlot = false
  #stopWaiting: (() => void) | undefined = undefined
  /** Work that may outlive the attempt. */
  #pendingWork: Promise<unknown>[] | undefined = undefined

  /** @param ms time for the whole response, or for the first item of a stream, in milliseconds */
  constructor(
    { clock, deadlines, observer }: AttemptRules,
    owner: AttemptOwner,
    state: TargetState,
    call: AttemptCall,
    { provider, id }: Target,
    ms: number,
  ) {
    super()
    const { native } = owner
    const now = clock.now()
    this.deadline = call.kind === 'stream' ? undefined : now + ms
    this.requestId = owner.requestId
    this.dialect = provider.dialects?.find((each) => each === native?.dialect && supportsDialect(provider, each, id))
    this.model = id
    this.state = state
    this.observer = observer
    this.clock = clock
    this.#deadlines = deadlines
    this.#owner = owner
    this.#call = call
    this.#startedAt = now
    this.#latestStart = now + ms / 2
    this.#allowedMs = ms
  }

  get target(): TargetState {
    return this.state
  }

  get capability(): Capability {
    return this.#call.capability
  }

  get caller(): Caller {
    return this.#owner.caller
  }

  get route(): string | undefined {
    return this.#call.route
  }

  /** The request as the client wrote it. */
  get native(): NativeRequest | undefined {
    return this.#owner.native
  }

  /** Whether the target may be called, or was. */
  get hasStarted(): boolean {
    return this.#epoch !== undefined
  }

  /**
   * Sets the deadline and acquires a slot of the target; a promise if it has to wait. The wait is part of the time. False if
   * the circuit has opened or the call has lost its place in the queue.
   */
  start(): boolean | Promise<boolean> {
    this.#deadlines.set(this, this.#allowedMs)
    this.#owner.follow(this)
    this.#hasSlot = this.state.bulkhead.tryAcquire(this.#call.account)
    return this.#hasSlot ? this.#begin() : this.#beginFromQueue()
  }

  #begin(): boolean {
    this.#epoch = this.state.circuit.start(this.#call)
    if (this.#epoch === undefined) return false
    this.#startedAt = this.clock.now()
    this.state.calls++
    this.observer.attemptStarted?.(this)
    return true
  }

  async #beginFromQueue(): Promise<boolean> {
    this.throwIfAborted()
    const acquired = new Promise<boolean>((resolve) => {
      this.#stopWaiting = this.state.bulkhead.enqueue(this.#call.account, (hasAcquired) => {
        this.#hasSlot = hasAcquired
        resolve(hasAcquired)
      })
    })
    try {
      if (!(await this.race(acquired))) return false
    } finally {
      const ms = this.clock.now() - this.#startedAt
      this.#call.waited(ms)
      this.observer.callQueued?.(this.state, ms)
    }
    return this.#begin()
  }

  /** Sets the deadline to a time from now, in milliseconds, unless the attempt has ended. */
  protected allow(ms: number): void {
    if (this.next === undefined) return
    this.#allowedMs = ms
    this.#deadlines.set(this, ms)
  }

  override expire(): void {
    this.abort(new ProviderError('timeout', `no response within ${this.#allowedMs} ms`))
  }

  override abort(reason: unknown): void {
    super.abort(reason)
    this.#stopWaiting?.()
  }

  /** Records that the response, or the first item of a stream, has arrived. */
  responded(): void {
    const { latency, circuit } = this.state
    const now = this.clock.now()
    const ms = now - this.#startedAt
    latency[this.#call.kind].measure(ms, now)
    this.observer.attemptResponded?.(this, ms)
    // A trial succeeds with the first item of a stream. While the circuit is closed, a stream can still fail after it.
    if (this.#epoch !== undefined && circuit.state !== 'closed') circuit.succeed(this.#epoch)
  }

  /** Keeps what the provider has answered, for the observer. */
  received(answer: ObservedAnswer & AnswerFacts): void {
    this.answer = answer
    this.response = answer.response ?? this.response
  }

  /** Ends the attempt after the whole response. */
  succeed(): void {
    if (this.#epoch !== undefined) this.state.circuit.succeed(this.#epoch)
    this.outcome = 'ok'
    this.close()
  }

  /** Ends the attempt and records its failure. Returns the error, which is the timeout's if the deadline has passed. */
  fail(thrown: unknown): unknown {
    const { aborted } = this
    const { circuit } = this.state
    const error = aborted ? this.reason : thrown
    this.close(error)
    if (this.#epoch === undefined) return error
    if (this.#wasCanceled(error)) circuit.ignore(this.#epoch)
    else if (recordFailure(this.state, this.#call.kind, error, this.clock.now()) && (!aborted || this.#hadEnoughTime()))
      circuit.fail(this.#epoch, this.#call.account)
    else circuit.ignore(this.#epoch)
    return error
  }

  /** Whether a timeout counts against the target: after a long wait in the queue, it does not mean that the target is slow. */
  #hadEnoughTime(): boolean {
    return this.#startedAt <= this.#latestStart
  }

  #wasCanceled(error: unknown): boolean {
    return this.#owner.aborted || (this.aborted && !(error instanceof ProviderError))
  }

  /** Releases the slot and removes the deadline. @param error why it has failed or was canceled */
  close(error = this.reason): void {
    this.#deadlines.remove(this)
    this.#owner.unfollow(this)
    if (!this.#hasSlot) return
    this.#hasSlot = false
    this.#endedAt = this.clock.now()
    if (this.#epoch !== undefined) {
      const hasFailed = error !== undefined && this.outcome !== 'ok'
      if (hasFailed) this.error = error
      if (hasFailed && !this.#wasCanceled(error)) this.outcome = failureOf(error)
      this.observer.attemptEnded?.(this)
    }
    if (this.#pendingWork) this.#releaseAfter(this.#pendingWork)
    else this.state.bulkhead.release(this.#call.account)
  }

  toRecord(): UsageAttempt {
    const { target, model, outcome, error } = this
    const status = error instanceof ProviderError ? error.upstream?.status : undefined
    return {
      provider: target.provider,
      model,
      outcome,
      upstreamStatus: Number.isInteger(status) ? status! : null,
      durationMs: Math.max(0, (this.#endedAt ?? this.clock.now()) - this.#startedAt),
    }
  }

  #releaseAfter(work: readonly Promise<unknown>[]): void {
    let isReleased = false
    const release = () => {
      this.#deadlines.remove(timeout)
      if (!isReleased) this.state.bulkhead.release(this.#call.account)
      isReleased = true
    }
    const timeout = this.#deadlines.after(maxWorkMs, release)
    void Promise.allSettled(work).then(release)
  }
}
