import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createMetrics, metricsServer } from './metrics.ts'
import { serveApp } from './testing/serve-app.ts'

const record = {
  requestId: 'req_1',
  method: 'POST',
  route: '/v1/generate',
  status: 200,
  durationMs: 700,
  aborted: false,
  address: '192.0.2.1',
} as const

describe('GET /metrics', () => {
  test('GET /metrics returns the metrics to the API key of an admin', async () => {
    const { ask, addCaller } = await serveApp()
    const { credentials } = await addCaller({ user: { role: 'admin' } })
    await (await ask('/models')).text()
    await (await ask('/models/none')).text()
    const read = async () => {
      const reply = await ask('/metrics', { headers: { authorization: `Bearer ${credentials.token}` } })
      return { reply, text: await reply.text() }
    }
    await expect
      .poll(async () => (await read()).text)
      .toContain('fairlead_http_requests_total{method="GET",route="/models/{id}",status="404",aborted="false"} 1')
    const { reply, text } = await read()
    expect(reply.status).toBe(200)
    expect(reply.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
    expect(reply.headers.has('ratelimit')).toBe(false)
    expect(text).toContain('fairlead_http_requests_total{method="GET",route="/models",status="200",aborted="false"} 1')
    expect(text).toContain('fairlead_http_request_duration_seconds_count{method="GET",route="/models",status="200"} 1')
    expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds \S+$/m)
    expect(text).toMatch(/^process_resident_memory_bytes \d+$/m)
  })

  test.each([
    ['a request without an API key', 401],
    ['a member', 403],
    ['an admin’s key without the scope', 403],
  ])('GET /metrics rejects %s', async (who, status) => {
    const { ask, caller, addCaller } = await serveApp()
    const limited = await addCaller({ user: { role: 'admin' }, key: { scopes: ['models'] } })
    const token = { 'a request without an API key': 'x', 'a member': caller.token }[who] ?? limited.credentials.token
    const reply = await ask('/metrics', { headers: { authorization: `Bearer ${token}` } })
    expect(reply.status).toBe(status)
    expect(await reply.json()).toMatchObject({ success: false, error: { details: { field: null } } })
  })
})

describe('createMetrics', () => {
  test('createMetrics counts by route, method, status and whether the client disconnected', async () => {
    const metrics = createMetrics()
    metrics.observer.requestEnded?.(record)
    metrics.observer.requestEnded?.({ ...record, aborted: true })
    const text = await metrics.text()
    expect(text).toContain('{method="POST",route="/generate",status="200",aborted="true"} 1')
    expect(text).toContain(
      'fairlead_http_request_duration_seconds_bucket{le="0.25",method="POST",route="/generate",status="200"} 0',
    )
    expect(text).toContain(
      'fairlead_http_request_duration_seconds_bucket{le="1",method="POST",route="/generate",status="200"} 2',
    )
  })

  test('createMetrics counts the three prefixes of a path as one route, with eight buckets', async () => {
    const metrics = createMetrics()
    for (const route of ['/generate', '/v1/generate', '/api/v1/generate'])
      metrics.observer.requestEnded?.({ ...record, route })
    const text = await metrics.text()
    expect(text).toContain('{method="POST",route="/generate",status="200",aborted="false"} 3')
    expect(text.match(/^fairlead_http_request_duration_seconds_bucket/gm)).toHaveLength(8)
  })

  test('createMetrics has no ids and no addresses in labels', async () => {
    const metrics = createMetrics()
    metrics.observer.requestEnded?.(record)
    expect(await metrics.text()).not.toMatch(/req_1|192\.0\.2\.1/)
  })

  test('createMetrics does not grow with unknown paths', async () => {
    const { ask, addCaller } = await serveApp()
    const { credentials } = await addCaller({ user: { role: 'admin' } })
    for (let path = 0; path < 50; path++) await (await ask(`/made-up-${path}`)).text()
    const reply = await ask('/metrics', { headers: { authorization: `Bearer ${credentials.token}` } })
    const text = await reply.text()
    expect(text).not.toContain('made-up')
    expect(text.match(/^fairlead_http_requests_total\{/gm)?.length).toBeLessThan(4)
  })
})

describe('metricsServer', () => {
  async function aside() {
    const server = metricsServer(createMetrics())
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => {
      server.close()
      server.closeAllConnections()
    })
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  test('metricsServer returns the metrics without an API key', async () => {
    const url = await aside()
    const reply = await fetch(`${url}/metrics`)
    expect([reply.status, reply.headers.get('cache-control')]).toEqual([200, 'no-store'])
    expect(await reply.text()).toContain('process_resident_memory_bytes')
    expect((await fetch(`${url}/metrics`, { method: 'HEAD' })).status).toBe(200)
  })

  test('metricsServer returns 404 for every other path', async () => {
    const url = await aside()
    for (const path of ['/', '/models', '/metrics/', '/healthz']) expect((await fetch(url + path)).status).toBe(404)
    expect((await fetch(`${url}/metrics`, { method: 'POST' })).status).toBe(404)
  })
})
