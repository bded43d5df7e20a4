import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { ProviderError, textAnswer, textEvents } from '@fairlead/core/provider'
import { embedder, painter, scripted, textModel } from '@fairlead/testing'
import * as conventions from '@opentelemetry/semantic-conventions/incubating'
import { describe, expect, onTestFinished, test } from 'vitest'
import { runServer } from './testing/run-server.ts'

const traceId = '0af7651916cd43dd8448eb211c80319c'
const traceparent = `00-${traceId}-b7ad6b7169203331-01`
const admin = { FAIRLEAD_ADMIN_EMAIL: 'ada@example.com' }

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
}

interface Metric {
  readonly name: string
  readonly histogram?: { readonly dataPoints: readonly Point[] }
  readonly sum?: { readonly dataPoints: readonly Point[] }
}

/** The JSON form of OTLP, as far as the tests read it. */
interface Export {
  readonly resourceSpans?: readonly { readonly scopeSpans: readonly { readonly spans: readonly Span[] }[] }[]
  readonly resourceMetrics?: readonly {
    readonly scopeMetrics: readonly { readonly metrics: readonly Metric[] }[]
  }[]
}

/** An OTLP receiver on loopback. */
async function startReceiver() {
  const bodies: { readonly body: Export }[] = []
  const headers: (string | undefined)[] = []
  const server = createServer(async (request, response) => {
    if (request.url === '/upstream') headers.push(request.headers['traceparent'] as string | undefined)
    else bodies.push({ body: (await json(request)) as Export })
    response.end('{}')
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close().closeAllConnections())
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    headers,
    text: () => JSON.stringify(bodies),
    spans: () =>
      bodies.flatMap(({ body }) => body.resourceSpans ?? []).flatMap((r) => r.scopeSpans.flatMap((s) => s.spans)),
    metrics: () =>
      bodies.flatMap(({ body }) => body.resourceMetrics ?? []).flatMap((r) => r.scopeMetrics.flatMap((s) => s.metrics)),
  }
}

type Receiver = Awaited<ReturnType<typeof startReceiver>>

/** The last exported values of a metric. */
function pointsOf(receiver: Receiver, name: string): readonly Point[] {
  const metric = receiver.metrics().findLast((each) => each.name === name)
  return (metric?.histogram ?? metric?.sum)?.dataPoints ?? []
}

function attributesOf({ attributes }: Pick<Span, 'attributes'>): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))
}

