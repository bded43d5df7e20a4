import cluster, { type Worker } from 'node:cluster'
import { AggregatorRegistry, type Registry } from 'prom-client'

const metricsRequest = 'fairlead: metrics of all workers'

interface MetricsResponse {
  readonly metrics: string
}

/** Lets workers request the sum of the metrics of all workers. */
export function answerMetrics(): void {
  const all = new AggregatorRegistry()
  cluster.on('message', (worker: Worker, message: unknown) => {
    if (message !== metricsRequest) return
    all.clusterMetrics().then(
      // The worker may have exited meanwhile.
      (metrics) => worker.send({ metrics } satisfies MetricsResponse, () => {}),
      () => {},
    )
  })
}

/** How long the primary process may take, in milliseconds. After that a worker returns its own metrics. */
const timeoutMs = 6_000

/** The sum of the metrics of all workers, requested from the primary process. */
export function clusterMetrics(own: Registry): () => Promise<string> {
  AggregatorRegistry.setRegistries([own])
  // It responds when the primary process collects the metrics.
  void new AggregatorRegistry()
  let pending: Promise<string> | undefined
  return () =>
    (pending ??= requestMetrics()
      .catch(() => own.metrics())
      .finally(() => (pending = undefined)))
}

function requestMetrics(): Promise<string> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => settle(() => reject(new Error('the primary process did not respond'))), timeoutMs)
    const onMessage = (message: unknown) => {
      if (isMetricsResponse(message)) settle(() => resolve(message.metrics))
    }
    function settle(act: () => void): void {
      clearTimeout(timer)
      process.off('message', onMessage)
      act()
    }
    process.on('message', onMessage)
    process.send?.(metricsRequest)
  })
}

function isMetricsResponse(message: unknown): message is MetricsResponse {
  return typeof message === 'object' && message !== null && 'metrics' in message && typeof message.metrics === 'string'
}
