import type { Observer } from '@fairlead/core'
import { Counter, type Registry } from 'prom-client'

/** How many models have labels of their own. Later ones share one: a provider may accept any id that a client sends. */
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

  function usageOf(provider: string, model: string): Usage {
    let known = providers.get(provider)
    if (!known) providers.set(provider, (known = new Map()))
    let usage = known.get(model)
    if (usage) return usage
    // The calls of a provider that come too late have one entry.
    if (models >= maxModels && model !== otherModels) return usageOf(provider, otherModels)
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
      const usage = usageOf(provider, model)
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
