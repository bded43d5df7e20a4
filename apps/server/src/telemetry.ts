import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { ServerResponse } from 'node:http'
import type { ObservedAttempt, Observer } from '@fairlead/core'
import type { Stores } from '@fairlead/storage'
import { shownPath } from '@fairlead/http'
import {
  type Attributes,
  type Context,
  type Span,
  SpanKind,
  SpanStatusCode,
  ROOT_CONTEXT,
  trace,
} from '@opentelemetry/api'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { RequestHandler } from 'express'
import type { Config } from './config.ts'
import {
  attemptAttributes,
  callAttributes,
  callerAttributes,
  errorType,
  requestAttributes,
  responseAttributes,
  serverAttributes,
} from './gen-ai-attributes.ts'
import { monitoringRoutes } from './logging.ts'
import { otelResource } from './otel-resource.ts'
import { telemetryMetrics } from './telemetry-metrics.ts'

/** Spans and metrics for an OTLP endpoint, without prompts, results, secrets, or messages of errors. */
export interface Telemetry {
  /** Starts a server span for each request but probes, as a child of the span in its `traceparent` header. */
  readonly middleware: RequestHandler
  /** Adds a span and metrics to each call of a provider, and a `traceparent` header to its HTTP requests. */
  readonly observer: Observer
  /** Exports the connections to the database, too. */
  observeConnections(connections: NonNullable<Stores['connections']>): void
  /** The trace and span of the request with this response, or else of the running work, for a log line. */
  logFields(response?: ServerResponse): { readonly trace_id?: string; readonly span_id?: string }
  /** Exports what is pending. */
  close(): Promise<void>
}

/** The context that code runs in. */
interface Scope {
  readonly context: Context
  /** Undefined outside of a call of a provider. */
  readonly call?: CallSpan
}

interface CallSpan {
  readonly span: Span
  readonly startedAt: number
  readonly scope: Scope
  /** The attributes that the metrics have too. */
  attributes: Attributes
}

interface ServerRequest {
  readonly span: Span
  /** The attributes that the metric has too. */
  readonly attributes: Attributes
}

type Settings = Pick<Config, 'metricExportIntervalMs' | 'metricExportTimeoutMs' | 'tracesSampler' | 'tracesSampleRatio'>

/**
 * Starts exporting over OTLP/HTTP with JSON. The exporters read `OTEL_EXPORTER_OTLP_HEADERS` and the like from the environment.
 * Names follow the semantic conventions for HTTP and generative AI.
 *
 * @param endpoint a base URL, such as `http://127.0.0.1:4318`
 */
