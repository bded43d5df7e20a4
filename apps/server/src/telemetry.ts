import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { ServerResponse } from 'node:http'
import type { Provider, TextAnswer, TextEvent, TextRequest } from '@fairlead/core/provider'
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
  /** Names the span of a request after its route. */
  setRoute(response: ServerResponse, method: string, route: string): void
  /** Adds a span and metrics to each call of a provider, and a `traceparent` header to its HTTP requests. */
  instrument(provider: Provider): Provider
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

  /** One call of a provider. Its duration and outcome are recorded by `end`. */
  function startCall(operation: string, provider: Provider, model: string, attributes: Attributes = {}) {
    const common = {
      'gen_ai.operation.name': operation,
      'gen_ai.provider.name': provider.id,
      'gen_ai.request.model': model,
    }
    const parent = active.getStore() ?? ROOT_CONTEXT
    const span = tracer.startSpan(
      `${operation} ${model}`,
      { kind: SpanKind.CLIENT, attributes: { ...common, ...attributes } },
      parent,
    )
    const startedAt = performance.now()
    const setResponse = (response: NonNullable<TextAnswer['response']>) =>
      span.setAttributes({ 'gen_ai.response.id': response.id, 'gen_ai.response.model': response.model })
    return {
      context: trace.setSpan(parent, span),
      setResponse,
      setAnswer({ usage, finishReason, response }: Omit<TextAnswer, 'parts'>) {
        span.setAttribute('gen_ai.response.finish_reasons', [finishReason])
        if (response) setResponse(response)
        if (!usage) return
        span.setAttributes({
          'gen_ai.usage.input_tokens': usage.promptTokens,
          'gen_ai.usage.output_tokens': usage.completionTokens,
        })
        tokens.record(usage.promptTokens, { ...common, 'gen_ai.token.type': 'input' })
        tokens.record(usage.completionTokens, { ...common, 'gen_ai.token.type': 'output' })
      },
      end(error?: unknown) {
        const failure = error === undefined ? {} : { 'error.type': errorType(error) }
        if (error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR }).setAttributes(failure)
        span.end()
        durations.record((performance.now() - startedAt) / 1000, { ...common, ...failure })
      },
    }
  }
  type Call = ReturnType<typeof startCall>

  async function observed<Result>(call: Call, work: () => Promise<Result>, onResult = (_result: Result) => {}) {
    try {
      const result = await active.run(call.context, work)
      onResult(result)
      call.end()
      return result
    } catch (error) {
      call.end(error)
      throw error
    }
  }

  async function* observedStream(call: Call, open: () => AsyncIterable<TextEvent>): AsyncGenerator<TextEvent> {
    const iterator = active.run(call.context, () => open()[Symbol.asyncIterator]())
    // A generator runs in the context of the caller of `next`.
    const next = () => active.run(call.context, () => iterator.next())
    let failure: unknown
    try {
      for (let item = await next(); !item.done; item = await next()) {
        if (item.value.type === 'start') call.setResponse(item.value.response)
        else if (item.value.type === 'finish') call.setAnswer(item.value)
        yield item.value
      }
    } catch (error) {
      failure = error
      throw error
    } finally {
      await iterator.return?.()
      call.end(failure)
    }
  }

  function instrument(provider: Provider): Provider {
    const text = (request: TextRequest) => startCall('chat', provider, request.model, textAttributes(request))
    const methods: Partial<Provider> = {
      ...(provider.generateText && {
        generateText(request, options) {
          const call = text(request)
          return observed(call, async () => provider.generateText!(request, options), call.setAnswer)
        },
      }),
      ...(provider.streamText && {
        streamText: (request, options) => observedStream(text(request), () => provider.streamText!(request, options)),
      }),
      ...(provider.generateImage && {
        generateImage: (request, options) =>
          observed(startCall('generate_image', provider, request.model, { 'gen_ai.output.type': 'image' }), async () =>
            provider.generateImage!(request, options),
          ),
      }),
      ...(provider.analyze && {
        analyze: (request, options) =>
          observed(startCall('analyze', provider, request.analyzer), async () => provider.analyze!(request, options)),
      }),
    }
    // A proxy and not a copy: the provider of a plugin may be an instance of a class with private fields.
    return new Proxy(provider, {
      get(target, name) {
        if (Object.hasOwn(methods, name)) return Reflect.get(methods, name)
        const value: unknown = Reflect.get(target, name, target)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
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
    setRoute(response, method, route) {
      spans.get(response)?.updateName(`${method} ${route}`).setAttribute('http.route', route)
    },
    instrument,
    async close() {
      unsubscribe('undici:request:create', addTraceparent)
      await Promise.allSettled([tracers.shutdown(), meters.shutdown()])
    },
  }
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

/** The failure class of a provider's error, or the name of any other: messages may quote a prompt. */
function errorType(error: unknown): string {
  if (error instanceof Error && 'failure' in error) return String(error.failure)
  return error instanceof Error ? error.name : '_OTHER'
}
