import type { Clock } from '../../runtime/clock.ts'
import { type Deadline, setDeadline } from '../../runtime/deadline.ts'
import { ProviderError, type ProviderFailure, providerFailures } from '../provider-error.ts'
import type { ProviderCall } from '../provider.ts'
import type { CircuitCall } from './circuit.ts'
import { isUnknownModel } from './provider-failure.ts'
import { validRetryAfterMs } from './retry.ts'
import type { AnswerKind, TargetState } from './targets.ts'

/** One call to one target, from its wait in the queue to its outcome. */
export interface Attempt {
  readonly state: TargetState
  readonly deadline: Deadline
  readonly providerCall: ProviderCall
  /**
   * Acquires a slot of the target; a promise if it has to wait. False if the circuit has opened or the call has lost its
   * place in the queue.
   */
  start(): boolean | Promise<boolean>
  /** Whether the target may be called, or was. */
  hasStarted(): boolean
  /** Records that the response, or the first item of a stream, has arrived. */
  responded(): void
  /** Ends the attempt after the whole response. */
  succeed(): void
  /** Ends the attempt and records its failure. Returns the error, which is the timeout's if the deadline has passed. */
  fail(error: unknown): unknown
  /** Releases the slot and clears the deadline. */
  close(): void
}

/**
 * An attempt that core can end. It lets go of its deadline when it closes: after a `Set` has grown or shrunk, V8 keeps the
 * entries of the old table in memory until the next full garbage collection, and a deadline refers to its whole request.
 * Without this, requests at 16 connections took 1.2 to 1.4 times the CPU time (`bench/surfaces.ts`).
 */
export interface OpenAttempt {
  deadline: Deadline | undefined
}

export interface AttemptOptions {
  readonly clock: Clock
  /** All open attempts, which end when core closes. */
  readonly inFlight: Set<OpenAttempt>
  readonly state: TargetState
  readonly kind: AnswerKind
  readonly circuitCall: CircuitCall
  readonly call: { readonly requestId: string; readonly signal: AbortSignal }
  /** Time for the whole response, or for the first item of a stream, in milliseconds. */
  readonly ms: number
}

/** How long work that outlives its call can hold the slot. */
const maxWorkMs = 30_000

export function openAttempt(options: AttemptOptions): Attempt {
  const { clock, inFlight, state, kind, circuitCall, call, ms } = options
  const { circuit, bulkhead } = state
  const deadline = setDeadline(clock, ms, call.signal, timedOut)
  const open: OpenAttempt = { deadline }
  inFlight.add(open)
  /** The circuit's number of the call; undefined until it has started. */
  let epoch: number | undefined
  let hasSlot = false
  /** Work that may outlive the attempt. */
  const pendingWork: Promise<unknown>[] = []
  const openedAt = clock.now()
  let startedAt = openedAt

  function startCall(): boolean {
    epoch = circuit.start(circuitCall)
    if (epoch === undefined) return false
    startedAt = clock.now()
    state.calls++
    state.meter.called()
    return true
  }

  async function startFromQueue(): Promise<boolean> {
    // An aborted signal fires no event, so this call would stay in the queue.
    deadline.signal.throwIfAborted()
    const acquired = new Promise<boolean>((resolve) => {
      const stopWaiting = bulkhead.enqueue(circuitCall.account, (hasAcquired) => {
        hasSlot = hasAcquired
        resolve(hasAcquired)
      })
      deadline.signal.addEventListener('abort', stopWaiting, { once: true })
    })
    return (await deadline.race(acquired)) && startCall()
  }

  function close(): void {
    inFlight.delete(open)
    open.deadline = undefined
    deadline.clear()
    if (!hasSlot) return
    hasSlot = false
    if (pendingWork.length === 0) bulkhead.release(circuitCall.account)
    else releaseAfterWork()
  }

  function releaseAfterWork(): void {
    let isReleased = false
    const release = () => {
      cancel()
      if (!isReleased) bulkhead.release(circuitCall.account)
      isReleased = true
    }
    const cancel = clock.schedule(maxWorkMs, release)
    void Promise.allSettled(pendingWork).then(release)
  }

  return {
    state,
    deadline,
    providerCall: {
      signal: deadline.signal,
      deadline: kind === 'stream' ? undefined : deadline.at,
      requestId: call.requestId,
      waitUntil: (work) => void pendingWork.push(work),
    },
    start() {
      hasSlot = bulkhead.tryAcquire(circuitCall.account)
      return hasSlot ? startCall() : startFromQueue()
    },
    hasStarted: () => epoch !== undefined,
    responded() {
      const now = clock.now()
      state.latency[kind].measure(now - startedAt, now)
      state.meter.responded(kind, now - startedAt)
      // A trial succeeds with the first item of a stream. While the circuit is closed, a stream can still fail after it.
      if (epoch !== undefined && circuit.state !== 'closed') circuit.succeed(epoch)
    },
    succeed() {
      if (epoch !== undefined) circuit.succeed(epoch)
      close()
    },
    fail(thrown) {
      const aborted = deadline.signal.aborted
      const error = aborted ? (deadline.signal.reason as unknown) : thrown
      close()
      if (epoch === undefined) return error
      // A timeout after a long wait in the queue does not mean that the target is slow.
      const hadEnoughTime = startedAt - openedAt <= ms / 2
      const wasCancelled = call.signal.aborted || (aborted && !(error instanceof ProviderError))
      if (wasCancelled) circuit.ignore(epoch)
      else if (recordFailure(state, kind, error, clock.now()) && (!aborted || hadEnoughTime))
        circuit.fail(epoch, circuitCall.account)
      else circuit.ignore(epoch)
      return error
    },
    close,
  }
}

function timedOut(ms: number): ProviderError {
  return new ProviderError('timeout', `no response within ${ms} ms`)
}

/** The failure class; `defect` for a bug of the provider, `give_up` for a class of a later version of the contract. */
export function failureOf(error: unknown): ProviderFailure | 'defect' {
  if (!(error instanceof ProviderError)) return 'defect'
  return providerFailures.includes(error.failure) ? error.failure : 'give_up'
}

/** A busy target frees slots one by one, long before its whole queue is done, which is the delay that it reports. */
const maxBusyPauseMs = 1_000

/** Records a failure in the statistics. Returns whether it also counts for the circuit. */
function recordFailure(state: TargetState, kind: AnswerKind, error: unknown, now: number): boolean {
  const failure = failureOf(error)
  state.meter.failed(failure)
  // These depend on the request, not on the target.
  if (failure === 'invalid_request' || failure === 'content_refused' || failure === 'too_long') return false
  if (isUnknownModel(error)) return false
  state.failures++
  state.lastFailure = failure
  state.latency[kind].penalize()
  const retryAfterMs = error instanceof ProviderError ? error.retryAfterMs : undefined
  const pauseMs = validRetryAfterMs(retryAfterMs)
  const isBusy = pauseMs !== undefined && (failure === 'rate_limited' || failure === 'retry')
  if (isBusy && failure === 'rate_limited') state.rateLimitedUntil = now + pauseMs
  if (isBusy) state.circuit.pause(failure === 'retry' ? Math.min(pauseMs, maxBusyPauseMs) : pauseMs)
  // A delay of 0 means that another credential is available. A defect may depend on the request.
  return !isBusy && retryAfterMs !== 0 && failure !== 'defect'
}
