import cluster from 'node:cluster'
import { createServer, type Server } from 'node:http'
import { type Observer, read } from '@fairlead/core'
import { bearerCredentials, possibleErrors, type FairleadCore } from '@fairlead/core/adapter'
import type { Page } from '@fairlead/rest-adapter'
import { collectDefaultMetrics, Counter, Histogram, type Metric, Registry } from 'prom-client'
import * as z from 'zod'
import { providerMetrics, usageMetrics } from './call-metrics.ts'
import { processMetrics } from './process-metrics.ts'
import { webhookMetrics } from './webhook-metrics.ts'
import { clusterMetrics } from './workers/cluster-metrics.ts'

/**
 * The metrics of this process, or of all workers, for Prometheus. No label holds an id, an address, or a path chosen by
 * a client.
 */
export type Metrics = Readonly<ReturnType<typeof createMetrics>>

/** Seconds: from a response out of memory to an image or a long text. Each adds a line per route and status. */
const durations = [0.01, 0.05, 0.25, 1, 5, 30, 120]

export interface MetricsOptions {
  /** The version of the service. Default: `0.0.0`. */
  readonly version?: string
  /** Log lines that could not be written so far. Default: none. */
  droppedLogLines?(): number
}

export function createMetrics({ version = '0.0.0', droppedLogLines = () => 0 }: MetricsOptions = {}) {
  const registry = new Registry()
  const registers = [registry]
  for (const metric of metricsOfNode()) registry.registerMetric(metric)
  const requests = new Counter({
    name: 'fairlead_http_requests_total',
    help: 'HTTP requests. aborted="true" counts those whose client disconnected before the end of the response.',
    labelNames: ['method', 'route', 'status', 'aborted'],
    registers,
  })
  const seconds = new Histogram({
    name: 'fairlead_http_request_duration_seconds',
    help: 'Time from the headers of a request to the last byte of its response, in seconds.',
    labelNames: ['method', 'route', 'status'],
    buckets: durations,
    registers,
  })
  const errors = new Counter({
    name: 'fairlead_http_errors_total',
    help: 'HTTP responses with an error, by its code. Over GraphQL, the first error counts.',
    labelNames: ['code'],
    registers,
  })
  const rateLimitFallbacks = new Counter({
    name: 'fairlead_rate_limit_fallbacks_total',
    help: 'Requests whose burst limit was counted per process because Redis was unavailable.',
    registers,
  })
  const deferredCharges = new Counter({
    name: 'fairlead_deferred_charges_total',
    help: 'Reads that were answered before their unit was charged because the database could not be written.',
    registers,
  })
  const ended = new Counter({
    name: 'fairlead_calls_ended_by_stop_total',
    help: 'Calls that a stop ended, because they took longer than FAIRLEAD_DRAIN_TIMEOUT.',
    registers,
  })
  const dropped = new Counter({
    name: 'fairlead_log_lines_dropped_total',
    help: 'Log lines that could not be written, because nobody reads them or the disk is full.',
    registers,
    collect() {
      dropped.reset()
      dropped.inc(droppedLogLines())
    },
  })
  const observer: Observer = {
    ...providerMetrics(registry),
    ...webhookMetrics(registry),
    ...usageMetrics(registry),
    requestEnded({ method, route: path, status, code, aborted, durationMs }) {
      const route = path.replace(versionPrefix, '')
      requests.inc({ method, route, status, aborted: String(aborted) })
      seconds.observe({ method, route, status }, durationMs / 1000)
      if (code !== undefined) errors.inc({ code })
    },
    rateLimiterFellBack: () => rateLimitFallbacks.inc(),
    chargeDeferred: () => deferredCharges.inc(),
  }
  return {
    ...processMetrics(registry, version),
    observer,
    callsEnded: (count: number) => ended.inc(count),
    contentType: registry.contentType,
    /** In the text format. */
    text: cluster.isWorker ? clusterMetrics(registry) : () => registry.metrics(),
  }
}

let ofNode: Registry | undefined

/** Memory, event loop, and garbage collections. Created once per process, because prom-client never ends what it observes. */
function metricsOfNode() {
  if (!ofNode) {
    ofNode = new Registry()
    collectDefaultMetrics({ register: ofNode })
  }
  // The types of prom-client describe the values of metrics, but these are the metrics themselves.
  return ofNode.getMetricsAsArray() as unknown as readonly Metric[]
}

/** Every operation answers under three prefixes; a series for each would triple the size of the metrics. */
const versionPrefix = /^(?:\/api)?\/v1(?=\/)/

/** Used only for its access check. */
const readMetrics = read({
  name: 'metrics',
  summary: 'Returns the metrics of the service for Prometheus.',
  access: { scope: 'usage', role: 'admin' },
  metered: false,
  input: z.strictObject({}),
  output: z.strictObject({}),
  run: async () => ({}),
})

/** The operation has no input, and acts for no project. */
const notOfMetrics: readonly string[] = ['INVALID_REQUEST', 'NOT_FOUND', 'INTERNAL_ERROR']

/** `GET /metrics`, which requires the API key of an admin. */
export function metricsPage(core: FairleadCore, metrics: Metrics): Page {
  return {
    path: '/metrics',
    description: {
      operationId: readMetrics.name,
      exempt: true,
      summary: readMetrics.summary,
      description: 'Needs the scope `usage`. For users of the role `admin`. Free of charge.',
      secured: true,
      errors: possibleErrors(readMetrics).filter((code) => !notOfMetrics.includes(code)),
      responses: {
        200: {
          description: 'Metrics in the text format of Prometheus.',
          content: { 'text/plain': { schema: { type: 'string' } } },
        },
      },
    },
    async respond({ request, requestId }) {
      const credentials = bearerCredentials(request.headers.authorization)
      const reply = await core.run(readMetrics, credentials, {}, { requestId })
      return reply.success ? { status: 200, headers: responseHeaders(metrics), body: await metrics.text() } : reply
    },
  }
}

/** `GET /metrics` on a separate address that must not be public, because it requires no API key. */
export function metricsServer(metrics: Metrics): Server {
  return createServer(async (request, response) => {
    const found = request.url === '/metrics' && (request.method === 'GET' || request.method === 'HEAD')
    response.writeHead(found ? 200 : 404, responseHeaders(metrics))
    response.end(found && request.method === 'GET' ? await metrics.text() : undefined)
  })
}

function responseHeaders({ contentType }: Metrics): Record<string, string> {
  return { 'Content-Type': contentType, 'Cache-Control': 'no-store' }
}
