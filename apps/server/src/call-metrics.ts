import type { ObservedTarget, Observer } from '@fairlead/core'
import { Counter, Gauge, Histogram, type Registry } from 'prom-client'

/** Seconds: from the first chunk of a fast model to an image or a long text. Each adds a line per target. */
const durations = [0.1, 0.5, 1, 2.5, 10, 30, 120]
/**
 * The number of targets with separate labels. Later ones share one, so that long model lists do not grow the metrics.
 */
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
  /** Targets with separate labels, also after a reload replaced them. */
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
  const queueSeconds = new Histogram({
    name: 'fairlead_provider_queue_seconds',
    help: 'Time that calls waited in the queue of a target, in seconds. Calls that did not wait are not counted.',
    labelNames,
    buckets: durations,
    registers,
  })
  const full = new Counter({
    name: 'fairlead_provider_queue_full_total',
    help: 'Calls that found the queue of a target full, or lost their place to another account.',
    labelNames,
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
    callQueued: (target, ms) => queueSeconds.observe(labelsOf.get(target)!, ms / 1000),
    queueFull: (target) => full.inc(labelsOf.get(target)!),
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

/**
 * The number of models with separate labels. Later ones share one: a provider may accept any id that a client sends.
 */
const maxModels = 200
const otherModels = 'other'

interface Usage {
  readonly labels: { readonly provider: string; readonly model: string }
  calls: number
  cached: number
  input: number
  output: number
  cachedInput: number
  reasoning: number
  costUsd: number
}

/** Tokens and cost by model. A call adds to plain numbers; they become metrics when they are scraped. */
export function usageMetrics(registry: Registry): Observer {
  const providers = new Map<string, Map<string, Usage>>()
  let models = 0

  function findUsage(provider: string, model: string): Usage {
    let known = providers.get(provider)
    if (!known) providers.set(provider, (known = new Map()))
    let usage = known.get(model)
    if (usage) return usage
    // The calls of a provider that come too late have one entry.
    if (models >= maxModels && model !== otherModels) return findUsage(provider, otherModels)
    models++
    const labels = { provider, model }
    usage = { labels, calls: 0, cached: 0, input: 0, output: 0, cachedInput: 0, reasoning: 0, costUsd: 0 }
    known.set(model, usage)
    return usage
  }

  /** @param add adds the values of a model */
  function counter<Label extends string = never>(
    name: string,
    help: string,
    labels: readonly Label[],
    add: (metric: Counter<'provider' | 'model' | Label>, usage: Usage) => void,
  ): void {
    const metric = new Counter({
      name,
      help,
      labelNames: ['provider', 'model', ...labels],
      registers: [],
      collect() {
        this.reset()
        for (const known of providers.values()) for (const usage of known.values()) add(this, usage)
      },
    })
    registry.registerMetric(metric)
  }

  counter(
    'fairlead_model_calls_total',
    'Model calls that returned a response. cached="true" counts those that the response cache answered.',
    ['cached'],
    (metric, { labels, calls, cached }) => {
      metric.inc({ ...labels, cached: 'true' }, cached)
      metric.inc({ ...labels, cached: 'false' }, calls - cached)
    },
  )
  counter(
    'fairlead_model_tokens_total',
    'Tokens of model calls. Input includes tokens of the prompt cache of a provider, and output includes reasoning.',
    ['type'],
    (metric, { labels, input, output }) => {
      metric.inc({ ...labels, type: 'input' }, input)
      metric.inc({ ...labels, type: 'output' }, output)
    },
  )
  counter(
    'fairlead_model_cached_input_tokens_total',
    'Input tokens that a provider read from its prompt cache.',
    [],
    (metric, { labels, cachedInput }) => metric.inc(labels, cachedInput),
  )
  counter('fairlead_model_reasoning_tokens_total', 'Output tokens of reasoning.', [], (metric, { labels, reasoning }) =>
    metric.inc(labels, reasoning),
  )
  counter('fairlead_model_cost_usd_total', 'Cost of model calls, in US dollars.', [], (metric, { labels, costUsd }) =>
    metric.inc(labels, costUsd),
  )

  return {
    callEnded({ modelCall }) {
      const { provider, model, costUsd } = modelCall
      // A failed call has no cost, and may name a model that does not exist.
      if (provider === undefined || model === undefined || costUsd === undefined) return
      const usage = findUsage(provider, model)
      usage.calls++
      if (modelCall.cached) usage.cached++
      usage.costUsd += costUsd
      usage.input += modelCall.promptTokens ?? 0
      usage.output += modelCall.completionTokens ?? 0
      usage.cachedInput += modelCall.cachedPromptTokens ?? 0
      usage.reasoning += modelCall.reasoningTokens ?? 0
    },
  }
}
