import { type Clock, withTimeout } from '../../runtime/clock.ts'
import { setDeadline } from '../../runtime/deadline.ts'
import type { Log } from '../../runtime/log.ts'
import { ProviderError } from '../provider-error.ts'
import type { Provider, ProviderCall } from '../provider.ts'
import { failureOf } from './attempt.ts'
import type { TargetState } from './targets.ts'

/** What a provider said when it was last asked how it is. */
export interface ProviderHealth {
  /** `unknown` where it has no way to say. */
  readonly status: 'up' | 'down' | 'unknown'
  /** In milliseconds since the epoch; undefined where it was not asked. */
  readonly checkedAt?: number
  /** Why it is down. */
  readonly failure?: TargetState['lastFailure']
}

/** Asks providers how they are; one that was asked within ten seconds is not asked again, and none once `closed` aborts. */
export interface HealthChecks {
  /** Never rejects. */
  of(provider: Provider): Promise<ProviderHealth>
}

const fresh = 10_000
const patienceMs = 5_000

export function createHealthChecks(clock: Clock, log: Log, closed: AbortSignal): HealthChecks {
  const checks = new Map<Provider, { readonly at: number; readonly health: Promise<ProviderHealth> }>()
  return {
    async of(provider) {
      if (!provider.health || closed.aborted) return { status: 'unknown' }
      const last = checks.get(provider)
      if (last && Math.abs(clock.now() - last.at) < fresh) return last.health
      const health = check(provider, clock, log)
      checks.set(provider, { at: clock.now(), health })
      return health
    },
  }
}

async function check(provider: Provider, clock: Clock, log: Log): Promise<ProviderHealth> {
  const checkedAt = clock.now()
  try {
    await callWithTimeout((call) => provider.health?.(call), {
      what: `health of ${provider.id}`,
      ms: patienceMs,
      clock,
    })
    return { status: 'up', checkedAt }
  } catch (error) {
    log.warn({ provider: provider.id, error }, 'a provider is not well')
    return { status: 'down', checkedAt, failure: failureOf(error) }
  }
}

const neverAborted = new AbortController().signal

/** What is asked of a provider for no caller, so long and no longer: the provider is told when the time is up. */
export async function callWithTimeout<Answer>(
  ask: (call: ProviderCall) => Answer | Promise<Answer>,
  { what, ms, clock }: { readonly what: string; readonly ms: number; readonly clock: Clock },
): Promise<Answer> {
  const late = () => new ProviderError('timeout', `no answer within ${ms} ms`)
  const deadline = setDeadline(clock, ms, neverAborted, late)
  const call = { signal: deadline.signal, deadline: deadline.at, requestId: what }
  try {
    // An async function: one that throws before it returns rejects as well.
    return await deadline.race((async () => ask(call))())
  } finally {
    deadline.clear()
  }
}

/** A large model file takes its time; a provider that never settles may not keep the service from starting. */
const warmUpPatienceMs = 60_000
const closePatienceMs = 5_000

/** Has a provider load what its first request would otherwise wait for. Never rejects: the log says what went wrong. */
export async function warmUp(provider: Provider, clock: Clock, log: Log): Promise<void> {
  try {
    await withTimeout(() => provider.warmUp?.(), warmUpPatienceMs, clock)
  } catch (error) {
    log.warn({ provider: provider.id, error }, 'the provider could not warm up')
  }
}

/** Has a provider let go of what it holds. Never rejects, and never hangs. */
export async function closeProvider(provider: Provider, clock: Clock, log: Log): Promise<void> {
  try {
    await withTimeout(() => provider.close?.(), closePatienceMs, clock)
  } catch (error) {
    log.warn({ provider: provider.id, error }, 'the provider could not close')
  }
}
