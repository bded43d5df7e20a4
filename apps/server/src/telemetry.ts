import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { ServerResponse } from 'node:http'
import type { ObservedAttempt, Observer } from '@fairlead/core'
import type { TextRequest } from '@fairlead/core/provider'
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
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import type { RequestHandler } from 'express'

/** Spans and metrics for an OTLP endpoint, without prompts, results, paths, or ids of records. */
export interface Telemetry {
  /** Starts a server span for each request, as a child of the span in its `traceparent` header. */
  readonly middleware: RequestHandler
  /** Adds a span and metrics to each call of a provider, and a `traceparent` header to its HTTP requests. */
  readonly observer: Observer
  /** Exports what is pending. */
  close(): Promise<void>
}

/**
 * Starts exporting over OTLP/HTTP with JSON. The exporters read `OTEL_EXPORTER_OTLP_HEADERS` and the like from the environment.
 * Names follow the semantic conventions for HTTP and generative AI.
 *
 * @param endpoint a base URL, such as `http://127.0.0.1:4318`
 */
export function startTelemetry(endpoint: string, service: { readonly version: string }): Telemetry {
  const resource = resourceFromAttributes({ 'service.name': 'fairlead', 'service.version': service.version }).merge(
    detectResources({ detectors: [envDetector] }),
  )
  const tracers = new TracerProvider({
    resource,
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter({ url: `${endpoint}/v1/traces` }) })],
  })
  const meters = new MeterProvider({
    resource,
    readers: [
      new PeriodicExportingMetricReader({ exporter: new OTLPMetricExporter({ url: `${endpoint}/v1/metrics` }) }),
    ],
  })
  const tracer = tracers.getTracer('fairlead', service.version)
  const meter = meters.getMeter('fairlead', service.version)
  const active = new AsyncLocalStorage<Context>()
  const propagator = new W3CTraceContextPropagator()
  const spans = new WeakMap<ServerResponse, Span>()
  const attempts = new WeakMap<ObservedAttempt, AttemptSpan>()
  const durations = meter.createHistogram('gen_ai.client.operation.duration', {
    description: 'Duration of calls to providers.',
    unit: 's',
    advice: {
      explicitBucketBoundaries: [
        0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92,
      ],
    },
  })
  const tokens = meter.createHistogram('gen_ai.client.token.usage', {
    description: 'Number of input and output tokens used.',
    unit: '{token}',
    advice: { explicitBucketBoundaries: [1, 4, 16, 64, 256, 1024, 4096, 16384, 65536, 262144, 1048576, 4194304] },
  })

  /** HTTP requests that a provider sends with `fetch` or undici belong to the trace of the call. */
  const addTraceparent = (message: unknown) => {
    const context = active.getStore()
    if (!context) return
    const { request } = message as { readonly request: { addHeader(name: string, value: string): void } }
    propagator.inject(context, request, { set: (carrier, name, value) => void carrier.addHeader(name, value) })
  }
  subscribe('undici:request:create', addTraceparent)

  const observer: Observer = {
    requestEnded({ method, route }, response) {
      if (response) spans.get(response)?.updateName(`${method} ${route}`).setAttribute('http.route', route)
    },
    attemptStarted(attempt) {
      const operation = operations[attempt.capability]
      if (operation === undefined) return
      const { model } = attempt
      const attributes = {
        'gen_ai.operation.name': operation,
        'gen_ai.provider.name': attempt.target.provider,
        'gen_ai.request.model': model,
      }
      const parent = active.getStore() ?? ROOT_CONTEXT
      const span = tracer.startSpan(`${operation} ${model}`, { kind: SpanKind.CLIENT, attributes }, parent)
      attempts.set(attempt, { span, attributes, startedAt: performance.now(), context: trace.setSpan(parent, span) })
    },
    runAttempt(attempt, work) {
      const started = attempts.get(attempt)
      return started ? active.run(started.context, work) : work()
    },
    attemptEnded(attempt) {
      const started = attempts.get(attempt)
      if (!started) return
      const { span, attributes, startedAt } = started
      const { request, answer, error } = attempt
      const failure = error === undefined ? {} : { 'error.type': errorType(error) }
      if (error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR })
      span.setAttributes({ ...requestAttributes(request), ...answerAttributes(attempt), ...failure }).end()
      durations.record((performance.now() - startedAt) / 1000, { ...attributes, ...failure })
      if (!answer?.usage) return
      tokens.record(answer.usage.promptTokens, { ...attributes, 'gen_ai.token.type': 'input' })
      tokens.record(answer.usage.completionTokens, { ...attributes, 'gen_ai.token.type': 'output' })
    },
  }

  return {
    middleware(request, response, next) {
      const parent = propagator.extract(ROOT_CONTEXT, request.headers, {
        keys: Object.keys,
        get: (headers, name) => headers[name],
      })
      const { method } = request
      const span = tracer.startSpan(
        method,
        { kind: SpanKind.SERVER, attributes: { 'http.request.method': method } },
        parent,
      )
      spans.set(response, span)
      response.on('close', () => {
        span.setAttribute('http.response.status_code', response.statusCode)
        if (response.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
        // After the other listeners, one of which sets the route.
        setImmediate(() => span.end())
      })
      active.run(trace.setSpan(parent, span), next)
    },
    observer,
    async close() {
      unsubscribe('undici:request:create', addTraceparent)
      await Promise.allSettled([tracers.shutdown(), meters.shutdown()])
    },
  }
}

interface AttemptSpan {
  readonly span: Span
  /** The attributes that the metrics have too. */
  readonly attributes: Attributes
  readonly startedAt: number
  readonly context: Context
}

/** The operations that have spans, by the names of the semantic conventions. */
const operations: Readonly<Partial<Record<ObservedAttempt['capability'], string>>> = {
  generateText: 'chat',
  streamText: 'chat',
  embed: 'embeddings',
  generateImage: 'generate_image',
  analyze: 'analyze',
}

function requestAttributes(request: ObservedAttempt['request']): Attributes {
  if (!request || 'analyzer' in request || 'texts' in request) return {}
  return 'messages' in request ? textAttributes(request) : { 'gen_ai.output.type': 'image' }
}

function textAttributes({ maxTokens, temperature, topP, seed, responseFormat }: TextRequest): Attributes {
  return {
    'gen_ai.request.max_tokens': maxTokens,
    'gen_ai.request.temperature': temperature,
    'gen_ai.request.top_p': topP,
    ...(seed !== undefined && { 'gen_ai.request.seed': seed }),
    'gen_ai.output.type': responseFormat ? 'json' : 'text',
  }
}

/** Of a text, as far as they are known: a stream that broke off names at least its response. */
function answerAttributes({ capability, answer, response }: ObservedAttempt): Attributes {
  if (capability !== 'generateText' && capability !== 'streamText') return {}
  return {
    ...(response && { 'gen_ai.response.id': response.id, 'gen_ai.response.model': response.model }),
    ...(answer?.finishReason && { 'gen_ai.response.finish_reasons': [answer.finishReason] }),
    ...(answer?.usage && {
      'gen_ai.usage.input_tokens': answer.usage.promptTokens,
      'gen_ai.usage.output_tokens': answer.usage.completionTokens,
    }),
  }
}

/** The failure class of a provider's error, or the name of any other: messages may quote a prompt. */
function errorType(error: unknown): string {
  if (error instanceof Error && 'failure' in error) return String(error.failure)
  return error instanceof Error ? error.name : '_OTHER'
}
