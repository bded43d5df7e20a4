import type { AccessLogRecord, ObservedAttempt, Observer, DeliveryQueue } from '@fairlead/core'
import type { Stores } from '@fairlead/storage'
import type { Attributes, Meter } from '@opentelemetry/api'
import { providerName } from './gen-ai-attributes.ts'

/** Seconds. The boundaries of the conventions, as are the others. */
const requestDurations = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]
const callDurations = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92]
const tokenCounts = Array.from({ length: 14 }, (_, power) => 4 ** power)
/** From a local receiver to the timeout, as the metrics for Prometheus have them. */
const deliveryDurations = [0.05, 0.25, 1, 5, 15]

/** The measurements for an OTLP endpoint. No attribute has an id of a record. */
export function telemetryMetrics(meter: Meter) {
  const histogram = (name: string, unit: string, description: string, explicitBucketBoundaries: number[]) =>
    meter.createHistogram(name, { description, unit, advice: { explicitBucketBoundaries } })
  const ofCalls = (kind: 'inference' | 'embeddings') => ({
    duration: histogram(`gen_ai.client.${kind}.duration`, 's', 'Duration of calls of providers.', callDurations),
    inputTokens: histogram(
      `gen_ai.client.${kind}.operation.input_tokens`,
      '{token}',
      'Input tokens of a call.',
      tokenCounts,
    ),
  })
  const usage = (name: string, description: string) =>
    meter.createCounter(`gen_ai.client.inference.usage.${name}`, { description, unit: '{token}' })

  const requests = histogram('http.server.request.duration', 's', 'Duration of HTTP requests.', requestDurations)
  const inference = ofCalls('inference')
  const embeddings = ofCalls('embeddings')
  const firstChunk = histogram(
    'gen_ai.client.inference.time_to_first_chunk',
    's',
    'Time to the first chunk of a streamed response.',
    callDurations,
  )
  const outputTokens = histogram(
    'gen_ai.client.inference.operation.output_tokens',
    '{token}',
    'Output tokens of a call.',
    tokenCounts,
  )
  const input = usage('input_tokens', 'Input tokens, including those of caches.')
  const output = usage('output_tokens', 'Output tokens, including reasoning.')
  const cacheRead = usage('cache_read.input_tokens', 'Input tokens that a provider read from its cache.')
  const cacheWrite = usage('cache_write.input_tokens', 'Input tokens that a provider wrote to its cache.')
  const reasoning = usage('reasoning.output_tokens', 'Output tokens of reasoning.')
  const cost = meter.createCounter('fairlead.client.cost', { description: 'Cost of model calls.', unit: 'USD' })
  const deliveries = histogram(
    'fairlead.webhook.attempt.duration',
    's',
    'Duration of attempts to deliver an event.',
    deliveryDurations,
  )

  const observer: Observer = {
    callEnded({ modelCall: { provider, model, costUsd } }) {
      if (!costUsd || provider === undefined) return
      cost.add(costUsd, { 'gen_ai.provider.name': providerName(provider), 'gen_ai.request.model': model })
    },
    deliveryAttempted(outcome, durationMs) {
      deliveries.record(durationMs / 1000, { 'fairlead.webhook.outcome': outcome })
    },
    deliveriesOpened: (read) => observeQueue(meter, read),
  }

  return {
    observer,
    requestEnded: ({ durationMs }: AccessLogRecord, attributes: Attributes) =>
      requests.record(durationMs / 1000, attributes),
    firstChunk: (seconds: number, attributes: Attributes) => firstChunk.record(seconds, attributes),
    /** @param failure the attribute of a failed call */
    attemptEnded(
      seconds: number,
      { capability, answer }: ObservedAttempt,
      attributes: Attributes,
      failure: Attributes,
    ) {
      const { duration, inputTokens } = capability === 'embed' ? embeddings : inference
      duration.record(seconds, { ...attributes, ...failure })
      const tokens = answer?.usage
      const promptTokens = tokens?.promptTokens ?? answer?.promptTokens
      if (promptTokens !== undefined) inputTokens.record(promptTokens, attributes)
      // The conventions count what embeddings use in no other way.
      if (capability === 'embed') return
      // Providers do not say which tokens belong to images.
      const counted = { ...attributes, 'gen_ai.token.modality': 'unknown' }
      if (promptTokens !== undefined) input.add(promptTokens, counted)
      if (!tokens) return
      outputTokens.record(tokens.completionTokens, attributes)
      output.add(tokens.completionTokens, counted)
      if (tokens.cachedPromptTokens) cacheRead.add(tokens.cachedPromptTokens, counted)
      if (tokens.cacheWriteTokens) cacheWrite.add(tokens.cacheWriteTokens, counted)
      if (tokens.reasoningTokens) reasoning.add(tokens.reasoningTokens, counted)
    },
    observeConnections: (connections: NonNullable<Stores['connections']>) => observePool(meter, connections),
  }
}

function observePool(meter: Meter, connections: NonNullable<Stores['connections']>): void {
  const pool = { 'db.client.connection.pool.name': 'postgresql' }
  const gauge = (name: string, unit: string, description: string) =>
    meter.createObservableUpDownCounter(`db.client.connection.${name}`, { description, unit })
  const count = gauge('count', '{connection}', 'Connections to PostgreSQL.')
  const max = gauge('max', '{connection}', 'The maximum number of connections to PostgreSQL.')
  const pending = gauge('pending_requests', '{request}', 'Calls that wait for a connection to PostgreSQL.')
  meter.addBatchObservableCallback(
    (result) => {
      const { inUse, idle, waiting, max: limit } = connections()
      result.observe(count, inUse, { ...pool, 'db.client.connection.state': 'used' })
      result.observe(count, idle, { ...pool, 'db.client.connection.state': 'idle' })
      result.observe(max, limit, pool)
      result.observe(pending, waiting, pool)
    },
    [count, max, pending],
  )
}

/** One query for each export. Nothing is exported while the store is unavailable. */
function observeQueue(meter: Meter, read: () => Promise<DeliveryQueue>): void {
  const pending = meter.createObservableGauge('fairlead.webhook.deliveries.pending', {
    description: 'Deliveries that wait for their next attempt.',
    unit: '{delivery}',
  })
  const age = meter.createObservableGauge('fairlead.webhook.queue.age', {
    description: 'How long the oldest due delivery has waited.',
    unit: 's',
  })
  meter.addBatchObservableCallback(
    async (result) => {
      const queue = await read().catch(() => undefined)
      if (!queue) return
      result.observe(pending, queue.pending)
      result.observe(age, queue.overdueMs / 1000)
    },
    [pending, age],
  )
}
