import { type Clock, withTimeout } from '../../runtime/clock.ts'
import type { Log } from '../../runtime/log.ts'
import { Task, Deadlines } from '../../runtime/run/task.ts'
import { ProviderError } from '../provider-error.ts'
import type { Provider, ProviderCall } from '../provider.ts'
import { failureOf } from './provider-failure.ts'
import type { TargetState } from './targets.ts'

/** The result of a provider's last health check. */
export interface ProviderHealth {
  /** `unknown` if the provider has no health check. */
  readonly status: 'up' | 'down' | 'unknown'
  /** Milliseconds since the epoch; absent if the provider was not checked. */
  readonly checkedAt?: number
  /** Why the provider is down. */
  readonly failure?: TargetState['lastFailure']
}

const cacheMs = 10_000
const checkTimeoutMs = 5_000

export type HealthChecks = ReturnType<typeof createHealthChecks>

/**
 * Health checks of providers. Results are cached for ten seconds.
 *
 * @param closed once aborted, no provider is called
 */
export function createHealthChecks(clock: Clock, log: Log, closed: AbortSignal) {
  const checks = new WeakMap<Provider, { readonly at: number; readonly health: Promise<ProviderHealth> }>()
  return {
    /** Never rejects. */
    async of(provider: Provider): Promise<ProviderHealth> {
      if (!provider.health || closed.aborted) return { status: 'unknown' }
      const last = checks.get(provider)
      if (last && Math.abs(clock.now() - last.at) < cacheMs) return last.health
      const health = check(provider, clock, log)
      checks.set(provider, { at: clock.now(), health })
      return health
    },
  }
}

async function check(provider: Provider, clock: Clock, log: Log): Promise<ProviderHealth> {
  const checkedAt = clock.now()
  try {
    const purpose = `health of ${provider.id}`
    await callWithTimeout((call) => provider.health?.(call), { purpose, ms: checkTimeoutMs, clock })
    return { status: 'up', checkedAt }
  } catch (error) {
    log.warn({ provider: provider.id, error }, 'health check failed')
    return { status: 'down', checkedAt, failure: failureOf(error) }
  }
}

/** Calls a provider outside of any request. Its signal aborts when the time is up. */
export async function callWithTimeout<Result>(
  run: (call: ProviderCall) => Result | Promise<Result>,
  { purpose, ms, clock }: { readonly purpose: string; readonly ms: number; readonly clock: Clock },
): Promise<Result> {
  const deadlines = new Deadlines(clock)
  const task = new Task()
  const timeout = deadlines.after(ms, () => task.abort(new ProviderError('timeout', `no response within ${ms} ms`)))
  const call = { signal: task.openSignal(), deadline: clock.now() + ms, requestId: purpose }
  try {
    // The async function turns a synchronous throw into a rejection.
    return await task.race((async () => run(call))())
  } finally {
    deadlines.remove(timeout)
  }
}

/** Long enough to load a large model file. */
const warmUpTimeoutMs = 60_000
const closeTimeoutMs = 5_000

/** Lets a provider load what its first request needs. Logs an error instead of rejecting, unless `closed` ended it. */
export function warmUp(provider: Provider, clock: Clock, log: Log, closed: AbortSignal): Promise<void> {
  return withTimeout(() => provider.warmUp?.(), warmUpTimeoutMs, clock).catch((error: unknown) => {
    if (!closed.aborted) log.warn({ provider: provider.id, error }, 'warming up a provider failed')
  })
}

/** Closes a provider. Logs an error instead of rejecting, and never hangs. */
export function closeProvider(provider: Provider, clock: Clock, log: Log): Promise<void> {
  return withTimeout(() => provider.close?.(), closeTimeoutMs, clock).catch((error: unknown) => {
    log.warn({ provider: provider.id, error }, 'closing a provider failed')
  })
}
