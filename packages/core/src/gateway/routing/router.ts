import type { Clock } from '../../runtime/clock.ts'
import type { Deadline } from '../../runtime/deadline.ts'
import type { Log } from '../../runtime/log.ts'
import type { Provider, ProviderCall } from '../provider.ts'
import type { Attempt, OpenAttempt } from './attempt.ts'
import {
  type CallOptions,
  type CallPlan,
  type RoutedCall,
  attemptAt,
  exhausted,
  nextTarget,
  planCall,
  recover,
  streamFailure,
} from './attempts.ts'
import type { RequestSize } from './order-targets.ts'
import { createRetryBudget } from './retry.ts'
import { type EveryTimeout, type RoutingOptions, type Timeouts, defaultTimeouts } from './route-options.ts'
import type { Route, Target } from './route.ts'
import { type ProviderMeter, type TargetState, createTargetStates } from './targets.ts'

/** Calls the targets of a route until one succeeds. Throws `FairleadError`, never a provider's error. */
export interface Router {
  /** @param request determines the order of the targets and those that can hold it */
  attempt<At extends Target, Answer>(
    route: Route<At>,
    call: RoutedCall,
    run: (target: At, call: ProviderCall) => Promise<Answer>,
    request?: RequestSize,
  ): Promise<{ readonly target: At; readonly answer: Answer }>
  /** Resolves with the first item of the stream. After it, no other target is tried. */
  stream<At extends Target, Item>(
    route: Route<At>,
    call: RoutedCall,
    run: (target: At, call: ProviderCall, pace: StreamPace) => AsyncIterable<Item>,
    request?: RequestSize,
  ): Promise<{ readonly target: At; readonly items: AsyncIterable<Item> }>
  /** The time for a request that needs several calls on the route. It starts now. */
  timeFor(route: Route<Target>): CallTime
  /** The targets of a provider that were called. */
  states(provider: Provider): readonly TargetState[]
}

/** Reports on a stream between its items. */
export interface StreamPace {
  /** The upstream has sent a ping: the next item has the idle timeout from now on. */
  alive(): void
  /** The only item is a whole answer, and has the time of one. */
  awaitWhole(): void
}

export interface CallTime {
  /** Milliseconds since the epoch. */
  readonly endAt: number
  isHalfOver(): boolean
}

export interface RouterOptions extends Pick<RoutingOptions, 'timeouts' | 'retries' | 'circuit' | 'concurrency'> {
  readonly clock: Clock
  readonly log: Log
  readonly meter: ProviderMeter
  /** Aborts when core closes. Its reason is the error of the calls in flight. */
  readonly closed: AbortSignal
  /** From 0 to 1. */
  readonly random: () => number
}

interface RoutedAnswer<At extends Target, Answer> {
  readonly target: At
  readonly answer: Answer
  readonly attempt: Attempt
  readonly plan: CallPlan<At>
}

export function createRouter({ clock, log, meter, closed, random, ...options }: RouterOptions): Router {
  const { retries, circuit, concurrency } = options
  const timeouts = withTimeouts(options.timeouts, defaultTimeouts)
  const states = createTargetStates({
    clock,
    log,
    meter,
    circuit: { failures: circuit?.failures ?? 5, openMs: circuit?.openMs ?? 10_000 },
    concurrency: {
      perTarget: concurrency?.perTarget ?? 1_000,
      queue: concurrency?.queue ?? 1_000,
      accountShare: concurrency?.accountShare ?? 0.8,
    },
  })
  const budget = createRetryBudget(retries?.budget ?? 0.1)
  const inFlight = new Set<OpenAttempt>()
  const retryRules = { perTarget: retries?.perTarget ?? 2, budget, random }
  const rules = { clock, log, closed, inFlight, states, random, retries: retryRules }
  closed.addEventListener('abort', () => {
    for (const { deadline } of inFlight) deadline?.end(closed.reason)
  })

  async function tryTargets<At extends Target, Answer>(
    route: Route<At>,
    call: RoutedCall,
    callOptions: CallOptions,
    run: (target: At, attempt: Attempt) => Promise<Answer>,
  ): Promise<RoutedAnswer<At, Answer>> {
    call.signal.throwIfAborted()
    const plan = planCall(rules, route, call, callOptions)
    for (let target = nextTarget(plan); target; target = nextTarget(plan)) {
      closed.throwIfAborted()
      const attempt = attemptAt(plan, target)
      try {
        const started = attempt.start()
        if (started === true || (started !== false && (await started))) {
          attempt.deadline.signal.throwIfAborted()
          call.note({ provider: target.provider.id, attempts: ++plan.attempts })
          const answer = await run(target, attempt)
          attempt.responded()
          if (callOptions.kind === 'whole') attempt.succeed()
          return { target, answer, attempt, plan }
        }
        attempt.close()
      } catch (error) {
        await recover(plan, target, attempt, error)
      }
    }
    throw exhausted(plan)
  }

  return {
    attempt: (route, call, run, request) =>
      tryTargets(
        route,
        call,
        { kind: 'whole', request, timeouts: withTimeouts(route.timeouts, timeouts) },
        (target, { deadline, providerCall }) => deadline.race(run(target, providerCall)),
      ),
    async stream<At extends Target, Item>(
      route: Route<At>,
      call: RoutedCall,
      run: (target: At, call: ProviderCall, pace: StreamPace) => AsyncIterable<Item>,
      request?: RequestSize,
    ) {
      const callOptions = { kind: 'stream' as const, request, timeouts: withTimeouts(route.timeouts, timeouts) }
      const endAt = call.endAt ?? clock.now() + callOptions.timeouts.totalMs
      const start = async (target: At, attempt: Attempt) => {
        const time = new StreamTime(clock, attempt.deadline, callOptions.timeouts, endAt)
        const items = run(target, attempt.providerCall, time)[Symbol.asyncIterator]()
        try {
          const first = await attempt.deadline.race(items.next())
          time.awaitReader()
          return { items, time, first }
        } catch (error) {
          closeIterator(items)
          throw error
        }
      }
      const { target, attempt, plan, answer } = await tryTargets(route, call, callOptions, start)
      const toError = (error: unknown) => streamFailure(plan, target, attempt, error)
      // Also if the stream is never read, or the call was cancelled while it started.
      attempt.deadline.whenAborted(() => {
        attempt.close()
        closeIterator(answer.items)
      })
      return { target, items: readStream(answer, attempt, toError) }
    },
    timeFor(route) {
      const { totalMs } = withTimeouts(route.timeouts, timeouts)
      const endAt = clock.now() + totalMs
      return { endAt, isHalfOver: () => endAt - clock.now() < totalMs / 2 }
    },
    states: (provider) => states.ofProvider(provider),
  }
}

