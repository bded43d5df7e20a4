import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import type { FairleadConfig } from '../define-config.ts'
import { onTestFinished } from 'vitest'
import { startTelemetry } from '../telemetry.ts'
import { runServer } from './run-server.ts'

/** The trace of the requests of `served`. */
export const traceId = '0af7651916cd43dd8448eb211c80319c'

interface Span {
  readonly name: string
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly kind: number
  readonly status: { readonly code?: number }
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[]
}

interface Point extends Pick<Span, 'attributes'> {
  readonly explicitBounds?: readonly number[]
  readonly sum?: number
  readonly asDouble?: number
  readonly asInt?: number
}

interface Metric {
  readonly name: string
  readonly histogram?: { readonly dataPoints: readonly Point[] }
  readonly sum?: { readonly dataPoints: readonly Point[] }
  readonly gauge?: { readonly dataPoints: readonly Point[] }
}

interface Resource {
  readonly resource: Pick<Span, 'attributes'>
}

/** The JSON form of OTLP, as far as the tests read it. */
interface Export {
  readonly resourceSpans?: readonly (Resource & {
    readonly scopeSpans: readonly { readonly spans: readonly Span[] }[]
  })[]
  readonly resourceMetrics?: readonly (Resource & {
    readonly scopeMetrics: readonly { readonly metrics: readonly Metric[] }[]
  })[]
  readonly resourceLogs?: readonly (Resource & {
    readonly scopeLogs: readonly { readonly logRecords: readonly LogRecord[] }[]
  })[]
}

interface LogRecord extends Pick<Span, 'attributes'> {
  readonly eventName?: string
  readonly timeUnixNano: string
}

/** An OTLP receiver on loopback. */
export async function startReceiver() {
  const bodies: { readonly body: Export }[] = []
  const headers: (string | undefined)[] = []
  const server = createServer(async (request, response) => {
    if (request.url === '/upstream') headers.push(request.headers['traceparent'] as string | undefined)
    else bodies.push({ body: (await json(request)) as Export })
    response.end('{}')
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close().closeAllConnections())
  const metrics = () =>
    bodies.flatMap(({ body }) => body.resourceMetrics ?? []).flatMap((r) => r.scopeMetrics.flatMap((s) => s.metrics))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    headers,
    text: () => JSON.stringify(bodies),
    spans: () =>
      bodies.flatMap(({ body }) => body.resourceSpans ?? []).flatMap((r) => r.scopeSpans.flatMap((s) => s.spans)),
    metrics,
    logs: () =>
      bodies.flatMap(({ body }) => body.resourceLogs ?? []).flatMap((r) => r.scopeLogs.flatMap((s) => s.logRecords)),
    points: () => metrics().flatMap(dataPoints),
    resources: () => bodies.flatMap(({ body }) => [...(body.resourceSpans ?? []), ...(body.resourceMetrics ?? [])]),
  }
}

type Receiver = Awaited<ReturnType<typeof startReceiver>>

/** The last exported values of a metric. */
export function findPoints(receiver: Receiver, name: string): readonly Point[] {
  const metric = receiver.metrics().findLast((each) => each.name === name)
  return metric ? dataPoints(metric) : []
}

function dataPoints({ histogram, sum, gauge }: Metric): readonly Point[] {
  return (histogram ?? sum ?? gauge)?.dataPoints ?? []
}

export function readAttributes({ attributes }: Pick<Span, 'attributes'>): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))
}

/** Exports to the receiver without a service, when it is closed. */
export function exportTo({ url }: Receiver) {
  return startTelemetry(
    url,
    { version: '1.0.0' },
    {
      metricExportIntervalMs: 60_000,
      metricExportTimeoutMs: 30_000,
      tracesSampler: 'always_on',
      tracesSampleRatio: 1,
    },
  )
}

/** The service, which exports to a receiver. */
export async function served(
  providers?: Parameters<typeof runServer>[1],
  environment: Record<string, string> = {},
  settings?: FairleadConfig,
) {
  const receiver = await startReceiver()
  const variables = { FAIRLEAD_ADMIN_EMAIL: 'ada@example.com', OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url }
  const server = await runServer({ ...variables, ...environment }, providers, settings)
  const post = (path: string, body: object, headers: Record<string, string> = {}) =>
    fetch(server.baseUrl + path, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${server.firstAdmin?.apiKey}`,
        'content-type': 'application/json',
        traceparent: `00-${traceId}-b7ad6b7169203331-01`,
        ...headers,
      },
      body: JSON.stringify(body),
    }).then((response) => response.text())
  return { receiver, server, post }
}