export function startTelemetry(
  endpoint: string,
  service: { readonly version: string },
  { metricExportIntervalMs, metricExportTimeoutMs, tracesSampler, tracesSampleRatio }: Settings,
): Telemetry {
  const resource = otelResource(service)
  const tracers = new TracerProvider({
    resource,
    sampler: createSampler(tracesSampler, tracesSampleRatio),
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter({ url: `${endpoint}/v1/traces` }) })],
  })
  const meters = new MeterProvider({
    resource,
    readers: [
      new PeriodicExportingMetricReader({
        exporter: new OTLPMetricExporter({ url: `${endpoint}/v1/metrics` }),
        exportIntervalMillis: metricExportIntervalMs,
        exportTimeoutMillis: Math.min(metricExportTimeoutMs, metricExportIntervalMs),
      }),
    ],
  })
  const tracer = tracers.getTracer('fairlead', service.version)
  const active = new AsyncLocalStorage<Scope>()
  const propagator = new W3CTraceContextPropagator()
  const requests = new WeakMap<ServerResponse, ServerRequest>()
  const calls = new WeakMap<ObservedAttempt, CallSpan>()
  const metrics = telemetryMetrics(meters.getMeter('fairlead', service.version))

  /** HTTP requests that a provider sends with `fetch` or undici belong to the trace of the call. */
  const onUpstreamRequest = (message: unknown) => {
    const scope = active.getStore()
    if (!scope) return
    const { request } = message as {
      readonly request: { readonly origin: unknown; addHeader(name: string, value: string): void }
    }
    propagator.inject(scope.context, request, { set: (carrier, name, value) => void carrier.addHeader(name, value) })
    const { call } = scope
    if (!call || 'server.address' in call.attributes) return
    const server = serverAttributes(String(request.origin))
    call.attributes = { ...call.attributes, ...server }
    call.span.setAttributes(server)
  }
  subscribe('undici:request:create', onUpstreamRequest)

  const observer: Observer = {
    ...metrics.observer,
    requestEnded(record, response) {
      const request = response && requests.get(response)
      if (!request) return
      const { span } = request
      const { method, route, path, status } = record
      const isKnown = path === undefined
      const attributes = {
        ...request.attributes,
        ...(isKnown && { 'http.route': route }),
        'http.response.status_code': status,
        ...(status >= 500 && { 'error.type': String(status) }),
      }
      if (isKnown) span.updateName(`${method} ${route}`)
      span.setAttributes({ ...attributes, ...callerAttributes(record) })
      metrics.requestEnded(record, attributes)
    },
    attemptStarted(attempt) {
      const attributes = callAttributes(attempt)
      if (!attributes) return
      const parent = active.getStore()?.context ?? ROOT_CONTEXT
      const name = `${String(attributes['gen_ai.operation.name'])} ${attempt.model}`
      const spanAttributes = { ...attributes, ...attemptAttributes(attempt) }
      const span = tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes: spanAttributes }, parent)
      const scope: { context: Context; call?: CallSpan } = { context: trace.setSpan(parent, span) }
      scope.call = { span, startedAt: performance.now(), scope, attributes }
      calls.set(attempt, scope.call)
    },
    runAttempt(attempt, work) {
      const call = calls.get(attempt)
      return call ? active.run(call.scope, work) : work()
    },
    attemptResponded(attempt) {
      const call = calls.get(attempt)
      if (!call || attempt.capability !== 'streamText') return
      const seconds = (performance.now() - call.startedAt) / 1000
      call.span.setAttribute('gen_ai.response.time_to_first_chunk', seconds)
      metrics.firstChunk(seconds, { ...call.attributes, ...modelAttributes(attempt) })
    },
    attemptEnded(attempt) {
      const call = calls.get(attempt)
      if (!call) return
      const { span, startedAt } = call
      const { error } = attempt
      const failure = error === undefined ? {} : { 'error.type': errorType(error) }
      if (error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR })
      span.setAttributes({ ...requestAttributes(attempt), ...responseAttributes(attempt), ...failure }).end()
      const seconds = (performance.now() - startedAt) / 1000
      metrics.attemptEnded(seconds, attempt, { ...call.attributes, ...modelAttributes(attempt) }, failure)
    },
  }

  return {
    middleware(request, response, next) {
      if (monitoringRoutes.has(request.path)) return next()
      const parent = propagator.extract(ROOT_CONTEXT, request.headers, {
        keys: Object.keys,
        get: (headers, name) => headers[name],
      })
      const { method, path, secure } = request
      const attributes = { 'http.request.method': method, 'url.scheme': secure ? 'https' : 'http' }
      const options = { kind: SpanKind.SERVER, attributes: { ...attributes, 'url.path': shownPath(path) } }
      const span = tracer.startSpan(method, options, parent)
      requests.set(response, { span, attributes })
      response.on('close', () => {
        span.setAttribute('http.response.status_code', response.statusCode)
        if (response.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
        // After the other listeners, one of which sets the route.
        setImmediate(() => span.end())
      })
      active.run({ context: trace.setSpan(parent, span) }, next)
    },
    observer,
    observeConnections: metrics.observeConnections,
    logFields(response) {
      const context = active.getStore()?.context
      const span = (response && requests.get(response)?.span) ?? (context && trace.getSpan(context))
      if (!span) return {}
      const { traceId, spanId } = span.spanContext()
      return { trace_id: traceId, span_id: spanId }
    },
    async close() {
      unsubscribe('undici:request:create', onUpstreamRequest)
      await Promise.allSettled([tracers.shutdown(), meters.shutdown()])
    },
  }
}

/** The model that answered, as an attribute of metrics. */
function modelAttributes({ response }: ObservedAttempt): Attributes {
  return response?.model === undefined ? {} : { 'gen_ai.response.model': response.model }
}

function createSampler(name: Settings['tracesSampler'], ratio: number): Sampler {
  const root = rootSampler(name.replace('parentbased_', ''), ratio)
  return name.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root
}

function rootSampler(name: string, ratio: number): Sampler {
  if (name === 'traceidratio') return new TraceIdRatioBasedSampler(ratio)
  return name === 'always_on' ? new AlwaysOnSampler() : new AlwaysOffSampler()
}
