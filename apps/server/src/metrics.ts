import cluster from 'node:cluster'
import type { ProviderMeter } from '@fairlead/core'
import type { Answer } from '@fairlead/rest-adapter'
import { collectDefaultMetrics, Counter, Histogram, Registry } from 'prom-client'
import { providerMetrics } from './provider-metrics.ts'
import { clusterMetrics } from './workers/cluster-metrics.ts'

/** What Prometheus may read of this process, or of all that serve with it. No label holds an id of a record, a path that a client made up, or an address. */
export interface Metrics {
  count(answer: Answer): void
  readonly providers: ProviderMeter
  /** Counts a request whose burst limit is not shared between processes. */
  countRateLimitFallback(): void
  readonly contentType: string
  /** In the text format. */
  text(): Promise<string>
}

/** Seconds: from an answer out of memory to an image or a long text. */
const durations = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120]

export function createMetrics(): Metrics {
  const registry = new Registry()
  const registers = [registry]
  // The process's memory, handles and CPU time, and how late its event loop runs.
  collectDefaultMetrics({ register: registry })
  const requests = new Counter({
    name: 'fairlead_http_requests_total',
    help: 'Answers to HTTP requests. "aborted" counts those whose caller left before the end.',
    labelNames: ['method', 'route', 'status', 'aborted'],
    registers,
  })
  const seconds = new Histogram({
    name: 'fairlead_http_request_duration_seconds',
    help: 'From the head of a request to the last byte of its answer.',
    labelNames: ['method', 'route', 'status'],
    buckets: durations,
    registers,
  })
  const rateLimitFallbacks = new Counter({
    name: 'fairlead_rate_limit_fallbacks_total',
    help: 'Requests whose burst limit was counted by one process alone because Redis was unavailable.',
    registers,
  })
  return {
    count({ method, route, status, aborted, durationMs }) {
      requests.inc({ method, route, status, aborted: String(aborted) })
      seconds.observe({ method, route, status }, durationMs / 1000)
    },
    providers: providerMetrics(registry),
    countRateLimitFallback: () => rateLimitFallbacks.inc(),
    contentType: registry.contentType,
    text: cluster.isWorker ? clusterMetrics(registry) : () => registry.metrics(),
  }
}
