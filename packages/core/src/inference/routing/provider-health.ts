import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { Provider } from '../../ports/provider.ts'
import { askInTime } from './ask-in-time.ts'
import { failureOf } from './attempt.ts'
import type { TargetState } from './target-states.ts'

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
    await askInTime((call) => provider.health?.(call), { what: `health of ${provider.id}`, ms: patienceMs, clock })
    return { status: 'up', checkedAt }
  } catch (error) {
    log.warn({ provider: provider.id, error }, 'a provider is not well')
    return { status: 'down', checkedAt, failure: failureOf(error) }
  }
}
