import { shipmentInput } from '@fairlead/testing'
import { describe, expect, test } from 'vitest'
import { forms } from './testing/serve.ts'

describe.each(forms)('%s', (_form, serve) => {
  const body = {
    reference: 'order-1',
    tracking_number: '7C',
    origin: { ...shipmentInput().origin, postalCode: undefined, postal_code: '20457' },
    destination: { ...shipmentInput().destination, postalCode: undefined, postal_code: '0150' },
    parcels: [{ weight_kg: 1.5, length_cm: 20 }],
    metadata: { costCenter: 'keeps its spelling' },
  }

  async function withShipment() {
    const world = await serve()
    const { json, headers } = await world.ask('POST', '/shipments', { body })
    return { ...world, path: headers.get('location') ?? '', shipment: json.data }
  }

  describe('POST /shipments', () => {
    test.each(['/shipments', '/v1/shipments', '/api/v1/shipments'])(
      'POST /shipments returns 201 at %s, with a Location header under that prefix',
      async (path) => {
        const { ask } = await serve()
        const { status, headers, json } = await ask('POST', path, { body })
        expect(status).toBe(201)
        expect(headers.get('location')).toBe(`${path}/${json.data.id}`)
        expect(headers.get('etag')).toBe('"1"')
        expect(json.data).toMatchObject({
          ...JSON.parse(JSON.stringify(body)),
          status: 'pending',
          estimated_delivery: null,
        })
        expect((await ask('GET', headers.get('location') ?? '')).json.data).toEqual(json.data)
      },
    )

    test('POST /shipments rejects metadata with a field called __proto__', async () => {
      const { ask } = await serve()
      const sent = JSON.stringify(body).replace('"costCenter"', '"__proto__"')
      const { status, json } = await ask('POST', '/shipments', { body: sent })
      expect(status).toBe(400)
      expect(json.error.details).toMatchObject({ field: 'metadata', issue: 'must not have a field called __proto__' })
    })

    test('POST /shipments names fields by their wire names in errors', async () => {
      const { ask } = await serve()
      const { status, json } = await ask('POST', '/shipments', {
        body: { ...body, origin: { ...body.origin, city: 7 } },
      })
      expect([status, json.error.details.field]).toEqual([400, 'origin.city'])
      const misspelled = await ask('POST', '/shipments', { body: { ...body, trackingNumber: '7' } })
      expect(misspelled.json.error.details).toMatchObject({
        field: 'trackingNumber',
        issue: 'is not a known field; did you mean "tracking_number"?',
      })
    })

    test('POST /shipments returns 409 if the reference is taken', async () => {
      const { ask } = await withShipment()
      const { status, json } = await ask('POST', '/shipments', { body })
      expect([status, json.error.details.field]).toEqual([409, 'reference'])
    })
  })

  describe('PUT /shipments/{id}', () => {
    test('PUT /shipments/{id} accepts an edited response of GET', async () => {
      const { ask, path } = await withShipment()
      const { json, headers } = await ask('GET', path)
      const etag = headers.get('etag') ?? ''
      const edited = { ...json.data, status: 'in_transit', notes: 'fragile' }
      const put = await ask('PUT', path, { body: edited, headers: { 'if-match': etag } })
      expect(put.status).toBe(200)
      expect(put.headers.get('etag')).toBe('"2"')
      expect(put.json.data).toMatchObject({ status: 'in_transit', notes: 'fragile', created_at: json.data.created_at })
    })

    test('PUT /shipments/{id} rejects an id that differs from the path', async () => {
      const { ask, path, shipment } = await withShipment()
      const { status, json } = await ask('PUT', path, { body: { ...shipment, id: 'shp_7' } })
      expect(status).toBe(400)
      expect(json.error.details).toMatchObject({ field: 'id', issue: 'must be the one in the path, or left out' })
    })

    test.each([
      ['"7"', 412],
      ['W/"1"', 412],
      ['"other"', 412],
      ['*', 200],
      ['"7", "1"', 200],
    ])('PUT /shipments/{id} with If-Match: %s returns %i', async (ifMatch, expected) => {
      const { ask, path } = await withShipment()
      const { status } = await ask('PUT', path, { body, headers: { 'if-match': ifMatch } })
      expect(status).toBe(expected)
    })

    test('PUT /shipments/{id} names a malformed If-Match', async () => {
      const { ask, path } = await withShipment()
      const { status, json } = await ask('PUT', path, { body, headers: { 'if-match': '1' } })
      expect([status, json.error.details.field]).toEqual([400, 'If-Match'])
    })

    test('PUT /shipments/{id} returns 401 without a token before it checks If-Match', async () => {
      const { ask, path } = await withShipment()
      const { status } = await ask('PUT', path, { body, headers: { 'if-match': '1', authorization: undefined } })
      expect(status).toBe(401)
    })

    test('PUT /shipments/{id} returns 412 for one of two concurrent updates of a version', async () => {
      const { ask, path } = await withShipment()
      const change = (notes: string) => ask('PUT', path, { body: { ...body, notes }, headers: { 'if-match': '"1"' } })
      const answers = await Promise.all([change('one'), change('two')])
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 412])
      const winner = answers.find(({ status }) => status === 200)
      expect((await ask('GET', path)).json.data.notes).toBe(winner?.json.data.notes)
    })

    test('PUT /shipments/{id} returns 409 for a status change that is not allowed', async () => {
      const { ask, path, shipment } = await withShipment()
      const { status, json } = await ask('PUT', path, { body: { ...shipment, status: 'delivered' } })
      expect([status, json.error.code, json.error.details.field]).toEqual([409, 'CONFLICT', 'status'])
    })
  })

  describe('DELETE /shipments/{id}', () => {
    test('DELETE /shipments/{id} returns the id, and the shipment is gone', async () => {
      const { ask, path, shipment } = await withShipment()
      const { status, json } = await ask('DELETE', path)
      expect([status, json.data]).toEqual([200, { id: shipment.id, deleted: true }])
      expect((await ask('GET', path)).status).toBe(404)
      expect((await ask('DELETE', path)).status).toBe(404)
    })

    test('DELETE /shipments/{id} honors If-Match', async () => {
      const { ask, path } = await withShipment()
      expect((await ask('DELETE', path, { headers: { 'if-match': '"2"' } })).status).toBe(412)
      expect((await ask('DELETE', path, { headers: { 'if-match': '"1"' } })).status).toBe(200)
    })
  })

  describe('GET /shipments', () => {
    test('GET /shipments returns pages by query string', async () => {
      const { ask, clock } = await serve()
      for (const reference of ['a', 'b', 'c']) {
        await ask('POST', '/shipments', { body: { ...body, reference } })
        clock.advance(1)
      }
      const first = await ask('GET', '/shipments?limit=2&sort=created_at&status=pending')
      expect(first.json.meta.page).toEqual({ next_cursor: expect.any(String), has_more: true, limit: 2 })
      const cursor = encodeURIComponent(first.json.meta.page.next_cursor)
      const second = await ask('GET', `/api/v1/shipments?limit=2&sort=created_at&status=pending&cursor=${cursor}`)
      expect(second.json.meta.page).toEqual({ next_cursor: null, has_more: false, limit: 2 })
      const references = [...first.json.data, ...second.json.data].map(({ reference }) => reference)
      expect(references).toEqual(['a', 'b', 'c'])
    })

    test.each([
      ['limit=0', 'limit'],
      ['limit=two', 'limit'],
      ['limit=1&limit=2', 'limit'],
      ['cursor=x', 'cursor'],
      ['created_after=2026', 'created_after'],
      ['createdAfter=2026-03-14T09:26:53Z', 'createdAfter'],
      ['offset=3', 'offset'],
    ])('GET /shipments rejects ?%s with 400, field %s', async (query, field) => {
      const { ask } = await serve()
      const { status, json } = await ask('GET', `/shipments?${query}`)
      expect([status, json.error.details.field]).toEqual([400, field])
    })
  })
})
