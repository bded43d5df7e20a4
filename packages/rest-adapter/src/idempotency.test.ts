import { operations } from '@fairlead/core'
import { shipmentInput } from '@fairlead/core/testing'
import { describe, expect, test } from 'vitest'
import { routesOf } from './routes.ts'
import { forms, type Reply } from './testing/serve.ts'

describe.each(forms)('%s', (_form, serve) => {
  const routes = routesOf(Object.values(operations))

  const text = { model: 'any', prompt: 'greet me' }
  const { origin, destination } = shipmentInput()
  const onWire = ({ postalCode, ...address }: typeof origin) => ({ ...address, postal_code: postalCode })
  const shipment = {
    reference: 'order-1',
    origin: onWire(origin),
    destination: onWire(destination),
    parcels: [{ weight_kg: 1 }],
  }
  const requestIdOf = ({ headers }: Reply) => headers.get('x-request-id') ?? ''
  /** A reply under the id of the request that it is replayed to. */
  const replayed = ({ json }: Reply, to: Reply) => ({ ...json, meta: { ...json.meta, request_id: requestIdOf(to) } })
  const keyed = (key: string) => ({ 'idempotency-key': key })

  describe('the same POST under the same Idempotency-Key', () => {
    test('is answered with the same status and data, a request id of its own, and says that it is a replay', async () => {
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

    test('is the same under any prefix, and answered in the form of its own', async () => {
      const { ask } = await serve()
      const first = await ask('POST', '/generate', { body: text, headers: keyed('k-1') })
      const quick = await ask('POST', '/v1/generate', { body: text, headers: keyed('k-1') })
      const overview = await ask('POST', '/api/v1/generate', { body: text, headers: keyed('k-1') })
      expect(quick.json).toEqual({ ...replayed(first, quick), ...first.json.data })
      expect(overview.json).toEqual(replayed(first, overview))
      const made = await ask('POST', '/shipments', { body: shipment, headers: keyed('k-1') })
      const place = (await ask('POST', '/v1/shipments', { body: shipment, headers: keyed('k-1') })).headers.get(
        'location',
      )
      expect(place).toBe(`/v1/shipments/${made.json.data.id}`)
    })

    test('of a stream is one chunk, and done', async () => {
      const { ask } = await serve()
      const stream = () => ask('POST', '/generate', { body: { ...text, stream: true }, headers: keyed('k-1') })
      const first = await stream()
      const again = await stream()
      const events = (reply: { readonly text: string }) => reply.text.trim().split('\n\n')
      expect(again.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
      expect(again.headers.get('idempotent-replayed')).toBe('true')
      expect(events(again)).toEqual([
        'event: chunk\ndata: {"content":"hello there"}',
        events(first).at(-1)?.replace(requestIdOf(first), requestIdOf(again)),
      ])
    })

    test('may write its key with quotes or without', async () => {
      const { ask } = await serve()
      await ask('POST', '/generate', { body: text, headers: keyed('a"b') })
      const again = await ask('POST', '/generate', { body: text, headers: keyed('"a\\"b"') })
      expect(again.headers.get('idempotent-replayed')).toBe('true')
    })

    test('runs once when it is sent fifty times at once', async () => {
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
    test('of another body is answered with 422', async () => {
      const { ask } = await serve()
      await ask('POST', '/generate', { body: text, headers: keyed('k-1') })
      const other = await ask('POST', '/generate', { body: { ...text, prompt: 'x' }, headers: keyed('k-1') })
      expect([other.status, other.json.error.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED'])
    })

    test.each(['', '""', 'with space', 'k'.repeat(256), `"${'k'.repeat(256)}"`])(
      'that is %j is answered with 400',
      async (key) => {
        const { ask } = await serve()
        const { status, json } = await ask('POST', '/generate', { body: text, headers: keyed(key) })
        expect([status, json.error.details.field]).toEqual([400, 'Idempotency-Key'])
      },
    )

    test.each(routes.filter(({ method, path }) => method === 'POST' && path.startsWith('/auth/')))(
      'is not taken by POST $path',
      async ({ path }) => {
        const { ask } = await serve()
        const { status, json } = await ask('POST', path, { body: {}, headers: keyed('k-1') })
        expect([status, json.error.details.field]).toEqual([400, 'Idempotency-Key'])
      },
    )

    test('is never lost on a POST that only looks something up', () => {
      expect(routes.filter(({ method, operation }) => method === 'POST' && operation.kind === 'read')).toEqual([])
    })

    test.each(['GET', 'PUT', 'DELETE'])('changes nothing on a %s', async (method) => {
      const { ask } = await serve()
      const { json } = await ask('POST', '/shipments', { body: shipment })
      const path = `/shipments/${json.data.id}`
      const body = method === 'PUT' ? { body: shipment } : {}
      expect((await ask(method, path, { ...body, headers: keyed('not a key') })).status).toBe(200)
    })

    test('tells nothing to a caller without a token', async () => {
      const { ask } = await serve()
      await ask('POST', '/generate', { body: text, headers: keyed('k-1') })
      const headers = { ...keyed('k-1'), authorization: undefined }
      expect((await ask('POST', '/generate', { body: text, headers })).status).toBe(401)
    })
  })
})
