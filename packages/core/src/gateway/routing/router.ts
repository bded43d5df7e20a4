import type { Clock } from '../../runtime/clock.ts'
import type { Deadlines } from '../../runtime/run/task.ts'
import type { Log } from '../../runtime/log.ts'
import type { AttemptObserver, Capability } from './attempt-observer.ts'
import { Attempt, type AttemptOwner } from './attempt.ts'
import { type EveryTimeout, type RoutingOptions, type Timeouts, defaultTimeouts } from './route-options.ts'
import type { Route, Target } from './route.ts'
import { type AttemptStream, StreamAttempt } from './stream-attempt.ts'
import { createTargetStates, type TargetStates, type RequestSize } from './targets.ts'
import { CallBudget, RoutedCall, type RoutingRules } from './routed-call.ts'

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
      concurrency: concurrency ?? {},
    })
  const budget = createRetryBudget(retries?.budget ?? 0.1)
  const rules: RoutingRules = {
    clock,
    deadlines,
    log,
    observer,
    closed,
    states,
    random,
    retries: { perTarget: retries?.perTarget ?? 2, budget },
  }

  return {
    /**
     * @param request determines the order of the targets and those that can hold it
     * @param series of a request that needs several calls
     */
    attempt: <At extends Target, Answer>(
      capability: Exclude<Capability, 'streamText'>,
      route: Route<At>,
      owner: AttemptOwner,
      run: (target: At, attempt: Attempt) => Promise<Answer>,
      request?: RequestSize,
      series?: CallBudget,
    ): Promise<{ readonly target: At; readonly answer: Answer }> =>
      tryTargets(
        new RoutedCall(rules, route, owner, capability, withTimeouts(route.timeouts, timeouts), request, series),
        openWhole,
        run,
      ),
    /** Resolves with the first item of the stream. After it, no other target is tried. */
    async stream<At extends Target, Items extends AttemptStream<unknown>>(
      route: Route<At>,
      owner: AttemptOwner,
      open: (target: At, attempt: StreamAttempt) => Items,
      request?: RequestSize,
    ): Promise<{ readonly target: At; readonly attempt: StreamAttempt; readonly items: Items }> {
      const limits = withTimeouts(route.timeouts, timeouts)
      const call = new RoutedCall(rules, route, owner, 'streamText', limits, request)
      const { target, attempt, answer } = await tryTargets(call, openStream, async (at, opened) => {
        const items = open(at, opened)
        await items.begin()
        return items
      })
      attempt.hold(answer)
      return { target, attempt, items: answer }
    },
    /** A series of calls on the route for one request. Their time starts now. */
    series: (route: Route<Target>) => new CallBudget(clock, withTimeouts(route.timeouts, timeouts).totalMs),
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

/** The attempt has all the time that is left, because a slow answer looks the same as one that never comes. */
function openWhole<At extends Target>(call: RoutedCall<At>, target: At): Attempt {
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
async function tryTargets<At extends Target, Opened extends Attempt, Answer>(
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

const maxTokens = 10

/**
 * Limits the load that retries add to a failing provider. Each call adds a share of a token to a bucket of ten, and each
 * retry takes one. So `n` calls have at most `10 + share × n` retries, at any rate of calls ("retry throttling": gRPC A6).
 *
 * @param share retries for each call, from 0 to 1; 0 allows none, not even the first ten
 */
function createRetryBudget(share: number) {
  let tokens = maxTokens
  return {
    /** Adds the share of one call. */
    earn(): void {
      tokens = Math.min(maxTokens, tokens + share)
    },
    /** Takes one token; false if there is none. */
    spend(): boolean {
      if (share === 0 || tokens < 1) return false
      tokens -= 1
      return true
    },
  }
}
