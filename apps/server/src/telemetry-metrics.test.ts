import type { DeliveryQueue } from '@fairlead/core'
import { textAnswer } from '@fairlead/core/provider'
import { scripted, fakeTextModel } from '@fairlead/testing'
import { describe, expect, test, vi } from 'vitest'
import { readAttributes, exportTo, findPoints, served, startReceiver } from './testing/otlp-receiver.ts'

/** The counters of tokens, and what the test of them expects. */
const usageCounters = {
  input_tokens: 1_000,
  output_tokens: 200,
  'cache_read.input_tokens': 600,
  'cache_write.input_tokens': 100,
  'reasoning.output_tokens': 150,
}

describe('metrics over OTLP', () => {
  test('metrics over OTLP have tokens, with those of caches and reasoning, and the cost', async () => {
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
      models: [fakeTextModel({ id: 'priced', pricing })],
      generateText: async () => textAnswer('hi', { usage, response: { model: 'priced-2026' } }),
    }
    const { receiver, server, post } = await served([priced])
    await post('/generate', { model: 'priced', prompt: 'x' })
    await server.stop()
    const call = receiver.spans().find(({ name }) => name === 'chat priced')
    expect(readAttributes(call!)).toMatchObject({
      'gen_ai.provider.name': 'gcp.gemini',
      'gen_ai.usage.input_tokens': 1_000,
      'gen_ai.usage.output_tokens': 200,
      'gen_ai.usage.cache_read.input_tokens': 600,
      'gen_ai.usage.cache_write.input_tokens': 100,
      'gen_ai.usage.reasoning.output_tokens': 150,
    })
    const counts = Object.keys(usageCounters).map((name) => {
      const [point] = findPoints(receiver, `gen_ai.client.inference.usage.${name}`)
      return [name, point?.asInt ?? point?.asDouble, point && readAttributes(point)['gen_ai.token.modality']]
    })
    expect(counts).toEqual(Object.entries(usageCounters).map(([name, count]) => [name, count, 'unknown']))
    const [input] = findPoints(receiver, 'gen_ai.client.inference.operation.input_tokens')
    const [output] = findPoints(receiver, 'gen_ai.client.inference.operation.output_tokens')
    expect([input?.sum, output?.sum]).toEqual([1_000, 200])
    expect(input?.explicitBounds?.at(-1)).toBe(67_108_864)
    expect(readAttributes(input!)).toMatchObject({ 'gen_ai.response.model': 'priced-2026' })
    expect(findPoints(receiver, 'fairlead.client.cost')[0]?.asDouble).toBeGreaterThan(0)
  })

  test('metrics over OTLP have the duration of each request by route and status, and the class of an error', async () => {
    const failing = { ...scripted('down', ''), generateText: () => Promise.reject(new Error('a bug')) }
    const { receiver, server, post } = await served([failing])
    await post('/generate', { model: 'any', prompt: 'x' })
    await server.ask('GET', '/requests/req_1')
    await server.stop()
    const request = receiver.spans().find(({ name }) => name === 'POST /generate')
    expect(readAttributes(request!)).toMatchObject({ 'error.type': '502' })
    const points = findPoints(receiver, 'http.server.request.duration')
    expect(points.map(readAttributes)).toEqual([
      {
        'http.request.method': 'POST',
        'url.scheme': 'http',
        'http.route': '/generate',
        'http.response.status_code': 502,
        'error.type': '502',
      },
      {
        'http.request.method': 'GET',
        'url.scheme': 'http',
        'http.route': '/requests/{id}',
        'http.response.status_code': 401,
      },
    ])
    expect(points[0]?.explicitBounds?.slice(0, 3)).toEqual([0.005, 0.01, 0.025])
  })

  test('metrics over OTLP have the connections to the database', async () => {
    const receiver = await startReceiver()
    const telemetry = exportTo(receiver)
    telemetry.observeConnections(() => ({ inUse: 3, idle: 2, waiting: 7, max: 10 }))
    await telemetry.close()
    const pool = { 'db.client.connection.pool.name': 'postgresql' }
    const values = (name: string) =>
      findPoints(receiver, name).map((point) => [Number(point.asInt ?? point.asDouble), readAttributes(point)])
    expect(values('db.client.connection.count')).toEqual([
      [3, { ...pool, 'db.client.connection.state': 'used' }],
      [2, { ...pool, 'db.client.connection.state': 'idle' }],
    ])
    expect(values('db.client.connection.pending_requests')).toEqual([[7, pool]])
    expect(values('db.client.connection.max')).toEqual([[10, pool]])
  })

  test('metrics over OTLP have attempts to deliver events, and the queue, which one query reads', async () => {
    const receiver = await startReceiver()
    const { observer, close } = exportTo(receiver)
    const read = vi.fn<() => Promise<DeliveryQueue>>(async () => ({
      pending: 5,
      overdueMs: 1_500,
      disabledWebhooks: 0,
    }))
    observer.deliveriesOpened?.(read)
    observer.deliveryAttempted?.('delivered', 100)
    observer.deliveryAttempted?.('retried', 15_000)
    await close()
    const attempts = findPoints(receiver, 'fairlead.webhook.attempt.duration')
    expect(attempts.map((point) => [readAttributes(point)['fairlead.webhook.outcome'], point.sum])).toEqual([
      ['delivered', 0.1],
      ['retried', 15],
    ])
    const value = (name: string) => findPoints(receiver, name).map((point) => Number(point.asInt ?? point.asDouble))
    expect(value('fairlead.webhook.deliveries.pending')).toEqual([5])
    expect(value('fairlead.webhook.queue.age')).toEqual([1.5])
    expect(read).toHaveBeenCalledTimes(1)
  })

  test('metrics over OTLP are exported every OTEL_METRIC_EXPORT_INTERVAL milliseconds', async () => {
    const { receiver, post } = await served(undefined, { OTEL_METRIC_EXPORT_INTERVAL: '100' })
    await post('/generate', { model: 'any', prompt: 'x' })
    await expect.poll(() => findPoints(receiver, 'gen_ai.client.inference.duration')).toHaveLength(1)
  })
})
