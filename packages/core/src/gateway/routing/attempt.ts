import type { Clock } from '../../runtime/clock.ts'
import type { ProviderCall } from '../provider.ts'
import { ProviderError, type ProviderFailure, providerFailures } from '../provider-error.ts'
import { saneWaitMs } from './retry.ts'
import type { CircuitCall } from './circuit.ts'
import { type Deadline, setDeadline } from '../../runtime/deadline.ts'
import type { AnswerKind, TargetState } from './targets.ts'

/** One question to one target, from its place in the queue to what came of it. */
export interface Attempt {
  readonly state: TargetState
  readonly deadline: Deadline
  readonly providerCall: ProviderCall
  /**
   * Takes a place at the target; a promise where it has to wait for one. Resolves to false where the circuit opened
   * meanwhile, or another account's call took the room in the queue.
   */
  enter(): boolean | Promise<boolean>
  /** Whether it got so far that the target was asked. */
  wasAsked(): boolean
  /** The answer, or its first piece, is there. */
  answered(): void
  /** All of the answer is there: ends the attempt. */
  finished(): void
  /** Counts a failure for what it is, ends the attempt, and tells the error that it was. */
  failed(error: unknown): unknown
  /** Gives the place back and forgets the deadline. */
  close(): void
}

export interface AttemptOptions {
  readonly clock: Clock
  /** The deadlines of attempts that are not over: this one's too, until it is. */
  readonly inFlight: Set<Deadline>
  readonly state: TargetState
  readonly kind: AnswerKind
  /** Whose call it is: accounts share a target's places. And whether it has another target. */
  readonly circuitCall: CircuitCall
  readonly call: { readonly requestId: string; readonly signal: AbortSignal }
  /** The attempt's own share of the call's time, in milliseconds. */
  readonly shareMs: number
  /** When the whole call ends, in milliseconds since the epoch. */
  readonly endAt: number
}

/** How long work may keep the place of a call that has ended. */
const maxWorkMs = 30_000

export function openAttempt(options: AttemptOptions): Attempt {
  const { clock, inFlight, state, kind, circuitCall, call, shareMs, endAt } = options
  const { circuit, bulkhead } = state
  const deadline = setDeadline(clock, shareMs, call.signal, () => new ProviderError('timeout', 'no answer in time'))
  inFlight.add(deadline)
  /** Undefined until the target may be asked. */
  let pass: number | undefined
  let placed = false
  /** Work that may outlive the attempt. */
  const announced: Promise<unknown>[] = []
  const openedAt = clock.now()
  let askedAt = openedAt

  function start(): boolean {
    pass = circuit.enter(circuitCall)
    if (pass === undefined) return false
    askedAt = clock.now()
    state.calls++
    state.meter.asked()
    return true
  }

  async function wait(): Promise<boolean> {
    // Whoever has left already would never be told to give up its place in the queue.
    deadline.signal.throwIfAborted()
    const turn = new Promise<boolean>((resolve) => {
      const giveUp = bulkhead.queue(circuitCall.account, (entered) => {
        placed = entered
        resolve(entered)
      })
      deadline.signal.addEventListener('abort', giveUp, { once: true })
    })
    return (await deadline.race(turn)) && start()
  }

  function close(): void {
    inFlight.delete(deadline)
    deadline.clear()
    if (!placed) return
    placed = false
    if (announced.length === 0) leave()
    else leaveWhenSettled()
  }

  function leave(): void {
    bulkhead.leave(circuitCall.account)
  }

  function leaveWhenSettled(): void {
    let left = false
    const leaveOnce = () => {
      cancel()
      if (!left) leave()
      left = true
    }
    const cancel = clock.schedule(maxWorkMs, leaveOnce)
    void Promise.allSettled(announced).then(leaveOnce)
  }

  return {
    state,
    deadline,
    // A stream goes on after the first piece that its share is for.
    providerCall: {
      signal: deadline.signal,
      deadline: kind === 'stream' ? endAt : deadline.at,
      requestId: call.requestId,
      waitUntil: (work) => void announced.push(work),
    },
    enter() {
      placed = bulkhead.tryEnter(circuitCall.account)
      return placed ? start() : wait()
    },
    wasAsked: () => pass !== undefined,
    answered() {
      const now = clock.now()
      state.latency[kind].measure(now - askedAt, now)
      state.meter.answered(kind, now - askedAt)
      // A trial is not kept waiting for the end of a stream; else a stream that breaks off is no success.
      if (pass !== undefined && circuit.state !== 'closed') circuit.succeeded(pass)
    },
    finished() {
      if (pass !== undefined) circuit.succeeded(pass)
      close()
    },
    failed(thrown) {
      const aborted = deadline.signal.aborted
      const error = aborted ? (deadline.signal.reason as unknown) : thrown
      close()
      if (pass === undefined) return error
      // A target that got the lesser part of the attempt's time, after a wait in our own queue, was not slow.
      const hadItsTime = askedAt - openedAt <= shareMs / 2
      // The caller left, or core was closed.
      const wasEnded = call.signal.aborted || (aborted && !(error instanceof ProviderError))
      if (wasEnded) circuit.left(pass)
      else if (countFailure(state, kind, error) && (!aborted || hadItsTime)) circuit.failed(pass, circuitCall.account)
      else circuit.left(pass)
      return error
    },
    close,
  }
}

/** The failure's class; `defect` for a bug of the provider. A class of a later contract counts as the last. */
export function failureOf(error: unknown): ProviderFailure | 'defect' {
  if (!(error instanceof ProviderError)) return 'defect'
  return providerFailures.includes(error.failure) ? error.failure : 'give_up'
}

/** Places of a busy target come free one by one, sooner than it says when it is asked. */
const busyPauseMs = 1_000

/** Counts a failure for statistics, and tells whether it also counts towards the circuit. */
function countFailure(state: TargetState, kind: AnswerKind, error: unknown): boolean {
  const failure = failureOf(error)
  state.meter.failed(failure)
  // The target works: it refuses the request.
  if (failure === 'invalid_request' || failure === 'content_refused') return false
  state.failures++
  state.lastFailure = failure
  state.latency[kind].penalize()
  const retryAfterMs = error instanceof ProviderError ? error.retryAfterMs : undefined
  const restMs = saneWaitMs(retryAfterMs)
  const isBusy = restMs !== undefined && (failure === 'rate_limited' || failure === 'retry')
  if (isBusy) state.circuit.rest(failure === 'retry' ? Math.min(restMs, busyPauseMs) : restMs)
  // It says itself when to come back, or has another credential. And a defect shows in one request, not in the target.
  return !isBusy && retryAfterMs !== 0 && failure !== 'defect'
}