function withTimeouts(timeouts: Timeouts | undefined, fallback: EveryTimeout): EveryTimeout {
  if (!timeouts) return fallback
  return {
    firstItemMs: timeouts.firstItemMs ?? fallback.firstItemMs,
    idleMs: timeouts.idleMs ?? fallback.idleMs,
    thinkingMs: timeouts.thinkingMs ?? fallback.thinkingMs,
    totalMs: timeouts.totalMs ?? fallback.totalMs,
    attemptMs: timeouts.attemptMs ?? fallback.attemptMs,
  }
}

/** The time limits of one stream. */
class StreamTime implements StreamPace {
  readonly #clock: Clock
  readonly #deadline: Deadline
  readonly #timeouts: EveryTimeout
  readonly #startedAt: number
  readonly #wholeEndAt: number
  #hasBegun = false

  /** @param wholeEndAt when a whole answer is due, in milliseconds since the epoch */
  constructor(clock: Clock, deadline: Deadline, timeouts: EveryTimeout, wholeEndAt: number) {
    this.#clock = clock
    this.#deadline = deadline
    this.#timeouts = timeouts
    this.#wholeEndAt = wholeEndAt
    this.#startedAt = clock.now()
  }

  alive(): void {
    const { firstItemMs, idleMs, thinkingMs } = this.#timeouts
    if (this.#hasBegun) return this.#deadline.restart(idleMs)
    const passedMs = this.#clock.now() - this.#startedAt
    // A ping never shortens the time for the first item.
    this.#deadline.restart(Math.max(firstItemMs - passedMs, Math.min(idleMs, thinkingMs - passedMs)))
  }

  awaitWhole(): void {
    this.#deadline.restart(Math.max(1, Math.min(this.#wholeEndAt - this.#clock.now(), this.#timeouts.attemptMs)))
  }

  awaitItem(): void {
    this.#deadline.restart(this.#timeouts.idleMs)
  }

  /** The reader may take longer than the provider, but a stream that nobody reads must release its slot. */
  awaitReader(): void {
    this.#hasBegun = true
    this.#deadline.restart(Math.max(this.#timeouts.idleMs, this.#timeouts.totalMs))
  }
}

interface StartedStream<Item> {
  readonly first: IteratorResult<Item, unknown>
  readonly items: AsyncIterator<Item>
  readonly time: StreamTime
}

/** All items from the first. Each must arrive within the idle timeout. */
async function* readStream<Item>(
  { first, items, time }: StartedStream<Item>,
  attempt: Attempt,
  toError: (error: unknown) => unknown,
): AsyncGenerator<Item, void, undefined> {
  const { deadline } = attempt
  let next = first
  try {
    while (!next.done) {
      yield next.value
      deadline.signal.throwIfAborted()
      time.awaitItem()
      next = await deadline.race(items.next())
      time.awaitReader()
    }
    attempt.succeed()
  } catch (error) {
    throw toError(error)
  } finally {
    attempt.close()
    if (!next.done) closeIterator(items)
  }
}

/** Closes an iterator early. Not awaited, because an iterator that ignores it may never settle. */
export function closeIterator(items: AsyncIterator<unknown>): void {
  void (async () => items.return?.())().catch(() => {})
}
