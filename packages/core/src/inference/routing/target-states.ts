import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { Provider } from '../../ports/provider.ts'
import type { ProviderMeter, TargetMeter } from '../../ports/provider-meter.ts'
import type { ProviderFailure } from '../../values/provider-error.ts'
import type { Bulkhead } from './bulkhead.ts'
import { type Concurrency, createBulkheads } from './bulkheads.ts'
import { alwaysClosed, type Circuit, createCircuit } from './circuit.ts'
import { createLatencyMeter, type LatencyMeter } from './latency-meter.ts'
import type { Target } from '../route.ts'

/** Whether a call waits for a whole answer or for its first piece: they take different times. */
export type AnswerKind = 'whole' | 'stream'

/** What is known of one target since the process began. */
export interface TargetState {
  readonly id: string
  readonly circuit: Circuit
  /** Shared with the targets of the same capacity. */
  readonly bulkhead: Bulkhead
  readonly latency: Readonly<Record<AnswerKind, LatencyMeter>>
  readonly meter: TargetMeter
  /** How often it was asked. */
  calls: number
  failures: number
  /** Null where none was; `defect` for a bug of the provider. */
  lastFailure: ProviderFailure | 'defect' | null
}

/** Remembers each target that a call came by, whichever registry it came from. */
export interface TargetStates {
  of(target: Target): TargetState
  /** Those of a provider that were asked. */
  ofProvider(provider: Provider): readonly TargetState[]
}

export interface TargetRules {
  readonly clock: Clock
  readonly log: Log
  readonly meter: ProviderMeter
  readonly circuit: { readonly failures: number; readonly openMs: number }
  readonly concurrency: Concurrency
}

export function createTargetStates(rules: TargetRules): TargetStates {
  const providers = new Map<Provider, Map<string, TargetState>>()
  const bulkheadOf = createBulkheads(rules.concurrency)
  return {
    of(target) {
      const { provider, id } = target
      let states = providers.get(provider)
      if (!states) providers.set(provider, (states = new Map()))
      let state = states.get(id)
      if (!state) states.set(id, (state = createTargetState(target, bulkheadOf({ provider, id }), rules)))
      return state
    },
    ofProvider: (provider) => [...(providers.get(provider)?.values() ?? [])].filter(({ calls }) => calls > 0),
  }
}

function createTargetState(
  { provider: { id: provider }, id, model }: Target,
  bulkhead: Bulkhead,
  { clock, log, meter, circuit: rules }: TargetRules,
): TargetState {
  const onOpen = (account: string | undefined) => {
    const facts = { provider, target: id, failure: state.lastFailure, ...(account !== undefined && { account }) }
    log.warn(facts, 'circuit breaker opened')
  }
  const onClose = () => log.warn({ provider, target: id }, 'circuit breaker closed')
  const circuit = model?.testDouble ? alwaysClosed : createCircuit({ clock, ...rules, onOpen, onClose })
  const state: TargetState = {
    id,
    circuit,
    bulkhead,
    meter: meter.watch({ provider, id, circuit, bulkhead }),
    latency: { whole: createLatencyMeter(clock), stream: createLatencyMeter(clock) },
    calls: 0,
    failures: 0,
    lastFailure: null,
  }
  return state
}
