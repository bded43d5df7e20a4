import { ProviderError, textAnswer, textEvents } from '@fairlead/core/provider'
import { embedder, fakePainter, scripted, fakeTextModel } from '@fairlead/testing'
import * as conventions from '@opentelemetry/semantic-conventions/incubating'
import { describe, expect, test } from 'vitest'
import { readAttributes, findPoints, served, startReceiver, traceId } from './testing/otlp-receiver.ts'
import { runServer } from './testing/run-server.ts'

/**
 * Names that the package of the conventions lacks: the conventions for generative AI have moved, and have version
 * 0.1.0.
 */
const newConventions = [
  'gen_ai.client.embeddings.duration',
  'gen_ai.client.embeddings.operation.input_tokens',
  'gen_ai.client.inference.duration',
  'gen_ai.client.inference.operation.input_tokens',
  'gen_ai.client.inference.operation.output_tokens',
  'gen_ai.client.inference.time_to_first_chunk',
  'gen_ai.client.inference.usage.cache_read.input_tokens',
  'gen_ai.client.inference.usage.cache_write.input_tokens',
  'gen_ai.client.inference.usage.input_tokens',
  'gen_ai.client.inference.usage.output_tokens',
  'gen_ai.client.inference.usage.reasoning.output_tokens',
  'gen_ai.token.modality',
  'gen_ai.usage.cache_write.input_tokens',
]

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
    expect(readAttributes(request!)).toMatchObject({ 'http.route': '/v1/generate', 'http.response.status_code': 200 })
    expect(readAttributes(call!)).toMatchObject({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'calm',
      'gen_ai.request.model': 'any',
      'gen_ai.request.temperature': 0.5,
    })
    expect(findPoints(receiver, 'gen_ai.client.inference.duration')).toHaveLength(1)
    expect(receiver.text()).not.toMatch(/CANARY|hello there|fl_/)
  })

  test('OTEL_EXPORTER_OTLP_ENDPOINT receives the span of a streamed call with its usage', async () => {
    const { receiver, server, post } = await served()
    await post('/generate', { model: 'any', prompt: 'x', stream: true })
    await server.stop()
    const call = receiver.spans().find(({ name }) => name === 'chat any')
    expect(readAttributes(call!)).toHaveProperty('gen_ai.response.finish_reasons')
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
      expect(readAttributes(call!)).toMatchObject({
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
    expect(readAttributes(call!)).toMatchObject({ 'error.type': 'give_up' })
    expect(receiver.text()).not.toContain('CANARY')
  })

  test('OTEL_EXPORTER_OTLP_ENDPOINT adds traceparent to the HTTP requests of a provider', async () => {
    const { headers, url } = await startReceiver()
    const calling = {
      ...scripted('calling', ''),
      models: [fakeTextModel()],
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
    expect(readAttributes(call!)).toMatchObject(address)
    expect(readAttributes(findPoints(receiver, 'gen_ai.client.inference.duration')[0]!)).toMatchObject(address)
  })

  test('OTEL_EXPORTER_OTLP_ENDPOINT receives the time to the first chunk of a streamed call only', async () => {
    const { receiver, server, post } = await served()
    await post('/generate', { model: 'any', prompt: 'x' })
    await post('/generate', { model: 'any', prompt: 'y', stream: true })
    await server.stop()
    const spans = receiver
      .spans()
      .filter(({ name }) => name === 'chat any')
      .map(readAttributes)
    expect(
      spans.map((each) => [each['gen_ai.request.stream'], typeof each['gen_ai.response.time_to_first_chunk']]),
    ).toEqual([
      [undefined, 'undefined'],
      [true, 'number'],
    ])
    expect(findPoints(receiver, 'gen_ai.client.inference.time_to_first_chunk')).toHaveLength(1)
  })

  test('OTEL_EXPORTER_OTLP_ENDPOINT uses only names that the conventions have, also for embeddings and images', async () => {
    const { receiver, server, post } = await served([scripted('calm', 'hi'), embedder('vectors'), fakePainter('brush')])
    await post('/generate', { model: 'any', prompt: 'x', stream: true, stop: ['END'], seed: 7 })
    await post('/embeddings', { model: 'vectors', texts: ['x'] })
    await post('/generate/image', { model: 'picture', prompt: 'x' })
    await server.stop()
    const used = [
      ...receiver.spans().flatMap(({ attributes }) => attributes.map(({ key }) => key)),
      ...receiver.metrics().map(({ name }) => name),
      ...receiver.points().flatMap(({ attributes }) => attributes.map(({ key }) => key)),
    ].filter((name) => !name.startsWith('fairlead.'))
    const known = new Set<unknown>([...Object.values(conventions), ...newConventions])
    expect(receiver.spans().map(({ name }) => name.split(' ')[0])).toEqual(
      expect.arrayContaining(['chat', 'embeddings', 'generate_image']),
    )
    expect([...new Set(used)].filter((name) => !known.has(name))).toEqual([])
  })

  test('OTEL_EXPORTER_OTLP_ENDPOINT receives the path and the scheme of a request, without its query and secrets', async () => {
    const { receiver, server } = await served()
    const image = `img_${'a'.repeat(40)}`
    await server.ask('GET', `/requests/req_1?key=CANARY`)
    await server.ask('GET', `/images/${image}.png`)
    await server.ask('GET', `/none/${image}`)
    await server.stop()
    const requests = receiver.spans().map((span) => [span.name, readAttributes(span)] as const)
    expect(requests).toMatchObject([
      ['GET /requests/{id}', { 'url.path': '/requests/req_1', 'url.scheme': 'http' }],
      ['GET /images/{id}.png', { 'url.path': '/images/img_…', 'http.route': '/images/{id}.png' }],
      ['GET', { 'url.path': '/none/img_…', 'http.response.status_code': 404 }],
    ])
    expect(requests[2]?.[1]).not.toHaveProperty('http.route')
    expect(receiver.text()).not.toMatch(/CANARY|aaaa/)
  })

  test.each([
    ['0', 'http'],
    ['1', 'https'],
  ])(
    'OTEL_EXPORTER_OTLP_ENDPOINT receives the scheme before FAIRLEAD_TRUST_PROXY=%s as %s',
    async (proxies, scheme) => {
      const { receiver, server, post } = await served(undefined, { FAIRLEAD_TRUST_PROXY: proxies })
      await post('/generate', { model: 'any', prompt: 'x' }, { 'x-forwarded-proto': 'https' })
      await server.stop()
      const request = receiver.spans().find(({ name }) => name === 'POST /generate')
      expect(readAttributes(request!)).toMatchObject({ 'url.scheme': scheme })
    },
  )

  test('OTEL_EXPORTER_OTLP_ENDPOINT receives the ids of key, project and route with spans, and with no metric', async () => {
    const { receiver, server, post } = await served(undefined, undefined, {
      routes: { smart: { targets: ['calm/any'] } },
      aliases: { 'gpt-*': 'smart' },
    })
    const grace = { email: 'grace@example.com', password: 'a long enough password', name: 'Grace' }
    const { data: signup } = JSON.parse(await post('/auth/signup', grace))
    const session = { authorization: `Bearer ${signup.access_token}` }
    const { data: project } = JSON.parse(await post('/projects', { name: 'Search' }, session))
    const forProject = { ...session, 'x-fairlead-project': project.id }
    const { data: key } = JSON.parse(await post('/api-keys', { name: 'ci', scopes: ['generate'] }, forProject))
    const own = { authorization: `Bearer ${key.secret}` }
    for (const model of ['any', 'smart', 'gpt-5']) await post('/generate', { model, prompt: model }, own)
    await server.stop()
    const ids = { 'fairlead.key.id': key.id, 'fairlead.project.id': project.id }
    const spans = receiver.spans()
    const requests = spans.filter(({ name }) => name === 'POST /generate').map(readAttributes)
    const calls = spans.filter(({ name }) => name === 'chat any').map(readAttributes)
    expect(requests).toMatchObject([ids, ids, ids])
    expect(calls).toMatchObject([ids, ids, ids])
    expect(calls.map((each) => each['fairlead.route'])).toEqual([undefined, 'smart', 'gpt-5'])
    expect(JSON.stringify(receiver.metrics())).not.toMatch(/key_|prj_|fairlead\.route/)
    expect(receiver.text()).not.toContain(key.secret)
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
    const server = await runServer({ FAIRLEAD_ADMIN_EMAIL: 'ada@example.com' })
    const reply = await server.ask('POST', '/generate', { model: 'any', prompt: 'x' }, server.firstAdmin?.apiKey)
    expect(reply.status).toBe(200)
  })
})
