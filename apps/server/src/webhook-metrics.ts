import type { DeliveryQueue, Observer } from '@fairlead/core'
import { Counter, Gauge, Histogram, type Registry } from 'prom-client'

/** Seconds: from a local receiver to the timeout. */
const durations = [0.05, 0.25, 1, 5, 15]

/** Metrics of webhooks. All processes see the same queue, so with several workers the gauges are not added up. */
export function webhookMetrics(registry: Registry): Observer {
  const registers = [registry]
  const attempts = new Counter({
    name: 'fairlead_webhook_attempts_total',
    help: 'Attempts to deliver an event. outcome="retried" counts failures with another attempt, "failed" the last ones.',
    labelNames: ['outcome'],
    registers,
  })
  const seconds = new Histogram({
    name: 'fairlead_webhook_attempt_seconds',
    help: 'Duration of attempts to deliver an event, in seconds.',
    buckets: durations,
    registers,
  })
  const disabled = new Counter({
    name: 'fairlead_webhooks_disabled_total',
    help: 'Webhooks that the service disabled, by reason.',
    labelNames: ['reason'],
    registers,
  })
  const dropped = new Counter({
    name: 'fairlead_webhook_dropped_total',
    help: 'Oldest pending deliveries that failed, and oldest events that were removed, because there were too many.',
    labelNames: ['kind'],
    registers,
  })
  return {
    deliveryAttempted(outcome, durationMs) {
      attempts.inc({ outcome })
      seconds.observe(durationMs / 1000)
    },
    webhookDisabled: (reason) => disabled.inc({ reason }),
    webhookDataDropped: (kind, count) => dropped.inc({ kind }, count),
    deliveriesOpened(read) {
      let reading: Promise<DeliveryQueue | undefined> | undefined
      /** One query for all gauges of a scrape. Undefined while the store is unavailable. */
      const readOnce = () =>
        (reading ??= read()
          .catch(() => undefined)
          .finally(() => (reading = undefined)))
      const gauge = (name: string, help: string, valueOf: (queue: DeliveryQueue) => number) =>
        registry.registerMetric(
          new Gauge({
            name,
            help,
            aggregator: 'max',
            registers: [],
            async collect() {
              const queue = await readOnce()
              if (queue) this.set(valueOf(queue))
              else this.remove()
            },
          }),
        )
      gauge(
        'fairlead_webhook_deliveries_pending',
        'Deliveries that wait for their next attempt.',
        ({ pending }) => pending,
      )
      gauge(
        'fairlead_webhook_queue_age_seconds',
        'How long the oldest due delivery has waited, in seconds.',
        ({ overdueMs }) => overdueMs / 1000,
      )
      gauge(
        'fairlead_webhooks_disabled',
        'Webhooks that the service disabled and their owners did not enable again.',
        ({ disabledWebhooks }) => disabledWebhooks,
      )
    },
  }
}