async function served(providers?: Parameters<typeof runServer>[1], environment: Record<string, string> = {}) {
  const receiver = await startReceiver()
  const server = await runServer({ ...admin, OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, ...environment }, providers)
  const post = (path: string, body: object) =>
    fetch(server.baseUrl + path, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${server.firstAdmin?.apiKey}`,
        'content-type': 'application/json',
        traceparent,
      },
      body: JSON.stringify(body),
    }).then((response) => response.text())
  return { receiver, server, post }
}

describe('OTEL_EXPORTER_OTLP_ENDPOINT', () => {
  test('OTEL_EXPORTER_OTLP_ENDPOINT receives a span per request and per call of a provider, in the trace of the client', async () => {
    const { receiver, server, post } = await served()
    await post('/v1/generate', { model: 'any', prompt: 'CANARY of the prompt', temperature: 0.5 })
    await server.stop()
    const spans = receiver.spans()
    const request = spans.find(({ name }) => name === 'POST /v1/generate')
    const call = spans.find(({ name }) => name === 'chat any')
    expect(request).toMatchObject({ traceId, parentSpanId: 'b7ad6b7169203331', kind: 2 })
    expect(call).toMatchObject({ traceId, parentSpanId: request?.spanId, kind: 3 })
    expect(attributesOf(request!)).toMatchObject({ 'http.route': '/v1/generate', 'http.response.status_code': 200 })
    expect(attributesOf(call!)).toMatchObject({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'calm',
      'gen_ai.request.model': 'any',
      'gen_ai.request.temperature': 0.5,
    })
    expect(pointsOf(receiver, 'gen_ai.client.operation.duration')).toHaveLength(1)
    expect(receiver.text()).not.toMatch(/CANARY|hello there|fl_/)
  })

  test('OTEL_EXPORTER_OTLP_ENDPOINT receives the span of a streamed call with its usage', async () => {
    const { receiver, server, post } = await served()
    await post('/generate', { model: 'any', prompt: 'x', stream: true })
    await server.stop()
    const call = receiver.spans().find(({ name }) => name === 'chat any')
    expect(attributesOf(call!)).toHaveProperty('gen_ai.response.finish_reasons')
  })

  test.each([false, true])(
    'OTEL_EXPORTER_OTLP_ENDPOINT receives the id and the model of a response (streamed: %s)',
    async (stream) => {
      const response = { id: 'msg_1', model: 'any-2026-11-01' }
      const named = { ...scripted('named', ''), generateText: async () => textAnswer('hi', { response }) }
      const { receiver, server, post } = await served([
        { ...named, streamText: () => textEvents(['hi'], { response }) },
      ])
      await post('/generate', { model: 'any', prompt: 'x', stream })
      await server.stop()
      const call = receiver.spans().find(({ name }) => name === 'chat any')
      expect(attributesOf(call!)).toMatchObject({
        'gen_ai.response.id': 'msg_1',
        'gen_ai.response.model': response.model,
      })
    },
  )

  test('OTEL_EXPORTER_OTLP_ENDPOINT receives the class of a failure without its message', async () => {
    const failing = {
      ...scripted('down', ''),
      generateText: () => Promise.reject(new ProviderError('give_up', 'CANARY of the upstream')),
    }
    const { receiver, server, post } = await served([failing])
    await post('/generate', { model: 'any', prompt: 'x' })
    await server.stop()
    const call = receiver.spans().find(({ name }) => name === 'chat any')
    expect(call?.status).toEqual({ code: 2 })
    expect(attributesOf(call!)).toMatchObject({ 'error.type': 'give_up' })
    expect(receiver.text()).not.toContain('CANARY')
  })

  test('OTEL_EXPORTER_OTLP_ENDPOINT adds traceparent to the HTTP requests of a provider', async () => {
    const { headers, url } = await startReceiver()
    const calling = {
      ...scripted('calling', ''),
      models: [textModel()],
      async generateText() {
        await (await fetch(`${url}/upstream`)).text()
        return textAnswer('hi')
      },
    }
    const { receiver, server, post } = await served([calling])
    await post('/generate', { model: 'any', prompt: 'x' })
    await server.stop()
    expect(headers).toEqual([expect.stringMatching(new RegExp(`^00-${traceId}-[0-9a-f]{16}-01$`))])
    const call = receiver.spans().find(({ name }) => name === 'chat any')
    const address = { 'server.address': '127.0.0.1', 'server.port': Number(new URL(url).port) }
    expect(attributesOf(call!)).toMatchObject(address)
    expect(attributesOf(pointsOf(receiver, 'gen_ai.client.operation.duration')[0]!)).toMatchObject(address)
  })

  test('OTEL_EXPORTER_OTLP_ENDPOINT receives tokens, with those of caches and reasoning, and the cost', async () => {
    const usage = {
      promptTokens: 1_000,
      completionTokens: 200,
      cachedPromptTokens: 600,
      cacheWriteTokens: 100,
      reasoningTokens: 150,
    }
    const pricing = { input: 1, output: 10 }
    const priced = {
      ...scripted('google', ''),
      models: [textModel({ id: 'priced', pricing })],
      generateText: async () => textAnswer('hi', { usage, response: { model: 'priced-2026' } }),
    }
    const { receiver, server, post } = await served([priced])
    await post('/generate', { model: 'priced', prompt: 'x' })
    await server.stop()
    const call = receiver.spans().find(({ name }) => name === 'chat priced')
    expect(attributesOf(call!)).toMatchObject({
      'gen_ai.provider.name': 'gcp.gemini',
      'gen_ai.usage.input_tokens': 1_000,
      'gen_ai.usage.output_tokens': 200,
      'gen_ai.usage.cache_read.input_tokens': 600,
      'gen_ai.usage.cache_creation.input_tokens': 100,
      'gen_ai.usage.reasoning.output_tokens': 150,
    })
    const tokens = pointsOf(receiver, 'gen_ai.client.token.usage')
    expect(tokens.map((point) => [attributesOf(point)['gen_ai.token.type'], point.sum])).toEqual([
      ['input', 1_000],
      ['output', 200],
    ])
    expect(tokens[0]?.explicitBounds?.at(-1)).toBe(67_108_864)
    expect(attributesOf(tokens[0]!)).toMatchObject({ 'gen_ai.response.model': 'priced-2026' })
    expect(pointsOf(receiver, 'fairlead.client.cost')[0]?.asDouble).toBeGreaterThan(0)
  })

  test('OTEL_EXPORTER_OTLP_ENDPOINT receives the time to the first chunk of a streamed call only', async () => {
    const { receiver, server, post } = await served()
    await post('/generate', { model: 'any', prompt: 'x' })
    await post('/generate', { model: 'any', prompt: 'y', stream: true })
    await server.stop()
    const spans = receiver
      .spans()
      .filter(({ name }) => name === 'chat any')
      .map(attributesOf)
    expect(
      spans.map((each) => [each['gen_ai.request.stream'], typeof each['gen_ai.response.time_to_first_chunk']]),
    ).toEqual([
      [undefined, 'undefined'],
      [true, 'number'],
    ])
    expect(pointsOf(receiver, 'gen_ai.client.operation.time_to_first_chunk')).toHaveLength(1)
  })

  test('OTEL_EXPORTER_OTLP_ENDPOINT uses only names that the conventions have, also for embeddings and images', async () => {
    const { receiver, server, post } = await served([scripted('calm', 'hi'), embedder('vectors'), painter('brush')])
    await post('/generate', { model: 'any', prompt: 'x', stream: true, stop: ['END'], seed: 7 })
    await post('/embeddings', { model: 'vectors', texts: ['x'] })
    await post('/generate/image', { model: 'picture', prompt: 'x' })
    await server.stop()
    const used = [
      ...receiver.spans().flatMap(({ attributes }) => attributes.map(({ key }) => key)),
      ...receiver.metrics().map(({ name }) => name),
    ].filter((name) => !name.startsWith('fairlead.'))
    const known = new Set<unknown>(Object.values(conventions))
    expect(receiver.spans().map(({ name }) => name.split(' ')[0])).toEqual(
      expect.arrayContaining(['chat', 'embeddings', 'generate_image']),
    )
    expect([...new Set(used)].filter((name) => !known.has(name))).toEqual([])
  })

  test('OTEL_EXPORTER_OTLP_ENDPOINT receives no spans of probes', async () => {
    const { receiver, server, post } = await served()
    await server.ask('GET', '/healthz')
    await server.ask('GET', '/readyz')
    await server.ask('GET', '/metrics')
    await post('/generate', { model: 'any', prompt: 'x' })
    await server.stop()
    expect(receiver.spans().map(({ name }) => name)).toEqual(['chat any', 'POST /generate'])
  })

  test('OTEL_EXPORTER_OTLP_ENDPOINT adds the ids of the request and of the call to log lines', async () => {
    const failing = { ...scripted('down', ''), generateText: () => Promise.reject(new Error('a bug')) }
    const { receiver, server, post } = await served([failing])
    await post('/generate', { model: 'any', prompt: 'x' })
    await server.stop()
    const lines = server
      .logged()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    const request = receiver.spans().find(({ name }) => name === 'POST /generate')
    const call = receiver.spans().find(({ name }) => name === 'chat any')
    expect(lines.find(({ msg }) => msg === 'provider call failed')).toMatchObject({
      trace_id: traceId,
      span_id: call?.spanId,
    })
    expect(lines.find(({ msg }) => msg === 'request completed')).toMatchObject({
      trace_id: traceId,
      span_id: request?.spanId,
    })
    expect(lines.find(({ msg }) => msg === 'draining')).not.toHaveProperty('trace_id')
  })

  test('OTEL_EXPORTER_OTLP_ENDPOINT receives metrics every OTEL_METRIC_EXPORT_INTERVAL milliseconds', async () => {
    const { receiver, post } = await served(undefined, { OTEL_METRIC_EXPORT_INTERVAL: '100' })
    await post('/generate', { model: 'any', prompt: 'x' })
    await expect.poll(() => pointsOf(receiver, 'gen_ai.client.operation.duration')).toHaveLength(1)
  })

  test.each([
    ['always_off', 0],
    ['traceidratio', 0],
    ['parentbased_always_off', 2],
  ])('OTEL_EXPORTER_OTLP_ENDPOINT samples with OTEL_TRACES_SAMPLER=%s', async (sampler, spans) => {
    const { receiver, server, post } = await served(undefined, {
      OTEL_TRACES_SAMPLER: sampler,
      OTEL_TRACES_SAMPLER_ARG: '0',
    })
    await post('/generate', { model: 'any', prompt: 'x' })
    await server.stop()
    expect(receiver.spans()).toHaveLength(spans)
  })

  test('OTEL_EXPORTER_OTLP_ENDPOINT receives nothing with OTEL_SDK_DISABLED=true', async () => {
    const { receiver, server, post } = await served(undefined, { OTEL_SDK_DISABLED: 'true' })
    await post('/generate', { model: 'any', prompt: 'x' })
    await server.stop()
    expect([...receiver.spans(), ...receiver.metrics()]).toEqual([])
  })

  test('OTEL_EXPORTER_OTLP_ENDPOINT is not needed: without it no telemetry is loaded', async () => {
    const server = await runServer(admin)
    const reply = await server.ask('POST', '/generate', { model: 'any', prompt: 'x' }, server.firstAdmin?.apiKey)
    expect(reply.status).toBe(200)
  })
})
