import { shipmentInput } from '@fairlead/testing'
import { describe, expect, test } from 'vitest'
import { forms, serve as serveNode } from './testing/serve.ts'

const asked = { prompt: 'greet me', model: 'any' }
const shipment = {
  ...shipmentInput(),
  origin: { ...shipmentInput().origin, postalCode: undefined, postal_code: '20457' },
  destination: { ...shipmentInput().destination, postalCode: undefined, postal_code: '0150' },
  parcels: [{ weight_kg: 1.5 }],
}

describe.each(forms)('%s', (_form, serve) => {
  describe('a query', () => {
    test.each(['0x10', '1e1', '%205', '5%20', '+5', '05', '5.0', '-0', 'Infinity'])(
      'a query is rejected with limit=%s, because numbers have one form',
      async (limit) => {
        const { ask } = await serve()
        const { status, json } = await ask('GET', `/shipments?limit=${limit}`)
        expect([status, json.error.details.field]).toEqual([400, 'limit'])
      },
    )

    test.each(['type=%ff', 'type=%c3%28', 'type=%', '%ff=text'])(
      'a query is rejected if it is not percent-encoded UTF-8: %s',
      async (query) => {
        const { ask } = await serve()
        const { status, json } = await ask('GET', `/models?${query}`)
        expect([status, json.error.message]).toEqual([400, 'The query must be percent-encoded UTF-8.'])
      },
    )

    test('a query is rejected for POST and PUT, with the names of its fields', async () => {
      const { ask } = await serve()
      const posted = await ask('POST', '/generate?max_tokens=5&stream=true', { body: asked })
      expect(posted.status).toBe(400)
      expect(posted.json.error.details.issues).toEqual([
        { field: 'max_tokens', issue: 'is not accepted in the query: send it in the body' },
        { field: 'stream', issue: 'is not accepted in the query: send it in the body' },
      ])
      expect((await ask('PUT', '/shipments/shp_1?notes=x', { body: shipment })).status).toBe(400)
      expect((await ask('POST', '/generate?', { body: asked })).status).toBe(200)
    })
  })

  describe('If-None-Match', () => {
    test('If-None-Match returns 304 for the current version of the record', async () => {
      const { ask } = await serve()
      const created = await ask('POST', '/shipments', { body: shipment })
      const path = created.headers.get('location') ?? ''
      for (const tag of ['"1"', 'W/"1"', '"7", "1"', '*']) {
        const { status, headers, text } = await ask('GET', path, { headers: { 'if-none-match': tag } })
        expect([status, headers.get('etag'), text]).toEqual([304, '"1"', ''])
        expect(headers.get('content-type')).toBeNull()
      }
      expect((await ask('GET', path, { headers: { 'if-none-match': '"2"' } })).status).toBe(200)
      expect((await ask('GET', '/shipments', { headers: { 'if-none-match': '*' } })).status).toBe(200)
    })
  })

  describe('a replay', () => {
    test('a replay has its own request id', async () => {
      const { ask } = await serve()
      const headers = { 'idempotency-key': 'k-1' }
      const first = await ask('POST', '/generate', { body: asked, headers })
      const again = await ask('POST', '/generate', { body: asked, headers })
      expect(again.headers.get('idempotent-replayed')).toBe('true')
      expect(again.json.data).toEqual(first.json.data)
      expect(again.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'))
      expect(again.json.meta).toEqual({
        ...first.json.meta,
        request_id: again.headers.get('x-request-id'),
        original_request_id: first.json.meta.request_id,
      })
    })

    test('a replay of a stream has its own request id', async () => {
      const { ask } = await serve()
      const headers = { 'idempotency-key': 'k-1' }
      await ask('POST', '/generate', { body: { ...asked, stream: true }, headers })
      const again = await ask('POST', '/generate', { body: { ...asked, stream: true }, headers })
      expect(again.headers.get('idempotent-replayed')).toBe('true')
      expect(again.text).toContain(`"request_id":"${again.headers.get('x-request-id')}"`)
    })
  })
})

test('an unknown method returns 501', async () => {
  const { adapter } = await serveNode()
  const response = await adapter.handle(new Request('http://localhost/models', { method: 'NOPE' }))
  expect(response.status).toBe(501)
  expect(await response.json()).toMatchObject({ error: { code: 'METHOD_NOT_ALLOWED' } })
})
