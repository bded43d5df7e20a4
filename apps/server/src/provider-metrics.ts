import type { ProviderMeter, WatchedTarget } from '@fairlead/core'
import { Counter, Gauge, Histogram, type Registry } from 'prom-client'

/** Seconds: from a first piece out of a cache to an image or a long text. */
const durations = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120]
/** So many targets have a label of their own; those that are asked later share one, whatever lists of models grow to. */
const mostTargets = 200
const theOthers = 'other'

const circuitStates = ['closed', 'open', 'half-open'] as const

interface Value {
  readonly value: number
  readonly state?: (typeof circuitStates)[number]
}

/** What became of calls of providers, by target; in a cluster the sums of all processes. */
export function providerMetrics(registry: Registry): ProviderMeter {
  const registers = [registry]
  const labelNames = ['provider', 'target'] as const
  const watched: { readonly labels: Record<'provider' | 'target', string>; readonly target: WatchedTarget }[] = []

  const calls = new Counter({
    name: 'fairlead_provider_calls_total',
    help: 'Calls of a target: a model or an analyzer of a provider. Each attempt is one.',
    labelNames,
    registers,
  })
  const failures = new Counter({
    name: 'fairlead_provider_failures_total',
    help: 'Calls that a target failed, by the class of the failure.',
    labelNames: [...labelNames, 'failure'],
    registers,
  })
  const seconds = new Histogram({
    name: 'fairlead_provider_answer_seconds',
    help: 'From a call to the whole answer, or to the first piece of a stream.',
    labelNames: [...labelNames, 'kind'],
    buckets: durations,
    registers,
  })

  /** A gauge that is read when it is asked for: of each target one value, or one for each of its states. */
  function gauge(name: string, help: string, valuesOf: (target: WatchedTarget) => readonly Value[]): void {
    const metric = new Gauge({
      name,
      help,
      labelNames: [...labelNames, 'state'],
      registers: [],
      collect() {
        this.reset()
        for (const { labels, target } of watched) {
          for (const { value, ...more } of valuesOf(target)) this.inc({ ...labels, ...more }, value)
        }
      },
    })
    registry.registerMetric(metric)
  }
  gauge('fairlead_provider_calls_in_flight', 'Calls that a target works on.', ({ bulkhead }) => [
    { value: bulkhead.inFlight },
  ])
  gauge('fairlead_provider_calls_queued', 'Calls that wait for a target.', ({ bulkhead }) => [
    { value: bulkhead.queued },
  ])
  gauge(
    'fairlead_provider_circuits',
    'Circuits of a target in each state, one a process. An open one lets no call through.',
    ({ circuit }) => circuitStates.map((state) => ({ state, value: Number(circuit.state === state) })),
  )

  return {
    watch(target) {
      const labels = { provider: target.provider, target: watched.length < mostTargets ? target.id : theOthers }
      watched.push({ labels, target })
      return {
        asked: () => calls.inc(labels),
        answered: (kind, ms) => seconds.observe({ ...labels, kind }, ms / 1000),
        failed: (failure) => failures.inc({ ...labels, failure }),
      }
    },
  }
}
