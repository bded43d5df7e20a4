import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { Provider } from '../../ports/provider.ts'
import type { ProviderMeter, TargetMeter } from '../../ports/provider-meter.ts'
import type { ProviderFailure } from '../../values/provider-error.ts'
import type { Bulkhead } from './bulkhead.ts'
import { type Concurrency, createBulkheads } from './bulkheads.ts'
import { type Circuit, createCircuit } from './circuit.ts'
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
  /** Null where none was; `defect` for an error that no provider should throw. */
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
    of({ provider, id }) {
      let states = providers.get(provider)
      if (!states) providers.set(provider, (states = new Map()))
      let state = states.get(id)
      if (!state) states.set(id, (state = createTargetState(provider.id, id, bulkheadOf({ provider, id }), rules)))
      return state
    },
    ofProvider: (provider) => [...(providers.get(provider)?.values() ?? [])].filter(({ calls }) => calls > 0),
  }
}

function createTargetState(
  provider: string,
  id: string,
  bulkhead: Bulkhead,
  { clock, log, meter, circuit: rules }: TargetRules,
): TargetState {
  const circuit = createCircuit({
    clock,
    ...rules,
    onOpen: () =>
      log.warn({ provider, target: id, failure: state.lastFailure }, 'a target keeps failing and is left alone'),
    onClose: () => log.warn({ provider, target: id }, 'a target that was left alone answers again'),
  })
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
