import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { ProviderError, textAnswer, textEvents } from '@fairlead/core/provider'
import { scripted, textModel } from '@fairlead/testing'
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

/** The JSON form of OTLP, as far as the tests read it. */
interface Export {
  readonly resourceSpans?: readonly { readonly scopeSpans: readonly { readonly spans: readonly Span[] }[] }[]
  readonly resourceMetrics?: readonly {
    readonly scopeMetrics: readonly { readonly metrics: readonly { readonly name: string }[] }[]
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
      bodies
        .flatMap(({ body }) => body.resourceMetrics ?? [])
        .flatMap((r) => r.scopeMetrics.flatMap((s) => s.metrics.map(({ name }) => name))),
  }
}

function attributesOf({ attributes }: Span): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))
}

async function served(providers?: Parameters<typeof runServer>[1]) {
  const receiver = await startReceiver()
  const server = await runServer({ ...admin, OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url }, providers)
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
  test('receives a span per request and per call of a provider, in the trace of the client', async () => {
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
    expect(receiver.metrics()).toContain('gen_ai.client.operation.duration')
    expect(receiver.text()).not.toMatch(/CANARY|hello there|fl_/)
  })

  test('receives the span of a streamed call with its usage', async () => {
    const { receiver, server, post } = await served()
    await post('/generate', { model: 'any', prompt: 'x', stream: true })
    await server.stop()
    const call = receiver.spans().find(({ name }) => name === 'chat any')
    expect(attributesOf(call!)).toHaveProperty('gen_ai.response.finish_reasons')
  })

  test.each([false, true])('receives the id and the model of a response (streamed: %s)', async (stream) => {
    const response = { id: 'msg_1', model: 'any-2026-11-01' }
    const named = { ...scripted('named', ''), generateText: async () => textAnswer('hi', { response }) }
    const { receiver, server, post } = await served([{ ...named, streamText: () => textEvents(['hi'], { response }) }])
    await post('/generate', { model: 'any', prompt: 'x', stream })
    await server.stop()
    const call = receiver.spans().find(({ name }) => name === 'chat any')
    expect(attributesOf(call!)).toMatchObject({
      'gen_ai.response.id': 'msg_1',
      'gen_ai.response.model': response.model,
    })
  })

  test('receives the class of a failure without its message', async () => {
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

  test('adds traceparent to the HTTP requests of a provider', async () => {
    const { headers, url } = await startReceiver()
    const calling = {
      ...scripted('calling', ''),
      models: [textModel()],
      async generateText() {
        await (await fetch(`${url}/upstream`)).text()
        return textAnswer('hi')
      },
    }
    const { server, post } = await served([calling])
    await post('/generate', { model: 'any', prompt: 'x' })
    await server.stop()
    expect(headers).toEqual([expect.stringMatching(new RegExp(`^00-${traceId}-[0-9a-f]{16}-01$`))])
  })

  test('is not needed: without it no telemetry is loaded', async () => {
    const server = await runServer(admin)
    const reply = await server.ask('POST', '/generate', { model: 'any', prompt: 'x' }, server.firstAdmin?.apiKey)
    expect(reply.status).toBe(200)
  })
})
