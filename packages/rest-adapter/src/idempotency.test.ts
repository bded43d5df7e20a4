import { operations } from '@fairlead/testing/workspace'
import { eventsIn, shipmentInput } from '@fairlead/testing'
import { describe, expect, test } from 'vitest'
import { listRoutes } from './routes.ts'
import { forms, type Reply } from './testing/serve.ts'

describe.each(forms)('%s', (_form, serve) => {
  const routes = listRoutes(Object.values(operations))

  const text = { model: 'any', prompt: 'greet me' }
  const { origin, destination } = shipmentInput()
  const onWire = ({ postalCode, ...address }: typeof origin) => ({ ...address, postal_code: postalCode })
  const shipment = {
    reference: 'order-1',
    origin: onWire(origin),
    destination: onWire(destination),
    parcels: [{ weight_kg: 1 }],
  }
  const readRequestId = ({ headers }: Reply) => headers.get('x-request-id') ?? ''
  /** The first reply with the request id of its replay. */
  const replayed = ({ json }: Reply, to: Reply) => {
    const ids = { request_id: readRequestId(to), original_request_id: json.meta.request_id }
    return { ...json, meta: { ...json.meta, ...ids } }
  }
  const keyed = (key: string) => ({ 'idempotency-key': key })

  describe('a POST that repeats an Idempotency-Key', () => {
    test('a POST that repeats an Idempotency-Key returns the same status and data, a new request id, and Idempotent-Replayed', async () => {
      const { ask } = await serve()
      const first = await ask('POST', '/shipments', { body: shipment, headers: keyed('k-1') })
      const again = await ask('POST', '/shipments', { body: shipment, headers: keyed('k-1') })
      expect(first.status).toBe(201)
      expect(first.headers.get('idempotent-replayed')).toBeNull()
      expect(again.status).toBe(201)
      expect(again.json).toEqual(replayed(first, again))
      expect(again.headers.get('idempotent-replayed')).toBe('true')
      for (const name of ['location', 'etag', 'x-ratelimit-remaining']) {
        expect(again.headers.get(name)).toBe(first.headers.get(name))
      }
    })

    test('a POST that repeats an Idempotency-Key is a replay under any prefix, in the response form of its own prefix', async () => {
      const { ask } = await serve()
      const first = await ask('POST', '/generate', { body: text, headers: keyed('k-1') })
      const quick = await ask('POST', '/v1/generate', { body: text, headers: keyed('k-1') })
      const overview = await ask('POST', '/api/v1/generate', { body: text, headers: keyed('k-1') })
      expect(quick.json).toEqual({ ...replayed(first, quick), ...first.json.data })
      expect(overview.json).toEqual(replayed(first, overview))
      const made = await ask('POST', '/shipments', { body: shipment, headers: keyed('k-1') })
      const location = (await ask('POST', '/v1/shipments', { body: shipment, headers: keyed('k-1') })).headers.get(
        'location',
      )
      expect(location).toBe(`/v1/shipments/${made.json.data.id}`)
    })

    test('a POST that repeats an Idempotency-Key replays a stream as one chunk and a done event', async () => {
      const { ask } = await serve()
      const stream = () => ask('POST', '/generate', { body: { ...text, stream: true }, headers: keyed('k-1') })
      const first = await stream()
      const again = await stream()
      expect(again.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
      expect(again.headers.get('idempotent-replayed')).toBe('true')
      const data = eventsIn(first.text).at(-1)?.data as { readonly meta: object }
      const meta = { ...data.meta, request_id: readRequestId(again), original_request_id: readRequestId(first) }
      expect(eventsIn(again.text)).toEqual([
        { event: 'chunk', data: { content: 'hello there' } },
        { event: 'done', data: { ...data, meta } },
      ])
    })

    test('a POST that repeats an Idempotency-Key is a replay with and without quotes around the key', async () => {
      const { ask } = await serve()
      await ask('POST', '/generate', { body: text, headers: keyed('a"b') })
      const again = await ask('POST', '/generate', { body: text, headers: keyed('"a\\"b"') })
      expect(again.headers.get('idempotent-replayed')).toBe('true')
    })

    test('a POST that repeats an Idempotency-Key runs once if it is sent fifty times concurrently', async () => {
      const { ask } = await serve()
      const replies = await Promise.all(
        Array.from({ length: 50 }, () => ask('POST', '/shipments', { body: shipment, headers: keyed('k-1') })),
      )
      expect(replies.filter(({ headers }) => !headers.has('idempotent-replayed'))).toHaveLength(1)
      expect(new Set(replies.map(({ status, json }) => `${status} ${json.data.id}`)).size).toBe(1)
      expect((await ask('GET', '/shipments')).json.data).toHaveLength(1)
    })
  })

  describe('an Idempotency-Key', () => {
    test('an Idempotency-Key returns 422 for a different body', async () => {
      const { ask } = await serve()
      await ask('POST', '/generate', { body: text, headers: keyed('k-1') })
      const other = await ask('POST', '/generate', { body: { ...text, prompt: 'x' }, headers: keyed('k-1') })
      expect([other.status, other.json.error.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED'])
    })

    test.each(['', '""', 'with space', 'k'.repeat(256), `"${'k'.repeat(256)}"`])(
      'an Idempotency-Key returns 400 if it is %j',
      async (key) => {
        const { ask } = await serve()
        const { status, json } = await ask('POST', '/generate', { body: text, headers: keyed(key) })
        expect([status, json.error.details.field]).toEqual([400, 'Idempotency-Key'])
      },
    )

    test.each(routes.filter(({ method, operation }) => method === 'POST' && 'anonymous' in operation.access))(
      'an Idempotency-Key is rejected by POST $path',
      async ({ path }) => {
        const { ask } = await serve()
        const { status, json } = await ask('POST', path, { body: {}, headers: keyed('k-1') })
        expect([status, json.error.details.field]).toEqual([400, 'Idempotency-Key'])
      },
    )

    test('an Idempotency-Key applies to every POST, because no POST is a read', () => {
      expect(routes.filter(({ method, operation }) => method === 'POST' && operation.kind === 'read')).toEqual([])
    })

    test.each(['GET', 'PUT', 'DELETE'])('an Idempotency-Key is ignored by %s', async (method) => {
      const { ask } = await serve()
      const { json } = await ask('POST', '/shipments', { body: shipment })
      const path = `/shipments/${json.data.id}`
      const body = method === 'PUT' ? { body: shipment } : {}
      expect((await ask(method, path, { ...body, headers: keyed('not a key') })).status).toBe(200)
    })

    test('an Idempotency-Key returns 401 instead of a replay without a token', async () => {
      const { ask } = await serve()
      await ask('POST', '/generate', { body: text, headers: keyed('k-1') })
      const headers = { ...keyed('k-1'), authorization: undefined }
      expect((await ask('POST', '/generate', { body: text, headers })).status).toBe(401)
    })
  })
})
