import type { Clock } from '../../runtime/clock.ts'
import type { Deadline } from '../../runtime/deadline.ts'
import type { Log } from '../../runtime/log.ts'
import type { Provider, ProviderCall } from '../provider.ts'
import type { Attempt } from './attempt.ts'
import {
  type CallPlan,
  type CallKind,
  type RoutedCall,
  attemptAt,
  broken,
  nextTarget,
  recover,
  planCall,
  exhausted,
} from './attempts.ts'
import { createRetryBudget } from './retry.ts'
import { type RoutingOptions, withTimeouts } from './route-options.ts'
import { type PricedRequest, type ProviderMeter, type TargetState, createTargetStates } from './targets.ts'
import type { Route, Target } from './route.ts'

/** Asks providers until one answers. It alone sees their errors; everyone else sees `FairleadError`. */
export interface Router {
  /** @param request by which targets are compared, where a route goes by what they cost */
  attempt<At extends Target, Answer>(
    route: Route<At>,
    call: RoutedCall,
    ask: (target: At, call: ProviderCall) => Promise<Answer>,
    request?: PricedRequest,
  ): Promise<{ readonly target: At; readonly answer: Answer }>
  /** Resolves when the first item is there; until then another target may be tried, and from then on none. */
  stream<At extends Target, Item>(
    route: Route<At>,
    call: RoutedCall,
    ask: (target: At, call: ProviderCall) => AsyncIterable<Item>,
    request?: PricedRequest,
  ): Promise<{ readonly target: At; readonly items: AsyncIterable<Item> }>
  /** The time that a call on the route has in all, where it asks more than once. */
  timeFor(route: Route<Target>): CallTime
  /** What is known of a provider's targets that were asked. */
  states(provider: Provider): readonly TargetState[]
}

/** The time of a call that began when this was made. */
export interface CallTime {
  /** Milliseconds since the epoch. */
  readonly endAt: number
  isHalfOver(): boolean
}

export interface RouterOptions extends Pick<RoutingOptions, 'timeouts' | 'retries' | 'circuit' | 'concurrency'> {
  readonly clock: Clock
  readonly log: Log
  readonly meter: ProviderMeter
  /** Aborts when no provider may be called any more, with the error of the calls that are left. */
  readonly closed: AbortSignal
  /** From 0 to 1. */
  readonly random: () => number
}

/** An answer, or the beginning of one, with the way that led to it. */
interface RoutedAnswer<At extends Target, Answer> {
  readonly target: At
  readonly answer: Answer
  readonly attempt: Attempt
  readonly plan: CallPlan<At>
}

export function createRouter({ clock, log, meter, closed, random, ...options }: RouterOptions): Router {
  const { retries, circuit, concurrency } = options
  const timeouts = withTimeouts(options.timeouts)
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
  const budget = createRetryBudget(clock, retries?.budget ?? 0.1)
  const inFlight = new Set<Deadline>()
  const retryRules = { perTarget: retries?.perTarget ?? 2, budget, random }
  const rules = { clock, log, closed, inFlight, states, random, retries: retryRules }
  closed.addEventListener('abort', () => {
    for (const deadline of inFlight) deadline.end(closed.reason)
  })

  async function tryTargets<At extends Target, Answer>(
    route: Route<At>,
    call: RoutedCall,
    callKind: CallKind,
    ask: (target: At, attempt: Attempt) => Promise<Answer>,
  ): Promise<RoutedAnswer<At, Answer>> {
    call.signal.throwIfAborted()
    const plan = planCall(rules, route, call, callKind)
    for (let target = nextTarget(plan); target; target = nextTarget(plan)) {
      closed.throwIfAborted()
      const attempt = attemptAt(plan, target)
      try {
        const entered = attempt.enter()
        if (entered === true || (entered !== false && (await entered))) {
          attempt.deadline.signal.throwIfAborted()
          call.note({ provider: target.provider.id, attempts: ++plan.attempts })
          const answer = await ask(target, attempt)
          attempt.answered()
          if (callKind.kind === 'whole') attempt.finished()
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
    attempt: (route, call, ask, request) =>
      tryTargets(
        route,
        call,
        { kind: 'whole', request, timeouts: withTimeouts(route.timeouts, timeouts) },
        (target, { deadline, providerCall }) => deadline.race(ask(target, providerCall)),
      ),
    async stream<At extends Target, Item>(
      route: Route<At>,
      call: RoutedCall,
      ask: (target: At, call: ProviderCall) => AsyncIterable<Item>,
      request?: PricedRequest,
    ) {
      const callKind = { kind: 'stream' as const, request, timeouts: withTimeouts(route.timeouts, timeouts) }
      const begin = async (target: At, { deadline, providerCall }: Attempt) => {
        const items = ask(target, providerCall)[Symbol.asyncIterator]()
        try {
          return { items, first: await deadline.race(items.next()) }
        } catch (error) {
          closeIterator(items)
          throw error
        }
      }
      const { target, attempt, plan, answer } = await tryTargets(route, call, callKind, begin)
      const fail = (error: unknown) => broken(plan, target, attempt, error)
      // At the latest when the time is up, even if nobody ever reads, or the caller has left by now.
      attempt.deadline.whenAborted(() => {
        attempt.close()
        closeIterator(answer.items)
      })
      return { target, items: restOfStream(answer, { clock, attempt, idleMs: callKind.timeouts.idleMs, fail }) }
    },
    timeFor(route) {
      const { totalMs } = withTimeouts(route.timeouts, timeouts)
      const endAt = clock.now() + totalMs
      return { endAt, isHalfOver: () => endAt - clock.now() < totalMs / 2 }
    },
    states: (provider) => states.ofProvider(provider),
  }
}

/** A stream whose first item is there. */
export interface BegunStream<Item> {
  readonly first: IteratorResult<Item, unknown>
  readonly items: AsyncIterator<Item>
}

export interface StreamWatch {
  readonly clock: Clock
  readonly attempt: Attempt
  readonly idleMs: number
  /** What the caller is told of an error. */
  readonly fail: (error: unknown) => unknown
}

/** All items, from the first: each within the idle time of the one before was asked for, all before the call's end. */
async function* restOfStream<Item>(
  { first, items }: BegunStream<Item>,
  { clock, attempt, idleMs, fail }: StreamWatch,
): AsyncGenerator<Item, void, undefined> {
  const { deadline, providerCall } = attempt
  let next = first
  try {
    while (!next.done) {
      // Nobody is idle while the reader takes its time.
      deadline.moveTo(providerCall.deadline)
      yield next.value
      deadline.signal.throwIfAborted()
      deadline.moveTo(Math.min(clock.now() + idleMs, providerCall.deadline))
      next = await deadline.race(items.next())
    }
    attempt.finished()
  } catch (error) {
    throw fail(error)
  } finally {
    attempt.close()
    if (!next.done) closeIterator(items)
  }
}

/** Ends an iterator before its end. Not awaited: one that is deaf may never settle. */
export function closeIterator(items: AsyncIterator<unknown>): void {
  void (async () => items.return?.())().catch(() => {})
}
