import type { ProviderMeter, WatchedTarget } from '@fairlead/core'
import { Counter, Gauge, Histogram, type Registry } from 'prom-client'

/** Seconds: from the first chunk of a fast model to an image or a long text. Each adds a line per target. */
const durations = [0.1, 0.5, 1, 2.5, 10, 30, 120]
/** How many targets have labels of their own. Later ones share one, so that long model lists do not grow the metrics. */
const maxTargets = 200
const otherTargets = 'other'

const circuitStates = ['closed', 'open', 'half-open'] as const

interface Value {
  readonly value: number
  readonly state?: (typeof circuitStates)[number]
}

/** Metrics of calls to providers, by target. With several workers they are sums over all processes. */
export function providerMetrics(registry: Registry): ProviderMeter {
  const registers = [registry]
  const labelNames = ['provider', 'target'] as const
  const watched: { readonly labels: Record<'provider' | 'target', string>; readonly target: WatchedTarget }[] = []

  const calls = new Counter({
    name: 'fairlead_provider_calls_total',
    help: 'Calls to a target, which is a model or an analyzer of a provider. Each attempt counts.',
    labelNames,
    registers,
  })
  const failures = new Counter({
    name: 'fairlead_provider_failures_total',
    help: 'Failed calls to a target, by class of failure.',
    labelNames: [...labelNames, 'failure'],
    registers,
  })
  const seconds = new Histogram({
    name: 'fairlead_provider_answer_seconds',
    help: 'Time to the complete response, or to the first chunk of a stream, in seconds.',
    labelNames: [...labelNames, 'kind'],
    buckets: durations,
    registers,
  })

  /** A gauge that is read on each scrape, with one value per target, or one per state of a target. */
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
  gauge('fairlead_provider_calls_in_flight', 'Calls in flight to a target.', ({ bulkhead }) => [
    { value: bulkhead.inFlight },
  ])
  gauge('fairlead_provider_calls_queued', 'Calls in the queue of a target.', ({ bulkhead }) => [
    { value: bulkhead.queued },
  ])
  gauge(
    'fairlead_provider_circuits',
    'Circuit breakers of a target by state, one per process. An open one rejects every call.',
    ({ circuit }) => circuitStates.map((state) => ({ state, value: Number(circuit.state === state) })),
  )

  return {
    watch(target) {
      const labels = { provider: target.provider, target: watched.length < maxTargets ? target.id : otherTargets }
      watched.push({ labels, target })
      return {
        called: () => calls.inc(labels),
        responded: (kind, ms) => seconds.observe({ ...labels, kind }, ms / 1000),
        failed: (failure) => failures.inc({ ...labels, failure }),
      }
    },
  }
}
