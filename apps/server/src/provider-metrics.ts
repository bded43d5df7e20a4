import type { ObservedTarget, Observer } from '@fairlead/core'
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
export function providerMetrics(registry: Registry): Observer {
  const registers = [registry]
  const labelNames = ['provider', 'target'] as const
  const labelsOf = new WeakMap<ObservedTarget, Record<(typeof labelNames)[number], string>>()
  const targets = new Set<ObservedTarget>()
  /** Targets that have labels of their own, also after a reload replaced them. */
  const labeled = new Set<string>()

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
  function gauge(name: string, help: string, valuesOf: (target: ObservedTarget) => readonly Value[]): void {
    const metric = new Gauge({
      name,
      help,
      labelNames: [...labelNames, 'state'],
      registers: [],
      collect() {
        this.reset()
        for (const target of targets) {
          for (const { value, ...more } of valuesOf(target)) this.inc({ ...labelsOf.get(target)!, ...more }, value)
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
    targetAdded(target) {
      const { provider, id } = target
      const key = `${provider}/${id}`
      if (labeled.size < maxTargets) labeled.add(key)
      labelsOf.set(target, { provider, target: labeled.has(key) ? id : otherTargets })
      targets.add(target)
    },
    targetRemoved: (target) => targets.delete(target),
    attemptStarted: ({ target }) => calls.inc(labelsOf.get(target)!),
    attemptResponded({ target, capability }, ms) {
      const kind = capability === 'streamText' ? 'stream' : 'whole'
      seconds.observe({ ...labelsOf.get(target)!, kind }, ms / 1000)
    },
    attemptEnded({ target, outcome }) {
      if (outcome !== 'ok' && outcome !== 'canceled') failures.inc({ ...labelsOf.get(target)!, failure: outcome })
    },
  }
}
