import type { Clock } from '../../runtime/clock.ts'
import type { Deadlines } from '../../runtime/run/deadlines.ts'
import type { Log } from '../../runtime/log.ts'
import type { AttemptObserver, Capability } from './attempt-observer.ts'
import type { Attempt, Owner } from './attempt.ts'
import type { RequestSize } from './order-targets.ts'
import { createRetryBudget } from './retry.ts'
import { type EveryTimeout, type RoutingOptions, type Timeouts, defaultTimeouts } from './route-options.ts'
import type { Route, Target } from './route.ts'
import type { AttemptStream, StreamAttempt } from './stream-attempt.ts'
import { createTargetStates, type TargetStates } from './targets.ts'
import { CallBudget, type RoutingRules, RoutedCall, openStream, openWhole, tryTargets } from './try-targets.ts'

export interface RouterOptions extends Pick<RoutingOptions, 'timeouts' | 'retries' | 'circuit' | 'concurrency'> {
  readonly clock: Clock
  readonly deadlines: Deadlines
  readonly log: Log
  readonly observer: AttemptObserver
  /** Aborts when core closes. Its reason is the error of the calls in flight. */
  readonly closed: AbortSignal
  /** From 0 to 1. */
  readonly random: () => number
  /** How many tokens models that reason write, until it is measured. */
  readonly tokensPerSecond?: number | undefined
  /** The states of targets that outlive another router. Default: none. */
  readonly targets?: TargetStates | undefined
}

export type Router = ReturnType<typeof createRouter>

/** Calls the targets of a route until one succeeds. Throws `FairleadError`, never a provider's error. */
export function createRouter({ clock, deadlines, log, observer, closed, random, ...options }: RouterOptions) {
  const { retries, circuit, concurrency, tokensPerSecond } = options
  const timeouts = withTimeouts(options.timeouts, defaultTimeouts)
  const states =
    options.targets ??
    createTargetStates({
      clock,
      log,
      observer,
      tokensPerSecond,
      circuit: { failures: circuit?.failures ?? 5, openMs: circuit?.openMs ?? 10_000 },
      concurrency: {
        perTarget: concurrency?.perTarget ?? 1_000,
        queue: concurrency?.queue ?? 1_000,
        accountShare: concurrency?.accountShare ?? 0.8,
      },
    })
  const budget = createRetryBudget(retries?.budget ?? 0.1)
  const retryRules = { perTarget: retries?.perTarget ?? 2, budget, random }
  const rules: RoutingRules = { clock, deadlines, log, observer, closed, states, random, retries: retryRules }

  const limitsOf = (route: Route<Target>) => withTimeouts(route.timeouts, timeouts)

  return {
    /**
     * @param request determines the order of the targets and those that can hold it
     * @param series of a request that needs several calls
     */
    attempt: <At extends Target, Answer>(
      capability: Exclude<Capability, 'streamText'>,
      route: Route<At>,
      owner: Owner,
      run: (target: At, attempt: Attempt) => Promise<Answer>,
      request?: RequestSize,
      series?: CallBudget,
    ): Promise<{ readonly target: At; readonly answer: Answer }> =>
      tryTargets(new RoutedCall(rules, route, owner, capability, limitsOf(route), request, series), openWhole, run),
    /** Resolves with the first item of the stream. After it, no other target is tried. */
    async stream<At extends Target, Item>(
      route: Route<At>,
      owner: Owner,
      open: (target: At, attempt: StreamAttempt) => AttemptStream<Item>,
      request?: RequestSize,
    ): Promise<{ readonly target: At; readonly items: AttemptStream<Item> }> {
      const call = new RoutedCall(rules, route, owner, 'streamText', limitsOf(route), request, undefined)
      const { target, attempt, answer } = await tryTargets(call, openStream, async (at, opened) => {
        const items = open(at, opened)
        await items.begin()
        return items
      })
      attempt.hold(answer)
      return { target, items: answer }
    },
    /** A series of calls on the route for one request. Their time starts now. */
    series: (route: Route<Target>) => new CallBudget(clock, limitsOf(route).totalMs),
    /** The targets of a provider that were called. */
    states: states.ofProvider,
    /** The states of all targets. */
    targets: states,
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
